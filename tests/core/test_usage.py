"""Sums of what was used, and what an unknown cost does to them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from whet.core.usage import Usage

COUNTS = st.integers(0, 10**9)
USAGES = st.builds(
    Usage,
    input_tokens=COUNTS,
    output_tokens=COUNTS,
    cache_read_tokens=COUNTS,
    cache_write_tokens=COUNTS,
    cost_usd=st.none() | st.integers(0, 1000).map(float),
)


def test_every_field_is_added() -> None:
    one = Usage(
        input_tokens=1, output_tokens=2, cache_read_tokens=3, cache_write_tokens=4, cost_usd=0.5
    )
    two = Usage(
        input_tokens=10, output_tokens=20, cache_read_tokens=30, cache_write_tokens=40, cost_usd=1
    )
    assert one + two == Usage(
        input_tokens=11, output_tokens=22, cache_read_tokens=33, cache_write_tokens=44, cost_usd=1.5
    )
    assert (one + two).total_tokens == 110


def test_an_unknown_cost_is_not_zero() -> None:
    assert (Usage() + Usage()).cost_usd is None
    assert (Usage(cost_usd=0.5) + Usage()).cost_usd == 0.5
    assert (Usage(cost_usd=0.0) + Usage()).cost_usd == 0


@settings(max_examples=50)
@given(USAGES, USAGES, USAGES)
def test_the_order_of_a_sum_does_not_matter(one: Usage, two: Usage, three: Usage) -> None:
    assert one + two == two + one
    assert (one + two) + three == one + (two + three)
    assert one + Usage() == one
