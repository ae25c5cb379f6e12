"""Faults of programs that keep, check and pack skills: skill_manager and skill-creator.

A rollback restored nothing, an added case vanished, a purpose was a path, an edit could change
anything, one broken file hid all others, packages took secrets and files from elsewhere with them.
"""

import io
import json
import os
import zipfile
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.cli.calls import done, read, run
from tests.curate.intake.zips import LINK, zipped
from tests.curate.shelves import add_skill
from tests.server.calling import Caller, assert_problem, caller
from tests.server.library import BASELINES, CASE, SKILLS, made, names

HOSTILE_NAMES = ["../../evil", "/tmp/evil", "a/../../evil", "..", "con", "a\\..\\evil", "a\0b", "."]
FRONT = "---\nname: {name}\ndescription: {about}\n---\n\n{body}\n"


@pytest.fixture
def shelf(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


@pytest.fixture
def call(shelf: Path, tmp_path: Path) -> Generator[Caller]:
    with caller(shelf, HOME=str(tmp_path / "home")) as made_:
        yield made_


def skill_at(
    folder: Path, name: str | None = None, about: str = "Does it.", body: str = "Do."
) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    text = FRONT.format(name=folder.name if name is None else name, about=about, body=body)
    (folder / "SKILL.md").write_text(text)
    return folder


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_baseline_that_is_rolled_back_has_its_old_cases(call: Caller) -> None:
    """There a rollback wrote a marker, and the history said "3 cases" for what they were."""
    baseline = made(call, BASELINES)
    at = f"{BASELINES}/{baseline['id']}"
    change = {"expected_version": "v1", "cases": [{"input": "2 + 2", "expected_output": "4"}]}
    assert call("PATCH", at, json=change).status_code == 200
    back = call("POST", f"{at}/rollback", json={"version": "v1", "expected_version": "v2"})
    assert back.status_code == 200, back.text
    found = call("GET", at).json()
    assert found["meta"]["version"] == "v3"
    assert [(one["input"], one["expected_output"]) for one in found["cases"]] == [("1 + 1", "2")]


def test_a_skill_that_is_rolled_back_has_its_old_description_too(call: Caller) -> None:
    skill = made(call, SKILLS, description="Old.")
    at = f"{SKILLS}/{skill['id']}"
    change = {"expected_version": "v1", "description": "New.", "content": "Other."}
    assert call("PATCH", at, json=change).status_code == 200
    call("POST", f"{at}/rollback", json={"version": "v1", "expected_version": "v2"})
    found = call("GET", at).json()
    assert (found["meta"]["description"], found["content"]) == ("Old.", "Write well.")


def test_a_case_that_is_added_after_another_was_removed_is_there(call: Caller) -> None:
    """There the new one got the id of one that was there, and was dropped without a word."""
    cases = [{"input": f"{n} + 1", "expected_output": str(n + 1)} for n in range(3)]
    baseline = made(call, BASELINES, cases=cases)
    at = f"{BASELINES}/{baseline['id']}"
    first = call("GET", at).json()["cases"][0]["id"]
    gone = call("DELETE", f"{at}/cases/{first}", params={"expected_version": "v1"})
    assert gone.status_code == 200, gone.text
    more = {"expected_version": "v2", "cases": [{"input": "9 + 1", "expected_output": "10"}]}
    answer = call("POST", f"{at}/cases", json=more)
    assert answer.status_code in (200, 201), answer.text
    found = call("GET", at).json()["cases"]
    assert [one["input"] for one in found] == ["1 + 1", "2 + 1", "9 + 1"]
    assert len({one["id"] for one in found}) == 3


@pytest.mark.parametrize("field", ["purpose", "provider"])
def test_a_purpose_that_is_a_path_writes_nothing_outside(
    call: Caller, shelf: Path, field: str
) -> None:
    outside = files(shelf.parent) - {f"workspace/{one}" for one in files(shelf)}
    for name in HOSTILE_NAMES:
        body = {"name": "Sly", "content": "x", "purpose": "p", field: name}
        answer = call("POST", SKILLS, json=body)
        assert answer.status_code in (400, 422), (name, answer.text)
    assert names(call) == []
    assert files(shelf.parent) - {f"workspace/{one}" for one in files(shelf)} == outside


def test_an_edit_cannot_change_what_belongs_to_the_library(call: Caller) -> None:
    """There an edit wrote whatever it was sent: another id, another status."""
    skill = made(call)
    at = f"{SKILLS}/{skill['id']}"
    before = call("GET", at).json()
    for key, value in (("id", "x"), ("status", "archived"), ("version", "v9"), ("created_at", "")):
        change = {"expected_version": "v1", key: value}
        assert call("PATCH", at, json=change).status_code == 422
    assert call("GET", at).json() == before


def test_one_broken_file_hides_no_other_skill(call: Caller, shelf: Path) -> None:
    made(call, SKILLS, name="Writer")
    broken = add_skill(shelf, "Broken")
    for text in ("{", "[]", "null", "\udcff"):
        (broken / "meta.json").write_bytes(text.encode(errors="surrogateescape"))
        call("POST", "/v1/index")
        assert "Writer" in names(call)
    told = run("skill", "broken", "--workspace", shelf)
    assert "meta.json" in told.stdout + told.stderr


def test_ids_that_begin_alike_are_not_taken_for_one_another(call: Caller, shelf: Path) -> None:
    """There an asset was found by the first eight digits, whosever they were."""
    first, other = "abcdef12-0000-4000-8000-000000000001", "abcdef12-0000-4000-8000-000000000002"
    for name, text, id_ in (("One", "one", first), ("Two", "two", other)):
        folder = add_skill(shelf, name, text=text, id=id_, provider=text)
        (folder.parents[1] / text).mkdir()
        folder.rename(folder.parents[1] / text / "skill_abcdef12_v1")
    call("POST", "/v1/index")
    assert call("GET", f"{SKILLS}/{first}").json()["content"] == "one"
    assert call("GET", f"{SKILLS}/{other}").json()["content"] == "two"
    answer = call("GET", f"{SKILLS}/abcdef12")
    assert_problem(answer, 400, "invalid_request", first, other)


def test_two_who_edit_one_version_do_not_overwrite_each_other(call: Caller) -> None:
    skill = made(call)
    at = f"{SKILLS}/{skill['id']}"
    changes = [{"expected_version": "v1", "content": text} for text in ("A.", "B.")]
    assert [call("PATCH", at, json=one).status_code for one in changes] == [200, 409]
    assert call("GET", at).json()["content"] == "A."


def test_a_name_made_of_signs_of_html_is_text_in_a_report(shelf: Path) -> None:
    """There ids and names went into the page as they were."""
    evil = '<img src=x onerror="alert(1)"></script><script>alert(2)</script>'
    add_skill(shelf, "Writer", text="Write.")
    asked = f"Write a Python function named sums. {evil}"
    cases = [{"name": evil, "input": asked, "expected_output": evil}] * 2
    path = shelf.with_name("sums.json")
    path.write_text(json.dumps(cases))
    place = ("--workspace", shelf)
    done("baseline", "import", path, *place)
    wishes = ("--skill", "Writer", "--baseline", "sums", "--run")
    assert run("project", "create", evil, *wishes, *place).exit_code == 0
    page = shelf.with_name("report.html")
    [project] = read("project", "list", *place)["items"]
    done("project", "export", project["id"], "--format", "html", "--output", page, *place)
    text = page.read_text()
    assert "<img src=x" not in text
    assert "<script>alert(2)" not in text
    assert "&lt;img" in text or "\\u003cimg" in text


def test_a_package_takes_no_secrets_and_no_files_from_elsewhere_with_it(tmp_path: Path) -> None:
    """There the packer shipped .env, .git and what links led to."""
    folder = skill_at(tmp_path / "knives")
    outside = tmp_path / "private.txt"
    outside.write_text("made-up-private-text")
    (folder / ".git").mkdir()
    (folder / ".git/config").write_text("url = https://me:pass@host")
    (folder / "notes.txt").symlink_to(outside)
    (folder / ".env").write_text("API_KEY=sk-ant-api03-" + "A1b2C3d4" * 8)
    target = tmp_path / "knives.skill"
    told = done("skill", "pack", folder, "--output", target)
    assert all(f"left out: {name} " in told for name in (".env", ".git", "notes.txt"))
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == ["knives/SKILL.md"]


@pytest.mark.parametrize(
    ("name", "about", "body"),
    [
        ("", "Does it.", "Do."),
        ("knives", "", "Do."),
        ("other-name", "Does it.", "Do."),
        ("knives", "Does it.", ""),
        ("knives", "x" * 1025, "Do."),
        ("Knives", "Does it.", "Do."),
        ("kn--ives", "Does it.", "Do."),
    ],
)
def test_a_skill_without_a_name_a_description_or_a_text_is_not_passed_as_fine(
    tmp_path: Path, name: str, about: str, body: str
) -> None:
    """There an empty name, one that is not the folder's, and no text at all were valid."""
    result = run("skill", "lint", skill_at(tmp_path / "knives", name, about, body))
    assert result.exit_code == 1, result.output
    fine = run("skill", "lint", skill_at(tmp_path / "spoons"))
    assert fine.exit_code == 0, "the same skill is fine without its fault"


@pytest.mark.parametrize("attack", ["slip", "absolute", "link", "case", "accent"])
def test_an_archive_that_would_write_elsewhere_is_refused_whole(
    call: Caller, shelf: Path, attack: str
) -> None:
    text = FRONT.format(name="evil", about="Sly.", body="Be sly.").encode()
    more: dict[str, list[tuple[str, bytes]]] = {
        "slip": [("evil/../../../slipped.txt", b"x")],
        "absolute": [(f"{shelf.parent}/slipped.txt", b"x")],
        "link": [("evil/way", os.fsencode(shelf.parent)), ("evil/way/slipped.txt", b"x")],
        "case": [("evil/notes.md", b"one"), ("evil/NOTES.md", b"two")],
        "accent": [("evil/caf\u00e9.md", b"one"), ("evil/cafe\u0301.md", b"two")],
    }
    data = zipped(("evil/SKILL.md", text), *more[attack], modes={"evil/way": LINK})
    answer = call("POST", f"{SKILLS}/import", content=data, params={"filename": "evil.zip"})
    assert answer.status_code in (400, 422), answer.text
    assert names(call) == []
    assert not [*shelf.parent.rglob("slipped*")]


@pytest.mark.parametrize("start", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_a_mark_at_the_beginning_and_other_ends_of_lines_change_nothing(
    call: Caller, start: bytes, end: bytes
) -> None:
    """There front matter had to begin with a line feed of one kind."""
    text = FRONT.format(name="writer", about="Writes.", body="Write.").encode()
    data = zipped(("writer/SKILL.md", start + text.replace(b"\n", end)))
    answer = call("POST", f"{SKILLS}/import", content=data, params={"filename": "w.zip"})
    assert answer.status_code in (200, 201), answer.text
    [asset] = answer.json()["assets"]
    meta = call("GET", f"{SKILLS}/{asset['id']}").json()["meta"]
    assert (meta["name"], meta["description"]) == ("writer", "Writes.")


def test_cases_with_one_id_twice_are_refused_and_named(call: Caller) -> None:
    """There the second was dropped, and nobody was told."""
    cases = [{"id": "a", **CASE}, {"id": "a", "input": "2 + 2", "expected_output": "4"}]
    answer = call("POST", BASELINES, json={"name": "Twice", "cases": cases})
    assert answer.status_code in (400, 422), answer.text
    assert "a" in answer.json()["detail"]
    assert names(call, BASELINES) == []


def test_an_export_into_the_library_itself_has_an_end(shelf: Path) -> None:
    """There a backup into the workspace copied itself until a name was too long."""
    add_skill(shelf, "Writer", text="Write.")
    inside = shelf / "skills" / "backup.zip"
    assert run("skill", "export", "Writer", "--output", inside, "--workspace", shelf).exit_code == 0
    size = sum(path.stat().st_size for path in shelf.rglob("*") if path.is_file())
    assert size < 2_000_000
    listed = read("skill", "list", "--workspace", shelf)
    assert [one["name"] for one in listed["items"]] == ["Writer"]


def test_an_archive_keeps_every_byte_of_a_skill(call: Caller) -> None:
    text = FRONT.format(name="writer", about="Writes.", body="Write.\r\n\t 文 \u2028x").encode()
    odd = bytes(range(256))
    data = zipped(("writer/SKILL.md", text), ("writer/assets/odd.bin", odd))
    answer = call("POST", f"{SKILLS}/import", content=data, params={"filename": "w.zip"})
    [asset] = answer.json()["assets"]
    out = call("GET", f"{SKILLS}/{asset['id']}/export")
    with zipfile.ZipFile(io.BytesIO(out.content)) as archive:
        held = {Path(name).name: archive.read(name) for name in archive.namelist()}
    assert (held["SKILL.md"], held["odd.bin"]) == (text, odd)
