"""Take a workspace over, and look at what is always so."""

from datetime import UTC, datetime
from pathlib import Path

from tests.curate.original.desktop import Desktop, image
from whet.curate import library
from whet.curate.original.report import Repair, RepairReport
from whet.curate.original.workspace import import_workspace

NOW = datetime(2025, 1, 1, tzinfo=UTC)


def taken(desktop: Desktop, ours: Path) -> RepairReport:
    """Take it over; the original is what it was, and nothing here is broken."""
    before = image(desktop.root)
    report = import_workspace(desktop.root, ours, NOW)
    assert image(desktop.root) == before
    assert library.skills(ours).problems == ()
    assert library.baselines(ours).problems == ()
    return report


def of_kind(report: RepairReport, kind: str) -> list[Repair]:
    return [entry for entry in report.entries if entry.kind == kind]
