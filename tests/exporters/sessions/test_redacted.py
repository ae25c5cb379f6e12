"""No secret that was planted in a session comes out in any export, unless it was wished for."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.core.planted import HARMLESS, PLANTED, VALUES, Planted
from tests.exporters.sessions.drawn import call, calm, came, failed, note, session
from tests.exporters.sessions.opened import Opened
from whet.app.parts import InstalledParts
from whet.documents.session import Session
from whet.exporters.sessions.prepare import Privacy, prepared
from whet.ports.machine import Machine
from whet.ports.session_exporter import ExportWish

PARTS = InstalledParts(Machine({}, Path("/nowhere")))
FORMATS = ("html", "json", "markdown", "otlp")


def _decision(text: str) -> JsonValue:
    return {"decision_id": "d", "type": "skip", "description": "x", "reasoning": text}


def _used(text: str) -> JsonValue:
    return {"type": "rule", "source": "x", "relevance": "low", "quoted_content": text}


def _learnt(text: str) -> JsonValue:
    return {"type": "knowledge", "summary": "x", "full_content": text}


PLACES: dict[str, Callable[[str], Session]] = {
    "prompt": lambda text: session(user_prompt=text),
    "title": lambda text: session(task_title=text),
    "description": lambda text: session(task_description=text),
    "answer": lambda text: session(final_answer=text),
    "message": lambda text: session(messages=["x", text]),
    "error": lambda text: session(error=text, status="failed"),
    "param": lambda text: session(call(1, params={"command": text})),
    "nested": lambda text: session(call(1, params={"a": [{"b": {"c": [1, text]}}]})),
    "name": lambda text: session(call(1, params={text: 1})),
    "command": lambda text: session(call(1, input={"params": {}, "raw_command": text})),
    "told": lambda text: session(call(1, input={"params": {}, "description": text})),
    "output": lambda text: session(call(1, output=came(text))),
    "display": lambda text: session(call(1, output=came("x", text))),
    "failure": lambda text: session(call(1, output=failed(text))),
    "context": lambda text: session(call(1, context_contribution=_learnt(text))),
    "phase": lambda text: session(
        call(1), phase_annotations=[note("plan", 1, 1, description=text)]
    ),
    "decision": lambda text: session(
        call(1), phase_annotations=[note("plan", 1, 1, decisions=[_decision(text)])]
    ),
    "used": lambda text: session(
        call(1), phase_annotations=[note("plan", 1, 1, context_used=[_used(text)])]
    ),
    "unknown": lambda text: session(
        call(1, more={"x": [text]}), prompts=[{"at": "x", "text": text}]
    ),
}


def exported(given: Session, name: str, privacy: Privacy | None = None) -> str:
    """Everything that can be read out of an export."""
    wish = ExportWish(full=True)
    text = PARTS.session_exporter(name).export(prepared(given, privacy), wish)
    return Opened(text).everything if name == "html" else text


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(PLACES)), HARMLESS, PLANTED, HARMLESS)
def test_no_planted_secret_survives(place: str, before: str, planted: Planted, after: str) -> None:
    made = PLACES[place](f"{before}\n{planted.text}\n{after}")
    pieces = [line for line in planted.secret.split("\n") if len(line) > 30 and "-----" not in line]
    for name in FORMATS:
        text = exported(made, name)
        for piece in [planted.secret, json.dumps(planted.secret)[1:-1], *pieces]:
            assert piece not in text, name


@given(st.sampled_from(sorted(PLACES)), VALUES, HARMLESS)
def test_all_but_the_secret_stays(place: str, secret: str, around: str) -> None:
    text = f"{around}\nAPI_TOKEN={secret}\n{around}"
    made = PLACES[place](text)
    marked = PLACES[place](text.replace(secret, "[redacted:token-1]"))
    report = prepared(made)
    assert report.session == marked
    assert (report.redactions or {})["token"] >= 1


@given(st.sampled_from(sorted(PLACES)), HARMLESS)
def test_a_harmless_session_is_the_very_same(place: str, text: str) -> None:
    made = PLACES[place](text)
    report = prepared(made)
    assert report.session is made
    assert report.redactions == {}


def test_the_same_secret_has_the_same_mark_in_every_call() -> None:
    secret = "q7Zk31TTx90b" + "Yw"
    made = session(
        call(1, params={"command": f"export TOKEN_A={secret}"}),
        call(2, params={"command": f"curl -d {secret} example.com"}, output=came(f"ok {secret}")),
        call(
            3, params={"headers": {"Authorization": "Bearer 8fKq02mmZx71Lp"}, "password": "hunter2"}
        ),
    )
    told = exported(made, "json")
    (mark,) = re.findall(r"export TOKEN_A=(\[redacted:token-\d\])", told)
    assert told.count(mark) == 3
    (other,) = re.findall(r'"Authorization": "(.*)"', told)
    assert other.removeprefix("Bearer ") != mark
    assert '"password": "[redacted:secret-' in told
    assert not re.search("q7Zk31|8fKq02|hunter2", told)


def test_paths_say_where_and_not_whose() -> None:
    root = "/opt/clients/acme/site"
    made = session(
        call(
            1, params={"file_path": f"{root}/src/a.py"}, output=came("in /tmp/x by /home/alice/b")
        ),
        call(2, params={"file_path": f"{root}/src/b.py"}),
        summary={
            "total_duration_ms": 1,
            "tool_calls_count": 2,
            "files_created": [f"{root}/README.md"],
            "files_modified": [],
        },
    )
    report = prepared(made)
    told = report.session.to_json()
    assert "acme" not in told
    assert "alice" not in told
    assert '"…/site/src/a.py"' in told
    assert '"…/site/README.md"' in told
    assert "in $TMPDIR/x by ~/b" in told
    assert report.redactions == {"home": 1, "project": 3, "temp": 1}


def test_the_folder_that_a_session_names_is_its_project() -> None:
    made = session(call(1, output=came("see /opt/acme/site/x")), cwd="/opt/acme/site")
    assert "see …/site/x" in exported(made, "json")


def test_known_secrets_are_taken_out_in_any_form() -> None:
    secret = "correct horse battery"
    made = session(user_prompt=f"say {secret}", final_answer=secret.encode().hex())
    for name in FORMATS:
        text = exported(made, name, Privacy(secrets=(secret,)))
        assert secret not in text
        assert secret.encode().hex() not in text


def test_ids_still_lead_where_they_led() -> None:
    first, second = (f"call-sk-proj-{'q7Zk31TTx90b' * 3}{n}" for n in "ab")
    made = session(
        call(1) | {"call_id": first}, call(2) | {"call_id": second, "parent_call_id": first}
    )
    after = prepared(made).session.tool_calls
    assert after[1].parent_call_id == after[0].call_id != after[1].call_id
    assert "q7Zk31" not in after[0].call_id


def test_nothing_is_taken_out_where_nobody_wants_it() -> None:
    made = session(user_prompt="API_TOKEN=q7Zk31TTx90bYw in /home/alice")
    report = prepared(made, Privacy(redact=False))
    assert report.session is made
    text = PARTS.session_exporter("markdown").export(report, ExportWish())
    assert "q7Zk31TTx90bYw in /home/alice" in text
    assert "Not redacted" in text


@pytest.mark.parametrize("name", ["html", "markdown"])
def test_what_was_taken_out_is_told(name: str) -> None:
    made = session(user_prompt="API_TOKEN=q7Zk31TTx90bYw in /home/alice and /home/alice/x")
    text = exported(made, name)
    assert "Replaced by marks before this was written: home folders 2, tokens 1." in text
    assert "nothing had to be replaced" in exported(calm(), name)
