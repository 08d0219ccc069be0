"""A server over either memory, small enough to follow by hand: who is let in, who grows, who is preempted."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.model.batching import Server
from generator.model.job import Crowd, Job, words
from generator.model.memory import ByTheBlock, InOnePiece
from generator.model.race import Race
from generator.model.roofline import Roofline

ROOFLINE = Roofline.of("llama-3.1-70b", "4x a100-80gb")


def job(name, prompt, answer, arrival=0.0, allowed=8):
    return Job(name, name, arrival, words(name, prompt), words(f"{name} answers", answer), allowed)


def served(memory, *jobs):
    server = Server(memory, ROOFLINE)
    server.expect(jobs)
    return server


def reserve_all(job):
    return len(job.prompt) + job.allowed_tokens


def run(server):
    while not math.isinf(server.next_event):
        server.step()


def test_a_prompt_and_its_answer_take_a_prefill_and_a_pass_for_each_further_token():
    server = served(ByTheBlock(8, 4), job("Ana", 5, 3))
    run(server)
    expected = ROOFLINE.prefill(5).seconds + ROOFLINE.decode(1, 5).seconds + ROOFLINE.decode(1, 6).seconds
    assert server.now == pytest.approx(expected)
    assert [job.name for job in server.finished] == ["Ana"]


def test_a_block_is_taken_when_a_token_needs_one_and_the_last_token_sampled_needs_none():
    memory = ByTheBlock(8, 4)
    server = served(memory, job("Ana", 4, 6))
    taken = []
    while not math.isinf(server.next_event):
        server.step()
        taken.append((memory.held.get("Ana"), memory.taken_tokens))
    assert taken == [(4, 4), (5, 8), (6, 8), (7, 8), (8, 8), (9, 12), (None, 0)]


def test_in_one_piece_all_of_it_is_taken_from_the_first_token_on():
    memory = InOnePiece(32, reserve_all)
    server = served(memory, job("Ana", 4, 3))
    server.step()
    assert (memory.held_tokens, memory.taken_tokens) == (4, 12)
    server.step()
    assert (memory.held_tokens, memory.taken_tokens) == (5, 12)
    run(server)
    assert memory.taken_tokens == 0


def test_whoever_finds_no_room_holds_up_those_behind():
    server = served(InOnePiece(20, reserve_all), job("Ana", 4, 3), job("Ben", 6, 1), job("Chen", 1, 1, allowed=1))
    server.step()
    server.step()
    server.step()
    assert [job.name for job in server.running] == ["Ana"]
    server.step()
    assert server.blocked is not None and server.blocked.name == "Ben"
    assert [job.name for job in server.waiting] == ["Ben", "Chen"]
    run(server)
    assert [job.name for job in server.finished] == ["Ana", "Ben", "Chen"]


def test_the_last_to_come_is_preempted_and_computed_again():
    """Four blocks of 4: Ana and Ben take one each, then two each; Ana's ninth token finds none free."""
    memory = ByTheBlock(4, 4)
    server = served(memory, job("Ana", 4, 8), job("Ben", 4, 8))
    while not server.preemptions:
        server.step()
    (lost,) = server.preemptions
    assert lost.job.name == "Ben" and [job.name for job in server.running] == ["Ana"]
    assert [job.name for job in server.waiting] == ["Ben"] and memory.held["Ana"] == 9
    run(server)
    assert [job.name for job in server.finished] == ["Ana", "Ben"]
    assert len(server.preemptions) == 1 and 0 < server.computed_again <= lost.tokens + 1
    assert memory.taken_tokens == 0


def test_nobody_is_let_in_by_the_pass_that_preempts():
    server = served(ByTheBlock(4, 4), job("Ana", 4, 8), job("Ben", 4, 8), job("Chen", 1, 1, arrival=0.05))
    while not server.preemptions:
        server.step()
    assert [job.name for job in server.waiting] == ["Ben", "Chen"]


def test_an_equal_beginning_is_held_once_and_counted_once():
    memory = ByTheBlock(16, 4)
    beginning = words("alike", 8)
    ana = Job("Ana", "Ana", 0.0, beginning + words("Ana", 2), words("a", 5), 8)
    ben = Job("Ben", "Ben", 0.0, beginning + words("Ben", 3), words("b", 5), 8)
    assert memory.start(ana).matched == 0 and memory.start(ben).matched == 8
    assert memory.reused == {"Ana": 0, "Ben": 8}
    assert memory.cache.table("Ana")[:2] == memory.cache.table("Ben")[:2]
    assert memory.taken_tokens == 16 and memory.held_tokens == 8 + 2 + 3


def test_means_are_over_time():
    server = served(ByTheBlock(8, 4), job("Ana", 4, 1))
    run(server)
    server.wait_until(2 * server.now)
    assert server.mean.running == pytest.approx(0.5) and server.mean.held_tokens == pytest.approx(2)


def test_a_crowd_is_the_same_every_time_and_no_two_say_the_same():
    crowd = Crowd(4.0, (5, 9), (1, 3), 8, seed=1)
    first, second = (list(itertools.islice(crowd, 30)) for _ in range(2))
    assert [vars(one) for one in first] == [vars(two) for two in second]
    assert [one.who for one in first[:3]] == ["Ana", "Ben", "Chen"] and first[0].arrival == 0
    said = [token for one in first for token in (*one.prompt, *one.answer)]
    assert len(said) == len(set(said))
    assert all(5 <= len(one.prompt) <= 9 and 1 <= len(one.answer) <= 3 for one in first)
    assert [one.arrival for one in first] == sorted(one.arrival for one in first)


def test_a_crowd_comes_as_often_as_it_should():
    last = next(itertools.islice(Crowd(5.0, (1, 1), (1, 1), 1, seed=2), 4000, None))
    assert last.arrival == pytest.approx(800, rel=0.05)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 4))
def test_everybody_is_answered_and_memory_is_never_overdrawn(seed, size):
    """Whatever comes: in both memories all are answered, and what is held never exceeds what is taken."""
    crowd = list(itertools.islice(Crowd(40.0, (1, 12), (1, 12), 12, seed), 12))
    race = Race(InOnePiece(48, reserve_all), ByTheBlock(48 // size, size), ROOFLINE)
    race.expect(crowd)

    def checked():
        for memory in (race.in_one_piece, race.by_the_block):
            assert memory.held_tokens <= memory.taken_tokens <= memory.tokens
        return False

    assert not race.until(checked)
    assert sorted(job.name for job in race.piece.finished) == sorted(job.name for job in crowd)
    assert sorted(job.name for job in race.block.finished) == sorted(job.name for job in crowd)
    assert not race.piece.preemptions


def test_one_pass_reads_the_weights_once_for_prompts_and_conversations_together():
    together = ROOFLINE.mixed([(40, 0), (1, 500), (1, 900)])
    assert ROOFLINE.mixed([(40, 8)]).seconds == ROOFLINE.prefill(40, 8).seconds
    assert ROOFLINE.mixed([(1, 5), (1, 9)]).seconds == ROOFLINE.decode(2, [5, 9]).seconds
    apart = ROOFLINE.prefill(40).seconds + ROOFLINE.decode(2, [500, 900]).seconds
    assert together.seconds < apart - 0.9 * ROOFLINE.floor_seconds
    with pytest.raises(ValueError, match="at least one new token"):
        ROOFLINE.mixed([(0, 5)])
