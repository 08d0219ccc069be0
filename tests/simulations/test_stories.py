"""What holds for every simulation: its transcript is the golden one, and it keeps to the rules of storytelling."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields, is_dataclass
from importlib import import_module

import pytest
from transcript import golden_path, made, transcript

from generator import runs
from generator.marks import STATES

SIMULATIONS = runs.names()
NUMBER = re.compile(r"\d[\d,.]*")


@pytest.fixture(scope="module", params=SIMULATIONS)
def run(request):
    return made(request.param)


@pytest.mark.parametrize("simulation", SIMULATIONS)
def test_the_transcript_is_the_golden_one(simulation):
    path = golden_path(simulation)
    assert path.exists(), f"no golden: python {path.parents[1] / 'transcript.py'} {simulation}"
    assert transcript(simulation) == path.read_text(encoding="utf-8")


def test_every_golden_has_its_simulation():
    assert {path.name for path in golden_path("x").parent.iterdir()} == {golden_path(s).name for s in SIMULATIONS}


@pytest.mark.parametrize("simulation", SIMULATIONS)
def test_the_same_parameters_give_the_same_steps(simulation):
    first, second = (made(simulation) for _ in range(2))
    assert list(first.steps) == list(second.steps)
    assert first.facts == second.facts


def test_a_figure_has_at_most_61_steps(run):
    assert 12 <= len(run.steps) <= 61


def test_captions_are_short(run):
    for step in run.steps:
        assert step.caption.endswith((".", "?"))
        assert len(step.caption.split()) <= 26, step.caption
        assert len(NUMBER.findall(step.caption)) <= 4, step.caption


def test_captions_speak_of_people_not_of_positions(run):
    for step in run.steps:
        assert not re.search(r"\b(step \d|the system\b(?! prompt)|r\d+\b|request \d)", step.caption, re.I), step.caption


def test_every_state_is_a_known_word(run):
    for step in run.steps:
        drawn = [item for value in vars(step).values() if isinstance(value, tuple) for item in value]
        assert {item.state for item in drawn if hasattr(item, "state")} <= set(STATES)


def test_a_question_is_answered_by_the_next_step(run):
    asked = [number for number, step in enumerate(run.steps) if step.caption.endswith("?")]
    assert len(asked) <= 2
    for number in asked:
        assert number + 1 < len(run.steps)
        answer = run.steps[number + 1]
        assert not answer.caption.endswith("?") and not answer.beat


def test_there_are_three_to_eight_beats_and_the_first_opens_with_step_0(run):
    beats = [step.beat for step in run.steps if step.beat]
    assert run.steps[0].beat
    assert 3 <= len(beats) <= 8 and len(set(beats)) == len(beats)
    assert all(2 <= len(beat.split()) <= 5 for beat in beats)


@pytest.mark.parametrize("simulation", SIMULATIONS)
def test_a_simulation_has_its_four_parts_and_explains_its_parameters(simulation):
    module = import_module(f"generator.simulations.{simulation.replace('-', '_')}")
    assert is_dataclass(module.Scenario) and module.Scenario.__dataclass_params__.frozen
    assert is_dataclass(module.Step) and module.Step.__dataclass_params__.frozen
    assert inspect.isgeneratorfunction(module.simulate) and callable(module.facts)
    for field in fields(module.Scenario):
        assert field.metadata["help"] and "\n" not in field.metadata["help"], field.name


@pytest.mark.parametrize("simulation", SIMULATIONS)
def test_a_simulation_draws_nothing(simulation):
    source = inspect.getsource(import_module(f"generator.simulations.{simulation.replace('-', '_')}"))
    assert not re.search(r"#[0-9a-f]{6}\b|</\w+|\bplotly\b", source, re.I)
