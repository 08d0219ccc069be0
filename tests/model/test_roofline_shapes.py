"""The plain roofline of other shapes (experts, latents, few heads, eight bits), and what holds for every shape."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.model import presets
from generator.model.calibrated import Calibrated
from generator.model.roofline import DoesNotFit, Roofline

ROOMY = {"weights": "fp8", "cache": "fp8"}
NODE = "8x h200"  # everything fits in eight bits
TOKENS = st.integers(1, 20_000)
CACHED = st.integers(0, 200_000)
NAMES = st.sampled_from(presets.model_names())


def test_experts_touched_by_n_tokens() -> None:
    experts = presets.model("qwen3-30b-a3b").experts  # 8 of 128
    assert experts is not None
    assert experts.touched(1) == pytest.approx(8)
    assert experts.touched(2) == pytest.approx(128 * (1 - (15 / 16) ** 2))  # 15.5: two tokens seldom agree
    assert experts.touched(1000) == pytest.approx(128)


def test_below_the_ridge_a_mixture_is_not_flat() -> None:
    r = Roofline.of("qwen3-30b-a3b", "4x a100-80gb")
    # One expert in all 48 layers: 48 x 3 x 2,048 x 768 weights of 2 bytes; 8 of them for one token.
    expert = 48 * 3 * 2048 * 768 * 2
    one, sixteen = r.prefill(1).parts[2], r.prefill(16).parts[2]
    assert sixteen.bytes - one.bytes == pytest.approx(expert * (128 * (1 - (15 / 16) ** 16) - 8))
    assert r.prefill(16).seconds > 4 * r.floor_seconds
    dense = Roofline.of("qwen3-32b", "4x a100-80gb")
    assert dense.prefill(16).seconds < 1.01 * dense.floor_seconds


def test_the_ridge_of_a_mixture_lies_further_out() -> None:
    # A pass at the ridge reads every expert but multiplies with 8 of 128.
    r, dense = Roofline.of("qwen3-30b-a3b", "4x a100-80gb"), Roofline.of("qwen3-32b", "4x a100-80gb")
    used = r.model.streamed_parameters / r.model.active_parameters
    assert dense.ridge_tokens == pytest.approx(142.8, abs=0.1)
    assert r.ridge_tokens == pytest.approx(dense.ridge_tokens * used)


def test_latents_are_held_by_every_card() -> None:
    r = Roofline.of("deepseek-v3", "8x h200", weights="fp8")
    assert r.kv_bytes_per_token == 8 * 61 * (512 + 64) * 2 == 562_176
    # (8 x 141 GiB x 0.9 - 671.0 GB) / 562,176 B
    assert r.cache_budget_tokens == int((8 * 141 * 2**30 * 0.9 - 671_026_419_200) / 562_176)


def test_fewer_heads_than_cards_are_held_more_than_once() -> None:
    four, eight = Roofline.of("qwen3-30b-a3b", "4x h100"), Roofline.of("qwen3-30b-a3b", "8x h100")
    assert four.kv_bytes_per_token == 48 * 2 * 4 * 128 * 2 == 98_304  # four heads on four cards
    assert eight.kv_bytes_per_token == 2 * four.kv_bytes_per_token  # on eight, each head twice
    # Twice the cards read twice the bytes: the attention of a decode step takes as long as before.
    assert eight.decode(16, 4096).parts[1].seconds == pytest.approx(four.decode(16, 4096).parts[1].seconds)


def test_every_family_says_whether_it_was_measured() -> None:
    for name in presets.card_names():
        family = presets.card(name).family
        measured = family.name in ("a100", "hopper")
        assert ("assumed" in family.basis) != measured
        assert (Calibrated.of(Roofline.of("qwen3-30b-a3b", f"8x {name}")) is not None) == measured


def test_too_large_by_the_reserve_alone() -> None:
    # 141.1 GB on 2 x 85.9 = 171.8 GB: fits in 154.6 after a tenth, not in 137.4 after a fifth.
    assert Roofline.of("llama-3.1-70b", "2x a100-80gb").cache_budget_tokens > 0
    with pytest.raises(DoesNotFit) as caught:
        Roofline.of("llama-3.1-70b", "2x a100-80gb", reserve=0.20)
    assert caught.value.missing_bytes == pytest.approx(141_107_412_992 - 2 * 80 * 2**30 * 0.8)
    assert str(caught.value) == (
        "llama-3.1-70b does not fit on 2x a100-80gb: its bf16 weights take 141.1 GB of the 137.4 GB left after the "
        "reserve, 3.7 GB too much"
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"reserve": 1.0}, "the reserve is a share of the memory, from 0 to below 1, not 1"),
        ({"bandwidth_efficiency": 0.0}, "an efficiency is a share of the peak, above 0 to 1, not 0"),
        ({"arithmetic_efficiency": 1.2}, "an efficiency is a share of the peak, above 0 to 1, not 1.2"),
    ],
)
def test_shares_out_of_range(arguments: dict[str, float], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Roofline.of("llama-3.1-8b", "h100", **arguments)  # type: ignore[arg-type]


def test_passes_that_are_none() -> None:
    r = Roofline.of("llama-3.1-8b", "h100")
    with pytest.raises(ValueError, match="at least one new token, not 0"):
        r.prefill(0, 100)
    with pytest.raises(ValueError, match="cached tokens are a count, not -1"):
        r.prefill(1, -1)
    with pytest.raises(ValueError, match="a batch is at least one conversation, not 0"):
        r.decode(0, 100)


@given(NAMES, TOKENS, CACHED, st.integers(1, 500))
def test_more_tokens_never_take_less_time(name: str, new: int, cached: int, more: int) -> None:
    plain = Roofline.of(name, NODE, **ROOMY)  # type: ignore[arg-type]
    calibrated = Calibrated.of(plain)
    assert calibrated is not None
    for level in (plain, calibrated):
        here = level.prefill(new, cached).seconds
        assert level.prefill(new + more, cached).seconds >= here
        assert level.prefill(new, cached + more).seconds >= here
        assert level.decode(more, cached).seconds <= level.decode(more + 1, cached).seconds


@given(NAMES, st.integers(2, 20_000), st.data())
def test_cached_tokens_are_never_dearer_than_computed_ones(name: str, total: int, data: st.DataObject) -> None:
    r = Roofline.of(name, NODE, **ROOMY)  # type: ignore[arg-type]
    cached = data.draw(st.integers(1, total - 1))
    saved = r.prefill(total - cached, cached).seconds
    # A latent cache may have to be expanded again, which costs at most what its tokens' projections did.
    assert saved <= r.prefill(total).seconds * (1 + 1e-9)
    assert saved >= r.floor_seconds


@given(NAMES, st.lists(st.tuples(TOKENS, CACHED), min_size=1, max_size=20))
def test_many_prefills_at_once_are_those_prefills(name: str, pairs: list[tuple[int, int]]) -> None:
    r = Roofline.of(name, NODE, **ROOMY)  # type: ignore[arg-type]
    new, cached = np.array(pairs).T
    times = r.prefill_seconds(new, cached)
    assert times == pytest.approx([r.prefill(n, c).seconds for n, c in pairs], rel=1e-12)


def test_many_prefills_are_checked_like_one() -> None:
    r = Roofline.of("llama-3.1-8b", "h100")
    assert r.prefill_seconds(np.array([], dtype=np.int64), np.array([], dtype=np.int64)).size == 0
    for new, cached in ((0, 5), (1, -1)):
        with pytest.raises(ValueError, match="at least one new token"):
            r.prefill_seconds(np.array([7, new]), np.array([0, cached]))


@given(NAMES, TOKENS, CACHED)
def test_parts_add_up_and_say_what_binds(name: str, new: int, cached: int) -> None:
    r = Roofline.of(name, NODE, **ROOMY)  # type: ignore[arg-type]
    done = r.prefill(new, cached)
    assert done.seconds == pytest.approx(sum(part.seconds for part in done.parts))
    for part in done.parts:
        arithmetic, memory = part.flops / r.rate(part.name), part.bytes / r.bytes_per_second
        assert part.seconds == max(arithmetic, memory)
        assert part.bound == ("arithmetic" if arithmetic > memory else "memory")


@given(st.sampled_from(["llama-3.1-8b", "qwen3-32b", "llama-3.1-70b"]), st.integers(1, 8192))
def test_a_prompt_in_two_chunks_has_the_attention_of_one(name: str, new: int) -> None:
    r = Roofline.of(name, "4x a100-80gb")
    whole = r.prefill(2 * new).parts[1].flops
    assert r.prefill(new).parts[1].flops + r.prefill(new, new).parts[1].flops == pytest.approx(whole)
