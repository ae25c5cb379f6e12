"""A whole workspace is taken over, and the index is made anew."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused
from tests.curate.original.desktop import Desktop, image
from tests.curate.shelves import add_skill


@pytest.fixture
def desktop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desktop:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    made = Desktop(tmp_path / "original")
    made.edit_skill(made.add_skill("Writer"), content="Be better.")
    made.add_baseline("Tests", "1 + 1", "2 + 2")
    for number in range(12):
        (made.root / f"stray\x1b[31m{number:02}").write_text("what is it?")
    return made


def test_a_workspace_is_taken_over_with_a_report(desktop: Desktop) -> None:
    before = image(desktop.root)
    said = done("workspace", "import", desktop.root, "--report", "report.json")
    assert said.startswith("taken over: 1 skill, 1 baseline (versions: 3)")
    assert "\nleft out: 12\n" in said
    assert "  … and 2 more; --json or --report has all" in said
    assert said.endswith("report: report.json\n")
    assert "\x1b" not in said
    assert image(desktop.root) == before
    report = json.loads(Path("report.json").read_text())
    assert (report["skills"], report["versions"]) == (1, 3)
    assert [one["kind"] for one in report["entries"]].count("left_out") == 12
    assert done("skill", "show", "Writer", "--version", "v1").count("Be good.") == 1
    assert read("baseline", "list")["items"][0]["case_count"] == 2


def test_a_second_time_changes_nothing(desktop: Desktop) -> None:
    first = read("workspace", "import", desktop.root)
    before = image(Path("workspace"))
    again = read("workspace", "import", desktop.root)
    assert (first["skills"], again["skills"], again["versions"], again["files"]) == (1, 0, 0, 0)
    assert [one["kind"] for one in again["entries"]].count("skipped") == 2
    assert image(Path("workspace")) == before


def test_what_cannot_be_is_refused_before_anything_is_done(desktop: Desktop) -> None:
    Path("mine.json").write_text("mine")
    root = desktop.root
    assert "is there already" in refused("workspace", "import", root, "--report", "mine.json")
    assert "no folder gone" in refused("workspace", "import", root, "--report", "gone/r.json")
    assert Path("mine.json").read_text() == "mine"
    assert not Path("workspace").exists()
    assert "is no workspace" in refused("workspace", "import", "gone")
    assert "inside one another" in refused("workspace", "import", root, "--workspace", root / "in")


def test_the_index_is_made_anew(desktop: Desktop) -> None:
    shelf = desktop.root.parent / "workspace"
    add_skill(shelf, "Good")
    (add_skill(shelf, "Bad") / "meta.json").write_text("{")
    told = read("index")
    assert (told["added"], told["removed"], told["broken"]) == (2, 0, 1)
    assert told["seconds"] >= 0
    (broken,) = told["broken_folders"]
    assert broken["path"].startswith("skills/code/me/skill_")
    said = done("index").splitlines()
    assert said[0].startswith("read: 2, of them new: 0; gone: 0, broken: 1; ")
    assert said[1:] == [f"  {broken['path']}: {broken['reason']}"]
    (shelf / "index.db").unlink()
    assert [one["name"] for one in read("skill", "list")["items"]] == ["Good"]


def test_chinese(desktop: Desktop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert "技能 1 个" in done("workspace", "import", desktop.root)
    assert "新增" in done("index")
