"""The library through the real server: import, edit, lose a race, compare, go back, export."""

import io
import signal
import zipfile
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.flows.command import whet
from tests.flows.serving import Serving
from whet.curate.archive import read_archive

pytestmark = pytest.mark.slow

SKILL = """---
name: report-writer
description: Writes reports. Use when somebody asks for a report.
---

# Reports

Begin with the result.
"""
FILES = {
    "report-writer/SKILL.md": SKILL.encode(),
    "report-writer/assets/数据.bin": bytes(range(256)),
    "report-writer/scripts/count.py": b"print(1)\n",
}


def archive() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made:
        for name, data in FILES.items():
            made.writestr(name, data)
    return buffer.getvalue()


def told(answer: httpx.Response, status: int = 200) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    return answer.json()


def test_from_import_to_export(tmp_path: Path) -> None:
    workspace = tmp_path / "workspace"
    with Serving.on(workspace) as serving:
        client = serving.client
        query = {"filename": "report-writer.zip", "purpose": "写作"}
        [asset] = told(client.post("/v1/skills/import", content=archive(), params=query))["assets"]
        place = f"/v1/skills/{asset['id']}"
        first = client.get(f"{place}/export").content
        assert read_archive(first, "x").content == FILES

        edit = {"expected_version": "v1", "content": SKILL.replace("result", "numbers")}
        assert told(client.patch(place, json=edit))["version"] == "v2"
        late = client.patch(place, json={"expected_version": "v1", "name": "Mine"})
        problem = told(late, 409)
        assert (problem["code"], problem["expected"], problem["actual"]) == ("conflict", "v1", "v2")

        diff = told(client.get(f"{place}/diff", params={"left": "v1", "right": "v2"}))
        assert "-Begin with the result.\n+Begin with the numbers.\n" in diff["unified"]
        body = {"version": "v1", "expected_version": "v2"}
        assert told(client.post(f"{place}/rollback", json=body))["version"] == "v3"
        assert client.get(f"{place}/export").content == first, "byte for byte"
        second = client.get(f"{place}/export", params={"version": "v2"}).content
        assert b"numbers" in read_archive(second, "x").content["report-writer/SKILL.md"]

        again = told(client.post("/v1/skills/import", content=first, params=query))
        assert again["assets"][0]["outcome"] == "unchanged"
        _, out, errors = serving.end(signal.SIGTERM)
        assert (out, errors, serving.process.returncode) == ("", "", 0)


def test_the_server_sees_what_others_do(tmp_path: Path) -> None:
    """A person with a terminal, and one with an editor, beside those who use the server."""
    workspace = tmp_path / "workspace"
    with Serving.on(workspace) as serving:
        client = serving.client
        body = {"name": "writer", "content": "Write."}
        asset = told(client.post("/v1/skills", json=body), 201)
        done = whet(
            *("skill", "edit", "writer", "--set", "author=Zhang", "--expect", "v1", "--json"),
            *("--workspace", workspace),
        )
        assert done.returncode == 0, done.stderr
        detail = told(client.get("/v1/skills/writer"))
        assert (detail["version"], detail["meta"]["author"]) == ("v2", "Zhang")
        edit = {"expected_version": "v1", "author": "Li"}
        assert told(client.patch("/v1/skills/writer", json=edit), 409)["actual"] == "v2"
        (Path(detail["path"]) / "content.txt").write_text("By hand.")
        told(client.post("/v1/index"))
        assert told(client.get("/v1/skills/writer"))["asset"]["edited_outside"]
        adopted = told(client.post("/v1/skills/writer/adopt"))
        assert adopted["version"] == "v3"
        shown = whet("skill", "show", "writer", "--json", "--workspace", workspace)
        assert "By hand." in shown.stdout, shown.stderr
        assert asset["id"] in shown.stdout
