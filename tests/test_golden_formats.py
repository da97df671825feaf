"""Every format of floats: its values, and what numbers between them round to."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from symattn.golden.formats import FORMATS, Format

SMALL = [FORMATS[name] for name in ("float8_e4m3fn", "float8_e5m2", "float16", "bfloat16")]


def every(one: Format) -> np.ndarray:
    """All codes without a sign whose values are finite, in order."""
    codes = np.arange(2 ** (one.bits - 1)).astype(f"u{one.bits // 8}")
    return codes[np.isfinite(one.values(codes))]


@pytest.mark.parametrize(
    ("name", "code", "value"),
    [
        ("float8_e4m3fn", 0b0_0000_001, 2.0**-9),
        ("float8_e4m3fn", 0b0_0111_000, 1.0),
        ("float8_e4m3fn", 0b1_0111_100, -1.5),
        ("float8_e4m3fn", 0b0_1111_110, 448.0),
        ("float8_e4m3fn", 0b0_1111_111, math.nan),
        ("float8_e5m2", 0b0_00000_01, 2.0**-16),
        ("float8_e5m2", 0b0_11110_11, 57344.0),
        ("float8_e5m2", 0b1_11111_00, -math.inf),
        ("float8_e5m2", 0b0_11111_10, math.nan),
        ("bfloat16", 0x3F80, 1.0),
        ("bfloat16", 0x0001, 2.0**-133),
        ("bfloat16", 0xFF80, -math.inf),
        ("bfloat16", 0x7FC0, math.nan),
    ],
)
def test_a_code_and_its_value_lead_to_each_other(name: str, code: int, value: float) -> None:
    one = FORMATS[name]
    codes = np.array([code], f"u{one.bits // 8}")
    assert one.values(codes).tolist() == pytest.approx([value], rel=0, nan_ok=True)
    assert one.codes(np.array([value])).tolist() == [code]


@pytest.mark.parametrize("one", SMALL, ids=lambda one: one.name)
def test_values_round_to_themselves_and_what_is_between_to_the_nearer_one_or_the_even_code(
    one: Format,
) -> None:
    codes = every(one)
    values = one.values(codes)
    middles = (values[1:] + values[:-1]) / 2
    even = np.where(codes[1:] % 2 == 0, values[1:], values[:-1])
    for x, expected in (
        (values, values),
        (middles, even),
        (np.nextafter(middles, 0), values[:-1]),
        (np.nextafter(middles, np.inf), values[1:]),
    ):
        assert np.array_equal(one.rounded(x), expected)
        assert np.array_equal(one.rounded(-x), -expected)
        sample = slice(None, None, max(1, len(x) // 200))
        for number, wanted in zip(x[sample].tolist(), expected[sample].tolist(), strict=True):
            assert one.nearest(*number.as_integer_ratio()) == wanted


@pytest.mark.parametrize(
    ("name", "last", "first", "beyond"),
    [
        ("float8_e4m3fn", 464, 465, math.nan),
        ("float8_e5m2", 61439, 61440, math.inf),
        ("float16", 65519, 65520, math.inf),
        ("bfloat16", 2**128 - 2**119 - 1, 2**128 - 2**119, math.inf),
        ("float32", 2**128 - 2**103 - 1, 2**128 - 2**103, math.inf),
        ("float64", 2**1024 - 2**970 - 1, 2**1024 - 2**970, math.inf),
    ],
)
def test_overflow_begins_half_a_unit_beyond_the_largest_value(
    name: str, last: int, first: int, beyond: float
) -> None:
    one = FORMATS[name]
    assert one.nearest(last) == one.most
    assert one.nearest(first) == pytest.approx(beyond, nan_ok=True)
    assert one.nearest(first, saturate=True) == one.most
    assert one.nearest(-first, saturate=True) == -one.most
    if one.precision < 24:
        assert one.rounded(np.array([float(first)])) == pytest.approx([beyond], nan_ok=True)
        assert one.rounded(np.array([-float(first)]), saturate=True) == [-one.most]


@pytest.mark.parametrize("name", ["float16", "float32"])
def test_rounding_is_that_of_numpy_where_numpy_has_the_format(name: str) -> None:
    generator = np.random.default_rng(1)
    x = generator.standard_normal(4000) * 2.0 ** generator.integers(-160, 15, 4000)
    with np.errstate(under="ignore"):
        expected = x.astype(name).astype(np.float64)
    one = FORMATS[name]
    assert np.array_equal(one.rounded(x), expected)
    assert [one.nearest(*number.as_integer_ratio()) for number in x.tolist()] == expected.tolist()
    assert np.array_equal(one.values(one.codes(expected)), expected)


def test_rationals_round_to_float64_as_python_divides() -> None:
    one = FORMATS["float64"]
    for over, under in (
        (1, 3),
        (2, 3),
        (-10, 7),
        (2**53 + 1, 1),
        (1, 3 * 2**1070),
        (5, 2**1075),
        (1, 2**1075),
    ):
        assert one.of_rational(fmpq(over, under)) == over / under


def test_a_ball_is_rounded_only_where_all_its_numbers_round_alike() -> None:
    one = FORMATS["float16"]
    tie = 1 + arb(2) ** -11
    assert one.of_ball(tie) == 1.0
    assert one.of_ball(arb(tie, 1e-9)) is None
    assert one.of_ball(arb(1 + 2.0**-12, 1e-9)) == 1.0
    assert one.of_ball(arb(0, 1e-9)) == 0.0
    assert one.of_ball(arb(70000, 1)) == math.inf
    assert one.of_ball(arb("nan")) is None
    with ctx.workprec(200):
        assert FORMATS["float64"].of_ball(arb(2).sqrt()) == math.sqrt(2)


def test_the_unit_in_the_last_place_is_that_of_the_binade_and_near_zero_the_smallest_subnormal() -> None:
    x = np.array([1.0, 1.5, 0.99, -2.0, 0.0, 1e-7])
    assert FORMATS["float16"].ulp(x).tolist() == [2.0**-10, 2.0**-10, 2.0**-11, 2.0**-9, 2.0**-24, 2.0**-24]
