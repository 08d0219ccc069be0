"""Sessions in one cache: hand-worked evictions, the cliff, the slope, and what is evicted first."""

from __future__ import annotations

import pytest

from generator.model.contest import Contest, Lost, found, hit_rate, returns, room_for
from generator.model.roofline import Roofline
from generator.model.turn_order import irregular, taking_turns


@pytest.fixture(scope="module")
def roofline():
    return Roofline.of("llama-3.1-70b", "4x a100-80gb")


SMALL = room_for(head=4, document=3, sessions=2, spare=1)  # 11 tokens


def test_what_fits_is_found_but_for_the_last_token(roofline):
    contest = Contest(roofline, SMALL)
    first, second = contest.ask(0), contest.ask(1)
    assert (first.reused, first.computed, second.reused, second.computed) == (0, 7, 4, 3)
    again = contest.ask(0)
    assert (again.reused, again.computed, again.lost) == (6, 1, ())
    assert contest.held_tokens == SMALL.working_set(2) == 10 and contest.free_tokens == 1


def test_the_least_recent_loses_its_document_tail_first_and_never_the_shared_beginning(roofline):
    contest = Contest(roofline, SMALL)
    for session in (0, 1, 0, 1):
        contest.ask(session)
    third = contest.ask(2)
    assert third.lost == (Lost(0, 6, 1), Lost(0, 4, 2)) and third.losers == (0,)
    assert [contest.held(session) for session in range(3)] == [0, 3, 3] and contest.head_held == 4
    assert contest.finds(0) == 4 and contest.finds(1) == 6


def test_in_turns_one_too_many_finds_nothing_of_its_own(roofline):
    sizes = room_for(20, 10, 5, 2)
    five = returns(roofline, sizes, 5, taking_turns(5, 25))
    six = returns(roofline, sizes, 6, taking_turns(6, 30))
    assert {turn.reused for turn in five} == {29} and hit_rate(five) == pytest.approx(29 / 30)
    assert {turn.reused for turn in six} == {20} and hit_rate(six) == pytest.approx(2 / 3)
    assert all(turn.losers == ((turn.session + 1) % 6,) for turn in six[6:])


def test_irregularly_what_is_found_is_room_over_sessions(roofline):
    sizes = room_for(20, 10, 5, 2)
    turns = returns(roofline, sizes, 10, irregular(10, 4000))
    assert found(turns, sizes) == pytest.approx(0.9 * 5 / 10, abs=0.03)


def test_the_most_recent_first_is_best_for_turns(roofline):
    """Of six that take turns and five that fit, the classical result for cyclic access: four in five."""
    sizes = room_for(20, 10, 5, 2)
    turns = returns(roofline, sizes, 6, taking_turns(6, 600), "mru")
    assert found(turns, sizes) == pytest.approx(0.9 * 4 / 5, abs=0.01)


def test_without_a_token_to_spare_a_repeat_evicts(roofline):
    sizes = room_for(4, 3, 2, 0)
    turns = returns(roofline, sizes, 2, taking_turns(2, 4))
    assert any(turn.lost for turn in turns)
    assert not any(turn.lost for turn in returns(roofline, SMALL, 2, taking_turns(2, 4)))


def test_no_two_documents_have_a_token_in_common(roofline):
    contest = Contest(roofline, SMALL)
    prompts = [set(contest.prompt(session)[4:]) for session in range(40)]
    assert sum(map(len, prompts)) == len(set().union(*prompts)) == 120
    assert all(contest.prompt(session)[:4] == (0, 1, 2, 3) for session in range(40))


def test_a_prompt_larger_than_the_cache_is_refused_in_words(roofline):
    with pytest.raises(ValueError, match="no room"):
        Contest(roofline, room_for(4, 3, 0, 1)).ask(0)


def test_smaller_in_proportion():
    small = room_for(2048, 1024, 5, 32).smaller(16)
    assert small == room_for(128, 64, 5, 2)
    assert room_for(2048, 20, 5, 3).smaller(16) == room_for(128, 2, 5, 1)
