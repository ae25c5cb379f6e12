"""Whoever is shown options, or handed a skill, looks for the secrets in them."""

import asyncio
import json
import stat
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from pydantic import JsonValue

from tests.app.bundling import bundle
from tests.app.opening import app_on
from tests.security.attacks import project_in
from tests.server.calling import assert_problem, caller
from whet.app.doctor import diagnose
from whet.app.library.intake import Intake
from whet.app.library.library import library
from whet.app.settings import read
from whet.core.confidential import REFERENCE, replace_secrets, without_secrets
from whet.core.redaction import MARK
from whet.curate.intake.given import Given

SECRET = "made-up-4e1d9b"
KEY = "sk-" + "ant-" + "api03-Zx7Qv2Lm9Rt4Wk1Pn8Bc5Yd3"


@pytest.mark.parametrize(
    "option",
    [
        {"url": f"https://far.example/mcp?key={SECRET}"},
        {"url": f"https://far.example/mcp?page=2&token={SECRET}#top"},
        {"url": f"https://far.example/mcp?X-Amz-Signature={SECRET}"},
        {"url": f"https://far.example/mcp?sig={SECRET}"},
        {"url": f"https://me:{SECRET}@far.example/mcp"},
        {"url": f"https://{SECRET}@far.example/mcp"},
        {"url": f"wss://far.example/mcp?access_token={SECRET}"},
        {"headers": {"Authorization": f"Bearer {SECRET}"}},
        {"headers": {"X-Api-Key": SECRET}},
        {"headers": {"Cookie": f"session={SECRET}"}},
        {"headers": {"X-Anything": SECRET}},
        {"http_headers": {"X-Anything": SECRET}},
        {"env": {"MODE": SECRET}},
        {"args": ["--api-key", SECRET]},
        {"args": [f"--api-key={SECRET}"]},
        {"args": ["-H", f"Authorization: Bearer {SECRET}"]},
        {"args": ["--header", f"Cookie: session={SECRET}"]},
        {"args": ["-e", f"API_TOKEN={SECRET}"]},
        {"args": ["mcp-remote", f"https://far.example/mcp?apiKey={SECRET}"]},
        {"args": [json.dumps({"apiKey": SECRET, "mode": "fast"})]},
        {"args": ["sh", "-c", f"curl -H 'Authorization: Bearer {SECRET}' https://far.example"]},
        {"apiKey": SECRET},
        {"client_secret": SECRET},
    ],
    ids=lambda option: json.dumps(option)[:60],
)
def test_settings_of_a_server_are_shown(option: dict[str, JsonValue]) -> None:
    options: JsonValue = {"mcp_servers": {"notes": {"command": "notes", **option}}}
    assert SECRET not in json.dumps(without_secrets(options))
    assert MARK in json.dumps(without_secrets(options))
    reference = "whet-secret-" + "0123456789abcdef" * 2
    sealed = replace_secrets(options, lambda _place, _secret: reference)
    assert SECRET not in json.dumps(sealed)
    assert REFERENCE.search(json.dumps(sealed))
    # What has references has no secrets any more.
    assert replace_secrets(sealed, lambda _place, _secret: "again") == sealed


@pytest.mark.parametrize(
    "option",
    [
        {"url": "https://far.example/mcp?page=2&sort=name"},
        {"args": ["--verbose", "--max-tokens", "100", "--keyboard=us"]},
        {"args": ["/usr/bin/env", "python3", "-c", "print('token')"]},
        {"command": "/opt/tools/notes", "cwd": "/srv"},
    ],
)
def test_settings_without_secrets_stay_as_they_are(option: dict[str, JsonValue]) -> None:
    """So do the addresses of their trials."""
    options: JsonValue = {"mcp_servers": {"notes": option}}
    assert without_secrets(options) == options


def test_a_project_that_somebody_wrote_secrets_into_is_looked_at(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    change: dict[str, Any] = {
        "cli_config__engine": "command",
        "cli_config__options": {"argv": ["/bin/true"], "environment": {"REGION": SECRET}},
        "cli_config__extra_flags": [f"--token={SECRET}"],
    }
    project_in(workspace, bundle(tmp_path, trials=False), **change)
    with caller(workspace, HOME=str(tmp_path)) as call:
        listed = call("GET", "/v1/projects")
        [item] = listed.json()["items"]
        seen = [listed.text]
        for path in ("", "/environment"):
            answer = call("GET", f"/v1/projects/{item['id']}{path}")
            assert answer.status_code == 200, answer.text
            assert MARK in answer.text
            seen.append(answer.text)
    assert SECRET not in "".join(seen)


def skill_with(folder: Path, text: str = "Write.") -> Path:
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: writer\ndescription: Writes.\n---\n\n{text}\n")
    (folder / "notes.md").write_text("All is well.\n")
    (folder / ".env").write_text(f"SHOP={SECRET}\n")
    (folder / "keys").mkdir()
    (folder / "keys/id_rsa").write_text(KEY)
    (folder / "deploy.txt").write_text(KEY)
    return folder


def test_a_skill_is_taken_away_with_its_owner_s_keys(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with library(workspace, "skill") as shelf:
        Intake(shelf, Given()).path(skill_with(tmp_path / "writer"))
    with caller(workspace, HOME=str(tmp_path)) as call:
        answer = call("GET", "/v1/skills/writer/export")
        assert answer.status_code == 200, answer.text
        with ZipFile(BytesIO(answer.content)) as archive:
            names = {name.partition("/")[2] for name in archive.namelist()}
        assert {"SKILL.md", "notes.md"} <= names
        assert not {".env", "keys/id_rsa", "deploy.txt"} & names
        notes = answer.headers["x-whet-notes"]
        for name in ("keys/id_rsa", "deploy.txt"):
            assert name in notes


def test_a_skill_with_a_key_in_its_text_is_taken_away(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with library(workspace, "skill") as shelf:
        Intake(shelf, Given()).path(skill_with(tmp_path / "writer", KEY))
    with caller(workspace, HOME=str(tmp_path)) as call:
        for form in ("zip", "json", "text"):
            answer = call("GET", f"/v1/skills/writer/export?format={form}")
            assert_problem(answer, 400, "invalid_request", "secret")


def test_others_may_look_into_a_workspace(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    workspace.mkdir(mode=0o755)
    settings = read(workspace, {"WHET_SCRATCH": str(tmp_path / "scratch"), "PATH": "/usr/bin:/bin"})
    with app_on(workspace):
        pass
    assert stat.S_IMODE(workspace.stat().st_mode) == 0o755
    (found, _) = asyncio.run(diagnose(settings, live=False)).disks
    assert f"chmod 700 {workspace}" in (found.fix or "")
    workspace.chmod(0o700)
    (found, _) = asyncio.run(diagnose(settings, live=False)).disks
    assert found.fix is None
