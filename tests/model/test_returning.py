"""People who come back: hand-worked turns, what is locked and what is lost, routing, and the host's memory."""

from __future__ import annotations

from statistics import fmean

import pytest

from generator.model.host_tier import HostTier, reading_back
from generator.model.return_counts import counted, over_days
from generator.model.returning import Returning, returns
from generator.model.returns_told import dots, lanes
from generator.model.roofline import Roofline
from generator.model.think_time import ThinkTime
from generator.model.visitors import BLOCK, Crowd, Talk

TALK = Talk(opening=481, message=8, reply=24)
THINK = ThinkTime(90, 1.0)


@pytest.fixture(scope="module")
def roofline():
    return Roofline.of("llama-3.1-70b", "4x a100-80gb")


def crowd(sessions=8, room=4, **others):
    return Crowd(sessions, THINK, TALK, room * 640, seed=1, **others)


def test_a_conversation_grows_by_a_message_and_a_reply():
    assert [TALK.prompt(turn) for turn in (1, 2, 3)] == [489, 521, 553]
    assert TALK.whole(1) == 513 and TALK.left(1) == 512 == 32 * BLOCK  # the last token has no keys and values yet
    assert TALK.after(2).prompt(1) == TALK.prompt(3)


def test_whoever_is_back_at_once_finds_all_but_the_last_token_and_the_message(roofline):
    pair = Returning(roofline, crowd(2, 4, pauses={"Ana": 20, "Ben": 40}))
    pair.until(42)
    ana, ben, second, _ = pair.turns
    assert [turn.session for turn in pair.turns] == [0, 1, 0, 1] and ana.start == ben.start == 0
    assert second.pause == pytest.approx(20) and second.start == pytest.approx(ana.end + 20)
    assert (ana.reused, ana.computed, ana.found, ana.pause) == (0, 489, False, None)
    assert (second.reused, second.computed, second.found, second.state) == (512, 9, True, "reused")
    assert second.seconds == roofline.prefill(9, 512).seconds
    assert second.end - second.start == pytest.approx(second.seconds + 24 * roofline.decode(1, 521).seconds)
    assert [turn.number for turn in returns(pair, 0)] == [2, 2]


def test_everybody_but_those_whose_pause_is_set_has_been_there_before(roofline):
    day = Returning(roofline, crowd(8, 4, pauses={"Ana": 20}))
    day.until(-1e-9)
    assert sorted(turn.session for turn in day.turns if turn.number == 1) == list(range(1, 8))
    assert all(turn.start < 0 for turn in day.turns)


def test_a_reply_is_lost_once_and_after_its_end_and_whoever_comes_later_computes(roofline):
    day = Returning(roofline, crowd())
    day.until(2000)
    turns = {(turn.session, turn.number): turn for turn in day.turns}
    assert len(day.turns) > 60 and day.lost
    for turn, at in day.lost.items():
        assert at >= turns[turn].end
        later = turns.get((turn[0], turn[1] + 1))
        assert later is None or (later.start >= at and not later.found)
    kept = [turn for turn in turns.values() if turn.pause is not None and not turn.found]
    assert all((turn.session, turn.number - 1) in day.lost for turn in kept)


def test_pauses_do_not_depend_on_who_else_comes(roofline):
    few, many = (Returning(roofline, crowd(sessions)) for sessions in (8, 16))
    for day in (few, many):
        day.until(1000)
    pauses = [
        {(t.session, t.number): round(t.pause, 6) for t in returns(day, -1e9) if t.session < 8} for day in (few, many)
    ]
    both = pauses[0].keys() & pauses[1].keys()
    assert len(both) > 30 and all(pauses[0][turn] == pauses[1][turn] for turn in both)


def test_a_sticky_session_stays_and_another_goes_to_either_node(roofline):
    for sticky in (True, False):
        day = Returning(roofline, crowd(nodes=2, sticky=sticky))
        day.until(1500)
        nodes = {person: {turn.node for turn in day.turns if turn.session == person} for person in range(8)}
        assert all(len(visited) == 1 for visited in nodes.values()) == sticky
        assert set().union(*nodes.values()) == {0, 1}


def test_an_older_part_is_found_on_a_node_that_has_not_seen_the_newest_reply(roofline):
    day = Returning(roofline, crowd(4, 16, nodes=2, sticky=False))
    day.until(2000)
    last = {}
    for turn in day.turns:
        seen = last.setdefault(turn.session, {})
        if turn.number > 1:
            assert turn.found == (seen.get(turn.node) == turn.number - 1)  # there is room for all
            assert turn.reused == (TALK.left(seen[turn.node]) if turn.node in seen else 0)
        seen[turn.node] = turn.number


