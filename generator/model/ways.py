"""Ways of keeping conversations in the same cards, which differ in what a token takes and in who shares it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from generator.model.roofline import Roofline
from generator.model.transformer import Transformer


@dataclass(frozen=True)
class Way:
    """A way of keeping conversations: what it does to memory, and whether beginnings are held once.

    `short_name` is for where there is little room.
    """

    name: str
    short_name: str
    roofline: Roofline
    shared: bool = False


def ways(model: Transformer, node: str, reserve: float) -> dict[str, Way]:
    """The model as it comes, then one thing changed at a time; by the names that facts use.

    Raises what `Roofline.of` raises, for names and values.
    """
    plain = Roofline.of(model, node, reserve=reserve)
    every = Roofline.of(every_head(model), node, reserve=reserve)
    narrow = Roofline.of(model, node, reserve=reserve, cache="fp8")
    return {
        "plain": Way("as the model comes", "as it comes", plain),
        "every_head": Way("a head for every query head", f"{model.heads} heads", every),
        "eight_bit": Way("8-bit cache", "8-bit cache", narrow),
        "shared": Way("beginning held once", "held once", plain, shared=True),
    }


def every_head(model: Transformer) -> Transformer:
    """A model of the same size with a key-value head for every query head: the MLPs give what the keys take.

    That is how Llama 2 compares the two (arXiv 2307.09288, appendix A.2.1): with fewer key-value heads, wider MLPs.
    """
    wider = replace(model, kv_heads=model.heads)
    surplus = (wider.parameters - model.parameters) / (3 * model.hidden * model.layers)
    return replace(wider, ffn=model.ffn - round(surplus))
