"""What a hostile agent leaves in its folder, and how it names things: only files of the run are
delivered, under names that do no harm."""

import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.app.opening import allow
from tests.server.calling import Caller, assert_problem
from tests.server.job_packages import JOBS, OUTPUT, created, done, package, result, send

pytestmark = pytest.mark.slow

SECRET = b"nobody may see this"

LEAVE = """
import json, os, socket, sys
sys.stdin.read()
mine = {mine!r}
answer = {{"report": "artifacts/report.md", "words": 2}}
{body}
print(json.dumps(answer))
"""


def agent(tmp_path: Path, body: str) -> dict[str, Any]:
    """What to ask for, so that a program does just that in the working folder."""
    script = tmp_path / "agent.py"
    script.write_text(LEAVE.format(mine=str(tmp_path / "mine"), body=body))
    allow(tmp_path / "workspace", programs=[sys.executable], paths=[str(tmp_path)])
    options = {"argv": [sys.executable, "-I", str(script)]}
    return {"engine": "command", "runtime_options": {"engine_options": options}}


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A folder that is not the run's."""
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "report.md").write_bytes(SECRET)
    return folder


def bundles(call: Caller, request_id: str) -> list[zipfile.ZipFile]:
    answers = [call("GET", f"{JOBS}/{request_id}/bundle{more}") for more in ("", "/debug")]
    assert [each.status_code for each in answers] == [200, 200]
    return [zipfile.ZipFile(io.BytesIO(each.content)) for each in answers]


def everything(call: Caller, request_id: str) -> bytes:
    """All that can be had of a job."""
    paths = ("", "/result", "/artifacts", "/logs", "/events/history", "/session")
    told = [call("GET", f"{JOBS}/{request_id}{path}").content for path in paths]
    inside = [a.read(name) for a in bundles(call, request_id) for name in a.namelist()]
    return b"\n".join([*told, *inside])


FINE = "open('artifacts/report.md', 'w').write('two words')"


@pytest.mark.parametrize(
    "body",
    [
        "os.symlink(mine + '/report.md', 'artifacts/report.md')",
        "os.rmdir('artifacts'); os.symlink(mine, 'artifacts')",
        "os.mkdir('artifacts/report.md')",
        "os.mkfifo('artifacts/report.md')",
        "socket.socket(socket.AF_UNIX).bind('artifacts/report.md')",
        "os.symlink('report.md', 'artifacts/report.md')",
        "os.symlink(mine, 'way'); answer['report'] = 'way/report.md'",
        "answer['report'] = mine + '/report.md'",
        "answer['report'] = os.path.relpath(mine + '/report.md')",
        "answer['report'] = 'file://' + mine + '/report.md'",
        "answer['report'] = '/proc/self/root' + mine + '/report.md'",
        "answer['report'] = 'artifacts/' + '../' * 40 + mine[1:] + '/report.md'",
    ],
    ids=lambda body: body[:60],
)
def test_what_is_no_file_of_the_run_is_missing(
    call: Caller, tmp_path: Path, mine: Path, body: str
) -> None:
    job = done(call, package(), **agent(tmp_path, body))
    assert (job["state"], job["error"]["code"]) == ("failed", "artifact_missing")
    assert SECRET not in everything(call, job["request_id"])
    path = f"{JOBS}/{job['request_id']}/artifacts/artifacts/report.md"
    assert call("GET", path).status_code == 404
    assert (mine / "report.md").read_bytes() == SECRET


@pytest.mark.parametrize(
    ("body", "warned"),
    [
        ("os.symlink(mine + '/report.md', 'artifacts/more.md')", []),
        ("os.symlink(mine, 'artifacts/more')", []),
        ("os.mkdir('uploads'); os.symlink('/', 'uploads/more')", []),
        ("os.mkfifo('artifacts/more')", []),
        ("answer['report'] = mine + '/report.md'", ["artifact_path_unknown"]),
        ("answer['report'] = '\\0' * 9", ["artifact_path_unknown"]),
        ("answer['report'] = '../' * 9_000", ["artifact_path_unknown"]),
        ("answer['report'] = ''", ["artifact_path_unknown"]),
        ("answer['report'] = '\\ud800'", ["artifact_path_unknown"]),
        ("os.link('artifacts/report.md', 'artifacts/same.md')", []),
    ],
    ids=lambda body: str(body)[:60],
)
@pytest.mark.usefixtures("mine")
def test_beside_a_fine_file_the_rest_is_left_out(
    call: Caller, tmp_path: Path, body: str, warned: list[str]
) -> None:
    job = done(call, package(), **agent(tmp_path, f"{FINE}\n{body}"))
    assert job["state"] == "succeeded", job
    told = result(call, job["request_id"])
    wanted = ["artifacts/report.md", *(["artifacts/same.md"] if "os.link" in body else [])]
    assert told["artifacts"] == wanted
    assert [each["code"] for each in told["validation_warnings"]] == warned
    assert SECRET not in everything(call, job["request_id"])


