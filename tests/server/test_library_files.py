"""Files over HTTP: import, replace, export, lint, pack, and whole workspaces."""

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import httpx
import pytest

from tests.curate.assets import tree
from tests.curate.intake.zips import zipped
from tests.curate.original.desktop import Desktop
from tests.curate.shelves import add_skill
from tests.flows.command import whet
from tests.repo.tree import ROOT
from tests.server.calling import Caller, assert_problem
from tests.server.library import BASELINES, CASE, SKILLS, TEXT, made, names, package

IMPORT = f"{SKILLS}/import"
WRITER = f"{SKILLS}/writer"


def sent(call: Caller, data: bytes, filename: str = "writer.zip", **words: Any) -> dict[str, Any]:
    path = IMPORT if not filename.endswith((".csv", ".tsv")) else f"{BASELINES}/import"
    answer = call("POST", path, content=data, params={"filename": filename, **words})
    assert answer.status_code == 200, answer.text
    return answer.json()


def filename_of(answer: httpx.Response) -> str:
    told = re.search(r"filename\*=UTF-8''(\S+)$", answer.headers["content-disposition"])
    assert told, answer.headers
    return unquote(told[1])


def test_a_package_is_imported_with_all_its_files(call: Caller) -> None:
    [asset] = sent(call, package(guide="More."), purpose="text", author="A.")["assets"]
    assert (asset["name"], asset["version"], asset["outcome"]) == ("writer", "v1", "created")
    detail = call("GET", WRITER).json()
    assert detail["content"] == TEXT
    assert [(one["path"], one["is_executable"]) for one in detail["files"]] == [
        ("SKILL.md", False),
        ("guide.md", False),
        ("scripts/run.sh", True),
    ]
    meta = detail["meta"]
    assert (meta["purpose"], meta["author"], meta["source"]) == ("text", "A.", "writer.zip")


@pytest.mark.parametrize(
    ("filename", "data", "name"),
    [
        ("notes.md", b"Take notes.", "notes"),
        ("C:\\skills\\notes.TXT", b"Take notes.", "notes"),
        ("one.md", TEXT.encode(), "writer"),
        ("x.json", b'{"name": "\xe7\xac\x94\xe8\xae\xb0", "content": "Take notes."}', "笔记"),
        ("sums.csv", b"input,expected_output\n1 + 1,2\n", "sums"),
        ("sums.tsv", b"input\texpected_output\n1 + 1\t2\n", "sums"),
    ],
)
def test_every_kind_of_file(call: Caller, filename: str, data: bytes, name: str) -> None:
    [asset] = sent(call, data, filename)["assets"]
    assert asset["name"] == name


def test_the_evals_of_a_skill_are_a_baseline(call: Caller) -> None:
    data = (ROOT / "examples/careful-python/evals/evals.json").read_bytes()
    answer = call("POST", f"{BASELINES}/import", content=data, params={"filename": "evals.json"})
    [asset] = answer.json()["assets"]
    assert asset["name"] == "careful-python evals"
    assert len(call("GET", f"{BASELINES}/{asset['id']}").json()["cases"]) == 8


def test_the_same_again_and_something_newer(call: Caller) -> None:
    outcomes = [
        sent(call, data, update=update)["assets"][0]["outcome"]
        for data, update in (
            (package(), False),
            (package(), False),
            (package(guide="New."), True),
            (package(guide="Newer."), False),
        )
    ]
    assert outcomes == ["created", "unchanged", "updated", "created"]
    assert names(call) == ["writer", "writer"]


def test_every_skill_in_a_zip_and_those_that_cannot_be(call: Caller) -> None:
    data = zipped(("x/a/SKILL.md", TEXT.encode()), ("x/b/SKILL.md", TEXT.encode() + b"\nMore."))
    assert len(sent(call, data, "both.zip")["assets"]) == 2
    answer = call("POST", IMPORT, content=data, params={"filename": "both.zip", "name": "One"})
    assert_problem(answer, 400, "invalid_request", "2 skills")


def test_what_agents_have_installed(call: Caller, tmp_path: Path) -> None:
    folder = tmp_path / "home/.claude/skills/writer"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(TEXT)
    broken = tmp_path / "home/.codex/skills/broken"
    broken.mkdir(parents=True)
    (broken / "SKILL.md").write_bytes(b"\xff")
    answer = call("POST", f"{SKILLS}/import-installed", json={"purpose": "mine"}).json()
    assert [asset["name"] for asset in answer["assets"]] == ["writer"]
    assert "broken" in answer["problems"][0]
    assert names(call, purpose="mine") == ["writer"]
    again = call("POST", f"{SKILLS}/import-installed").json()
    assert [asset["outcome"] for asset in again["assets"]] == ["unchanged"]
    outside = {"roots": ["/etc"]}
    answer = call("POST", f"{SKILLS}/import-installed", json=outside)
    assert_problem(answer, 422, "invalid_request", "roots: ")