def test_the_host_holds_what_the_cards_evict_until_it_evicts_too(roofline):
    plain, hosted = Returning(roofline, crowd()), Returning(roofline, crowd(host_tokens=6 * 640))
    for day in (plain, hosted):
        day.until(2000)
    states = {turn.state for turn in returns(hosted, 0)}
    assert states == {"reused", "parked", "computed"} and not any(turn.parked for turn in plain.turns)
    for turn in returns(hosted, 0):
        assert turn.prompt == TALK.prompt(turn.number)
        assert turn.seconds == pytest.approx(
            roofline.prefill(turn.computed, turn.prompt - turn.computed).seconds + reading_back(roofline, turn.parked)
        )
    known = {(turn.session, turn.number): turn.found for turn in plain.turns}
    same = [
        turn.found == known[turn.session, turn.number] for turn in hosted.turns if (turn.session, turn.number) in known
    ]
    assert fmean(same) > 0.95  # the host changes how long a prefill takes, hardly what the cards hold


def test_a_host_tier_gives_full_blocks_after_those_on_the_cards_and_forgets_the_oldest():
    host = HostTier(3 * 16)
    host.copy(range(0, 40))
    assert host.parked(range(0, 100), 0) == 32 and host.parked(range(0, 100), 16) == 16
    assert host.parked(range(0, 100), 48) == 0 and host.parked(range(0, 32), 0) == 16  # the last token is computed
    host.copy(range(1000, 1032))
    assert host.parked(range(0, 100), 0) == 16  # the tail went


def test_reading_back_takes_bytes_over_all_host_links(roofline):
    assert reading_back(roofline, 1024, 1.0) == pytest.approx(1024 * 327_680 / (4 * 32e9))
    assert reading_back(roofline, 1024) == pytest.approx(0.0032768)
    with pytest.raises(ValueError, match="not known"):
        reading_back(Roofline.of("llama-3.1-8b", "1x l40s"), 1)


def test_counts_add_up(roofline):
    day = Returning(roofline, crowd())
    day.until(2000)
    one = counted(day, 500)
    assert one.found <= one.some and 0 < one.hit_rate < 1 and not one.fetched
    assert one.sorted_by(0) == pytest.approx(1 - one.found)
    assert all(turn.start >= 500 for turn in one.turns)
    assert len(counted(day, 500, 3).turns) == sum(turn.session < 3 for turn in one.turns)
    two = over_days(roofline, crowd(), 2, 500, 2000)
    assert two.turns[: len(one.turns)] == one.turns and len(two.turns) > 1.5 * len(one.turns)


def test_more_sessions_with_room_in_proportion_come_nearer_to_the_equation(roofline):
    talk = Talk(961, 8, 24)
    few, many = (
        over_days(roofline, Crowd(n, THINK, talk, n * 512, seed=5), days, 100, 700).facts
        for n, days in ((12, 10), (120, 1))
    )
    assert many["spread"] < few["spread"] / 2 and many["sorted"] > few["sorted"]
    assert many["found"] == pytest.approx(many["predicted"], abs=0.05)


def test_a_lane_holds_a_reply_from_its_end_until_it_is_evicted_or_asked_for(roofline):
    day = Returning(roofline, crowd())
    day.until(900)
    shown = lanes(day, 8, 600.0)
    for person, lane in enumerate(shown):
        turns = [turn for turn in day.turns if turn.session == person and turn.start <= 600]
        assert [turn.number for turn in lane.turns] == [turn.number for turn in turns]
        for one, other in zip(lane.turns, lane.turns[1:], strict=False):
            assert one.held_from <= one.held_until <= other.at + 0.1
            assert (other.state == "reused") == (one.held_until == pytest.approx(other.at, abs=0.11))
        assert all(turn.held_until <= 600 for turn in lane.turns)


def test_a_dot_has_the_state_of_its_return(roofline):
    day = Returning(roofline, crowd())
    day.until(900)
    came = list(returns(day, 0))
    assert [dot.state for dot in dots(came)] == [turn.state for turn in came]
    assert len({dot.key for dot in dots(came)}) == len(came)


def test_a_prompt_that_finds_no_room_is_said(roofline):
    with pytest.raises(ValueError, match="finds no room"):
        Returning(roofline, Crowd(2, THINK, TALK, 96, seed=1)).until(100)
