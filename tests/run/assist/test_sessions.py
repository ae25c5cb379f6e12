"""Short-lived sessions: named by the second, closed, expired, swept."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.run.assist.models import Clock, sessions
from whet.core.errors import EnvironmentProblem
from whet.documents.settings import TempSession
from whet.run.assist.sessions import Expired, Sessions, expire

START = datetime(2024, 1, 1, 12, 10, tzinfo=UTC)


def stored(made: Sessions, identity: str) -> TempSession:
    return TempSession.load(made.folder / f"{identity}.json")


def test_a_session_is_on_disk_while_it_lasts_and_after(tmp_path: Path) -> None:
    made = sessions(tmp_path)
    session = made.begin("auto_tag", "skill", "a1")
    data = json.loads((made.folder / "tmp_sess_20240101121000.json").read_text())
    assert data == {
        "session_id": "tmp_sess_20240101121000",
        "created_at": "2024-01-01T12:10:00Z",
        "expires_at": "2024-01-08T12:10:00Z",
        "purpose": "auto_tag",
        "related_target_type": "skill",
        "related_target_id": "a1",
        "status": "active",
        "context_exports": [],
    }
    assert made.close(session).status == "closed"
    assert stored(made, session.session_id).status == "closed"


def test_sessions_of_one_second_have_names_of_their_own(tmp_path: Path) -> None:
    made = sessions(tmp_path)
    names = [made.begin("auto_tag", "skill", str(number)).session_id for number in range(3)]
    stem = "tmp_sess_20240101121000"
    assert names == [stem, f"{stem}_2", f"{stem}_3"]
    assert [stored(made, name).related_target_id for name in names] == ["0", "1", "2"]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "cli").write_text("a file in its place")
    with pytest.raises(EnvironmentProblem, match="temp_session"):
        sessions(tmp_path).begin("auto_tag", "skill", "a1")


def test_time_marks_a_session_first_and_removes_it_then(tmp_path: Path) -> None:
    clock = Clock()
    made = sessions(tmp_path, clock, days=2)
    left = made.begin("auto_tag", "skill", "left active").session_id
    clock.later(seconds=1)
    closed = made.close(made.begin("baseline_gen", None, None)).session_id

    def swept(after: timedelta) -> Expired:
        return expire(made.folder, START + after)

    nothing = Expired((), (), ())
    assert swept(timedelta(days=2, seconds=-1)) == nothing
    assert swept(timedelta(days=2)) == Expired((f"{left}.json",), (), ())
    assert stored(made, left).status == "expired"
    assert stored(made, closed).status == "closed"
    assert swept(timedelta(days=2, seconds=1)) == Expired((f"{closed}.json",), (), ())
    assert swept(timedelta(days=4, seconds=-1)) == nothing
    assert swept(timedelta(days=4)) == Expired((), (f"{left}.json",), ())
    assert swept(timedelta(days=99)) == Expired((), (f"{closed}.json",), ())
    assert not list(made.folder.iterdir())


def test_what_is_no_session_is_named_and_left_alone(tmp_path: Path) -> None:
    made = sessions(tmp_path)
    session = made.begin("auto_tag", "skill", "a1")
    folder, secret = made.folder, tmp_path / "secret.json"
    secret.write_text((folder / f"{session.session_id}.json").read_text())
    whole = session.to_data()
    assert isinstance(whole, dict)
    strange = {
        "tmp_sess_1.json": "{",
        "tmp_sess_2.json": json.dumps({**whole, "expires_at": "soon"}),
        "tmp_sess_3.json": json.dumps({**whole, "status": "asleep"}),
        "tmp_sess_4.json": json.dumps(
            {**whole, "expires_at": "9999-12-31T23:59:59Z", "status": "expired"}
        ),
        "mine.json": "{",
    }
    for name, text in strange.items():
        (folder / name).write_text(text)
    (folder / "tmp_sess_5.json").symlink_to(secret)
    found = expire(folder, START + timedelta(days=8))
    assert found.marked == (f"{session.session_id}.json",)
    assert found.removed == ()
    assert found.broken == tuple(f"tmp_sess_{number}.json" for number in (1, 2, 3, 4, 5))
    assert {name: (folder / name).read_text() for name in strange} == strange
    assert TempSession.load(secret).status == "active"


def test_a_folder_that_is_not_there_has_nothing_to_sweep(tmp_path: Path) -> None:
    assert expire(tmp_path / "nowhere", START) == Expired((), (), ())


def test_a_session_that_its_process_left_is_found(tmp_path: Path) -> None:
    kept = replace(sessions(tmp_path), owner="me")
    mine, closed = (kept.begin("auto_tag", "skill", "a1") for _ in range(2))
    kept.close(closed)
    sessions(tmp_path).begin("auto_tag", "skill", "of nobody")
    (kept.folder / "tmp_sess_1.json").write_text("broken")
    (kept.folder / "tmp_sess_2.json").write_text(mine.to_json())
    (kept.folder / "tmp_sess_3.json").symlink_to(kept.folder / f"{mine.session_id}.json")
    assert mine.owner == "me"
    assert kept.abandoned(lambda owner: owner == "me") == []
    assert kept.abandoned(lambda _owner: False) == [mine]
    assert replace(kept, folder=tmp_path / "nowhere").abandoned(lambda _owner: False) == []
