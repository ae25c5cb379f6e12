"""Exporters are parts like others."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.exporters.capability_reports import report as capability_report
from tests.exporters.project_reports import report as project_report
from tests.exporters.reports import report
from tests.exporters.sessions.drawn import report as session_report
from tests.exporters.test_html import TEMPLATE, shown
from whet.app.parts import InstalledParts
from whet.core.errors import UnknownPart
from whet.ports.exporter import ReportPage
from whet.ports.machine import Machine
from whet.ports.session_exporter import ExportWish

PARTS = InstalledParts(Machine({}, Path("/nowhere")))
SUFFIXES = {"html": ".html", "junit": ".xml", "markdown": ".md"}

OF_SESSIONS = {"html": ".html", "json": ".json", "markdown": ".md", "otlp": ".otlp.json"}
OF_PROJECTS = {"csv": ".csv", "html": ".html", "json": ".json", "markdown": ".md"}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SUFFIXES)
def test_our_own_are_installed_and_do_the_same_twice(name: str, language: str) -> None:
    exporter = PARTS.exporter(name)
    assert (exporter.name, exporter.suffix) == (name, SUFFIXES[name])
    told = replace(report(), page=ReportPage(TEMPLATE + "\n", shown("Everyday tasks")))
    text = exporter.export(told, language)
    assert text.endswith("\n")
    assert exporter.export(told, language) == text


def test_an_unknown_one_is_named_with_those_that_are_installed() -> None:
    assert set(SUFFIXES) <= set(PARTS.exporters())
    with pytest.raises(UnknownPart, match=r"unknown exporter 'pdf'; known: .*html"):
        PARTS.exporter("pdf")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", OF_PROJECTS)
def test_those_for_projects_are_installed_and_do_the_same_twice(name: str, language: str) -> None:
    exporter = PARTS.project_exporter(name)
    assert (exporter.name, exporter.suffix) == (name, OF_PROJECTS[name])
    text = exporter.export(project_report(), language)
    assert text.endswith("\n")
    assert exporter.export(project_report(), language) == text


def test_an_unknown_one_for_projects_is_named_too() -> None:
    assert set(OF_PROJECTS) <= set(PARTS.project_exporters())
    with pytest.raises(UnknownPart, match=r"unknown project exporter 'pdf'; known: csv, html"):
        PARTS.project_exporter("pdf")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", OF_PROJECTS)
def test_those_for_capability_runs_are_installed_too(name: str, language: str) -> None:
    exporter = PARTS.capability_exporter(name)
    assert (exporter.name, exporter.suffix) == (name, OF_PROJECTS[name])
    text = exporter.export(capability_report(), language)
    assert text.endswith("\n")
    assert exporter.export(capability_report(), language) == text
    assert set(OF_PROJECTS) <= set(PARTS.capability_exporters())
    with pytest.raises(UnknownPart, match=r"unknown capability exporter 'pdf'; known: csv"):
        PARTS.capability_exporter("pdf")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", OF_SESSIONS)
def test_those_for_sessions_are_installed_too(name: str, language: str) -> None:
    exporter = PARTS.session_exporter(name)
    assert (exporter.name, exporter.suffix) == (name, OF_SESSIONS[name])
    assert "/" in exporter.media_type
    text = exporter.export(session_report(), ExportWish(language))
    assert text.endswith("\n")
    assert exporter.export(session_report(), ExportWish(language)) == text
    assert set(OF_SESSIONS) <= set(PARTS.session_exporters())
    with pytest.raises(UnknownPart, match=r"unknown session exporter 'pdf'; known: html"):
        PARTS.session_exporter("pdf")
