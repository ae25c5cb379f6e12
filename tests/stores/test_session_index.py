"""The index of sessions: lists, names, search, and how it follows files and records."""

import json
import os
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.sessions.logs import session, write_session
from whet.core.errors import NotFound, UsageError
from whet.core.trial import TrialRecord
from whet.ports.recorded import Recorded
from whet.ports.session_query import SessionQuery
from whet.stores.session_index import FileSessionIndex
from whet.testing.store import execution, record

Data = dict[str, JsonValue]


@dataclass
class Records:
    """A feed of records, as a database has them."""

    sessions: list[Data] = field(default_factory=list[Data])
    base: int = 0

    def _record(self, place: int) -> TrialRecord:
        made = record(execution(place % 60, address=str(self.sessions[place]["trial_address"])))
        return made.model_copy(update={"session": str(place)})

    def at_cursor(self, cursor: int) -> tuple[str, int] | None:
        place = cursor - self.base - 1
        if not 0 <= place < len(self.sessions):
            return None
        return str(self.sessions[place]["trial_address"]), 1

    def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
        every = range(len(self.sessions))
        found = [Recorded(self.base + n + 1, self._record(n)) for n in every]
        return [one for one in found if one.cursor > after][:limit]

    def session(self, digest: str) -> JsonValue:
        return self.sessions[int(digest)]


@pytest.fixture
def index(tmp_path: Path) -> Generator[FileSessionIndex]:
    made = FileSessionIndex(tmp_path)
    yield made
    made.close()


def put(folder: Path, name: str, calls: int = 1, **more: JsonValue) -> Path:
    return write_session(folder / f"sessions/{name}.json", session(name, calls, **more))


def call(tool: str, status: str = "success", **params: JsonValue) -> Data:
    return {
        "call_id": f"{tool}-{len(params)}",
        "tool_name": tool,
        "tool_category": "action",
        "started_at": "2026-01-25T10:00:00Z",
        "ended_at": "2026-01-25T10:00:00Z",
        "duration_ms": 0,
        "input": {"params": {**params}},
        "output": {"status": status, "error": "boom" if status == "failed" else None},
    }


def names(index: FileSessionIndex, text: str = "", **narrowed: object) -> list[str]:
    query = SessionQuery(text=text, **narrowed)  # pyright: ignore[reportArgumentType]
    if text:
        return [hit.entry.name for hit in index.search(query).items]
    return [entry.name for entry in index.list(query).items]


def test_the_newest_come_first_in_pages(tmp_path: Path, index: FileSessionIndex) -> None:
    for day in range(1, 8):
        put(tmp_path, f"s{day}", created_at=f"2026-01-0{day}T00:00:00Z")
    assert names(index, page_size=3) == ["s7", "s6", "s5"]
    assert names(index, page_size=3, page=3) == ["s1"]
    assert index.list(SessionQuery(page_size=3)).total == 7
    with pytest.raises(UsageError, match="pages are counted from 1"):
        index.list(SessionQuery(page=0))


def test_lists_are_narrowed(tmp_path: Path, index: FileSessionIndex) -> None:
    put(tmp_path, "a", engine="claude", status="failed", skills_used=["Sharpen"])
    put(tmp_path, "b", engine="codex", source_digest="d", source_format="codex")
    put(tmp_path, "c", request_id="r", created_at="2026-02-01T00:00:00Z")
    assert names(index, engine="Claude") == ["a"]
    assert names(index, status="failed") == ["a"]
    assert names(index, skill="sharpen") == ["a"]
    assert names(index, kinds=("import",)) == ["b"]
    assert names(index, kinds=("job",)) == ["c"]
    assert names(index, since=1_769_900_000.0) == ["c"]
    assert names(index, until=1_769_900_000.0) == ["a", "b"]


def test_files_are_followed(tmp_path: Path, index: FileSessionIndex) -> None:
    file = put(tmp_path, "a")
    assert names(index) == ["a"]
    os.utime(file, (1, 1))
    write_session(file, session("a", 2, task_title="Another title"))
    put(tmp_path, "b")
    done = index.refresh()
    assert (done.added, done.changed) == (1, 1)
    assert index.find("a").calls == 2
    assert names(index, "another") == ["a"]
    assert names(index, "whet it") == ["b"]
    file.unlink()
    assert index.refresh().removed == 1
    assert names(index) == ["b"]
    assert names(index, "another") == []


