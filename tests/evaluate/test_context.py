"""How near a conversation came to a threshold."""

import pytest

from whet.evaluate.context import risk


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [(0, "normal"), (59, "normal"), (60, "warning"), (79, "warning"), (80, "critical")],
)
def test_risk_by_share_of_the_threshold(tokens: int, expected: str) -> None:
    assert risk(tokens, 100) == expected
