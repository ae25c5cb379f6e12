"""Assets are changed by options; an editor and two processes are in the flows."""

import json
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused
from tests.curate.shelves import add_baseline, add_skill, write

RUBRIC = {"dimensions": [{"name": "tone", "weight": 1}]}
NASTY = "\x1b]0;owned\x07\u202e[bold]"


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a skill and a baseline of two cases."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    add_skill(tmp_path / "workspace", "Writer", text="Be careful.\n")
    add_baseline(tmp_path / "workspace", "Tests")
    return tmp_path / "workspace"


def content(name: str = "Writer") -> object:
    return read("skill", "show", name)["content"]


def test_metadata_is_always_text() -> None:
    told = read("skill", "edit", "Writer", "--set", "name=3", "--set", "author=a=b")
    assert (told["name"], told["version"], told["changed"]) == ("3", "v2", True)
    assert Path(told["path"]).is_dir()
    meta = read("skill", "show", told["id"])["meta"]
    assert (meta["name"], meta["author"]) == ("3", "a=b")


def test_a_text_from_a_file_or_from_stdin(tmp_path: Path) -> None:
    (tmp_path / "new.md").write_bytes(b"\xef\xbb\xbfNew.\n")
    assert read("skill", "edit", "Writer", "--content", "new.md")["version"] == "v2"
    assert content() == "New.\n"
    told = read("skill", "edit", "Writer", "--content", "-", "--set", "author=A", given="From me.")
    assert told["version"] == "v3", "both in one version"
    assert content() == "From me."
    assert read("skill", "edit", "Writer", "--content", "-", given="From me. ")["version"] == "v4"


def test_nothing_changed_is_said() -> None:
    printed = done("skill", "edit", "Writer", "--content", "-", given="Be careful.\n")
    assert printed.splitlines()[0] == "nothing changed"
    assert "v1" in printed
    told = read("skill", "edit", "Writer", "--set", "purpose=code")
    assert (told["version"], told["changed"]) == ("v1", False)


def test_a_folder_replaces_text_by_package(tmp_path: Path) -> None:
    write(tmp_path / "new/data.json", {})
    (tmp_path / "new/SKILL.md").write_text("---\nname: other\ndescription: d\n---\nx\n")
    told = read("skill", "edit", "Writer", "--from", "new", "--set", "type=agent")
    assert (told["name"], told["version"]) == ("Writer", "v2")
    shown = read("skill", "show", "Writer")
    assert [file["path"] for file in shown["files"]] == ["SKILL.md", "data.json"]
    assert shown["asset"]["type"] == "agent"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "says"),
    [
        ((), "--content, --from or --set"),
        (("--set", "author"), "NAME=TEXT"),
        (("--set", "=x"), "NAME=TEXT"),
        (("--set", "id=x"), "'id' cannot be set"),
        (("--set", "content=x"), "cannot be set; these can: name, purpose"),
        (("--set", "content=x", "--from", "."), "cannot be set"),
        (("--set", "type=robot", "--from", "."), "skill or agent"),
        (("--set", f"{NASTY}=x"), "\\x1b]0;owned"),
        (("--content", "a", "--from", "b"), "give one of them"),
        (("--content", "gone.md"), "gone.md"),
        (("--content", "-"), "must not be empty"),
        (("--from", "gone"), "gone"),
        (("--set", "name="), "empty"),
        (("--set", "purpose=../out"), "purpose"),
        (("--set", "author=x", "--expect", "v7"), "expected v7, found v1"),
    ],
)
def test_what_cannot_be_is_one_line(shelf: Path, options: tuple[str, ...], says: str) -> None:
    said = refused("skill", "edit", "Writer", *options, given="")
    assert says in said
    assert "\x1b" not in said
    assert read("skill", "show", "Writer")["version"] == "v1"
    assert len(list(shelf.glob("skills/*/*/*"))) == 1


def test_who_is_not_there_is_named() -> None:
    for verb in (("edit", "--set", "author=x"), ("adopt",), ("versions",), ("archive",)):
        assert "'Nobody'" in refused("skill", verb[0], "Nobody", *verb[1:])
    assert "'Tests'" in refused("skill", "edit", "Tests", "--set", "author=x")


