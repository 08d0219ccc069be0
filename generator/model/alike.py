"""Prompts that are alike up to somewhere: what each engine finds of them, and under another key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from generator.model import cast
from generator.model.cache import Extra
from generator.model.job import words
from generator.model.name_chain import Asked, NameChain

ANA, BEN, CHEN, DARA = (cast.name(position) for position in range(4))
KINDS = ("first", "longer", "exact", "mid_block", "early", "late")


@dataclass(frozen=True)
class Alike:
    """Six prompts, one for each of KINDS. Ana's has `tokens`; Ben adds `own` to it, she repeats it, Chen keeps the
    first `shared` of it, and Dara changes one token: number `early`, counted from 1, then the last."""

    tokens: int
    own: int
    shared: int
    early: int

    def __iter__(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """Who comes, and with what."""
        ana = words(f"{ANA}'s prompt", self.tokens)
        yield ANA, ana
        yield BEN, ana + words(f"{BEN}'s question", self.own)
        yield ANA, ana
        yield CHEN, ana[: self.shared] + words(f"{CHEN}'s own", self.tokens - self.shared)
        for place in (self.early - 1, self.tokens - 1):
            yield DARA, ana[:place] + words("the hour", 1) + ana[place + 1 :]

    def chain(self, block_tokens: int, page_tokens: int) -> NameChain:
        """Both engines' caches, empty, with room for everything."""
        return NameChain(block_tokens, page_tokens, len(KINDS) * (self.tokens + self.own + block_tokens))

    def found(self, chain: NameChain, by: Callable[[Asked], int]) -> dict[str, int]:
        """Tokens found of each prompt when all go through an empty `chain`."""
        return {kind: by(chain.ask(who, prompt)) for kind, (who, prompt) in zip(KINDS, self, strict=True)}

    def told_apart(self, chain: NameChain, extra: Extra) -> dict[str, object]:
        """Ana's prompt goes through an empty `chain`, then the same under another key.

        Tokens found by both engines, the name of the first block, and how many names are the same.
        """
        prompt = next(iter(self))[1]
        plain, other = chain.ask(ANA, prompt), chain.ask(BEN, prompt, extra)
        same = len(set(plain.names) & set(other.names))
        return {"name": other.names[0], "same_names": same, "vllm": other.by_block, "sglang": other.by_page}