def test_a_package_is_replaced(call: Caller) -> None:
    made(call, name="writer")
    place = f"{WRITER}/package"
    words = {"filename": "new.zip", "expected_version": "v1"}
    answer = call("PUT", place, content=package(guide="More."), params=words)
    assert (answer.json()["version"], answer.json()["outcome"]) == ("v2", "updated")
    late = call("PUT", place, content=package(), params=words)
    assert_problem(late, 409, "conflict", "expected v1, found v2")
    words = {"filename": "x.md", "expected_version": "v2"}
    assert call("PUT", place, content=b"Only this.", params=words).json()["version"] == "v3"
    detail = call("GET", WRITER).json()
    assert (detail["content"], len(detail["files"])) == ("Only this.", 3)
    two = zipped(("a/SKILL.md", b"1"), ("b/SKILL.md", b"2"))
    answer = call("PUT", place, content=two, params={"filename": "x.zip", "expected_version": "v3"})
    assert_problem(answer, 400, "invalid_request", "not one skill")


@pytest.mark.parametrize("form", ["zip", "json", "text"])
def test_what_is_exported_comes_in_again_as_it_was(call: Caller, form: str) -> None:
    sent(call, package() if form == "zip" else TEXT.encode(), "w.zip" if form == "zip" else "w.md")
    before = call("GET", WRITER).json()
    answer = call("GET", f"{WRITER}/export", params={"format": form})
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["content-disposition"].startswith("attachment; ")
    call("POST", f"{WRITER}/archive")
    [asset] = sent(call, answer.content, filename_of(answer))["assets"]
    assert asset["outcome"] == "created"
    after = call("GET", f"{SKILLS}/{asset['id']}").json()
    assert (after["content"], after["files"]) == (before["content"], before["files"])


@pytest.mark.parametrize(
    ("form", "kind", "ending"),
    [
        ("json", "application/json", ".json"),
        ("csv", "text/csv; charset=utf-8", ".csv"),
        ("evals", "application/json", ".evals.json"),
    ],
)
def test_a_baseline_is_exported(call: Caller, form: str, kind: str, ending: str) -> None:
    made(call, BASELINES, name="求和", rubric="quality")
    answer = call("GET", f"{BASELINES}/求和/export", params={"format": form})
    assert (answer.headers["content-type"], filename_of(answer)) == (kind, f"求和{ending}")
    assert f'filename="__{ending}"' in answer.headers["content-disposition"]
    notes = json.loads(answer.headers.get("x-whet-notes", "[]"))
    assert bool(notes) == (form != "json"), "what has no place for the rubric says so"
    assert b"1 + 1" in answer.content
    again = call(
        "POST", f"{BASELINES}/import", content=answer.content, params={"filename": f"x{ending}"}
    )
    outcome = "unchanged" if form == "json" else "created"
    assert again.json()["assets"][0]["outcome"] == outcome


def test_an_older_version_is_exported(call: Caller) -> None:
    made(call, content="Old.")
    change = {"expected_version": "v1", "content": "New."}
    call("PATCH", f"{SKILLS}/Writer", json=change)
    query = {"format": "text", "version": "v1"}
    assert call("GET", f"{SKILLS}/Writer/export", params=query).text == "Old."


def test_notes_fit_into_a_header_and_a_name_into_a_line(call: Caller) -> None:
    cases = [{**CASE, "rubric": f"第{number}"} for number in range(500)]
    made(call, BASELINES, name="\N{EM DASH}!", cases=cases)
    [asset] = call("GET", BASELINES).json()["items"]
    answer = call("GET", f"{BASELINES}/{asset['id']}/export", params={"format": "evals"})
    header = answer.headers["x-whet-notes"]
    assert header.isascii()
    assert len(header) < 2_100
    kept = json.loads(header)
    assert kept[-1] == f"and {501 - len(kept) + 1} more", "one for the name, one for each rubric"
    assert filename_of(answer) == f"{asset['id']}.evals.json"


