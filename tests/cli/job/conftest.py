"""A fresh desk for every test."""

from pathlib import Path

import pytest

from tests.cli.job.desk import Desk


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("WHET_SCRATCH", str(tmp_path / "scratch"))
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    return Desk(tmp_path)
