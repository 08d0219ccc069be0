"""A decoder-only transformer as the roofline sees it: how many weights, how much cache a token leaves.

Counts are of parameters and of cached values; formats turn them into bytes elsewhere. "Per layer" counts
include the layer's norms and biases, so that the total equals the published one exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class LatentAttention:
    """Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434): a token caches one compressed vector of
    `kv_rank` values and one rotary key of `rope` values, whatever the number of heads."""

    kv_rank: int
    q_rank: int
    nope: int
    rope: int
    value: int


@dataclass(frozen=True)
class Experts:
    """A mixture of `count` experts of width `ffn`. A token visits `per_token` of them, and all of `shared` more."""

    count: int
    per_token: int
    ffn: int
    shared: int = 0
    bias: bool = False
    router_bias: bool = False

    def touched(self, tokens: int) -> float:
        """Experts that a pass of `tokens` tokens reads: the mean under uniform independent routing."""
        return self.count * (1.0 - (1.0 - self.per_token / self.count) ** tokens)


@dataclass(frozen=True)
class Transformer:
    """The shape of a model. `ffn` is the width of the dense MLPs (0: every layer has experts), `dense_layers`
    how many leading layers keep one; `window_layers` of the layers attend to the last `window` tokens."""

    name: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    ffn: int = 0
    qkv_bias: bool = False
    output_bias: bool = False
    qk_norm: bool = False
    sinks: bool = False
    latent: LatentAttention | None = None
    experts: Experts | None = None
    dense_layers: int = 0
    window: int = 0
    window_layers: int = 0

    @cached_property
    def parameters(self) -> int:
        """All weights, the input embedding included."""
        return self.embedding_parameters + self.streamed_parameters

    @cached_property
    def embedding_parameters(self) -> int:
        """The input embedding: resident, but a pass reads only the rows of its tokens."""
        return self.vocab * self.hidden

    @cached_property
    def streamed_parameters(self) -> int:
        """What a pass reads when it touches every expert: all but the input embedding."""
        return self.projection_parameters + self.mlp_parameters + self.head_parameters

    @cached_property
    def active_parameters(self) -> int:
        """Weights that one token is multiplied with (the input embedding is not among them)."""
        return self.projection_parameters + self.mlp_active_parameters + self.head_parameters

    @cached_property
    def head_parameters(self) -> int:
        """The LM head and the norm before it."""
        return self.vocab * self.hidden + self.hidden

    @cached_property
    def projection_parameters(self) -> int:
        """Query, key, value and output projections of all layers, with the norms before them."""
        per_layer = self._latent_projections() if self.latent else self._grouped_projections()
        return self.layers * (per_layer + self.hidden)

    def _grouped_projections(self) -> int:
        inner = (self.heads + 2 * self.kv_heads) * self.head_dim
        weights = self.hidden * inner + self.heads * self.head_dim * self.hidden
        biases = inner * self.qkv_bias + self.hidden * self.output_bias + self.heads * self.sinks
        return weights + biases + 2 * self.head_dim * self.qk_norm

    def _latent_projections(self) -> int:
        a = self.latent
        assert a is not None
        query = self.hidden * a.q_rank + a.q_rank + a.q_rank * self.heads * (a.nope + a.rope)
        cached = self.hidden * (a.kv_rank + a.rope) + a.kv_rank
        return query + cached + self.expansion_parameters + self.heads * a.value * self.hidden

    @cached_property
    def expansion_parameters(self) -> int:
        """Of one layer: what turns a latent vector into keys and values of every head (0: not latent)."""
        a = self.latent
        return a.kv_rank * self.heads * (a.nope + a.value) if a else 0

    @cached_property
    def mlp_parameters(self) -> int:
        """The MLPs of all layers: dense ones, routers, every expert, norms."""
        count = self.experts.count if self.experts else 0
        return self.mlp_fixed_parameters + count * self.expert_parameters

    @cached_property
    def mlp_active_parameters(self) -> int:
        """The part of the MLPs that one token is multiplied with."""
        visited = self.experts.per_token if self.experts else 0
        return self.mlp_fixed_parameters + visited * self.expert_parameters

    @cached_property
    def mlp_fixed_parameters(self) -> int:
        """The part of the MLPs that every token visits: dense MLPs, routers, shared experts, norms."""
        norms = self.layers * self.hidden
        if self.experts is None:
            return norms + self.layers * 3 * self.hidden * self.ffn
        e = self.experts
        router = self.hidden * e.count + e.count * e.router_bias
        per_layer = router + e.shared * 3 * self.hidden * e.ffn
        dense = self.dense_layers * 3 * self.hidden * self.ffn
        return norms + dense + (self.layers - self.dense_layers) * per_layer

    @cached_property
    def expert_parameters(self) -> int:
        """One expert in every layer that has experts (0 in a dense model)."""
        if self.experts is None:
            return 0
        e = self.experts
        return (self.layers - self.dense_layers) * (3 * self.hidden * e.ffn + (2 * e.ffn + self.hidden) * e.bias)

    @cached_property
    def cached_values_per_token(self) -> int:
        """Values that one token leaves in the cache of all layers, held once (not per card)."""
        if self.latent:
            return self.layers * (self.latent.kv_rank + self.latent.rope)
        return self.layers * 2 * self.kv_heads * self.head_dim

    def cache_copies(self, cards: int) -> float:
        """How many times `cards` cards together hold each cached value.

        Key-value heads are dealt out whole: eight heads on four cards are held once, on sixteen twice. A
        latent vector serves every head, so every card holds all of it.
        """
        if self.latent:
            return float(cards)
        heads_a_card = -(-self.kv_heads // cards)
        return heads_a_card * cards / self.kv_heads