def test_what_cannot_be_read_is_named_and_hurts_nobody(
    tmp_path: Path, index: FileSessionIndex
) -> None:
    put(tmp_path, "good")
    folder = tmp_path / "sessions"
    (folder / "bad.json").write_text("{nonsense")
    (folder / "old.json").write_text('{"session_id": "x", "steps": []}')
    (folder / ".hidden.json").write_text("{}")
    (folder / "link.json").symlink_to("/etc/passwd")
    (folder / "originals").mkdir()
    assert names(index) == ["good"]
    assert [one.path for one in index.broken()] == ["sessions/bad.json", "sessions/old.json"]
    assert "import the log" in index.broken()[1].reason


def test_an_index_that_was_deleted_or_damaged_is_made_anew(
    tmp_path: Path, index: FileSessionIndex
) -> None:
    put(tmp_path, "a")
    assert names(index) == ["a"]
    (tmp_path / "index.db").unlink()
    assert names(index) == ["a"]
    index.close()
    (tmp_path / "index.db").write_bytes(b"no database at all" * 1000)
    assert names(index) == ["a"]


def test_records_are_followed_by_their_cursor(index: FileSessionIndex) -> None:
    feed = Records([session(f"t{n}", trial_address=f"{n:016}" * 4) for n in range(100)])
    assert index.refresh(feed).added == 100
    assert index.refresh(feed).added == 0
    feed.sessions.append(session("new", trial_address="f" * 64, trial_scope="ask"))
    assert index.refresh(feed).added == 1
    assert index.list(SessionQuery()).total == 100  # what a judge asks is no session of anybody
    assert names(index, kinds=("ask",)) == [f"trial-{'f' * 16}"]
    other = Records([session("x", trial_address="e" * 64)])
    assert index.refresh(other).added == 1  # another database stands there now
    assert names(index) == [f"trial-{'e' * 16}"]


def test_a_lost_session_costs_no_other(index: FileSessionIndex) -> None:
    class Torn(Records):
        def session(self, digest: str) -> JsonValue:
            if digest == "1":
                raise NotFound("no blob")
            return super().session(digest)

    feed = Torn([session(f"t{n}", trial_address=f"{n:016}" * 4) for n in range(3)])
    assert index.refresh(feed).added == 2


def test_the_turns_of_a_job_are_listed_once(tmp_path: Path, index: FileSessionIndex) -> None:
    turns = [session(f"t{n}", trial_address=f"{n}" * 64, trial_scope="job/run-1") for n in range(2)]
    index.refresh(Records(turns))
    assert index.list(SessionQuery()).total == 2
    file = put(tmp_path, "the-job", request_id="r", run_id="run-1", trial_address="0" * 64)
    index.refresh()
    assert names(index) == ["the-job"]
    assert index.find("1" * 64).kind == "trial"
    assert index.find("0" * 64).name == "the-job"
    file.unlink()
    index.refresh()
    assert index.list(SessionQuery()).total == 2


def test_a_session_goes_by_many_names(tmp_path: Path, index: FileSessionIndex) -> None:
    put(tmp_path, "2026-01-25-001-markers", as_read={"session_id": "0a1b-uuid"}, source_digest="d")
    put(tmp_path, "2026-01-25-002-markers", created_at="2026-01-26T00:00:00Z")
    feed = Records([session("trial-abc", trial_address="abcd" * 16)])
    index.refresh(feed)
    for reference in ("2026-01-25-001-markers", "2026-01-25-001", "0a1b-uuid", "0a1b"):
        assert index.find(reference).name == "2026-01-25-001-markers"
    for reference in ("abcd" * 16, "abcda", "trial-abcd"):
        assert index.find(reference).trial_address == "abcd" * 16
    assert index.find("latest").name == "2026-01-25-002-markers"
    with pytest.raises(UsageError, match="2026-01-25-001-markers, 2026-01-25-002-markers"):
        index.find("2026-01-25")
    with pytest.raises(NotFound, match="at least 4 characters"):
        index.find("abc")
    with pytest.raises(NotFound):
        index.find("% OR 1=1\0")


