"""Capability runs: what each case comes to, whatever its agent does."""

import asyncio
import time
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.app.measuring import (
    assert_whole,
    carried_out,
    case,
    commanded,
    events,
    free_app,
    sayings,
    started,
    write_set,
)
from whet.app.app import App
from whet.app.capability.folders import KEPT
from whet.app.capability.runs import Evaluations
from whet.core.errors import Conflict, NotFound
from whet.documents.capability import EvaluationRun
from whet.ports.evaluations import RunQuery


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


CASES = [
    case("good", "say 7", "7"),
    case("bad", "say 8", "7"),
    case(
        "half",
        "say 7",
        dimension="common",
        checker=[{"type": "exact", "expected": "7"}, {"type": "contains", "expected": "8"}],
        expected=None,
    ),
    case("crashing", "crash", dimension="tool"),
    case("hanging", "hang", timeout_s=0.5, dimension="tool"),
    case(
        "writing",
        "write this",
        dimension="complex",
        weight=2,
        checker={"type": "file_contains", "expected": {"path": "out/made.txt", "text": "this"}},
        expected=None,
        files={"given.txt": "as it was", "gone.txt": "soon"},
    ),
    case("absent", "say 1", "1", dimension="complex", prerequisites=["nowhere@tool"]),
    case("linking", "link", dimension="complex"),
]


@pytest.mark.slow
def test_every_case_comes_to_something(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, CASES)
    with free_app(workspace) as app:
        detail = carried_out(app, commanded(tmp_path, user_id="u"))
        assert_whole(app, detail)
        told = events(app, detail.run.run_id)
    items = {item.case_id: item for item in detail.items}
    assert [*items] == [one["id"] for one in CASES]
    assert {name: (item.status, item.score) for name, item in items.items()} == {
        "good": ("passed", 1),
        "bad": ("failed", 0),
        "half": ("failed", 0.5),
        "crashing": ("error", 0),
        "hanging": ("failed", 0),
        "writing": ("passed", 1),
        "absent": ("skipped", None),
        "linking": ("passed", 1),
    }
    run = detail.run
    assert run.status == "finished"
    assert run.dimension_scores == {"tool": 0, "logic": 50, "common": 50, "complex": 100}
    assert run.total_score == pytest.approx((0 * 35 + 50 * 25 + 50 * 20 + 100 * 20) / 100)
    assert run.total_score_measured == run.total_score
    assert (run.user_id, run.engine, run.model_name) == ("u", "command", "command")
    assert "timeout" in (items["hanging"].error or "")
    assert "out of order" in (items["crashing"].error or "")
    assert items["absent"].skip_reason == "missing_tools"
    assert items["absent"].checker_detail == {"missing_tools": ["nowhere@tool"]}
    assert items["good"].final_answer == "7"
    assert (items["good"].session_id or "").startswith("trial-")
    assert (items["good"].elapsed_s or 0) > 0
    logs = [event.data for event in told if event.kind == "eval_log"]
    assert [log["case_id"] for log in logs] == ["crashing"]


def test_the_detail_explains_the_score(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, CASES[:3])
    with free_app(workspace) as app:
        detail = carried_out(app, commanded(tmp_path))
    half: Any = detail.items[2].checker_detail
    assert half["score"] == 0.5
    told = [(one["type"], one["expected"], one["score"], one["weight"]) for one in half["checks"]]
    assert told == [("exact", "7", 1, 1), ("contains", "8", 0, 1)]
    assert all(check["evidence"] for check in half["checks"])


@pytest.mark.slow
def test_each_case_leaves_its_own_folder(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, CASES)
    with free_app(workspace) as app:
        detail = carried_out(app, commanded(tmp_path))
        folder = workspace / "eval" / detail.run.run_id
        assert sorted(path.name for path in folder.iterdir()) == sorted(
            {one["id"] for one in CASES} - {"absent", "crashing"}
        )
        written = {
            str(path.relative_to(folder / "writing")): path.read_text()
            for path in (folder / "writing").rglob("*")
            if path.is_file()
        }
        assert written == {"given.txt": "as it was", "out/made.txt": "this"}
        assert [*(folder / "linking").iterdir()] == []
        Evaluations(app).delete(detail.run.run_id)
        assert not folder.exists()
        with pytest.raises(NotFound):
            Evaluations(app).get(detail.run.run_id)


def test_folders_go_after_some_days(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, sayings(1))
    with free_app(workspace) as app:
        detail = carried_out(app, commanded(tmp_path))
        folder = workspace / "eval" / detail.run.run_id

        class Later:
            def now(self) -> datetime:
                return app.clock.now() + KEPT + timedelta(hours=1)

        Evaluations(app).clean_up()
        assert folder.exists()
        Evaluations(replace(app, clock=Later())).clean_up()
        assert not folder.exists()
        assert Evaluations(app).get(detail.run.run_id).run.status == "finished"


