"""Nothing from outside leads out of the workspace, and what is refused leaves nothing."""

import json
from collections.abc import AsyncIterator, Generator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.curate.assets import tree
from tests.curate.intake.zips import LINK, many, with_claimed_size, zipped
from tests.curate.shelves import add_baseline, add_skill
from tests.server.calling import Caller, assert_problem
from tests.server.library import BASELINES, CASE, SKILLS, TEXT, made, names, package

LEADING_OUT = [
    "../out",
    "..",
    ".",
    "/etc",
    "a/b",
    "a\\b",
    "．．",
    "a\0b",
    "a\nb",
    "con",
    "a:b",
    "a.",
    " a",
    "\u202ea",
    "x" * 10_000,
]
HALF = "\ud800"


def short(text: str) -> str:
    """An example for the name of its test."""
    return ascii(text)[:20]


@pytest.fixture(autouse=True)
def nothing_left(shelf: Path, tmp_path: Path) -> Generator[None]:
    """Whatever a test does, it stays in the workspace, and nothing unfinished lies there."""
    yield
    beside = {path.name for path in tmp_path.iterdir()}
    assert beside <= {"workspace", "scratch", "home"}
    assert not list(shelf.rglob(".new-*"))
    for path in shelf.rglob("*"):
        assert ".." not in path.parts


def contents(shelf: Path) -> dict[str, bytes]:
    """All of both kinds; the index and the locks may change."""
    return {
        f"{kind}/{name}": data
        for kind in ("skills", "baselines")
        for name, data in tree(shelf / kind).items()
    }


def posted(call: Caller, path: str, body: object, method: str = "POST") -> httpx.Response:
    """A body as a program sends it that takes no care of half characters."""
    headers = {"content-type": "application/json"}
    return call(method, path, content=json.dumps(body), headers=headers)


@pytest.mark.slow
@pytest.mark.parametrize("path", [SKILLS, BASELINES])
@pytest.mark.parametrize("field", ["purpose", "provider"])
@pytest.mark.parametrize("text", [*LEADING_OUT, HALF], ids=short)
def test_no_folder_is_named_so(call: Caller, shelf: Path, path: str, field: str, text: str) -> None:
    asset = made(call, path)
    before = contents(shelf)
    content = {"content": "Else."} if path == SKILLS else {"cases": [CASE]}
    answers = [
        posted(call, path, {"name": "New", **content, field: text}),
        posted(
            call, f"{path}/{asset['id']}", {"expected_version": "v1", field: text}, method="PATCH"
        ),
    ]
    for answer in answers:
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["code"] == "invalid_request"
        assert "\n" not in answer.json()["detail"]
        assert len(answer.json()["detail"]) < 400
    assert contents(shelf) == before


@pytest.mark.parametrize("text", ["", "a\0b", "a\nb", "\u202ea", "x" * 10_000, HALF], ids=short)
def test_no_asset_is_called_so(call: Caller, shelf: Path, text: str) -> None:
    made(call)
    before = contents(shelf)
    change = {"expected_version": "v1", "name": text}
    answer = posted(call, f"{SKILLS}/Writer", change, method="PATCH")
    assert answer.status_code in (400, 422), answer.text
    assert contents(shelf) == before


@pytest.mark.parametrize("name", ["../../out", "/etc/passwd", "CON", "..\\..\\out", "a/b"])
def test_a_name_is_no_path(call: Caller, shelf: Path, name: str) -> None:
    """It is for people; the folder is named by the id."""
    asset = made(call, name=name)
    assert Path(asset["path"]).parent == shelf / "skills/code/local"
    answer = call("GET", f"{SKILLS}/{asset['id']}/export")
    assert not {"/", "\\", ".."}.intersection(answer.headers["content-disposition"].split('"')[1])
    assert names(call) == [name]


