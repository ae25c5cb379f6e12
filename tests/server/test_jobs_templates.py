"""Prompts that a stranger's package brings: they get no further than a template may, and the
server goes on answering."""

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.server.calling import Caller, assert_problem, calling
from tests.server.job_packages import JOBS, created, done, package, result, send
from whet.core import effort

HOSTILE = [
    "{{ cycler.__init__.__globals__.os.getpid() }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ input.__class__.__init__.__globals__ }}",
    "{{ input['__class__']['__mro__'] }}",
    "{{ (input|attr('__class__')) }}",
    "{{ self._TemplateReference__context }}",
    "{{ joiner.__init__.__globals__.os.environ }}",
    "{{ lipsum.__globals__['os'].popen('id').read() }}",
    "{{ get_flashed_messages.__globals__ }}",
    "{{ input.items.__self__ }}",
    "{{ input.title.format(input) }}",
    "{% set x = ''.__class__ %}{{ x }}",
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}",
    "{% extends '/etc/passwd' %}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% for x in [1] recursive %}{{ loop([x]) }}{% endfor %}",
    "{% for a in range(999) %}" * 4 + "x" + "{% endfor %}" * 4,
    "{{ 'x' * 999999999 }}",
    "{{ range(999999999) | join }}",
    "{{ 9 ** 9 ** 9 ** 9 }}",
    "{{",
    "{% if %}",
    "{{ " + "(" * 5_000 + ")" * 5_000 + " }}",
    "{{ nobody }}",
]


@pytest.mark.parametrize("source", HOSTILE)
def test_a_prompt_that_does_more_than_show_values_is_refused(call: Caller, source: str) -> None:
    """Fault 1 of the original: its templates ran code in the server."""
    request_id = created(call, input={"title": "Stones"})
    answer = send(call, request_id, skill_package=package(prompt=source))
    assert_problem(answer, 400, "invalid_request", "prompt of the package")
    assert str(os.getpid()) not in answer.text
    assert "root:" not in answer.text
    assert len(answer.text) < 1_000
    assert call("GET", f"{JOBS}/{request_id}").json()["state"] == "waiting_upload"


def test_after_a_refusal_a_fine_package_is_taken(call: Caller, shelf: Path) -> None:
    """What was refused has left nothing behind, neither files nor a belief that there are some."""
    request_id = created(call, input={"title": "Stones"})
    fine = package(prompt="Use the skill report.\n\n{{ input.title }}")
    for source in ("{% set x = 1 %}", "{{ input.title | nothing }}"):
        assert send(call, request_id, skill_package=package(prompt=source)).status_code == 400
    assert [*(shelf / "requests").glob("*")] == []
    assert send(call, request_id, skill_package=fine).status_code == 200
    status = call("GET", f"{JOBS}/{request_id}/wait", params={"timeout": 30}).json()
    assert status["state"] == "succeeded", status


def test_values_are_shown_and_never_read_as_templates(call: Caller) -> None:
    text = "{{ 7 * 7 }}{% for x in y %}"
    source = "Use the skill report.\n\n{{ input.title }} {{ input }}"
    status = done(call, package(prompt=source), input={"title": text})
    session = call("GET", f"{JOBS}/{status['request_id']}/session").json()
    told = session["user_prompt"]
    assert told == f"Use the skill report.\n\n{text} {json.dumps({'title': text})}"
    assert result(call, status["request_id"])["status"] == "success"


def test_the_server_answers_while_a_prompt_takes_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is made up in a thread, outside of any transaction."""
    monkeypatch.setattr(effort, "MOST_SECONDS", 0.5)
    source = "{% for a in range(999) %}{% if input.big | sort | length %}{% endif %}{% endfor %}"
    schema = {"type": "object", "properties": {"big": {"x-input-source": "inline"}}}
    slow = package(prompt=source, input=schema)
    numbers = [*range(100_000)]

    async def attack() -> tuple[list[float], httpx.Response]:
        async with calling(tmp_path / "workspace", HOME=str(tmp_path)) as (client, _):
            body: dict[str, Any] = {"skill_source": "temp_upload", "input": {"big": numbers}}
            made = await client.post(JOBS, json={**body, "engine": "simulated"})
            path = f"{JOBS}/{made.json()['request_id']}/upload"
            files = {"skill_package": ("s.zip", slow, "application/zip")}
            upload = asyncio.create_task(client.post(path, files=files))
            waits: list[float] = []
            while not upload.done():
                begun = time.monotonic()
                other = await client.post(JOBS, json={"skill_source": "temp_upload"})
                assert other.status_code == 200, other.text
                waits.append(time.monotonic() - begun)
                await asyncio.sleep(0.01)
            return waits, upload.result()

    waits, refused = asyncio.run(attack())
    assert_problem(refused, 400, "invalid_request", "takes more than 0.5 seconds")
    assert len(waits) >= 3, "others were kept waiting all the time"
