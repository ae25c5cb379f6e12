"""``/v1/config``: shown with its sources, changed in part, refused as a whole."""

import json
from pathlib import Path

import pytest

from tests.server.calling import ask, assert_problem
from whet.app.config import BUILT_IN, path_of

PATH = "/v1/config"


def test_it_is_shown_and_changed(tmp_path: Path) -> None:
    before = ask(tmp_path, "GET", PATH).json()
    assert before["exists"] is False
    assert before["values"].keys() == BUILT_IN.keys()
    change = {"default_engine": "codex", "context.token_threshold": 5}
    answer = ask(tmp_path, "PUT", PATH, json=change)
    assert answer.status_code == 200
    body = answer.json()
    assert body == ask(tmp_path, "GET", PATH).json()
    assert body["values"]["default_engine"] == {"value": "codex", "source": "file"}
    assert body["file"] == str(path_of(tmp_path))
    written = json.loads(path_of(tmp_path).read_text())
    assert (written["default_engine"], written["context"]["token_threshold"]) == ("codex", 5)
    assert written["updated_at"] == body["updated_at"]


@pytest.mark.parametrize(
    ("body", "status", "code", "words"),
    [
        ({"nope": 1}, 400, "invalid_request", "known: cli_path"),
        ({}, 400, "invalid_request", "name what to set"),
        ({"default_retry_count": 1.5}, 400, "invalid_request", "default_retry_count"),
        ({"default_engine": "nope"}, 400, "unknown_part", "known: api"),
        ({"cli_path": "/bin/sh"}, 400, "invalid_request", "whet config set cli_path=PROGRAM"),
        ([1], 422, "invalid_request", "dictionary"),
    ],
)
def test_what_cannot_be_is_refused(
    tmp_path: Path, body: object, status: int, code: str, words: str
) -> None:
    assert_problem(ask(tmp_path, "PUT", PATH, json=body), status, code, words)
    assert not path_of(tmp_path).exists()


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path_of(tmp_path).parent.mkdir(parents=True)
    path_of(tmp_path).write_text("{")
    assert_problem(ask(tmp_path, "GET", PATH), 400, "invalid_document", "config.json")
