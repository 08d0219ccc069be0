"""Models, cards and nodes by name: totals to the parameter, sources on every row, errors that help."""

from __future__ import annotations

import pytest

from generator.errors import UnknownName
from generator.model import presets
from generator.model.operators import attention_flops, cached_values
from generator.model.roofline import Roofline


@pytest.mark.parametrize("name", presets.model_names())
def test_parameters_are_those_published(name: str) -> None:
    assert presets.model(name).parameters == presets.rows("models")[name]["published_parameters"]


# Published, or counted from the shape by hand: what one token is multiplied with, and its row of the embedding table.
@pytest.mark.parametrize(
    ("name", "active"),
    [
        ("llama-3.1-70b", 70_553_706_496),
        ("qwen3-30b-a3b", 3_353_032_704),
        ("mixtral-8x7b", 12_879_925_248),
        ("deepseek-v3", 37_552_297_472),
        ("gpt-oss-120b", 5_711_982_912),
    ],
)
def test_active_parameters(name: str, active: int) -> None:
    shape = presets.model(name)
    assert shape.active_parameters + shape.embedding_parameters == active


@pytest.mark.parametrize(
    ("name", "size"),
    [
        ("llama-3.1-8b", 131_072),  # 32 layers x 2 x 8 heads x 128 x 2 B
        ("llama-2-7b", 524_288),  # 32 x 2 x 32 x 128 x 2 B: a head for every query head
        ("qwen2.5-7b", 57_344),  # 28 x 2 x 4 x 128 x 2 B
        ("deepseek-v3", 70_272),  # 61 x (512 + 64) x 2 B
        ("gpt-oss-120b", 73_728),  # 36 x 2 x 8 x 64 x 2 B, window layers counted like the others
    ],
)
def test_cache_of_a_token_held_once(name: str, size: int) -> None:
    assert presets.model(name).cached_values_per_token * 2 == size


def test_every_row_has_a_source() -> None:
    for table in ("models", "cards"):
        assert all(row["source"] and "recalled" in row for row in presets.rows(table).values())
    assert all(row["basis"] for row in presets.rows("families").values())


def test_a_node_is_so_many_cards() -> None:
    node = presets.node("4x a100-80gb")
    assert node.name == "4x a100-80gb"
    assert node.memory_bytes == 4 * 80 * 2**30  # 343.6e9: sold as 80 GB, holds 80 GiB
    assert node.bytes_per_second == 4 * 2039e9
    assert node.peak("bf16") == 4 * 312e12
    assert node.host_link_bytes_per_second == 4 * 32e9
    assert presets.node("h100").count == 1
    assert presets.node("2x h100-pcie").card.bytes_per_second == 2000e9
    assert presets.node("4x b200").host_link_bytes_per_second is None


def test_a_format_without_a_rate_is_computed_in_bf16() -> None:
    assert presets.card("a100-80gb").peak("fp8") == 312e12
    assert presets.card("h100").peak("fp8") == 1979e12


@pytest.mark.parametrize("text", ["", "four h100", "4 h100", "0x h100", "00x h100", "-1x h100", "4x h100 80gb"])
def test_what_is_no_node(text: str) -> None:
    with pytest.raises(ValueError, match=r"cannot read the node .*such as"):
        presets.node(text)


@pytest.mark.parametrize(
    ("model", "node", "said", "hint"),
    [
        ("llama-3.1-70B", "4x h100", 'unknown model "llama-3.1-70B"', 'did you mean "llama-3.1-70b"?'),
        ("qwen3-32", "4x h100", 'unknown model "qwen3-32"', 'did you mean "qwen3-32b"?'),
        ("qwen3-32b", "4x a100-80g", 'unknown card "a100-80g"', 'did you mean "a100-80gb"?'),
        ("qwen3-32b", "4x H100", 'unknown card "H100"', 'did you mean "h100"?'),
    ],
)
def test_unknown_names_get_a_hint(model: str, node: str, said: str, hint: str) -> None:
    with pytest.raises(UnknownName) as caught:
        Roofline.of(model, node)
    assert str(caught.value) == said
    assert caught.value.hint == hint


def test_unknown_formats_get_a_hint() -> None:
    with pytest.raises(UnknownName) as caught:
        Roofline.of("llama-3.1-8b", "h100", weights="fp16")
    assert str(caught.value) == 'unknown number format "fp16"'
    assert "bf16" in caught.value.hint


def test_attention_of_window_layers_by_counting() -> None:
    shape = presets.model("gpt-oss-120b")  # 18 of 36 layers see the last 128 tokens, 64 heads of 64
    for new, cached in ((1, 0), (5, 3), (200, 0), (7, 125), (3, 500)):
        windowed = sum(min(cached + i, 128) for i in range(1, new + 1))
        full = sum(cached + i for i in range(1, new + 1))
        assert attention_flops(shape, new, cached) == 4 * 64 * 64 * 18 * (full + windowed)
        a_layer = 2 * 8 * 64
        assert cached_values(shape, new, cached) == 18 * a_layer * (cached + min(cached, 128) + 2 * new)


def test_latent_attention_takes_the_cheaper_way() -> None:
    shape = presets.model("deepseek-v3")
    # One token over 4,096 cached ones: folded, 128 heads x (576 scores + 512 sums) x 2 per pair and layer.
    assert attention_flops(shape, 1, 4096) == 61 * 4097 * 2 * 128 * (576 + 512)
    # A fresh prompt: nothing cached to expand, 128 heads x (192 scores + 128 sums) x 2.
    assert attention_flops(shape, 100, 0) == 61 * 5050 * 2 * 128 * (192 + 128)
