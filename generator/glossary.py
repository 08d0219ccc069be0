"""The glossary: its terms with their other forms, how each is found in prose, and what can be wrong with it.

A term is written as its readers know it, other forms of it in brackets: `Eviction (evicted)`. Plurals and
capitals need none. It means one sentence, and some page must use it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

from generator.errors import Problem

GLOSSARY = "glossary.md"
"""The page that is a site's glossary."""

_BRACKETED = re.compile(r"(?P<term>.*\S)\s*\((?P<others>[^()]*)\)")
_STOP = re.compile(r"(?P<word>\S*)[.!?][\"'”’)\]*_`]*(?=\s|$)")
_ABBREVIATIONS = frozenset(("e.g", "i.e", "cf", "vs", "al", "etc", "approx"))


@dataclass(frozen=True)
class Entry:
    """A term that a definition list explains: its forms (the first is its name), its place and its meaning.

    `id` is where it can be linked to, `line` counts from 0 within the body of its page, `meanings` are the
    pieces of its explanation as they were written: one paragraph, if all is well.
    """

    forms: tuple[str, ...]
    id: str
    line: int
    meanings: tuple[str, ...]


@dataclass(frozen=True)
class Glossary:
    """The terms of a site; `path` and `body_line` say where they are written. `used` grows: names that pages use."""

    path: str
    body_line: int
    entries: tuple[Entry, ...]
    used: set[str] = field(default_factory=set)

    def problems(self, all_pages_read: bool) -> list[Problem]:
        """Terms said twice, meanings that are no single sentence, and, if all pages could be read, unused terms."""
        found = []
        for index, entry in enumerate(self.entries):
            wrong = self._doubled(entry, self.entries[:index]) or _meaning(entry)
            if not wrong and all_pages_read and entry.forms[0] not in self.used:
                hint = "take it out, or say here in brackets how pages write it: Eviction (evicted)"
                wrong = f'no page uses the term "{entry.forms[0]}"', hint
            if wrong:
                found.append(Problem(self.path, self.body_line + entry.line, *wrong))
        return found

    def _doubled(self, entry: Entry, before: Iterable[Entry]) -> tuple[str, str] | None:
        """What is wrong if `entry` is one of those `before` it."""
        for other in before:
            for form, said in product(entry.forms, other.forms):
                if _matches(said, form) or _matches(form, said):
                    line = self.body_line + other.line
                    return f'"{form}" is defined twice (the first is on line {line})', "keep one of them"
        return None


def forms(written: str) -> tuple[str, ...]:
    """The forms of a term as it is written: `Eviction (evict, evicted)` has three."""
    match = _BRACKETED.fullmatch(written.strip())
    if match is None:
        return (written.strip(),)
    return match["term"], *(other.strip() for other in match["others"].split(",") if other.strip())


@dataclass(frozen=True)
class Finder:
    """Finds uses of terms in prose; `owners` has the number of the term that each group of `pattern` stands for."""

    pattern: re.Pattern[str]
    owners: tuple[int, ...]

    def uses(self, text: str) -> Iterator[tuple[int, re.Match[str]]]:
        """Every use in `text`, in order, none within another: the number of the term, and the match."""
        for match in self.pattern.finditer(text):
            yield self.owners[(match.lastindex or 1) - 1], match


def finder(terms: Sequence[Sequence[str]]) -> Finder:
    """What finds the `terms`, each given by its forms: the longest form first, any case, any word in the plural.

    The words of a form may be joined by spaces, ends of lines or hyphens.
    """
    return _finder(tuple(tuple(forms) for forms in terms))


@lru_cache(maxsize=1024)  # all pages of a site look for the same terms
def _finder(terms: tuple[tuple[str, ...], ...]) -> Finder:
    forms = sorted(
        ((form, owner) for owner, forms in enumerate(terms) for form in forms), key=lambda pair: (-len(pair[0]), pair)
    )
    groups = "|".join("(" + r"[\s-]+".join(map(_plural, re.split(r"[\s-]+", form))) + ")" for form, _ in forms)
    return Finder(re.compile(rf"(?<![\w-])(?:{groups})(?![\w-])", re.IGNORECASE), tuple(owner for _, owner in forms))


def _plural(word: str) -> str:
    """A pattern for `word` and its regular plural."""
    if re.search(r"[^aeiou\W\d]y$", word, re.IGNORECASE):
        return f"{re.escape(word[:-1])}(?:y|ies)"
    return re.escape(word) + ("(?:es)?" if re.search(r"(?:[sxz]|[cs]h)$", word, re.IGNORECASE) else "s?")


def _matches(form: str, words: str) -> bool:
    return finder([[form]]).pattern.fullmatch(words) is not None


def _meaning(entry: Entry) -> tuple[str, str] | None:
    """What is wrong with the meaning of a term, if it is not one sentence."""
    name = entry.forms[0]
    if not entry.meanings:
        return f'"{name}" has no meaning', "write it on the next line, after a colon and a space"
    meaning = entry.meanings[0].rstrip()
    stops = [match for match in _STOP.finditer(meaning) if match.end() == len(meaning) or not _abbreviates(match)]
    if len(entry.meanings) > 1 or any(match.end() < len(meaning) for match in stops):
        return f'"{name}" is explained in more than one sentence', "what else there is to say belongs on a page"
    if not stops:
        return f'the meaning of "{name}" does not end like a sentence', "end it with a full stop"
    return None


def _abbreviates(stop: re.Match[str]) -> bool:
    """Whether a full stop belongs to the word before it: "e.g.", "J."."""
    word = stop["word"].lstrip("(\"'“‘[*_").lower()
    return word in _ABBREVIATIONS or len(word) == 1