def test_cases_that_ask_the_same_share_one_answer(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, [case("a", "say 7", "7"), case("b", "say 7", "8", dimension="tool")])
    with free_app(workspace) as app:
        detail = carried_out(app, commanded(tmp_path))
        assert_whole(app, detail)
    assert [item.status for item in detail.items] == ["passed", "failed"]
    assert detail.items[0].trial == detail.items[1].trial


def test_another_run_is_measured_anew(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, sayings(2))
    with free_app(workspace) as app:
        first, second = (carried_out(app, commanded(tmp_path)) for _ in range(2))
    assert {item.trial for item in first.items}.isdisjoint(item.trial for item in second.items)
    assert first.run.case_set_digest == second.run.case_set_digest


def test_where_all_is_skipped_nothing_is_measured(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, [case("a", "say 1", prerequisites=["nowhere@tool"])])
    with free_app(workspace) as app:
        detail = carried_out(app, commanded(tmp_path))
        assert_whole(app, detail)
    assert (detail.run.status, detail.run.total_score) == ("finished", None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("trouble", "expected"),
    [
        ({"crash": 0.5}, {"error"}),
        ({"rate_limit": 0.5}, {"error"}),
        ({"fail": 0.5}, {"failed"}),
        ({"hang": 0.5}, {"failed"}),
    ],
)
def test_troubles_of_some_cases_end_no_run(
    workspace: Path, trouble: dict[str, float], expected: set[str]
) -> None:
    write_set(workspace, [case(f"c{n}", f"Write function {n}.", "no such") for n in range(24)])
    overrides = {"options": {"simulate": trouble}, "timeout_s": 0.5, "retries": 0}
    body = {"model_name": "simulated", "case_set": "mini", "language": "en-US"}
    with free_app(workspace) as app:
        detail = carried_out(app, {**body, "config_overrides": {**overrides, "concurrency": 12}})
        assert_whole(app, detail)
    assert detail.run.status == "finished"
    assert {item.status for item in detail.items if item.error} == expected
    assert any(not item.error for item in detail.items)


def _alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def _hanging(folder: Path) -> int:
    end = time.monotonic() + 20
    while time.monotonic() < end:
        text = (folder / "hanging").read_text() if (folder / "hanging").exists() else ""
        if text.strip():
            return int(text)
        time.sleep(0.02)
    raise AssertionError("it does not hang")


async def _cancelled_while_hanging(
    app: App, other: App, run_id: str, folder: Path
) -> tuple[EvaluationRun, EvaluationRun]:
    running = asyncio.create_task(Evaluations(app).run(run_id))
    await asyncio.to_thread(_hanging, folder)
    run = await Evaluations(other).cancel(run_id)
    return run, await running


@pytest.mark.slow
@pytest.mark.parametrize("elsewhere", [False, True])
def test_cancel_ends_the_agent_and_keeps_what_is_done(
    workspace: Path, tmp_path: Path, *, elsewhere: bool
) -> None:
    cases = [
        *sayings(3),
        case("h", "hang"),
        *[case(f"z{n}", f"say {n} z", f"{n} z") for n in range(9)],
    ]
    write_set(workspace, cases)
    with free_app(workspace) as app, free_app(workspace) as second:
        body = commanded(tmp_path, config_overrides={"concurrency": 1, "timeout_s": 60})
        run_id = started(app, body)
        run, returned = asyncio.run(
            _cancelled_while_hanging(app, second if elsewhere else app, run_id, tmp_path)
        )
        assert not _alive(int((tmp_path / "hanging").read_text()))
        assert run.status == returned.status == "cancelled"
        detail = Evaluations(app).get(run_id)
        assert_whole(app, detail)
        assert [item.status for item in detail.items] == ["passed"] * 3 + ["cancelled"] * 10
        assert detail.run.total_score == 100
        assert asyncio.run(Evaluations(app).cancel(run_id)).status == "cancelled"
        with pytest.raises(Conflict):
            asyncio.run(Evaluations(app).resume(run_id))


def test_a_run_whose_process_is_gone_can_be_taken_up(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, sayings(5))
    with free_app(workspace) as dying:
        run_id = started(dying, commanded(tmp_path))
        with free_app(workspace) as other:
            assert Evaluations(other).get(run_id).run.reclaimable is None
            with pytest.raises(Conflict):
                asyncio.run(Evaluations(other).resume(run_id))
    with free_app(workspace) as app:
        evaluations = Evaluations(app)
        assert evaluations.get(run_id).run.reclaimable
        with pytest.raises(Conflict):
            evaluations.delete(run_id)
        assert asyncio.run(evaluations.resume(run_id)).status == "finished"
        assert_whole(app, evaluations.get(run_id))
        with pytest.raises(Conflict):
            asyncio.run(evaluations.resume(run_id))
        with pytest.raises(Conflict):
            asyncio.run(evaluations.cancel(run_id))