NAMES = [
    'a"b.md',
    "a'b;filename=c.md",
    "a\r\nSet-Cookie: x=1.md",
    "a\nb\t\x7f\x1b[31m.md",
    "报告 – naïve.md",
    "exe.\u202emd",
    "\ufeff\u200b.md",
    "%2e%2e%2f%2e%2e.md",
    "%00.md",
    "..md",
    "... .md",
    "trailing.",
    "trailing ",
    " leading",
    "~root",
    "-rf",
    "C:evil",
    "CON",
    "?query#fragment&x=1+2",
    "a" * 255,
    "é" * 127,
    "<script>alert(1)<script>",
    "{{ 7 * 7 }}",
]


def test_odd_names_do_no_harm(call: Caller, tmp_path: Path, shelf: Path) -> None:
    write = "open('artifacts/' + name, 'w').write(str(n))"
    body = f"{FINE}\nfor n, name in enumerate({NAMES!r}):\n {write}"
    job = done(call, package(), **agent(tmp_path, body))
    assert job["state"] == "succeeded", job
    base = f"{JOBS}/{job['request_id']}"
    listed = call("GET", f"{base}/artifacts").json()
    there = {f"artifacts/{name}": str(n).encode() for n, name in enumerate(NAMES)}
    there["artifacts/report.md"] = b"two words"
    assert sorted(listed["artifacts"]) == sorted(there)
    for path, data in there.items():
        answer = call("GET", f"{base}/artifacts/{quote(path, safe='')}")
        assert (answer.status_code, answer.content) == (200, data), path
        _assert_harmless(answer)
        assert (shelf / "runs" / job["run_id"] / path).read_bytes() == data
    for archive in bundles(call, job["request_id"]):
        assert archive.testzip() is None
        names = archive.namelist()
        assert len(set(names)) == len(names)
        assert {name: archive.read(name) for name in names if name in there} == there
        manifest = json.loads(archive.read("manifest.json"))
        assert {each["path"] for each in manifest["files"]} == {*names} - {"manifest.json"}


def _assert_harmless(answer: httpx.Response) -> None:
    """A header in one line of ASCII, with nothing that a browser would take for a path."""
    told = answer.headers["content-disposition"]
    assert told.isascii()
    assert told.isprintable()
    assert told.count('"') == 2
    plain = told.partition('"')[2].partition('"')[0]
    assert not set(plain) & set("/\\%")
    assert "set-cookie" not in answer.headers
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-security-policy"] == "sandbox"


ELSEWHERE = "os.mkdir('d'); open('d/x', 'w').write('outer'); answer['report'] = 'd/x'"


@pytest.mark.parametrize("pattern", ["report.md", "*"])
def test_a_file_from_elsewhere_takes_nobodys_place(
    call: Caller, tmp_path: Path, pattern: str
) -> None:
    report = {**OUTPUT["properties"]["report"], "x-filename": pattern}
    output = {**OUTPUT, "properties": {**OUTPUT["properties"], "report": report}}
    body = f"open('artifacts/x', 'w').write('inner')\n{ELSEWHERE}"
    job = done(call, package(output=output), **agent(tmp_path, body))
    assert job["state"] == "succeeded", job
    base = f"{JOBS}/{job['request_id']}"
    paths = call("GET", f"{base}/artifacts").json()["artifacts"]
    found = {path: call("GET", f"{base}/artifacts/{path}").text for path in paths}
    assert found.pop("artifacts/x") == "inner"
    assert list(found.values()) == ["outer"]
    assert list(found) == [result(call, job["request_id"])["data"]["report"]]


def test_a_folder_where_a_file_was_promised_is_no_trouble_of_the_machine(
    call: Caller, tmp_path: Path
) -> None:
    body = f"os.mkdir('artifacts/report.md'); open('artifacts/report.md/x', 'w')\n{ELSEWHERE}"
    job = done(call, package(), **agent(tmp_path, body))
    assert (job["state"], job["error"]["code"]) == ("failed", "artifact_missing")


@pytest.mark.parametrize(
    "mime", ["text/plain\r\nSet-Cookie: a=b", "text/plain\n", "磨/刀", "x", "/"]
)
def test_a_kind_of_file_that_is_none_is_refused(call: Caller, mime: str) -> None:
    rule = {"role": "r", "pattern": "report.md", "required": True, "mime": mime}
    answer = send(call, created(call), skill_package=package(artifacts=[rule]))
    assert_problem(answer, 400, "invalid_skill", "artifacts[0].mime")


def test_a_kind_of_file_that_is_one_is_told(call: Caller, tmp_path: Path) -> None:
    rule = {"role": "r", "pattern": "report.md", "required": True, "mime": "text/html"}
    job = done(call, package(artifacts=[rule]), **agent(tmp_path, FINE))
    answer = call("GET", f"{JOBS}/{job['request_id']}/artifacts/artifacts/report.md")
    assert answer.headers["content-type"].partition(";")[0] == "text/html"
    _assert_harmless(answer)


@pytest.mark.parametrize("deep", ['{"a":', "[", '{"report": "artifacts/report.md", "words": '])
def test_an_answer_that_goes_too_deep_does_not_fit(call: Caller, tmp_path: Path, deep: str) -> None:
    close = "]" if deep == "[" else "}"
    body = f"{FINE}\nprint({deep!r} * 10_000 + '1' + {close!r} * 10_000); sys.exit()"
    job = done(call, package(), **agent(tmp_path, body))
    assert (job["state"], job["error"]["code"]) == ("failed", "output_invalid")
    assert len(job["error"]["message"]) < 3_000
    everything(call, job["request_id"])
