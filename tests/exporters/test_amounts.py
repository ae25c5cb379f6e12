"""Numbers as people read them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from whet.documents.verdict import Interval
from whet.exporters.amounts import amount, percent, plain_range, signed, signed_range, spread
from whet.exporters.figures import Spread, Unit

UNITS: tuple[Unit, ...] = ("points", "seconds", "tokens", "usd")


@pytest.mark.parametrize(
    ("value", "unit", "plain", "with_sign"),
    [
        (0.845, "points", "84.5", "+84.5"),
        (-0.1, "points", "−10.0", "−10.0"),
        (0.0, "points", "0.0", "0.0"),
        (-0.0004, "points", "0.0", "0.0"),
        (1.0, "points", "100.0", "+100.0"),
        (12.34, "seconds", "12.3 s", "+12.3 s"),
        (-1700, "tokens", "−1,700", "−1,700"),
        (12345678, "tokens", "12,345,678", "+12,345,678"),
        (0.01234, "usd", "$0.0123", "+$0.0123"),
        (1234.5, "usd", "$1,234.50", "+$1,234.50"),
        (None, "points", "–", "–"),
    ],
)
def test_a_number_and_a_difference(
    value: float | None, unit: Unit, plain: str, with_sign: str
) -> None:
    assert amount(value, unit) == plain
    assert signed(value, unit) == with_sign


def test_a_mean_and_its_spread_share_one_unit() -> None:
    assert spread(Spread(0.85, 0.05), "points") == "85.0 ± 5.0"
    assert spread(Spread(45, 12), "seconds") == "45.0 ± 12.0 s"
    assert spread(Spread(0.5, 0.25), "usd") == "$0.5000 ± 0.2500"
    assert spread(Spread(0.96, None), "points") == "96.0"
    assert spread(None, "tokens") == "–"


def test_intervals() -> None:
    around = Interval(low=-0.04, high=0.2, level=0.95, method="t")
    assert signed_range(around) == "−4.0 … +20.0"
    assert plain_range(Interval(low=0.2, high=1, level=0.9, method="t")) == "20.0 … 100.0"
    assert signed_range(None) == plain_range(None) == "–"
    assert percent(0.95) == "95 %"
    assert percent(0.999) == "99.9 %"


@given(st.floats(-1e6, 1e6), st.sampled_from(UNITS))
def test_a_sign_is_never_wrong_and_zero_has_none(value: float, unit: Unit) -> None:
    text = signed(value, unit)
    number = float(re.sub(r"[^0-9.]", "", text))
    assert text.startswith("−") == (value < 0 and number > 0)
    assert text.startswith("+") == (value > 0 and number > 0)
    whole = abs(value) * (100 if unit == "points" else 1)
    assert number == pytest.approx(whole, abs=0.5 if unit == "tokens" else 0.0501)
