"""A day on which the same people come to one memory, handed out in two ways: who comes, who runs, who leaves."""

from __future__ import annotations

from dataclasses import replace

from generator.model.handout import Narrator
from generator.model.job import Job
from generator.model.memory import ByTheBlock, InOnePiece
from generator.model.race import Race
from generator.model.two_ways import Scenario
from generator.units import number, tokens


class Day:
    """The race, those who come, and who tells of it. `refused` is the first who finds no piece."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.crowd = scenario.crowd()
        pieces = InOnePiece(scenario.memory_tokens, scenario.set_aside)
        self.race = Race(pieces, ByTheBlock(scenario.blocks, scenario.block_tokens), scenario.roofline())
        self.race.expect(self.crowd)
        self.piece, self.block = self.race.piece, self.race.block
        self.show = Narrator(self.race).show
        self.refused = self.crowd[-1]

    @property
    def longest_hole(self) -> int:
        """Tokens in a row that nobody has."""
        return self.race.in_one_piece.pieces.longest_hole

    def table(self, job: Job) -> tuple[int, ...]:
        """Where the blocks of `job` lie."""
        return self.race.by_the_block.cache.table(job.name)

    def blocks(self, job: Job) -> str:
        """How many blocks `job` has: "12 blocks", "1 block"."""
        count = len(self.table(job))
        return f"{count} blocks" if count > 1 else "1 block"

    def comes(self, job: Job) -> str:
        """What a newcomer gets in either way."""
        prompt, aside = tokens(len(job.prompt)), f"{number(self.scenario.set_aside(job))} set aside in one piece"
        return f"{job.who}'s prompt of {prompt} is computed: {aside}, {self.blocks(job)} by the block."

    def until_a_piece_is_free(self) -> list[Job]:
        """On until somebody's answer is done in one piece; those who left."""
        before = len(self.piece.finished)
        self.race.until(lambda: len(self.piece.finished) > before)
        return self.piece.finished[before:]

    def bring(self, job: Job) -> Job:
        """`job` comes now."""
        job = replace(job, arrival=self.race.now)
        self.race.expect([job])
        return job

    def starts(self, job: Job) -> bool:
        """On until `job` runs by the block."""
        return self.race.until(lambda: job in self.block.running)
