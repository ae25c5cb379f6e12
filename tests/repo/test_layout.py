from pathlib import Path

import pytest

from tests.repo.layout import (
    entry_points,
    layers,
    leads_nowhere,
    orphaned_test_folders,
    packages_without_docstring,
)
from tests.repo.tree import ROOT

SRC = ROOT / "src"


def test_every_package_of_the_layout_says_what_it_is_for() -> None:
    names = layers(ROOT / ".importlinter")
    assert {"core", "ports", "app", "cli", "server"} <= names
    assert packages_without_docstring(SRC / "whet", names) == []


def test_tests_mirror_the_source() -> None:
    assert orphaned_test_folders(ROOT / "tests", SRC / "whet") == []


@pytest.mark.parametrize("target", entry_points(ROOT / "pyproject.toml"))
def test_every_entry_point_leads_somewhere(target: str) -> None:
    assert not leads_nowhere(target, SRC)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    for name, text in (
        ("src/a/__init__.py", '"""A."""\n\nfrom a.b import Deep as D\n'),
        ("src/b/__init__.py", ""),
        ("src/c.py", "class C: ...\n\n\ndef go(): ...\n\n\napp = C()\n"),
        ("tests/a/test_a.py", ""),
        ("tests/repo/test_r.py", ""),
        ("tests/lost/test_l.py", ""),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path


def test_a_package_without_docstring_is_found(sample: Path) -> None:
    assert packages_without_docstring(sample / "src", {"a", "b", "gone"}) == ["b", "gone"]


def test_a_test_folder_of_nothing_is_found(sample: Path) -> None:
    assert orphaned_test_folders(sample / "tests", sample / "src") == ["lost"]


def test_an_entry_point_to_nothing_is_found(sample: Path) -> None:
    good = ["c:C", "c:go", "c:app", "a:D"]
    bad = ["c:Gone", "a:Deep", "gone:C"]
    assert [one for one in good + bad if leads_nowhere(one, sample / "src")] == bad
