"""State words: `==reused==` in prose is shown in the colour that every figure gives that state.

Editors that know the mark show it highlighted, the others as it stands. In captions the words are marked
by themselves; in prose only where the author says so, because many of them are ordinary words.
"""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from generator.context import Context
from generator.errors import did_you_mean
from generator.states import css_class

_MARKED = re.compile(r"==(\w[^=\n]*?\w)==")


def extend(md: MarkdownIt, context: Context) -> None:
    """Wrap marked state words; one that is nearly a state word is a problem, anything else stays text."""

    def state_word(state: StateInline, silent: bool) -> bool:
        match = _MARKED.match(state.src, state.pos)
        if match is None:
            return False
        word = re.sub(r"\s+", " ", match[1])
        if word.lower() not in context.states:
            hint = did_you_mean(word, context.states)
            if not silent and hint.startswith("did you mean"):
                context.problem(int(state.env.get("line", 0)), f'unknown state "{word}"', hint)
            return False
        if not silent:
            state.push("state_open", "span", 1).attrSet("class", css_class(word))
            state.push("text", "", 0).content = match[1]
            state.push("state_close", "span", -1)
        state.pos = match.end()
        return True

    md.inline.ruler.before("emphasis", "state_word", state_word)
