"""What a pass has to do, operator by operator: FLOP and bytes, before any card is named.

A pass is a list of sequences, each with new tokens over cached ones: a prefill is one sequence, a decode step
one new token for every conversation. Bytes are weights and KV cache; activations are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from generator.model.transformer import Transformer

BYTES = {"bf16": 2, "fp8": 1, "int8": 1}  # bytes per value of a number format

# Tokens of one pass, an int, or of many passes at once, an array of ints: the formulas are the same.
Count = Any


@dataclass(frozen=True)
class Work:
    """One operator in all layers. A multiply-add is two `flops`; `bytes` are over all cards together."""

    name: str
    flops: float
    bytes: float


def prompt(new: int, cached: int) -> list[tuple[int, int]]:
    """The sequences of a prefill: one. Raises ValueError for counts that make no pass."""
    if new < 1:
        raise ValueError(f"a pass computes at least one new token, not {new}")
    if cached < 0:
        raise ValueError(f"cached tokens are a count, not {cached}")
    return [(new, cached)]


def decode_step(batch: int, contexts: int | Sequence[int]) -> list[tuple[int, int]]:
    """The sequences of a decode step: one new token each, over contexts of one length or one length each."""
    lengths = [contexts] * batch if isinstance(contexts, int) else list(contexts)
    if batch < 1:
        raise ValueError(f"a batch is at least one conversation, not {batch}")
    if len(lengths) != batch:
        raise ValueError(f"a batch of {batch} needs as many contexts, not {len(lengths)}")
    return [sequence for length in lengths for sequence in prompt(1, length)]


def operators(
    model: Transformer, sequences: Sequence[tuple[Count, Count]], weights: str, cache: str, copies: float
) -> tuple[Work, ...]:
    """The work of one pass over `sequences` of (new, cached) tokens.

    `weights` and `cache` are number formats, `copies` how often the node holds each cached value. Weights are
    read once for the whole pass; the LM head runs for the last token of every sequence.
    """
    new = sum(n for n, _ in sequences)
    experts = model.experts.touched(new) if model.experts else 0.0
    mlp_read = model.mlp_fixed_parameters + experts * model.expert_parameters
    size = BYTES[weights]
    return (
        Work("projections", 2.0 * new * model.projection_parameters, float(size * model.projection_parameters)),
        Work(
            "attention",
            sum(attention_flops(model, n, cached) for n, cached in sequences),
            copies * BYTES[cache] * sum(cached_values(model, n, cached) for n, cached in sequences),
        ),
        Work("MLP", 2.0 * new * model.mlp_active_parameters, size * mlp_read),
        Work("LM head", 2.0 * len(sequences) * model.head_parameters, float(size * model.head_parameters)),
    )


def attention_flops(model: Transformer, new: Count, cached: Count) -> Count:
    """Scores and weighted sums of `new` tokens over `cached` ones and, causally, over themselves."""
    full = new * cached + new * (new + 1) // 2
    if model.latent:
        return model.layers * _latent_flops(model, full, cached)
    pairs = (model.layers - model.window_layers) * full
    if model.window_layers:
        pairs = pairs + model.window_layers * _window_pairs(model, new, cached)
    return 4.0 * model.heads * model.head_dim * pairs


def _latent_flops(model: Transformer, pairs: Count, cached: Count) -> Count:
    """Of one layer, by the cheaper of two equal ways: score the latent vectors themselves (what would expand
    them is folded into the query), or first expand the cached ones into keys and values of every head."""
    a = model.latent
    assert a is not None
    folded = 2.0 * model.heads * (2 * a.kv_rank + a.rope) * pairs
    expanded = 2.0 * model.heads * (a.nope + a.rope + a.value) * pairs + 2.0 * cached * model.expansion_parameters
    return _least(folded, expanded)


def _window_pairs(model: Transformer, new: Count, cached: Count) -> Count:
    """Pairs when a token sees itself and what came before, `window` tokens in all."""
    growing = _least(new, model.window - _least(cached, model.window))  # new tokens that still see everything
    return growing * cached + growing * (growing + 1) // 2 + (new - growing) * model.window


def cached_values(model: Transformer, new: Count, cached: Count) -> Count:
    """Values read from the cache for the cached tokens and written to it for the new ones, held once."""
    a_layer = model.cached_values_per_token // model.layers
    seen = (model.layers - model.window_layers) * cached
    if model.window_layers:
        seen = seen + model.window_layers * _least(cached, model.window)
    return a_layer * (seen + model.layers * new)


def _least(a: Count, b: Count) -> Count:
    """The smaller, one by one where there are many. (numpy would make its own numbers of two plain ones.)"""
    return np.minimum(a, b) if isinstance(a, np.ndarray) else min(a, b)
