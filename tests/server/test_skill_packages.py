"""Job packages over HTTP."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.packages.hostile import HOSTILE
from tests.app.packages.making import assets, content, packed, release
from tests.server.calling import Caller, assert_problem, caller, calling
from whet.server import bodies
from whet.server.skill_packages import MOST_BYTES

PACKAGES = "/v1/skill-packages"
INSTALL = f"{PACKAGES}/install"
REPORT = f"{PACKAGES}/text-report"


def installed(call: Caller, data: bytes) -> dict[str, Any]:
    answer = call("POST", INSTALL, content=data)
    assert answer.status_code in (200, 201), answer.text
    return answer.json()


def listed(call: Caller, **query: str) -> list[str]:
    found = call("GET", PACKAGES, params=query).json()["packages"]
    return [f"{one['skill_id']} {one['version']}" for one in found]


def as_form(data: bytes, field: str = "file", filename: str = "mine.zip") -> dict[str, Any]:
    return {"files": {field: (filename, data, "application/zip")}}


def test_a_package_is_installed_by_a_body_or_a_form(call: Caller, shelf: Path) -> None:
    answer = call("POST", INSTALL, content=release())
    assert answer.status_code == 201
    done = answer.json()
    assert done == {
        "skill_id": "text-report",
        "id": done["id"],
        "version": "1.0.0",
        "library_version": "v1",
        "action": "install",
        "notes": [],
    }
    again = call("POST", INSTALL, **as_form(release()))
    assert (again.status_code, again.json()) == (200, {**done, "action": "unchanged"})
    update = call("POST", INSTALL, **as_form(release("1.1", b"x")))
    assert (update.status_code, update.json()["action"]) == (200, "update")
    assert assets(shelf) == {done["id"]: [("v1", "1.0.0"), ("v2", "1.1")]}


@pytest.mark.slow
def test_a_large_package_is_installed_from_a_file(call: Caller, tmp_path: Path) -> None:
    """More than any other request may have, and nothing of it stays behind."""
    chance = random.Random(7)
    data = packed({**content(), **{f"{n}.bin": chance.randbytes(9_000_000) for n in range(2)}})
    assert len(data) > bodies.MOST_BYTES
    assert installed(call, data)["action"] == "install"
    assert call("POST", INSTALL, **as_form(data)).json()["action"] == "unchanged"
    scratch = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    assert scratch == []


def test_a_package_is_listed_and_shown(call: Caller) -> None:
    done = installed(call, release())
    [item] = call("GET", PACKAGES).json()["packages"]
    assert (item["skill_id"], item["id"], item["version"]) == ("text-report", done["id"], "1.0.0")
    assert (item["name"], item["execution_modes"]) == ("Text report", ["auto", "interactive"])
    assert {"claude", "codex", "simulated"} <= set(item["engines"])
    assert (item["status"], item["problems"]) == ("active", [])
    for reference in ("text-report", done["id"], done["id"][:8]):
        detail = call("GET", f"{PACKAGES}/{reference}").json()
        assert detail["id"] == done["id"]
    assert detail["input"]["properties"]["title"]["x-input-source"] == "inline"
    assert detail["parameter"]["properties"]["max_words"]["default"] == 100
    assert detail["artifacts"] == [
        {
            "pattern": "report.md",
            "role": "output",
            "required": True,
            "mime": None,
            "field": "report",
        }
    ]
    assert json.dumps(detail).count("/workspace/") == 0, "no place on the server is told"


def test_history_and_rollback(call: Caller) -> None:
    installed(call, release("1.0"))
    installed(call, release("2.0", b"x"))
    answer = call("POST", f"{REPORT}/rollback", json={"version": "1.0"})
    assert answer.status_code == 200, answer.text
    done = answer.json()
    assert (done["version"], done["library_version"], done["action"]) == ("1.0", "v3", "rollback")
    versions = call("GET", f"{REPORT}/history").json()["versions"]
    assert [(one["version"], one["library_version"]) for one in versions] == [
        ("1.0", "v3"),
        ("2.0", "v2"),
        ("1.0", "v1"),
    ]
    assert_problem(
        call("POST", f"{REPORT}/rollback", json={"version": "v9"}), 404, "not_found", "v3 (1.0)"
    )
    for body in ({}, {"version": ""}, {"version": 3}, {"version": "v1", "more": 1}):
        answer = call("POST", f"{REPORT}/rollback", json=body)
        assert_problem(answer, 422, "invalid_request")


def test_what_was_removed_is_archived(call: Caller) -> None:
    done = installed(call, release())
    answer = call("DELETE", REPORT)
    assert (answer.status_code, answer.json()["action"]) == (200, "uninstall")
    assert listed(call) == []
    assert listed(call, status="archived") == listed(call, status="all") == ["text-report 1.0.0"]
    for method, path in (("GET", REPORT), ("GET", f"{REPORT}/history"), ("DELETE", REPORT)):
        assert_problem(call(method, path), 404, "not_found", "installed any more")
    assert call("GET", f"{PACKAGES}/{done['id']}").json()["status"] == "archived"
    assert installed(call, release())["id"] == done["id"]
    assert listed(call) == ["text-report 1.0.0"]


def test_a_version_that_is_not_higher_is_a_conflict(call: Caller) -> None:
    installed(call, release("1.1"))
    answer = call("POST", INSTALL, content=release("1.0"))
    assert_problem(answer, 409, "version_not_higher", "installed=1.1, uploaded=1.0")
    body = answer.json()
    assert (body["expected"], body["actual"]) == ("higher than 1.1", "1.0")


def test_every_mistake_of_a_contract_is_told(call: Caller) -> None:
    data = packed(content("x", runner={"engines": ["iflow"], "execution_modes": []}))
    for request in ({"content": data, "params": {"filename": "mine.zip"}}, as_form(data)):
        answer = call("POST", INSTALL, **request)
        assert_problem(answer, 400, "invalid_skill", "mine.zip has 3 mistakes: ")
        assert len(answer.json()["problems"]) == 3


@pytest.mark.parametrize(("made", "says"), HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_zips_are_refused(
    call: Caller, shelf: Path, made: Callable[[], bytes], says: str
) -> None:
    data = made()
    for request in ({"content": data}, as_form(data)):
        answer = call("POST", INSTALL, **request)
        assert_problem(answer, 400, "invalid_import")
        assert re.search(says, answer.json()["detail"])
        assert str(shelf.parent) not in answer.text
    assert listed(call) == []
    assert assets(shelf) == {}


def chunks(size: int) -> AsyncIterator[bytes]:
    async def sent() -> AsyncIterator[bytes]:
        for _ in range(size // 1024 // 1024):
            yield b"\0" * 1024 * 1024

    return sent()


@pytest.mark.slow
def test_what_is_too_large_is_cut_off(call: Caller, tmp_path: Path) -> None:
    """Whatever its length claims to be."""
    answer = call("POST", INSTALL, content=chunks(MOST_BYTES + 2 * 1024 * 1024))
    assert_problem(answer, 413, "request_entity_too_large")
    form = {"content-type": "multipart/form-data; boundary=x"}
    answer = call("POST", INSTALL, content=chunks(MOST_BYTES + 2 * 1024 * 1024), headers=form)
    assert answer.status_code in (400, 413), answer.text
    just_too_large = call("POST", INSTALL, content=chunks(MOST_BYTES))
    assert_problem(just_too_large, 400, "invalid_import", "package.zip is larger than 66 MB")
    assert [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()] == []


def test_a_form_has_the_file_in_its_field(call: Caller) -> None:
    broken = {"content": b"x", "headers": {"content-type": "multipart/form-data; boundary=x"}}
    assert_problem(call("POST", INSTALL, **broken), 400, "invalid_request", "cannot be read")
    assert_problem(
        call("POST", INSTALL, **as_form(release(), "package")), 400, "invalid_request", "has file"
    )
    more = [("other", ("a.zip", b"x")), ("file", ("b.zip", release()))]
    assert_problem(call("POST", INSTALL, files=more), 400, "invalid_request", "'other' is no field")
    answer = call("POST", INSTALL, files=more[1:], data={"note": "x" * 100_000})
    assert answer.status_code == 201, answer.text
    odd = as_form(b"no zip", filename="../../e\x1bvil.zip")
    answer = call("POST", INSTALL, **odd)
    assert_problem(answer, 400, "invalid_import")
    assert "\x1b" not in answer.json()["detail"]


def test_what_is_not_there(call: Caller) -> None:
    for method, path in (
        ("GET", REPORT),
        ("GET", f"{REPORT}/history"),
        ("DELETE", REPORT),
        ("GET", f"{PACKAGES}/%2e%2e"),
        ("GET", f"{PACKAGES}/%00"),
    ):
        assert_problem(call(method, path), 404, "not_found")
    assert_problem(call("POST", f"{REPORT}/rollback", json={"version": "v1"}), 404, "not_found")
    assert_problem(call("GET", PACKAGES, params={"status": "x"}), 422, "invalid_request")


def test_other_doors_still_want_the_file_itself(call: Caller) -> None:
    answer = call("POST", "/v1/skills/import?filename=x.zip", **as_form(release()))
    assert_problem(answer, 400, "invalid_request", "not a form")


def test_installs_at_once(shelf: Path) -> None:
    async def together() -> list[httpx.Response]:
        async with calling(shelf) as (client, _):
            archives = [release("1.0", b"%d" % n) for n in range(4)]
            return await asyncio.gather(
                *(client.post(INSTALL, content=data, timeout=60) for data in archives)
            )

    answers = asyncio.run(together())
    assert sorted(answer.status_code for answer in answers) == [201, 409, 409, 409]
    assert len(assets(shelf)) == 1


def test_the_token_is_asked_for(shelf: Path, tmp_path: Path) -> None:
    with caller(shelf, HOME=str(tmp_path), WHET_TOKEN="secret-token-of-the-test") as call:
        for method, path in (("GET", PACKAGES), ("POST", INSTALL), ("DELETE", REPORT)):
            assert call(method, path).status_code == 401
