"""JSON is the session log format and nothing else."""

import json
from pathlib import Path

from tests.exporters.sessions.drawn import calm, hostile, report, session
from whet.documents.session import Session
from whet.exporters.sessions.whole import JsonExporter
from whet.ports.session_exporter import ExportWish


def test_a_session_comes_back_as_it_was(tmp_path: Path) -> None:
    for given in (calm(), session(unknown={"b": 1, "a": [None]})):
        text = JsonExporter().export(report(given), ExportWish())
        assert text == given.to_json()
        (tmp_path / "session.json").write_text(text, encoding="utf-8")
        assert Session.load(tmp_path / "session.json") == given


def test_a_hostile_session_comes_back_too() -> None:
    given = hostile()
    text = JsonExporter().export(report(given, redact=False), ExportWish("zh", full=True))
    assert Session.parse(json.loads(text), "x") == given


def test_a_redacted_session_keeps_its_keys_in_order() -> None:
    given = session(user_prompt="see /home/alice/x", zebra="/tmp/z", apple=1)
    after = json.loads(JsonExporter().export(report(given), ExportWish()))
    assert list(after) == list(json.loads(given.to_json()))
    assert (after["user_prompt"], after["zebra"]) == ("see ~/x", "$TMPDIR/z")