def test_all_cases_of_a_baseline(tmp_path: Path) -> None:
    (tmp_path / "cases.csv").write_text("id,input,expected_output\ncase_001,1,2\n,3,4\n")
    told = read("baseline", "edit", "Tests", "--cases", "cases.csv", "--set", "author=A")
    assert told["version"] == "v2"
    shown = read("baseline", "show", "Tests")
    assert [case["id"] for case in shown["cases"]] == ["case_001", "case_003"]
    assert shown["meta"]["author"] == "A"
    assert "no file cases.txt" in refused("baseline", "edit", "Tests", "--cases", "cases.txt")
    (tmp_path / "cases.txt").touch()
    assert "is no baseline" in refused("baseline", "edit", "Tests", "--cases", "cases.txt")
    assert "cannot be set" in refused("baseline", "edit", "Tests", "--set", "type=agent")
    assert "--cases, --rubric or --set" in refused("baseline", "edit", "Tests")


@pytest.mark.slow
def test_a_rubric_by_file_by_name_and_none(tmp_path: Path) -> None:
    (tmp_path / "rubric.json").write_text(json.dumps(RUBRIC))
    (tmp_path / "broken.json").write_text('{"dimensions": 3}')
    edit = ("baseline", "edit", "Tests", "--rubric")
    for given, rubric in (
        ("rubric.json", RUBRIC),
        ("universal", "universal"),
        ("none", "none"),
        ("default", None),
    ):
        told = read(*edit, given)
        assert (told["changed"], told["notes"]) == (True, [])
        assert read("baseline", "show", "Tests")["rubric"] == rubric
    assert "gone.json" in refused(*edit, "gone.json")
    assert "dimensions" in refused(*edit, "broken.json")


def test_a_rubric_that_no_project_takes_is_said(tmp_path: Path) -> None:
    edit = ("baseline", "edit", "Tests", "--rubric")
    assert "no rubric 'universall'; there are six_dimensions" in done(*edit, "universall")
    odd = {"dimensions": [{"name": "tone", "weight": -1}]}
    (tmp_path / "odd.json").write_text(json.dumps(odd))
    assert "'tone': weight: must be 0, or" in done(*edit, "odd.json")


def test_the_way_back_is_a_version_too(tmp_path: Path) -> None:
    (tmp_path / "cases.json").write_text(json.dumps([{"input": "Only."}]))
    done("baseline", "edit", "Tests", "--cases", "cases.json")
    assert "'v9'" in refused("baseline", "rollback", "Tests", "v9")
    assert "found v2" in refused("baseline", "rollback", "Tests", "v1", "--expect", "v1")
    assert read("baseline", "rollback", "Tests", "v1", "--expect", "v2")["version"] == "v3"
    assert len(read("baseline", "show", "Tests")["cases"]) == 2
    assert done("baseline", "rollback", "Tests", "v1").startswith("nothing changed")


@pytest.mark.slow
def test_out_of_the_way_and_back(shelf: Path) -> None:
    add_skill(shelf, "Author")
    assert "'Nobody'" in refused("skill", "archive", "Writer", "Nobody")
    assert read("skill", "list")["total"] == 2, "a name that means nothing stops it"
    told = read("skill", "archive", "Writer", "Author", "Writer")["assets"]
    assert [(one["name"], one["changed"]) for one in told] == [("Writer", True), ("Author", True)]
    assert read("skill", "list")["total"] == 0
    assert read("skill", "archive", "Writer")["assets"][0]["changed"] is False
    assert done("skill", "archive", "Writer").startswith("nothing changed: Writer")
    assert done("skill", "restore", "Writer").startswith("restored: Writer")
    assert [one["name"] for one in read("skill", "list")["items"]] == ["Writer"]


def test_only_what_was_edited_outside_is_adopted(shelf: Path) -> None:
    assert "nothing to adopt" in refused("skill", "adopt", "Writer")
    done("skill", "edit", "Writer", "--content", "-", given="Second.\n")
    (folder,) = shelf.glob("skills/*/*/*_v2")
    (folder / "content.txt").write_text("By hand.\n")
    assert read("skill", "show", "Writer")["asset"]["edited_outside"]
    assert read("skill", "adopt", "Writer")["version"] == "v3"
    assert not read("skill", "show", "Writer")["asset"]["edited_outside"]
    assert "+By hand." in done("skill", "diff", "Writer", "v1", "v3")


def test_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert done("skill", "edit", "Writer", "--set", "purpose=code").startswith("没有变化")
    assert done("skill", "archive", "Writer").startswith("已归档：Writer")