@pytest.mark.parametrize(
    "filename",
    ["../../out.zip", "/etc/out.zip", "..\\out.zip", "a\0b.zip", "x" * 10_000 + ".zip", ".zip.zip"],
    ids=short,
)
def test_the_name_of_a_file_is_a_hint_only(call: Caller, filename: str) -> None:
    answer = call("POST", f"{SKILLS}/import", content=package(), params={"filename": filename})
    assert answer.status_code == 200, answer.text
    [asset] = answer.json()["assets"]
    source = call("GET", f"{SKILLS}/{asset['id']}").json()["meta"]["source"]
    assert not {"/", "\\", "\0"}.intersection(source)


@pytest.mark.parametrize("filename", ["", "zip", "x.exe", "x.", "x.zip\0", "../..", "a.md/../b"])
def test_a_file_of_no_known_kind(call: Caller, shelf: Path, filename: str) -> None:
    before = contents(shelf)
    answer = call("POST", f"{SKILLS}/import", content=package(), params={"filename": filename})
    assert answer.status_code == 400, answer.text
    assert "whet-" not in answer.text, "our folder is nobody's business"
    assert contents(shelf) == before


ZIPS = {
    "slip": zipped(("writer/SKILL.md", TEXT.encode()), ("../../out", b"x")),
    "absolute": zipped(("writer/SKILL.md", TEXT.encode()), ("/etc/out", b"x")),
    "link": zipped(
        ("writer/SKILL.md", TEXT.encode()), ("writer/x", b"/etc"), modes={"writer/x": LINK}
    ),
    "bomb": zipped(("writer/SKILL.md", TEXT.encode()), ("writer/x", bytes(8_000_000))),
    "liar": with_claimed_size(package(), 1),
    "many": many([f"writer/{number}" for number in range(3_000)]),
    "empty": b"",
    "no zip": b"PK\3\4 but no more",
    "no skill": zipped(("writer/README.md", b"x")),
    "no text": zipped(("writer/SKILL.md", b"\xff\xfe\0")),
}


@pytest.mark.parametrize("data", ZIPS.values(), ids=ZIPS.keys())
def test_a_zip_is_taken_whole_or_not_at_all(call: Caller, shelf: Path, data: bytes) -> None:
    made(call, name="writer")
    before = contents(shelf)
    words = {"filename": "x.zip"}
    place = f"{SKILLS}/writer/package"
    for answer in (
        call("POST", f"{SKILLS}/import", content=data, params=words),
        call("PUT", place, content=data, params={**words, "expected_version": "v1"}),
        call("POST", "/v1/workspace/import", content=data, params=words),
    ):
        assert_problem(answer, 400, "invalid_import", "x.zip")
        assert answer.json()["problems"]
    assert contents(shelf) == before


@pytest.mark.parametrize("path", [SKILLS, BASELINES])
@pytest.mark.parametrize("key", ["id", "version", "created_at", "status", "path", "nonsense"])
def test_what_belongs_to_the_library_cannot_be_sent(
    call: Caller, shelf: Path, path: str, key: str
) -> None:
    asset = made(call, path)
    before = contents(shelf)
    content = {"content": "Else."} if path == SKILLS else {"cases": [CASE]}
    change = {"expected_version": "v1", key: "v9"}
    for answer in (
        call("POST", path, json={"name": "New", **content, key: "v9"}),
        call("PATCH", f"{path}/{asset['id']}", json=change),
        call("POST", f"{path}/import", content=b"x", params={"filename": "x.md", key: "v9"}),
    ):
        assert_problem(answer, 422, "invalid_request", f"{key}: ")
    assert contents(shelf) == before


