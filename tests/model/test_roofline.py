"""The plain roofline of a 70B model on four A100-80GB, against arithmetic done by hand."""

from __future__ import annotations

import pytest

from generator.model.roofline import DoesNotFit, Roofline

# Shapes: 80 layers, hidden 8,192, 64 heads and 8 key-value heads of 128, MLP 28,672, vocabulary 128,256.
PROJECTIONS = 80 * (8192 * (64 + 2 * 8) * 128 + 64 * 128 * 8192 + 8192)  # 12.08e9, with the norm before them
MLP = 80 * (3 * 8192 * 28672 + 8192)  # 56.37e9, likewise
HEAD = 128256 * 8192 + 8192  # 1.05e9
PEAK = 4 * 312e12 * 0.70  # FLOP/s
BANDWIDTH = 4 * 2039e9 * 0.75  # bytes/s
PAIR = 4 * 64 * 128 * 80  # FLOP of one new token over one other, all heads and layers


@pytest.fixture(scope="module")
def r() -> Roofline:
    return Roofline.of("llama-3.1-70b", "4x a100-80gb")


def test_weights_and_cache(r: Roofline) -> None:
    assert r.weights_streamed_bytes == 2 * (PROJECTIONS + MLP + HEAD) == 139_006_066_688  # 139.0 GB
    assert r.weights_held_bytes == r.weights_streamed_bytes + 2 * 128256 * 8192 == 141_107_412_992  # 141.1 GB
    assert r.kv_bytes_per_token == 2 * 80 * 8 * 128 * 2 == 327_680
    assert r.memory_bytes == 4 * 80 * 2**30
    # (343.6 GB x 0.9 - 141.1 GB) / 327,680 B
    assert r.cache_budget_tokens == int((4 * 80 * 2**30 * 0.9 - 141_107_412_992) / 327_680) == 513_092


def test_floor_is_one_reading_of_the_weights(r: Roofline) -> None:
    # 139.0 GB / 6.117 TB/s = 22.72 ms, and one token's cache written: 0.05 us.
    assert r.floor_seconds == pytest.approx((139_006_066_688 + 327_680) / BANDWIDTH)
    assert r.floor_seconds == pytest.approx(22.7e-3, abs=0.05e-3)
    assert r.prefill(1).bound == "memory"


def test_ridge(r: Roofline) -> None:
    # 312e12 x 0.70 x 2 / (2 x 2039e9 x 0.75)
    assert r.ridge_tokens == pytest.approx(312e12 * 0.70 / (2039e9 * 0.75))
    assert round(r.ridge_tokens) == 143


def test_a_long_prompt_by_hand(r: Roofline) -> None:
    # 2,100 tokens: products 2 x 68.45e9 x 2100 = 287.5 TFLOP (329.1 ms), attention 2,206,050 pairs (6.6 ms),
    # LM head for one token: 2.1 GB read (0.34 ms).
    products = 2 * 2100 * (PROJECTIONS + MLP) / PEAK
    attention = 2100 * 2101 / 2 * PAIR / PEAK
    head = 2 * HEAD / BANDWIDTH
    done = r.prefill(2100)
    assert done.seconds == pytest.approx(products + attention + head)
    assert round(done.seconds * 1e3) == 336
    assert done.bound == "arithmetic"
    assert [part.name for part in done.parts] == ["projections", "attention", "MLP", "LM head"]
    assert [part.bound for part in done.parts] == ["arithmetic", "arithmetic", "arithmetic", "memory"]


@pytest.mark.parametrize(
    ("new", "cached", "milliseconds"),
    [
        (3132, 0, 505.9),  # a coding prompt and its message
        (8192, 0, 1384.8),  # 1.4 s
        (512, 0, 81.0),
        (512, 8192, 93.6),  # attention over what is cached: 12.6 ms
        (40, 131_072, 38.5),  # where the floor ends: attention takes 15.7 ms
        (64, 8128, 24.3),  # within 2 ms of the floor
    ],
)
def test_times_the_pages_quote(r: Roofline, new: int, cached: int, milliseconds: float) -> None:
    assert r.prefill(new, cached).seconds * 1e3 == pytest.approx(milliseconds, abs=0.06)


def test_slope_per_thousand_tokens(r: Roofline) -> None:
    products = 2 * 1000 * (PROJECTIONS + MLP) / PEAK
    assert products == pytest.approx(0.157, abs=0.0005)

    def slope(low: int, high: int) -> float:
        return (r.prefill(high).seconds - r.prefill(low).seconds) / (high - low) * 1000

    assert slope(512, 1024) == pytest.approx(0.159, abs=0.0005)
    assert slope(4096, 8192) == pytest.approx(0.175, abs=0.0005)


@pytest.mark.parametrize(("new", "share"), [(2048, 0.02), (8192, 0.07)])
def test_share_of_attention(r: Roofline, new: int, share: float) -> None:
    done = r.prefill(new)
    assert done.parts[1].seconds / done.seconds == pytest.approx(share, abs=0.005)


@pytest.mark.parametrize(("batch", "rate"), [(1, 44), (64, 1741), (125, 2492)])
def test_decode_rates(r: Roofline, batch: int, rate: int) -> None:
    # 64: 139.0 GB of weights (22.72 ms) and 64 x 4,096 x 327,680 B = 85.9 GB of cache (14.04 ms)
    assert round(batch / r.decode(batch, 4096).seconds) == rate


def test_decode_takes_one_context_or_one_each(r: Roofline) -> None:
    assert r.decode(2, [100, 300]).seconds == pytest.approx(r.decode(2, 200).seconds)
    with pytest.raises(ValueError, match="a batch of 2 needs as many contexts, not 3"):
        r.decode(2, [1, 2, 3])


def test_formats_of_eight_bits(r: Roofline) -> None:
    half = Roofline.of("llama-3.1-70b", "4x a100-80gb", cache="fp8")
    assert half.kv_bytes_per_token == 163_840
    assert half.cache_budget_tokens in (2 * r.cache_budget_tokens, 2 * r.cache_budget_tokens + 1)
    light = Roofline.of("llama-3.1-70b", "4x a100-80gb", weights="fp8")
    # Half the bytes, the same arithmetic: an A100 has no fp8 rate.
    assert light.floor_seconds == pytest.approx(r.floor_seconds / 2, rel=1e-4)
    assert light.prefill(4096).parts[2].seconds == pytest.approx(r.prefill(4096).parts[2].seconds)
    # int8 it has, at twice the rate, so the ridge stays: half the bytes at twice the FLOP.
    assert Roofline.of("llama-3.1-70b", "4x a100-80gb", weights="int8").ridge_tokens == pytest.approx(142.8, abs=0.1)


def test_what_does_not_fit_says_by_how_much() -> None:
    # 405.85e9 x 2 = 811.7 GB; 4 x 85.9 x 0.9 = 309.2 GB
    with pytest.raises(DoesNotFit, match=r"its bf16 weights take 811\.7 GB .* 309\.2 GB .* 502\.5 GB too much"):
        Roofline.of("llama-3.1-405b", "4x a100-80gb")