def test_the_newest_generation_of_a_trial_is_meant(index: FileSessionIndex) -> None:
    class Twice(Records):
        def recorded(self, after: int, limit: int) -> Sequence[Recorded]:
            one = self._record(0)
            both = [one, one.model_copy(update={"generation": 2})]
            found = [Recorded(n, each) for n, each in enumerate(both, start=1)]
            return [each for each in found if each.cursor > after][:limit]

    index.refresh(Twice([session("t", trial_address="a" * 64)]))
    assert index.find("a" * 64).generation == 2
    assert index.find(f"trial-{'a' * 16}").generation == 1


def test_search_finds_words_and_the_calls_that_have_them(
    tmp_path: Path, index: FileSessionIndex
) -> None:
    calls: list[JsonValue] = [
        call("Read", file_path="/w/src/app.py"),
        call("Bash", "failed", command="pytest tests/test_app.py"),
        call("Edit", file_path="/w/src/other/app.py", new_string="技能评估"),
    ]
    put(tmp_path, "one", tool_calls=calls, messages=["The parser is broken."])
    put(tmp_path, "two", tool_calls=[call("Bash", command="ls"), call("Edit", "failed", a="b")])
    [hit] = index.search(SessionQuery(text="pytest")).items
    assert (hit.entry.name, [one.index for one in hit.calls]) == ("one", [1])
    assert "pytest tests/test_app.py" in hit.calls[0].snippet
    assert names(index, "能评") == ["one"]
    assert names(index, "parser broken") == ["one"]
    assert names(index, "nowhere") == []
    assert names(index, "tool:Bash status:failed") == ["one"]
    assert names(index, "tool:bash") == ["one", "two"]
    assert names(index, "tool:Edit status:failed") == ["two"]
    assert names(index, "file:app.py") == ["one"]
    assert names(index, "file:other/app.py status:success") == ["one"]
    assert names(index, "file:other/app.py status:failed") == []
    assert names(index, "file:src/*.py") == ["one"]
    assert names(index, "file:pp.py") == []
    [hit] = index.search(SessionQuery(text="file:app.py")).items
    assert [one.index for one in hit.calls] == [0, 2]
    with pytest.raises(UsageError, match="status:perhaps"):
        index.search(SessionQuery(text="status:perhaps"))
    with pytest.raises(UsageError, match="session:odd"):
        index.search(SessionQuery(text="session:odd"))
    with pytest.raises(UsageError, match="at most"):
        index.search(SessionQuery(text="x" * 2000))


def test_search_narrows_by_engine_skill_and_outcome(
    tmp_path: Path, index: FileSessionIndex
) -> None:
    put(tmp_path, "a", engine="claude", skills_used=["My skill"])
    put(tmp_path, "b", engine="codex", status="failed")
    assert names(index, "whet engine:claude") == ["a"]
    assert names(index, "whet session:failed") == ["b"]
    assert names(index, 'whet skill:"my skill"') == ["a"]
    assert names(index, "engine:codex tool:Read") == ["b"]


@pytest.mark.parametrize(
    "odd",
    [
        '"', "AND", "NOT", "a OR b)", "*", "tool:", 'file:"', "file:[", "status:", "\0", "\ud800",
        "file:" + "*" * 50, "':--", "NEAR(a b)", "tool:\x1b[31m",
    ],
)  # fmt: skip
def test_no_query_breaks_it(tmp_path: Path, index: FileSessionIndex, odd: str) -> None:
    put(tmp_path, "a")
    with suppress(UsageError):
        index.search(SessionQuery(text=odd))


def test_hostile_values_are_bounded(tmp_path: Path, index: FileSessionIndex) -> None:
    wide: JsonValue = "x" * 3_000_000
    deep: JsonValue = "y"
    for _ in range(50):
        deep = [deep]
    put(
        tmp_path,
        "odd",
        tool_calls=[call("Bash", command=wide, deep=deep), 7, None, {"tool_name": 3}],
        task_title=5,
        status="strange",
        cost_usd="much",
        input_tokens=10**30,
        skills_used="none",
        created_at="never",
        summary=[],
        agent=None,
    )
    found = index.find("odd")
    assert (found.status, found.cost_usd, found.input_tokens) == ("in_progress", None, None)
    assert found.calls == 2
    assert (tmp_path / "index.db").stat().st_size < 2_000_000
    assert json.loads(found.model_dump_json())["name"] == "odd"