def test_what_a_file_says_of_itself_is_not_the_library_s(call: Caller) -> None:
    mine = {"id": "x", "version": "v9", "created_at": "2000-01-01", "status": "archived"}
    file = {"name": "Sly", "content": "Be sly.", **mine}
    data = json.dumps(file).encode()
    answer = call("POST", f"{SKILLS}/import", content=data, params={"filename": "x.json"})
    [asset] = answer.json()["assets"]
    meta = call("GET", f"{SKILLS}/{asset['id']}").json()["meta"]
    assert not [key for key, value in mine.items() if meta[key] == value]
    slip = package(TEXT.replace("description:", "id: x\nversion: v9\npurpose: ../..\ndescription:"))
    answer = call("POST", f"{SKILLS}/import", content=slip, params={"filename": "x.zip"})
    meta = call("GET", f"{SKILLS}/{answer.json()['assets'][0]['id']}").json()["meta"]
    assert (meta["version"], meta["purpose"]) == ("v1", "general")


REFERENCES = ["..", "%2e%2e", "%00", "%ff", "nope", "x" * 10_000, "%27%20OR%201=1", "%25", "*"]


@pytest.mark.parametrize("reference", REFERENCES, ids=short)
def test_a_reference_to_nothing(call: Caller, shelf: Path, reference: str) -> None:
    made(call)
    made(call, BASELINES)
    before = contents(shelf)
    expected = {"expected_version": "v1"}
    for path in (SKILLS, BASELINES):
        at = f"{path}/{reference}"
        for answer in (
            call("GET", at),
            call("PATCH", at, json={**expected, "author": "A."}),
            *(call("GET", f"{at}/{part}") for part in ("versions", "history", "export", "tags")),
            *(call("POST", f"{at}/{part}") for part in ("adopt", "archive", "restore")),
            call("POST", f"{at}/tags", json={"value": "x"}),
            call("DELETE", f"{at}/tags/x"),
            call("GET", f"{at}/diff", params={"left": "v1", "right": "v1"}),
            call("POST", f"{at}/rollback", json={**expected, "version": "v1"}),
        ):
            assert answer.status_code in (404, 405), answer.text
            assert answer.headers["content-type"] == "application/problem+json"
            assert len(answer.json()["detail"]) < 400
    assert contents(shelf) == before


@pytest.mark.parametrize(
    "version", ["", "..", "../v1", "v1\0", "v" + "9" * 5_000, "latest"], ids=short
)
def test_a_version_that_is_none(call: Caller, version: str) -> None:
    made(call)
    at = f"{SKILLS}/Writer"
    body = {"version": version, "expected_version": "v1"}
    for answer in (
        call("GET", f"{at}/diff", params={"left": version, "right": "v1"}),
        call("POST", f"{at}/rollback", json=body),
    ):
        assert_problem(answer, 404, "not_found", "no version")
    stale = {"expected_version": version or "x", "author": "A."}
    assert_problem(call("PATCH", at, json=stale), 400, "invalid_request", "is no version")


@pytest.mark.parametrize("tag", ["%2e%2e%2f%2e%2e", "/etc", "%00", "x" * 5_000, "%ff"], ids=short)
def test_a_tag_that_is_none(call: Caller, shelf: Path, tag: str) -> None:
    made(call)
    before = contents(shelf)
    for method, body in (("DELETE", None), ("PATCH", {"value": "x"})):
        answer = call(method, f"{SKILLS}/Writer/tags/{tag}", json=body)
        assert_problem(answer, 404, "not_found", "no tag")
    assert contents(shelf) == before


