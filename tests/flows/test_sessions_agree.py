"""Sessions that we write agree with themselves, wherever they come from."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.sessions.logs import desk_on, intake
from tests.cli.job.desk import ASKING, Desk
from tests.documents.agreeing import disagreements
from tests.readers.reading import document, example, lines
from tests.readers.test_damaged import LOGS
from tests.readers.test_session_log import PHASES, V1
from tests.replay.recorded import every
from whet.documents.session import Session
from whet.ports.session_query import SessionQuery

SUITE = Path(__file__).parents[2] / "examples/careful-python"


TOKENS = {"usage", "tokens", "stats", "info", "modelUsage", "token_usage_record"}


def dict_without(row: dict[str, JsonValue], keys: set[str]) -> dict[str, JsonValue]:
    """A row without these members, at any depth."""

    def cleaned(value: JsonValue) -> JsonValue:
        if isinstance(value, dict):
            return {key: cleaned(each) for key, each in value.items() if key not in keys}
        return [*map(cleaned, value)] if isinstance(value, list) else value

    return {key: cleaned(value) for key, value in row.items() if key not in keys}


def checked(workspace: Path) -> list[Session]:
    """Every session of a workspace, each of which agrees with itself and with its entry."""
    with desk_on(workspace) as desk:
        found: list[Session] = []
        query = SessionQuery(kinds=("job", "import", "file", "trial", "ask"), page_size=200)
        for entry in desk.list(query).items:
            session = desk.load(entry.name).session
            assert disagreements(session) == [], entry.name
            assert entry.calls == session.summary.tool_calls_count
            assert entry.duration_ms == session.summary.total_duration_ms
            assert session.summary.errors_encountered in (None, entry.failed)
            assert entry.input_tokens == session.input_tokens
            found.append(session)
        return found


def test_those_of_trials(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.call("eval", SUITE, "--runs", "1")
    assert len(checked(desk.workspace)) >= 6


def test_those_of_jobs_with_several_turns(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    package = desk.package("asking", ASKING)
    desk.call("run", package, *desk.given, "--mode", "interactive")
    for answer in (("sailors",), ("2",), ("yes",), ("--file", f"notes.txt={desk.document}")):
        desk.done("job", "reply", "latest", *answer)
        desk.call("job", "wait", "latest")
    [job] = [one for one in checked(desk.workspace) if (one.__pydantic_extra__ or {}).get("turns")]
    prompts = job.prompts or ()
    assert len(prompts) == 5
    assert prompts[0].text == job.user_prompt
    assert len(job.spending or ()) >= len(prompts)


@pytest.mark.parametrize("name", LOGS)
def test_those_of_logs(tmp_path: Path, name: str) -> None:
    log = lines(tmp_path / f"{name}.jsonl", LOGS[name])
    with desk_on(tmp_path / "ws") as desk:
        assert intake(desk).take(log).status == "imported"
    assert checked(tmp_path / "ws")


def test_those_of_older_session_logs(tmp_path: Path) -> None:
    simple = example("simple")
    logs = {"v1": V1, "v2": {**simple, "phases": PHASES}, "v3": example("annotated")}
    with desk_on(tmp_path / "ws") as desk:
        for name, data in logs.items():
            log = document(tmp_path / f"{name}.json", json.loads(json.dumps(data)))
            assert intake(desk).take(log).status == "imported"
    assert len(checked(tmp_path / "ws")) == 3


def test_those_of_recorded_agents(tmp_path: Path) -> None:
    for name, session in every(tmp_path).items():
        assert disagreements(session) == [], name


@pytest.mark.parametrize("name", LOGS)
def test_a_log_that_tells_of_no_tokens_has_unknown_ones(tmp_path: Path, name: str) -> None:
    rows = [dict_without(row, TOKENS) for row in LOGS[name]]
    log = lines(tmp_path / f"{name}.jsonl", rows)
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        [first, *_] = done.sessions
        session = desk.load(first.name).session
        assert desk.find(first.name).input_tokens is None
    data = json.loads((tmp_path / "ws" / first.path).read_text())
    assert (session.input_tokens, session.output_tokens) == (None, None)
    assert not {"input_tokens", "output_tokens", "cache_read_tokens"} & data.keys()
    for point in session.spending or ():
        assert (point.input_tokens, point.output_tokens) == (None, None)
    assert disagreements(session) == []
