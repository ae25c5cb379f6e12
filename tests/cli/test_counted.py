"""Progress of plain work: lines in a log, and only if it takes its time."""

import re
import time

import pytest

from whet.cli.progress import counted


def test_quick_work_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with counted("export", "parts") as tell:
        tell(1, 1)
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_long_work_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    said, done = "", 0
    end = time.monotonic() + 60
    with counted("export", "parts") as tell:
        while not said and time.monotonic() < end:
            done += 1
            tell(done, 10**9)
            streams = capsys.readouterr()
            assert streams.out == ""
            said = streams.err
    assert re.fullmatch(r"export: \d+ of 1000000000 parts\n", said)
