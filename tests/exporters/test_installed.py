"""Exporters are parts like others."""

from pathlib import Path

import pytest

from tests.exporters.reports import report
from whet.app.parts import InstalledParts
from whet.core.errors import UnknownPart
from whet.ports.machine import Machine

PARTS = InstalledParts(Machine({}, Path("/nowhere")))
SUFFIXES = {"html": ".html", "junit": ".xml", "markdown": ".md"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SUFFIXES)
def test_our_own_are_installed_and_do_the_same_twice(name: str, language: str) -> None:
    exporter = PARTS.exporter(name)
    assert (exporter.name, exporter.suffix) == (name, SUFFIXES[name])
    text = exporter.export(report(), language)
    assert text.endswith("\n")
    assert exporter.export(report(), language) == text


def test_an_unknown_one_is_named_with_those_that_are_installed() -> None:
    assert set(SUFFIXES) <= set(PARTS.exporters())
    with pytest.raises(UnknownPart, match=r"unknown exporter 'pdf'; installed: .*html"):
        PARTS.exporter("pdf")
