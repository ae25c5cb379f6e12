"""Projects as a page shows them: every number is one that the documents have."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.app.opening import app_on, fill
from tests.curate.shelves import add_baseline, add_skill, write_cases
from tests.server.calling import SMALL, ask, assert_problem, calling, settled
from tests.server.views import EVALS, RUNS, seen
from whet.app.projects.create import create_project
from whet.app.projects.report import project_report
from whet.app.projects.requests import Comparison
from whet.app.views.page import Cases
from whet.app.views.views import Views
from whet.core.result import Result
from whet.documents.experiment_view import CellView


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


async def begun(client: httpx.AsyncClient, **change: Any) -> str:
    answer = await client.post(RUNS, json={**SMALL, **change})
    assert answer.status_code == 202, answer.text
    return answer.json()["id"]


def as_entry(arm: dict[str, Any]) -> dict[str, Any]:
    """An arm as ``summary.json`` would have it."""
    return {
        "rank": arm["rank"],
        "skill_name": arm["name"],
        "skill_version": arm["version"],
        "avg_score": arm["mean"],
        "interval": arm["interval"],
        "avg_score_failed_as_zero": arm["mean_failed_as_zero"],
        "completed_cases": arm["completed_cases"],
        "failed_cases": arm["failed_cases"],
        "unscored_cases": arm["unscored_cases"],
        "score_breakdown": arm["dimensions"],
    }


def test_a_project_in_the_numbers_of_its_summary(workspace: Path) -> None:
    fill(workspace)

    async def story() -> None:
        async with calling(workspace) as (client, desk):
            identity = await begun(client)
            detail = await settled(client, identity)
            view = await seen(client, f"{RUNS}/{identity}")
            assert (view["kind"], view["id"], view["name"]) == ("project", identity, "Small")
            assert (view["status"], view["partial"], view["simulated"]) == (
                "completed",
                False,
                True,
            )
            assert (view["judges"], view["repeats"]) == (["simulated"], 2)
            progress = view["progress"]
            assert (progress["total"], progress["settled"] + progress["reused"]) == (8, 8)
            assert progress["seconds_left"] is None
            status = (await client.get(f"/v1/projects/{identity}/status")).json()
            assert view["cost"] == {"usd": status["cost_usd"], "unknown": 0}
            [leg] = view["legs"]
            summary = detail["summary"]
            assert leg["scale"] == 100
            assert leg["total_cases"] == summary["total_cases"] == len(leg["cases"])
            for arm, entry in zip(leg["arms"], summary["ranking"], strict=True):
                told = as_entry(arm)
                assert told == {name: entry.get(name) for name in told}
            [verdict] = leg["verdicts"]
            found = summary["ranking"][0]["versus_next"]
            same = ("label", "delta", "interval", "n_cases")
            assert [verdict[name] for name in same] == [found[name] for name in same]
            assert (verdict["first"], verdict["second"]) == tuple(a["id"] for a in leg["arms"])
            assert verdict["trials"] == 8, "two arms, two cases, two attempts"
            assert verdict["cost_usd"] == view["cost"]["usd"], "there are no other arms"
            names = [one["name"] for one in leg["dimensions"]]
            assert names == list(summary["ranking"][0]["score_breakdown"])
            assert sum(one["maximum"] for one in leg["dimensions"]) == 100
            report = await asyncio.to_thread(project_report, desk.app, identity)
            for case, shown in zip(report.cases, leg["cases"], strict=True):
                assert (case.case.id, case.case.set) == (shown["id"], shown["set"])
                for standing, cell in zip(case.standings, shown["cells"], strict=True):
                    told = {
                        name: cell[name] for name in ("scored", "failed", "unscored", "missing")
                    }
                    wanted = standing.to_data()
                    assert isinstance(wanted, dict)
                    assert {**told, "average": cell["mean"]} == wanted

    asyncio.run(story())


def test_a_trial_with_all_that_is_known_of_it(workspace: Path) -> None:
    fill(workspace)

    async def story() -> None:
        async with calling(workspace) as (client, _):
            identity = await begun(client)
            await settled(client, identity)
            view = await seen(client, f"{RUNS}/{identity}")
            arm, case = view["legs"][0]["columns"][1], view["legs"][0]["cases"][0]
            place = {"arm": arm, "case": case["id"], "set": case["set"], "attempt": 2}
            answer = await client.get(f"{RUNS}/{identity}/view/trial", params=place)
            assert answer.status_code == 200, answer.text
            trial = answer.json()
            path = f"/v1/projects/{identity}/results/{arm}/{case['id']}"
            detail = (await client.get(path, params={"attempt": 2})).json()
            result = detail["result"]
            assert trial["prompt"]["text"] == result["input"]
            assert trial["answer"] == {
                "text": result["actual_output"],
                "length": len(result["actual_output"]),
            }
            assert trial["score"] == result["scores"]["total"]
            scores = {one["name"]: one["score"] for one in trial["dimensions"]}
            assert scores == {k: v for k, v in result["scores"].items() if k != "total"}
            reasons = {one["name"]: one["evidence"]["text"] for one in trial["dimensions"]}
            assert reasons == {k: v["evidence"] for k, v in detail["dimensions"].items()}
            assert all(one["maximum"] for one in trial["dimensions"])
            assert [one["attempt"] for one in trial["attempts"]] == [1, 2]
            mean = sum(one["score"] for one in trial["attempts"]) / 2
            assert case["cells"][1]["mean"] == pytest.approx(mean)
            assert (trial["cost_usd"], trial["duration_ms"]) == (
                result["cost_usd"],
                result["duration_ms"],
            )
            assert trial["session_id"] == f"trial-{result['trial_address'][:16]}"
            assert len(trial["calls"]) == trial["calls_total"] > 0
            assert [one["number"] for one in trial["calls"]] == [*range(1, len(trial["calls"]) + 1)]
            for wrong in ({"attempt": 3}, {"case": "no"}, {"arm": "no"}):
                missing = await client.get(
                    f"{RUNS}/{identity}/view/trial", params={**place, **wrong}
                )
                assert_problem(missing, 404, "not_found")

    asyncio.run(story())


def test_a_verdict_counts_its_own_arms_and_no_price_that_nobody_knows(workspace: Path) -> None:
    fill(workspace)
    add_skill(workspace, "Third")

    async def story() -> None:
        async with calling(workspace) as (client, desk):
            identity = await begun(client, skills=["Writer", "Author", "Third"])
            await settled(client, identity)
            rows = desk.app.store.results.span(identity, 0, 12)
            before = await seen(client, f"{RUNS}/{identity}")
            last = before["legs"][0]["arms"][2]["id"]
            lost = next(row for row in rows if row.arm == last)
            desk.app.store.results.put([lost.model_copy(update={"cost_usd": None})])
            view = await seen(client, f"{RUNS}/{identity}")
            first, second = view["legs"][0]["verdicts"]
            assert (first["trials"], second["trials"]) == (8, 8)
            assert first["cost_usd"] == before["legs"][0]["verdicts"][0]["cost_usd"] is not None
            assert (second["second"], second["cost_usd"]) == (last, None)

    asyncio.run(story())


@pytest.mark.slow
def test_a_project_while_it_runs(workspace: Path) -> None:
    fill(workspace)
    slow = {"options": {"simulate": {"latency_ms": 400}}, "repeats": 20}

    async def story() -> None:
        async with calling(workspace) as (client, _):
            identity = await begun(client, **slow)
            looks: list[dict[str, Any]] = []
            async with asyncio.timeout(60):
                while not looks or looks[-1]["status"] == "running":
                    looks.append(await seen(client, f"{RUNS}/{identity}"))
                    await asyncio.sleep(0.1)
            running = [look for look in looks if look["status"] == "running" and look["progress"]]
            done = [look["progress"]["settled"] for look in running]
            assert done == sorted(done)
            assert len(set(done)) > 2, "the numbers move"
            half = next(look for look in running if look["progress"]["settled"] > 20)
            assert half["partial"]
            assert half["progress"]["total"] == 80
            assert half["progress"]["seconds_left"] > 0
            assert half["legs"][0]["verdicts"] == [], "who looks too often sees one by chance"
            assert half["legs"][0]["arms"][0]["mean"] is not None
            cells = [cell for case in half["legs"][0]["cases"] for cell in case["cells"]]
            assert sum(cell["missing"] for cell in cells) > 0
            assert sum(cell["scored"] for cell in cells) >= 20
            assert looks[-1]["status"] == "completed"
            assert looks[-1]["legs"][0]["verdicts"]

    asyncio.run(story())


def test_what_was_answered_for_another_project_is_seen_at_once(workspace: Path) -> None:
    """It is in the table as soon as it is counted, and not only when the run ends."""
    fill(workspace)

    async def story() -> None:
        async with calling(workspace) as (client, _):
            first = await begun(client, options={"simulate": {"latency_ms": 1}})
            await settled(client, first)
            more = {"options": {"simulate": {"latency_ms": 1}}, "repeats": 60}
            second = await begun(client, **more)
            async with asyncio.timeout(30):
                look = await seen(client, f"{RUNS}/{second}")
                while look["progress"] is None:
                    await asyncio.sleep(0.01)
                    look = await seen(client, f"{RUNS}/{second}")
            assert look["progress"]["reused"] == 8
            cells = [cell for case in look["legs"][0]["cases"] for cell in case["cells"]]
            assert min(cell["scored"] for cell in cells) >= 2
            await settled(client, second)

    asyncio.run(story())


def test_several_baselines_are_told_apart(workspace: Path) -> None:
    fill(workspace)
    add_baseline(workspace, "More", count=3)

    async def story() -> None:
        async with calling(workspace) as (client, _):
            identity = await begun(client, baselines=["Tests", "More"], repeats=1)
            detail = await settled(client, identity)
            view = await seen(client, f"{RUNS}/{identity}")
            [leg] = view["legs"]
            assert leg["total_cases"] == 5
            for shown, told in zip(leg["sets"], detail["summary"]["by_baseline"], strict=True):
                assert (shown["name"], shown["total_cases"]) == (
                    told["baseline_name"],
                    told["total_cases"],
                )
                for arm, entry in zip(shown["arms"], told["ranking"], strict=True):
                    mine = as_entry(arm)
                    assert mine == {name: entry.get(name) for name in mine}
            pages = [
                await seen(client, f"{RUNS}/{identity}", page=n, page_size=2) for n in (1, 2, 3, 4)
            ]
            cases = [case for page in pages for case in page["legs"][0]["cases"]]
            assert cases == leg["cases"]
            assert all(page["legs"][0]["arms"] == leg["arms"] for page in pages)

    asyncio.run(story())


def test_a_project_that_was_never_run(workspace: Path) -> None:
    fill(workspace)
    made = ask(workspace, "POST", "/v1/projects", json=SMALL).json()
    view = ask(workspace, "GET", f"{RUNS}/{made['id']}/view").json()
    assert (view["status"], view["progress"], view["partial"]) == ("pending", None, True)
    assert view["cost"] == {"usd": None, "unknown": 0}
    [leg] = view["legs"]
    assert [arm["mean"] for arm in leg["arms"]] == [None, None]
    assert leg["cases"][0]["cells"][0] == {
        "mean": None,
        "scored": 0,
        "failed": 0,
        "unscored": 0,
        "missing": 2,
        "flaky": False,
        "check_pass_rate": None,
        "gate_failed": 0,
    }
    for path in (RUNS, EVALS):
        assert_problem(ask(workspace, "GET", f"{path}/none/view"), 404, "not_found")
    for wrong in ({"page": 0}, {"page_size": 0}, {"page_size": 100_000}):
        path = f"{RUNS}/{made['id']}/view"
        assert_problem(ask(workspace, "GET", path, params=wrong), 422, "invalid_request")


def test_both_views_are_in_the_contract(workspace: Path) -> None:
    contract = ask(workspace, "GET", "/openapi.json").json()
    for path in (RUNS, EVALS):
        for end, name in (("view", "ExperimentView"), ("view/trial", "TrialView")):
            answer = contract["paths"][f"{path}/{{identity}}/{end}"]["get"]["responses"]["200"]
            reference = answer["content"]["application/json"]["schema"]["$ref"]
            assert reference == f"#/components/schemas/{name}"


def test_a_very_large_project_is_looked_at_page_by_page(workspace: Path) -> None:
    """Nothing that a page does not show is read for it; a ranking comes at the end."""
    fill(workspace)
    write_cases(
        add_baseline(workspace, "Many"), *(f"case_{number:04}" for number in range(1, 2001))
    )
    with app_on(workspace) as app:
        wish = Comparison(name="Huge", skills=("Writer", "Author"), baselines=("Many",), repeats=6)
        project = create_project(app, wish)
        views = Views(app)
        view = views.project(project.config.id, Cases(page=20, size=100))
        [leg] = view.legs
        sets, arms = leg.cases[0].set, leg.columns
        width, cases = len(arms), leg.total_cases
        rows = [
            Result(
                project=project.config.id,
                ordinal=((attempt - 1) * cases + case) * width + column,
                arm=arm,
                set=sets,
                case=f"case_{case + 1:04}",
                attempt=attempt,
                status="completed",
                grade_status="scored",
                score=0.5 if attempt < 6 else 1.0,
                trial=f"t{case}-{attempt}-{column}",
                generation=1,
                cost_usd=0,
            )
            for attempt in range(1, 7)
            for case in range(1890, 2000)
            for column, arm in enumerate(arms)
        ]
        app.store.results.put(rows)
        view = views.project(project.config.id, Cases(page=20, size=100))
        [leg] = view.legs
        assert [case.id for case in leg.cases] == [f"case_{n:04}" for n in range(1901, 2001)]
        whole = CellView(mean=58.333333, scored=6, failed=0, unscored=0, missing=0, flaky=True)
        assert all(cell == whole for case in leg.cases for cell in case.cells)
        assert [arm.mean for arm in leg.arms] == [None, None], "of so many only at the end"
        first = views.project(project.config.id, Cases(page=1, size=100)).legs[0]
        assert {cell.missing for case in first.cases for cell in case.cells} == {6}
