"""What a page may refer to, and where the mistakes found in it are written down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from generator.errors import Problem, did_you_mean
from generator.sandbox import ValueProblem


@dataclass(frozen=True)
class Link:
    """Where an address in the content leads: `url` is what to write, `page` the output file if it is one of ours.

    `fragment` (decoded, without `#`) is checked once the ids of all pages are known.
    """

    url: str
    page: str = ""
    fragment: str = ""


@dataclass(frozen=True)
class Fragment:
    """A link to a place within a page of the site, still to be checked."""

    line: int
    page: str
    fragment: str


@dataclass(frozen=True)
class Term:
    """A term of the glossary as one page may use it: every form of it, its name first, and where it is explained."""

    forms: tuple[str, ...]
    url: str


@dataclass(frozen=True)
class Findings:
    """What reading one page brings to light; it grows while the page is read. `terms` are names from the glossary."""

    problems: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    fragments: list[Fragment] = field(default_factory=list)
    terms: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Context:
    """What the words of one page may refer to.

    `path` is the source as its author names it, `line` the line of the file on which the body starts.
    `names` are the runs by name, `broken` the runs that failed (already reported; None where the front matter
    could not be read, so that nobody knows which there are), `figures` the finished
    HTML of each figure by the line of its fence in the body (from 0), `steps` the names of the steps of every
    figure of the site, by page and id (None where a page's figures failed), `states` the words for states,
    `reserved_ids` the ids that the theme uses itself, `glossary` the terms that prose may use.
    `resolve` turns an address into a `Link` or raises ValueProblem.
    """

    path: str
    line: int
    resolve: Callable[[str], Link]
    names: Mapping[str, object] = field(default_factory=dict)
    broken: frozenset[str] | None = frozenset()
    figures: Mapping[int, str] = field(default_factory=dict)
    steps: Mapping[str, Mapping[str, tuple[str, ...]] | None] = field(default_factory=dict)
    states: tuple[str, ...] = ()
    reserved_ids: frozenset[str] = frozenset()
    glossary: tuple[Term, ...] = ()
    findings: Findings = field(default_factory=Findings)

    def problem(self, line: int, message: str, hint: str = "") -> None:
        """Note a mistake; `line` counts from 0 within the body, as the Markdown parser counts."""
        self.findings.problems.append(Problem(self.path, line + self.line, message, hint))

    def warn(self, line: int, message: str, hint: str = "") -> None:
        """Note something that is published all the same; `line` counts from 0 within the body."""
        self.findings.warnings.append(Problem(self.path, line + self.line, message, hint))

    def report(self, line: int, problem: ValueProblem) -> None:
        """Note an expression that gives no value, unless the run it needs is known to have failed."""
        if not self.blames_broken_run(problem):
            self.problem(line, problem.message, problem.hint)

    def blames_broken_run(self, problem: ValueProblem) -> bool:
        """Whether the problem is only that a run failed, which has been said where the run is."""
        if self.broken is None:
            return problem.message.startswith('unknown value "')
        return any(problem.message == f'unknown value "{name}"' for name in self.broken)


def step_fragment(fragment: str, steps: Mapping[str, tuple[str, ...]]) -> str:
    """The id of the step that `tree=hana-2`, `tree=12`, `tree=first` or `tree=last` leads to.

    Raises ValueProblem if there is no such figure or step.
    """
    figure, _, step = fragment.partition("=")
    if figure not in steps:
        raise ValueProblem(f'no figure "{figure}" on the page linked to', did_you_mean(figure, steps))
    names = steps[figure]
    if step in names:
        return fragment
    if step in ("first", "last"):
        return f"{figure}={names[0 if step == 'first' else -1]}"
    if step.isascii() and step.isdigit():
        if int(step) < len(names):
            return f"{figure}={names[int(step)]}"
        raise ValueProblem(f'figure "{figure}" has no step {step}', f"its steps are 0 to {len(names) - 1}")
    raise ValueProblem(f'figure "{figure}" has no step "{step}"', did_you_mean(step, names))