def test_work_that_ended_without_a_last_word_is_taken_up_by_the_same_process(
    workspace: Path, tmp_path: Path
) -> None:
    write_set(workspace, sayings(2))
    with free_app(workspace) as app:
        run_id = started(app, commanded(tmp_path))

        async def ended_early() -> None:
            work = asyncio.create_task(Evaluations(app).run(run_id))
            await asyncio.sleep(0)
            assert Evaluations(app).row(run_id).reclaimable is None
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

        asyncio.run(ended_early())
        assert Evaluations(app).row(run_id).reclaimable
        assert asyncio.run(Evaluations(app).resume(run_id)).status == "finished"
        assert_whole(app, Evaluations(app).get(run_id))


def test_only_one_takes_it_up(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, sayings(1))
    with free_app(workspace) as dying:
        run_id = started(dying, commanded(tmp_path))
    with free_app(workspace) as first, free_app(workspace) as second:
        Evaluations(first).take_up(run_id)
        with pytest.raises(Conflict):
            Evaluations(second).take_up(run_id)


def test_a_run_that_nobody_is_at_is_cancelled_at_once(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, sayings(3))
    with free_app(workspace) as dying:
        run_id = started(dying, commanded(tmp_path))
    with free_app(workspace) as app:
        assert asyncio.run(Evaluations(app).cancel(run_id)).status == "cancelled"
        detail = Evaluations(app).get(run_id)
        assert {item.status for item in detail.items} == {"cancelled"}
        assert_whole(app, detail)
        assert detail.run.total_score is None


def test_a_trouble_of_the_machine_fails_the_run_until_it_is_mended(
    workspace: Path, tmp_path: Path
) -> None:
    """A changed script is another agent than the one that was pinned."""
    write_set(workspace, sayings(3))
    with free_app(workspace) as app:
        run_id = started(app, commanded(tmp_path))
        script = tmp_path / "agent.sh"
        right = script.read_text()
        script.write_text(right + "# changed\n")
        with pytest.raises(Exception, match="pinned"):
            asyncio.run(Evaluations(app).run(run_id))
        failed = Evaluations(app).get(run_id)
        assert failed.run.status == "failed"
        assert "pinned" in (failed.run.error or "")
        assert {item.status for item in failed.items} == {"cancelled"}
        script.write_text(right)
        assert asyncio.run(Evaluations(app).resume(run_id)).status == "finished"
        done = Evaluations(app).get(run_id)
    assert [item.status for item in done.items] == ["passed"] * 3
    assert done.run.error is None


def test_runs_are_found_again(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, sayings(1))
    with free_app(workspace) as app:
        runs = [
            carried_out(app, commanded(tmp_path, user_id=user)).run.run_id for user in ("u", "v")
        ]
        found = Evaluations(app).list(RunQuery())
        assert [run.run_id for run in found.items] == runs[::-1]
        assert [r.run_id for r in Evaluations(app).list(RunQuery(user_id="v")).items] == runs[1:]
        compared = Evaluations(app).compare(runs)
    assert compared.differences[0].changes == {"still_passed": 1}


@pytest.mark.slow
def test_what_was_recorded_and_never_told_is_told_on_resume(
    workspace: Path, tmp_path: Path
) -> None:
    """As after a kill between the commit of an answer and that of its item."""
    write_set(workspace, [*sayings(2), case("h", "hang", timeout_s=0.5)])
    with free_app(workspace) as app:
        first = carried_out(app, commanded(tmp_path))
        run_id = first.run.run_id
        executions = app.store.ledger.executions(first.items[0].trial or "")
    with free_app(workspace) as app:
        app.store.evaluations.update_eval_run(run_id, {"status": "running", "owner": "1-gone"})
        for item in first.items:
            reset = item.model_copy(update={"status": "active", "score": None})
            app.store.evaluations.append_eval_item(reset)
        (workspace / "eval" / run_id / "c0000").rmdir()
        assert asyncio.run(Evaluations(app).resume(run_id)).status == "finished"
        again = Evaluations(app).get(run_id)
        assert [item.status for item in again.items] == ["passed", "passed", "failed"]
        assert len(app.store.ledger.executions(first.items[0].trial or "")) == len(executions)
    assert (workspace / "eval" / run_id / "c0000").is_dir()
