"""Runs: found by file name, typed from text, with every mistake told to the one who made it."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Literal

import pytest

from generator import runs
from generator.errors import UnknownName
from generator.model.scenario import BadParameter, DataFile, parameter
from generator.parameters import BadParameters, ParameterProblem, typed
from generator.runs import InvalidSimulation, Steps


@dataclass(frozen=True)
class Scenario:
    count: int = parameter(3, "how many")
    share: float = 0.5
    loud: bool = False
    word: str = "hello"
    limit: int | None = None
    rule: Literal["lru", "mru"] = "lru"
    sizes: dict[str, int] = field(default_factory=dict)
    several: list[float] = field(default_factory=list)
    pair: tuple[int, int] = (1, 2)
    any_number: tuple[int, ...] = ()
    long_name: int = 0
    log: DataFile | None = None


@dataclass(frozen=True)
class Step:
    name: str


def problem(given, scenario=Scenario, files=None):
    with pytest.raises(BadParameters) as caught:
        typed(scenario, given, files or {})
    (only,) = caught.value.problems
    return only


def test_texts_are_typed_by_the_fields():
    given = {
        "count": "-7",
        "share": "1e-3",
        "loud": "true",
        "word": "007",
        "limit": "none",
        "rule": "mru",
        "sizes": {"yes": "1", "no": "2"},
        "several": ["1", ".5"],
        "pair": ["40", "80"],
        "any-number": ["1", "2", "3"],
        "long-name": "9",
        "log": "hour.jsonl",
    }
    assert Scenario(**typed(Scenario, given, {"hour.jsonl": b"{}"})) == Scenario(
        *(-7, 0.001, True, "007", None, "mru", {"yes": 1, "no": 2}, [1.0, 0.5], (40, 80), (1, 2, 3), 9),
        DataFile("hour.jsonl", b"{}"),
    )


@pytest.mark.parametrize(
    ("given", "path", "message", "hint"),
    [
        ({"cuont": "1"}, "cuont", 'unknown parameter "cuont"', 'did you mean "count"?'),
        ({"long_name": "1"}, "long_name", 'unknown parameter "long_name"', 'did you mean "long-name"?'),
        ({"count": "many"}, "count", '"count" must be a whole number, got "many"', ""),
        ({"count": "2,048"}, "count", '"count" must be a whole number, got "2,048"', "write 2048"),
        ({"count": "1.5"}, "count", '"count" must be a whole number, got "1.5"', ""),
        ({"count": {"a": "1"}}, "count", '"count" must be a single value, got a mapping', ""),
        ({"share": "nan"}, "share", '"share" must be a number, got "nan"', ""),
        ({"share": "1e999"}, "share", '"share" must be a number, got "1e999"', ""),
        ({"loud": "yes"}, "loud", '"loud" must be true or false, got "yes"', ""),
        ({"word": ""}, "word", '"word" must be a text, got ""', ""),
        ({"rule": "mrru"}, "rule", 'unknown rule "mrru"', 'did you mean "mru"?'),
        ({"sizes": "8"}, "sizes", '"sizes" must be a mapping, got "8"', "such as {name: value}"),
        ({"sizes": {"a": "x"}}, "sizes.a", '"sizes.a" must be a whole number, got "x"', ""),
        ({"several": {"a": "1"}}, "several", '"several" must be a list, got a mapping', "such as [40, 80]"),
        ({"several": ["1", "x"]}, "several.1", '"several.1" must be a number, got "x"', ""),
        ({"pair": ["1"]}, "pair", '"pair" must be a list of 2, got a list of 1', ""),
        ({"log": "gone.jsonl"}, "log", '"log" must be a file, got "gone.jsonl"', ""),
    ],
)
def test_every_mistake_has_its_place_and_its_remedy(given, path, message, hint):
    assert problem(given) == ParameterProblem(tuple(path.split(".")), message, hint)


def test_all_mistakes_are_told_at_once():
    with pytest.raises(BadParameters) as caught:
        typed(Scenario, {"count": "x", "sizes": {"a": "y", "b": "z"}}, {})
    assert [found.key_path for found in caught.value.problems] == [("count",), ("sizes", "a"), ("sizes", "b")]


def test_a_parameter_without_default_must_be_given():
    @dataclass(frozen=True)
    class Needy:
        seed: int

    assert problem({}, Needy).message == 'parameter "seed" is missing'


def test_a_data_file_tells_two_runs_apart_by_its_content():
    one, other = DataFile("log", b"1"), DataFile("log", b"2")
    assert one != other and repr(one) != repr(other)
    assert one.sha256 == "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b"


def test_steps_are_found_by_name_and_by_number():
    steps = Steps([Step("start"), Step("ben-1"), Step("end")])
    assert steps["ben-1"] is steps[1] is steps["1"]
    assert (steps.first, steps.last, steps[-1]) == (steps[0], steps[2], steps[2])
    assert steps[1:] == (steps[1], steps[2]) and len(steps) == 3 and list(steps) == list(steps[:])


def test_a_step_that_is_not_there_has_a_neighbour():
    steps = Steps([Step("start"), Step("ben-1")])
    with pytest.raises(UnknownName, match='unknown step "ben"') as caught:
        steps["ben"]
    assert caught.value.hint == 'did you mean "ben-1"?'
    with pytest.raises(UnknownName, match='unknown step "2"') as caught:
        steps[2]
    assert caught.value.hint == "they are numbered from 0 to 1"


def test_a_simulation_is_its_file_name():
    assert "prefix-sharing" in runs.names()
    with pytest.raises(UnknownName) as caught:
        runs.run("desk", "prefix_sharing", {})
    assert caught.value.hint == 'did you mean "prefix-sharing"?'


def test_a_run_from_texts():
    run = runs.run("desk", "prefix-sharing", {"users": {"support": "2"}, "seed": "5"})
    assert run.scenario.users == {"support": 2} and run.name == "desk"
    assert run.steps["ana-1"].who == "Ana" and run.facts["copies"] == 2
    assert run.fingerprint != runs.run("desk", "prefix-sharing", {}).fingerprint


def test_what_the_scenario_refuses_is_the_authors_mistake():
    with pytest.raises(BadParameters) as caught:
        runs.run("desk", "prefix-sharing", {"message-tokens": ["80", "40"]})
    assert caught.value.problems == (
        ParameterProblem(
            ("message-tokens",),
            '"message-tokens": runs from 80 down to 40',
            "write [40, 80], the lower end first",
        ),
    )


def simulation(monkeypatch, steps=(Step("start"),), facts=None, refuses=""):
    """Puts a simulation in place of the real one."""

    def simulate(_):
        yield from steps
        if refuses:
            raise BadParameter("long_name", refuses)

    module = SimpleNamespace(Scenario=Scenario, simulate=simulate, facts=lambda _scenario, _steps: facts or {})
    monkeypatch.setattr(runs, "import_module", lambda _: module)


def test_what_turns_out_under_way_is_the_authors_mistake_too(monkeypatch):
    simulation(monkeypatch, refuses="no room")
    with pytest.raises(BadParameters, match='"long-name": no room'):
        runs.run("desk", "prefix-sharing", {})


@pytest.mark.parametrize("name", ["steps", "first", "last", "scenario"])
def test_a_reserved_fact_is_our_mistake(monkeypatch, name):
    simulation(monkeypatch, facts={name: 1})
    with pytest.raises(InvalidSimulation, match=f"no fact may be called {name}"):
        runs.run("desk", "prefix-sharing", {})


@pytest.mark.parametrize("bad", [(), ("Start",), ("a b",), ("",), ("a", "a"), ("3",), ("a-",)])
def test_names_of_steps_are_unique_and_plain(monkeypatch, bad):
    simulation(monkeypatch, steps=[Step(name) for name in bad])
    with pytest.raises(InvalidSimulation):
        runs.run("desk", "prefix-sharing", {})


def test_files_that_parameters_name(monkeypatch):
    simulation(monkeypatch)
    assert runs.files("prefix-sharing", {"log": "hour.jsonl", "word": "x"}) == [(("log",), "hour.jsonl")]
    run = runs.run("desk", "prefix-sharing", {"log": "hour.jsonl"}, {"hour.jsonl": b"{}"})
    assert run.scenario.log.content == b"{}"
