"""Lengths of time as a terminal has them, and references that are nothing."""

from pathlib import Path

import pytest

from tests.app.sessions.logs import desk_on
from whet.cli.session.output import duration
from whet.core.errors import NotFound


@pytest.mark.parametrize(
    ("milliseconds", "told"),
    [
        (None, "\u2013"),
        (59_900, "59.9 s"),
        (60_000, "1:00 min"),
        (119_700, "2:00 min"),
        (3_599_400, "59:59 min"),
        (3_599_700, "1:00 h"),
        (7_199_900, "2:00 h"),
        (8_000_000, "2:13 h"),
    ],
)
def test_a_length_of_time_has_no_sixtieth_second(milliseconds: float | None, told: str) -> None:
    assert duration(milliseconds) == told


def test_a_reference_that_no_file_can_have_is_not_found(tmp_path: Path) -> None:
    with desk_on(tmp_path / "ws") as desk, pytest.raises(NotFound):
        desk.view("n" * 400)
