"""The same people, the same memory, handed out in two ways: a piece for each, or a block whenever one is needed.

By the block goes by vLLM's rules and its order of service, in one piece by first fit and in the same order. Every
pass takes the plain roofline's time. The memory is a slice of what the cards have for the cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from generator.model import cast, two_ways
from generator.model.blocks_told import same_memory, table, two_owners
from generator.model.day import Day
from generator.model.handout import Moment, in_order
from generator.model.job import Job
from generator.model.quoted import node_facts
from generator.model.scenario import BadParameter
from generator.units import number, percent, seconds, tokens

Scenario = two_ways.Scenario
Step = Moment
FEW = 7  # people shown as they come, after the first two


def simulate(scenario: Scenario) -> Iterator[Step]:
    """The same time in both memories, in the order things happen. Raises BadParameter if they never fill."""
    day = Day(scenario)
    for title, beat in _BEATS:
        for position, step in enumerate(beat(day)):
            yield replace(step, beat="" if position else title)


def _reserve(day: Day) -> Iterator[Step]:
    first, second = day.crowd[:2]
    what = f"{number(day.scenario.blocks)} blocks of {tokens(day.scenario.block_tokens)}"
    yield day.show("empty", f"One memory of {what}, handed out in two ways to the same people. Nobody is here yet.")
    length = f"{first.who} brings {tokens(len(first.prompt))}; the answer may take {number(first.allowed_tokens)}"
    yield day.show("ana-asks", f"{length}. How much memory is that?", first)
    day.starts(first)
    aside = day.scenario.set_aside(first)
    empty = f"{tokens(aside)} in a row, {number(aside - len(first.prompt))} of them reserved, empty"
    caption = f"{first.who} in one piece: {empty}. By the block: {day.blocks(first)}, more when needed."
    yield day.show("ana", caption, first)
    day.starts(second)
    yield day.show("ben", day.comes(second), first, second)


def _growing(day: Day) -> Iterator[Step]:
    size = day.scenario.block_tokens
    rule = (
        f"Answers grow: reserved, empty becomes held. By the block, everybody takes a block more every {tokens(size)}."
    )
    for position, job in enumerate(day.crowd[2 : 2 + FEW]):
        if not day.starts(job) or job not in day.piece.running:
            break
        yield day.show(f"{cast.slug(job.who)}-comes", day.comes(job) if position else rule, job, quick=True)


def _wall(day: Day) -> Iterator[Step]:
    if not day.race.until(lambda: day.piece.blocked is not None) or day.piece.blocked is None:
        raise BadParameter("people", "never fill the memory", "more of them, or more in a second")
    refused = day.refused = day.piece.blocked
    last = day.piece.running[-1]
    caption = (
        f"{last.who} is the last to find a piece: {len(day.piece.running)} run, {tokens(day.longest_hole)} are left."
    )
    yield day.show("last-fits", caption, last)
    day.starts(refused)
    need = f"{refused.who} needs {tokens(day.scenario.set_aside(refused))} in a row: refused"
    caption = f"{need}. By the block the same prompt starts in {day.blocks(refused)}, wherever they are."
    yield day.show(f"{cast.slug(refused.who)}-refused", caption, refused, refused=refused)
    day.race.until(lambda: len(day.piece.waiting) >= len(day.piece.running) and not day.block.waiting)
    behind = f"Behind {refused.who} {len(day.piece.waiting) - 1} more wait"
    caption = f"{behind}: first come, first served. By the block all {len(day.block.running)} run."
    yield day.show("queue", caption, refused, refused=refused)
    caption = f"In one piece {refused.who} finds no room. How much of this memory holds a token?"
    yield day.show("share", caption, refused, refused=refused, counted=False)
    piece = day.race.in_one_piece.held_tokens / day.race.in_one_piece.tokens
    caption = (
        f"Only {percent(piece)} holds a token: nearly all else is reserved, empty, and {refused.who} is refused. "
        f"By the block all {len(day.block.running)} run."
    )
    yield day.show("wall", caption, refused, refused=refused)


def _holes(day: Day) -> Iterator[Step]:
    refused, left = day.refused, list[Job]()
    need = number(day.scenario.set_aside(refused))
    tables = {job: frozenset(day.table(job)) for job in day.block.running}
    while len(left) < 2:
        gone = day.until_a_piece_is_free()
        if not gone or refused in day.piece.running:
            break
        left += gone
        caption = (
            f"{in_order(gone)} leaves and gives back {tokens(sum(map(day.scenario.set_aside, gone)))}. "
            f"{refused.who} needs {need} in a row: still refused."
        )
        yield day.show(f"{cast.slug(gone[0].who)}-leaves", caption, refused, refused=refused)
    if left and refused not in day.piece.running:
        pieces = day.race.in_one_piece
        caption = (
            f"{tokens(pieces.tokens - pieces.taken_tokens)} are free, at most {number(day.longest_hole)} of them in a "
            f"row. Both holes together would hold {refused.who}, neither does alone."
        )
        yield day.show("holes", caption, refused, refused=refused)
        yield from _any_hole(day, left, tables)
    day.race.until(lambda: refused in day.piece.running)
    waited = seconds(day.race.now - refused.arrival)
    caption = (
        f"{refused.who} starts in one piece at last, {waited} late. By the block the same answer has "
        f"{tokens(day.race.by_the_block.held.get(refused.name, 0) - len(refused.prompt))} by now."
    )
    yield day.show(f"{cast.slug(refused.who)}-starts", caption, refused)


def _any_hole(day: Day, left: Sequence[Job], tables: dict[Job, frozenset[int]]) -> Iterator[Step]:
    """By the block, too, `left` have left; somebody takes what was theirs."""
    free = frozenset[int]().union(*(tables.get(job, frozenset()) for job in left))
    day.race.until(lambda: all(job in day.block.finished for job in left))
    caption = (
        f"By the block {in_order(left)} leave, too: {len(free)} blocks are free, here and there. "
        f"{day.refused.who} has long been running."
    )
    yield day.show("blocks-are-free", caption, day.refused, refused=day.refused)

    def heir() -> Job | None:
        return next(
            (job for job in reversed(day.block.running) if job not in tables and free & {*day.table(job)}), None
        )

    if day.race.until(lambda: heir() is not None) and (job := heir()):
        block = next(block for block in day.table(job) if block in free)
        caption = (
            f"By the block any hole will do: one of {job.who}'s {day.blocks(job)} is number {number(block)}, "
            f"which {in_order(left, 'or')} had."
        )
        yield day.show("any-hole", caption, job)


_BEATS: tuple[tuple[str, Callable[[Day], Iterator[Step]]], ...] = (
    ("Reserve for the worst", _reserve),
    ("Answers grow", _growing),
    ("The wall", _wall),
    ("Two holes", _holes),
    ("The same memory", same_memory),
    ("The table", table),
    ("Two owners", two_owners),
)


def facts(scenario: Scenario, steps: Sequence[Step]) -> dict[str, object]:
    """What prose may quote of the whole run: seconds, tokens, shares and plain counts."""
    roofline = scenario.roofline()
    measured = next(step for step in steps if step.name == "same-time")
    end = next(step for step in steps if step.name == "two-owners")
    memory = scenario.memory_tokens
    return {
        **node_facts(roofline),
        "memory_tokens": memory,
        "blocks": scenario.blocks,
        "node_blocks": roofline.cache_budget_tokens // scenario.block_tokens,
        "longest_prompt": scenario.prompt_tokens[1],
        "allowed": scenario.allowed_tokens,
        "full": scenario.full_tokens,
        "people": scenario.people,
        "seconds": scenario.measured_seconds,
        "per_second": scenario.per_second,
        "shared_tokens": scenario.shared_tokens,
        "shared_reused": end.tables[-1].reused * scenario.block_tokens,
        "lines_per_person": measured.block_taken_tokens / scenario.block_tokens / max(1, measured.block_running),
        "piece": {
            "finished": measured.piece_finished,
            "running": measured.piece_mean_running,
            "held_share": measured.piece_mean_held_tokens / memory,
        },
        "block": {
            "finished": measured.block_finished,
            "running": measured.block_mean_running,
            "held_share": measured.block_mean_held_tokens / memory,
            "taken_share": measured.block_mean_taken_tokens / memory,
            "empty_share": 1 - measured.block_mean_held_tokens / measured.block_mean_taken_tokens,
            "preemptions": measured.preemptions,
            "computed_again": measured.computed_again,
        },
    }
