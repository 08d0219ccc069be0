"""What a reader sees of one memory that is handed out in two ways: two maps, block tables, and the counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from generator.model.batching import Server
from generator.model.block_table import Table, block_table
from generator.model.job import Job
from generator.model.race import Race
from generator.model.squares import FREE, Map
from generator.units import number, percent, tokens


@dataclass(frozen=True)
class Moment:
    """Both memories at one time. Counts are requests, tokens or blocks; `seconds` since the first came.

    `piece_…` is the memory handed out in one piece, `block_…` the one by the block; `…_mean_…` are means over
    the time since 0. A `taken` place is one that nobody else can have. `computed_again` are tokens of
    requests that had been preempted, `needed_tokens` what whoever is refused needs in a row.
    """

    name: str
    caption: str
    map_title: str
    maps: tuple[Map, ...]
    tables: tuple[Table, ...]
    block_tokens: int
    seconds: float
    piece_running: int
    piece_waiting: int
    piece_finished: int
    piece_held_tokens: int
    piece_taken_tokens: int
    piece_mean_running: float
    piece_mean_held_tokens: float
    longest_hole: int
    free_in_holes: int
    block_running: int
    block_waiting: int
    block_finished: int
    block_held_tokens: int
    block_taken_tokens: int
    block_mean_running: float
    block_mean_held_tokens: float
    block_mean_taken_tokens: float
    preemptions: int
    computed_again: int
    needed_tokens: int = 0
    map_note: str = ""
    beat: str = ""
    quick: bool = False


class Narrator:
    """Tells a race. What has been computed since the last time that was shown is drawn so."""

    def __init__(self, race: Race) -> None:
        self.race = race
        self._shown_at = -1.0
        self._seen: dict[str, int] = {}
        self._seen_in_piece: dict[str, int] = {}
        self._held: dict[str, int] = {}
        self._held_in_piece: dict[str, int] = {}

    def show(
        self, name: str, caption: str, *heroes: Job, refused: Job | None = None, preempted: Job | None = None,
        quick: bool = False, counted: bool = True,
    ) -> Moment:  # fmt: skip
        """The memories now, with the tables of `heroes`; the last of them is the one that is served.

        `refused` finds no piece, `preempted` no block; not `counted`: the share of tokens is left to guess.
        """
        self._notice()
        race = self.race
        hero = heroes[-1] if heroes else None
        pieces, blocks, size = race.in_one_piece, race.by_the_block, race.by_the_block.cache.block_tokens
        mean, block_mean = race.piece.mean, race.block.mean
        return Moment(
            name=name,
            caption=caption,
            map_title=f"{number(blocks.tokens // size)} blocks of {tokens(size)}",
            maps=(self._pieces(hero, refused, counted), self._blocks(hero, preempted)),
            tables=tuple(self.table(job) for job in heroes),
            block_tokens=size,
            seconds=race.now,
            piece_running=len(race.piece.running),
            piece_waiting=len(race.piece.waiting),
            piece_finished=len(race.piece.finished),
            piece_held_tokens=pieces.held_tokens,
            piece_taken_tokens=pieces.taken_tokens,
            piece_mean_running=mean.running,
            piece_mean_held_tokens=mean.held_tokens,
            longest_hole=pieces.pieces.longest_hole,
            free_in_holes=pieces.tokens - pieces.taken_tokens,
            block_running=len(race.block.running),
            block_waiting=len(race.block.waiting),
            block_finished=len(race.block.finished),
            block_held_tokens=blocks.held_tokens,
            block_taken_tokens=blocks.taken_tokens,
            block_mean_running=block_mean.running,
            block_mean_held_tokens=block_mean.held_tokens,
            block_mean_taken_tokens=block_mean.taken_tokens,
            preemptions=len(race.block.preemptions),
            computed_again=race.block.computed_again,
            needed_tokens=pieces.reservation(refused) if refused else 0,
            quick=quick,
        )

    def table(self, job: Job) -> Table:
        """The block table of `job`, empty while it does not run."""
        memory = self.race.by_the_block
        if job.name not in memory.held:
            return Table(job.who)
        seen, reused = self._seen.get(job.name, 0), memory.reused[job.name]
        table = memory.cache.table(job.name)
        return block_table(job.who, table, memory.held[job.name], seen, reused, memory.cache.block_tokens)

    def _notice(self) -> None:
        """Once time has passed, what was shown the last time is no news."""
        if self.race.now > self._shown_at:
            self._seen, self._seen_in_piece = self._held, self._held_in_piece
            self._shown_at = self.race.now
        self._held = dict(self.race.by_the_block.held)
        self._held_in_piece = dict(self.race.in_one_piece.held)

    def _pieces(self, hero: Job | None, refused: Job | None, counted: bool) -> Map:
        memory, size = self.race.in_one_piece, self.race.by_the_block.cache.block_tokens
        squares = [FREE] * (memory.tokens // size)
        for state, start, end in sorted(self._parts(hero), key=lambda part: _ORDER.index(part[0])):
            last = min((end - 1) // size, len(squares) - 1) if end > start else -1
            squares[start // size : last + 1] = [state] * (last + 1 - start // size)
        outside = -(-memory.reservation(refused) // size) if refused else 0
        below = _below(self.race.piece, memory.held_tokens / memory.tokens if counted else None)
        who = refused.who if refused else ""
        return Map("In one piece", tuple(squares), (), ("refused",) * outside, who, below)

    def _parts(self, hero: Job | None) -> Iterator[tuple[str, int, int]]:
        """Runs of places with the state they are in, piece by piece."""
        memory = self.race.in_one_piece
        for name, held in memory.held.items():
            piece = memory.pieces.piece(name)
            seen = self._seen_in_piece.get(name, 0) if hero and hero.name == name else held
            yield "reserved, empty", piece.start + held, piece.end
            yield "held", piece.start, piece.start + min(seen, held)
            yield "computed", piece.start + min(seen, held), piece.start + held

    def _blocks(self, hero: Job | None, preempted: Job | None) -> Map:
        memory = self.race.by_the_block
        states = {entry.block: entry.state for entry in self.table(hero).entries} if hero else {}
        squares = tuple(
            states.get(block.number, "held") if block.references else FREE for block in memory.cache.blocks()
        )
        lost = next((past.tokens for past in reversed(self.race.block.preemptions) if past.job is preempted), 0)
        outside = -(-lost // memory.cache.block_tokens)
        below = _below(self.race.block, memory.held_tokens / memory.tokens)
        return Map("By the block", squares, (), ("refused",) * outside, preempted.who if preempted else "", below)


_ORDER = ("reserved, empty", "held", "computed")
"""A square is in the last of the states that reach into it."""


def _below(server: Server, share: float | None) -> str:
    counts = [f"{percent(share)} holds tokens"] if share is not None else []
    counts += [f"{len(server.running)} running", f"{len(server.waiting)} waiting"]
    counts += [f"{len(server.finished)} done"] if server.finished else []
    return " · ".join(counts)


def in_order(jobs: Sequence[Job], word: str = "and") -> str:
    """People by name: "Ben and Hana", "Ben, Hana and Emil"."""
    *others, last = [job.who for job in jobs]
    return f"{', '.join(others)} {word} {last}" if others else last