def test_half_a_character_in_a_file_hides_nothing(call: Caller, shelf: Path) -> None:
    add_skill(shelf, "Half", author=HALF, description=f"{HALF} half")
    folder = add_baseline(shelf, "Halves", count=1)
    path = folder / "cases.json"
    path.write_text(path.read_text().replace("Case case_001", "\\ud800"))
    call("POST", "/v1/index")
    made(call, name="Whole")
    assert sorted(names(call)) == ["Half", "Whole"]
    assert call("GET", f"{SKILLS}/Half").json()["meta"]["author"] == HALF
    assert call("GET", f"{SKILLS}/search", params={"q": "half"}).json()["total"] == 1
    assert call("GET", f"{BASELINES}/Halves").json()["cases"][0]["name"] == HALF
    for form in ("json", "csv", "evals"):
        answer = call("GET", f"{BASELINES}/Halves/export", params={"format": form})
        assert answer.status_code == 200
        said = "half a character" in answer.headers.get("x-whet-notes", "")
        assert said == (form == "csv")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (SKILLS, {"name": "x", "content": HALF}),
        (SKILLS, {"name": "x", "content": "a\0b"}),
        (SKILLS, {"name": "x", "content": " \n"}),
        (SKILLS, {"name": "x", "content": "y", "description": HALF}),
        (SKILLS, {"name": "x", "content": "y", "author": "a\0b"}),
        (BASELINES, {"name": "x", "rubric": HALF}),
        (BASELINES, {"name": "x", "rubric": {"a\0b": [HALF]}}),
        (BASELINES, {"name": "x", "cases": [{"input": HALF}]}),
        (BASELINES, {"name": "x", "cases": [{"input": "y", "more": {HALF: 1}}]}),
    ],
)
def test_what_no_document_can_hold(
    call: Caller, shelf: Path, path: str, body: dict[str, Any]
) -> None:
    answer = posted(call, path, body)
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert contents(shelf) == {}


@pytest.mark.parametrize("depth", [150, 300, 5_000, 100_000])
def test_nesting_without_end(call: Caller, shelf: Path, depth: int) -> None:
    deep = "[" * depth + "]" * depth
    headers = {"content-type": "application/json"}
    for key in ("cases", "rubric"):
        body = f'{{"name": "x", "{key}": {deep}}}'
        answer = call("POST", BASELINES, content=body, headers=headers)
        assert answer.status_code in (400, 422), answer.text[:200]
    file = call("POST", f"{BASELINES}/import", content=deep, params={"filename": "x.json"})
    assert file.status_code == 400, file.text[:200]
    assert contents(shelf) == {}


def test_a_file_beyond_all_measure(call: Caller, shelf: Path) -> None:
    async def stream() -> AsyncIterator[bytes]:
        for _ in range(17):
            yield bytes(1024 * 1024)

    for path in (f"{SKILLS}/import", f"{BASELINES}/import", "/v1/workspace/import"):
        answer = call("POST", path, content=stream(), params={"filename": "x.zip"})
        assert_problem(answer, 413, "request_entity_too_large", "16 MiB")
    assert contents(shelf) == {}


def test_a_form_is_no_file(call: Caller, shelf: Path) -> None:
    """A browser's form around it would become part of the text."""
    files = {"file": ("x.md", b"Be good.")}
    answer = call("POST", f"{SKILLS}/import", files=files, params={"filename": "x.md"})
    assert_problem(answer, 400, "invalid_request", "--data-binary")
    assert contents(shelf) == {}


@pytest.mark.parametrize(
    ("path", "change"),
    [
        (SKILLS, {"content": "a\0b"}),
        (SKILLS, {"content": HALF}),
        (BASELINES, {"cases": [{"input": "a\0b"}]}),
        (BASELINES, {"cases": [{"input": "x", "more": {HALF: 1}}]}),
        (BASELINES, {"cases": [{"input": " "}]}),
    ],
)
def test_an_edit_holds_what_an_import_would_take(
    call: Caller, shelf: Path, path: str, change: dict[str, Any]
) -> None:
    asset = made(call, path)
    before = contents(shelf)
    body = {"expected_version": "v1", **change}
    answer = posted(call, f"{path}/{asset['id']}", body, "PATCH")
    assert answer.status_code == 400, answer.text
    assert contents(shelf) == before


def test_thousands_of_filters_are_the_callers_mistake(call: Caller) -> None:
    answer = call("GET", SKILLS, params={"tag": [str(number) for number in range(2000)]})
    assert_problem(answer, 400, "invalid_request", "at most 100 tags")
