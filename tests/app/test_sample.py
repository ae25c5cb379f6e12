"""The sample: whole, installed once, by however many at a time."""

import resource
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from whet.app.sample import install
from whet.core.errors import EnvironmentProblem
from whet.curate.library import baselines, cases, package, skills

INSTALL = """
import sys
from pathlib import Path
from whet.app.sample import install
sys.stdin.readline()
print(len(install(Path(sys.argv[1]), "en")))
"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_sample_is_a_sound_library(tmp_path: Path, language: str) -> None:
    folders = install(tmp_path, language)
    shelf, tests = skills(tmp_path), baselines(tmp_path)
    assert not shelf.problems
    assert not tests.problems
    assert {asset.folder for asset in (*shelf.assets, *tests.assets)} == set(folders)
    assert [len(shelf.assets), len(tests.assets)] == [3, 1]
    for asset in shelf.assets:
        assert package(asset.folder, asset.meta.name)[0].kind == "text"
    assert len(cases(tests.assets[0].folder).cases) == tests.assets[0].meta.case_count == 10
    for folder in folders:
        assert (folder / "history").is_dir()
        assert (folder / "auto_tag_log").is_dir()


def test_the_languages_live_side_by_side(tmp_path: Path) -> None:
    assert not set(install(tmp_path, "en")) & set(install(tmp_path, "zh"))
    assert len({asset.meta.id for asset in skills(tmp_path).assets}) == 6


def test_again_changes_nothing_not_even_what_a_person_changed(tmp_path: Path) -> None:
    folders = install(tmp_path, "en")
    changed = folders[-1] / "content.txt"
    changed.write_text("mine now")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert install(tmp_path, "en") == folders
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_several_processes_at_once_install_it_once(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", INSTALL, tmp_path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    ends = [process.communicate(timeout=30) for process in processes]
    assert [out for out, _ in ends] == ["4\n"] * 4, ends
    assert len(skills(tmp_path).assets) == 3
    assert not leftovers(tmp_path)


@pytest.mark.parametrize("place", ["/proc/nowhere", "/dev/null"])
def test_where_nothing_can_be_written_the_reason_is_said(place: str) -> None:
    with pytest.raises(EnvironmentProblem, match=r"(No such file|Not a directory|denied)"):
        install(Path(place), "en")


def test_a_copy_that_breaks_off_leaves_nothing(tmp_path: Path) -> None:
    with at_most(100), pytest.raises(EnvironmentProblem, match="File too large"):
        install(tmp_path, "en")
    assert not leftovers(tmp_path)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
    install(tmp_path, "en")
    assert len(skills(tmp_path).assets) == 3


def leftovers(workspace: Path) -> list[Path]:
    return [path for path in workspace.rglob("*") if path.name.startswith(".")]


@contextmanager
def at_most(size: int) -> Generator[None]:
    """No file can grow beyond *size* bytes, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
