"""The second half of the day: what blocks are good for and where they fail, then one table, then two."""

from __future__ import annotations

from collections.abc import Iterator

from generator.model.day import Day
from generator.model.handout import Moment
from generator.units import number, percent, tokens

MOMENTS = 3  # at which the two ways are compared before the measured time


def same_memory(day: Day) -> Iterator[Moment]:
    before = len(day.block.preemptions)
    end = day.scenario.measured_seconds
    if day.race.now < end and day.race.until(lambda: len(day.block.preemptions) > before or day.race.now > end):
        yield from _no_block_left(day, before)
    start = day.race.now
    for k in range(1, MOMENTS + 1):
        day.race.run_until(start + (end - start) * k / (MOMENTS + 1))
        newest = day.block.running[-1:]
        queue = f"{day.piece.waiting[0].who} waits" if day.piece.waiting else "nobody waits"
        caption = (
            f"In one piece {len(day.piece.running)} run, {len(day.piece.finished)} have their answer, and {queue}. "
            f"By the block {len(day.block.running)} run, {len(day.block.finished)} have theirs."
        )
        yield day.show(f"later-{k}", caption, *newest, quick=True)
    day.race.run_until(end)
    caption = (
        f"In one piece {len(day.piece.finished)} people have their answer, by the block {len(day.block.finished)}. "
        f"That took {len(day.block.preemptions)} preemptions: {tokens(day.block.computed_again)} were computed again."
    )
    yield day.show("same-time", caption)


def _no_block_left(day: Day, before: int) -> Iterator[Moment]:
    """The failure that is paging's own: running requests want a block, and there is none."""
    if len(day.block.preemptions) == before:
        return
    lost = day.block.preemptions[before]
    who = lost.job.who
    caption = (
        f"Everybody grows until no block is free. The last to come, {who}, is preempted and "
        f"loses {tokens(lost.tokens)} to them."
    )
    yield day.show("preempted", caption, lost.job, preempted=lost.job)
    if day.starts(lost.job):
        memory = day.race.by_the_block
        again = tokens(memory.held[lost.job.name] - memory.reused[lost.job.name])
        caption = f"There is room again, and {who} goes first. {again}, prompt and answer so far, are computed again."
        yield day.show("computed-again", caption, lost.job)


def table(day: Day) -> Iterator[Moment]:
    ana = day.scenario.returning(day.crowd[0], day.scenario.answer_tokens[0])
    day.race.until(lambda: not day.block.waiting and not day.block.expects)
    ana = day.bring(ana)
    day.starts(ana)
    before = day.piece.waiting.index(ana) if ana in day.piece.waiting else 0
    caption = (
        f"{ana.who} is back: {tokens(len(ana.prompt))} are computed, in {day.blocks(ana)}. "
        f"In one piece {before} people wait before her."
    )
    yield day.show("ana-again", caption, ana)
    first, second = (number(block) for block in (*day.table(ana), *day.table(ana))[:2])
    caption = (
        f"{ana.who}'s table says where they lie: first block {first}, then block {second}. Only it knows the order."
    )
    yield day.show("table", caption, ana)
    lines = len(day.table(ana))
    day.race.until(lambda: ana not in day.block.running or len(day.table(ana)) > lines)
    if ana not in day.block.running:
        return
    newest = number(day.table(ana)[-1])
    caption = f"{ana.who}'s answer needs a block more. Any free one will do, here number {newest}: {day.blocks(ana)}."
    yield day.show("one-more", caption, ana)
    memory = day.race.by_the_block
    left = -memory.held[ana.name] % day.scenario.block_tokens
    empty = memory.taken_tokens - memory.held_tokens
    caption = (
        f"Only her last block is reserved, empty in part: {tokens(left)}. "
        f"Of everybody's blocks, {percent(empty / memory.taken_tokens, 1)} is empty in this way."
    )
    yield day.show("last-block", caption, ana)


def two_owners(day: Day) -> Iterator[Moment]:
    ana = next((job for job in day.block.running if job.who == day.crowd[0].who), day.crowd[0])
    ben = day.scenario.returning(day.crowd[1], day.scenario.answer_tokens[1])
    alike = f"the same {tokens(day.scenario.shared_tokens)} as {ana.who}'s, which are held"
    yield day.show("ben-again", f"{ben.who} is back, too. His prompt begins with {alike}.", ana, ben)
    ben = day.bring(ben)
    day.starts(ben)
    found = day.race.by_the_block.reused[ben.name]
    lines = found // day.scenario.block_tokens
    rest = f"{number(len(ben.prompt) - found)} are computed, in blocks of his own"
    caption = f"{ben.who}'s table names {ana.who}'s first {lines} blocks: {tokens(found)} reused. Only {rest}."
    if not found:
        caption = f"What {ben.who} has in common with {ana.who} does not fill a block: none reused, {rest}."
    yield day.show("two-owners", caption, ana, ben)
    more = len(day.table(ben))
    day.race.until(lambda: ben not in day.block.running or len(day.table(ben)) > more)
    caption = "Both answers grow in blocks of their own, after the shared ones: an owner is a line in a table."
    yield day.show("own-ends", caption, ana, ben)
    day.race.until(lambda: ana not in day.block.running)
    caption = (
        f"{ana.who} leaves. Her own blocks are free; the {lines} that {ben.who} reused stay, for his table names them."
    )
    yield day.show("ana-leaves", caption, ana, ben)