@pytest.mark.slow
def test_lint_says_what_the_command_says(call: Caller, shelf: Path) -> None:
    bad = TEXT.replace("writer", "Bad_Name")
    [asset] = sent(call, zipped(("x/SKILL.md", bad.encode())), "x.zip", name="My writer")["assets"]
    answer = call("GET", f"{SKILLS}/{asset['id']}/lint").json()
    folder = Path(asset["path"]) / "package"
    shown = json.loads(whet("skill", "lint", folder, "--json").stdout)
    assert answer["skills"][0]["findings"] == shown["skills"][0]["findings"]
    assert (answer["errors"], shown["errors"]) == (1, 1)
    assert (answer["skills"][0]["name"], answer["skills"][0]["path"]) == ("My writer", str(folder))
    sarif = call("GET", f"{SKILLS}/{asset['id']}/lint", params={"format": "sarif"}).json()
    [result] = sarif["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert place == f"{folder.relative_to(shelf)}/SKILL.md"


def test_a_text_is_linted_as_the_package_it_would_be(call: Caller) -> None:
    made(call, content="Write well.", description="Writes. Use when needed.")
    report = call("GET", f"{SKILLS}/Writer/lint").json()
    assert (report["skills"][0]["findings"], report["errors"]) == ([], 0)
    made(call, name="Other", content=TEXT)
    assert call("GET", f"{SKILLS}/Other/lint").json()["errors"] == 0, "it calls itself writer"
    assert "whet-" not in call("GET", f"{SKILLS}/Other/lint").text


def test_a_zip_is_linted_and_not_kept(call: Caller, shelf: Path) -> None:
    before = tree(shelf / "skills")
    lint = f"{SKILLS}/lint"
    data = zipped(("a/SKILL.md", b"no front matter"), ("b/writer/SKILL.md", TEXT.encode()))
    report = call("POST", lint, content=data, params={"filename": "two.zip"}).json()
    assert [(one["name"], one["path"]) for one in report["skills"]] == [
        ("a", "a"),
        ("writer", "b/writer"),
    ]
    assert report["errors"] == 1
    top = call(
        "POST", lint, content=zipped(("SKILL.md", TEXT.encode())), params={"filename": "writer.zip"}
    )
    assert top.json()["errors"] == 0
    sarif = call(
        "POST", lint, content=data, params={"filename": "two.zip", "format": "sarif"}
    ).json()
    uris = {
        one["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for one in sarif["runs"][0]["results"]
    }
    assert uris == {"a/SKILL.md"}
    none = call("POST", lint, content=zipped(("x.md", b"")), params={"filename": "/a/x.zip"})
    assert_problem(none, 400, "invalid_import", "x.zip is no skill")
    assert tree(shelf / "skills") == before


@pytest.mark.slow
def test_a_skill_is_packed_as_the_command_packs_it(call: Caller, tmp_path: Path) -> None:
    [asset] = sent(call, package(guide="More."))["assets"]
    answer = call("GET", f"{WRITER}/pack")
    assert (answer.headers["content-type"], filename_of(answer)) == (
        "application/zip",
        "writer.skill",
    )
    folder = Path(asset["path"]) / "package"
    done = whet("skill", "pack", folder, "--output", tmp_path / "mine.skill")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine.skill").read_bytes() == answer.content
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert archive.namelist() == ["writer/SKILL.md", "writer/guide.md", "writer/scripts/run.sh"]


def test_a_skill_is_packed_with_its_evals_if_that_is_wanted(call: Caller) -> None:
    sent(call, package(**{"evals/notes": "Tests."}))
    own = "writer/evals/notes.md"
    for wish, kept in (({}, False), ({"evals": "true"}, True)):
        answer = call("GET", f"{WRITER}/pack", params=wish)
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            assert (own in archive.namelist()) is kept


def test_a_skill_with_errors_is_packed_only_by_force(call: Caller) -> None:
    bad = TEXT.replace("writer", "Bad_Name")
    sent(call, zipped(("x/SKILL.md", bad.encode()), ("x/.env", b"A=1")), "x.zip", name="My writer")
    refused = call("GET", f"{SKILLS}/My writer/pack")
    assert_problem(refused, 400, "invalid_skill", "My writer", "SK102")
    assert len(refused.json()["problems"]) == 1
    forced = call("GET", f"{SKILLS}/My writer/pack", params={"force": "true"})
    assert filename_of(forced) == "my-writer.skill"
    assert any(".env" in note for note in json.loads(forced.headers["x-whet-notes"]))


@pytest.mark.parametrize("top", ["", "workspace/", "My Workspace/"])
def test_a_workspace_of_the_original_program(call: Caller, tmp_path: Path, top: str) -> None:
    original = Desktop(tmp_path / "original")
    folder = original.add_skill("Helper", "Be good.")
    original.edit_skill(folder, "Be better.")
    original.add_baseline("Checks", "1 + 1", "2 + 2")
    files = [(top + name, data) for name, data in tree(original.root).items()]
    files.append(("__MACOSX/._x", b""))
    report = call("POST", "/v1/workspace/import", content=zipped(*files)).json()
    assert (report["skills"], report["baselines"], report["versions"]) == (1, 1, 3)
    assert {"path", "what", "before", "after", "kind"} == report["entries"][0].keys()
    assert names(call) == ["Helper"]
    assert call("GET", f"{SKILLS}/Helper").json()["content"] == "Be better."
    assert names(call, BASELINES) == ["Checks"]
    again = call("POST", "/v1/workspace/import", content=zipped(*files)).json()
    assert (again["skills"], again["versions"]) == (0, 0)


def test_what_is_no_workspace(call: Caller, shelf: Path) -> None:
    before = tree(shelf / "skills")
    for data, says in (
        (zipped(("x/y.md", b"")), "is no workspace"),
        (b"x", "no zip"),
        (zipped(("skills/../../x", b"")), "skills/../../x"),
    ):
        answer = call("POST", "/v1/workspace/import", content=data)
        assert_problem(answer, 400, "invalid_import", "workspace.zip", says)
    assert tree(shelf / "skills") == before


def test_the_index_is_read_anew(call: Caller, shelf: Path) -> None:
    add_skill(shelf, "By hand")
    answer = call("POST", "/v1/index").json()
    assert answer.keys() == {"added", "changed", "removed", "broken", "seconds"}
    assert (answer["removed"], answer["broken"]) == (0, 0)
    assert names(call) == ["By hand"]
