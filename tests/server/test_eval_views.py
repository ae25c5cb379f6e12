"""Runs of suites as a page shows them: every number is one that the benchmarks have."""

import asyncio
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from tests.app.evaluating import skill, small, writes_python
from tests.app.recording import hand
from tests.evaluate.suites import eval_
from tests.run.agents import now
from tests.server.calling import assert_problem, calling
from tests.server.test_evals import settled as eval_settled
from tests.server.test_evals import started as eval_started
from tests.server.test_evals import with_engine
from tests.server.views import EVALS, seen
from whet.core.step import Ended, Step
from whet.core.trial import TrialSpec
from whet.core.usage import Usage
from whet.ports.workdir import Workdir


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path / "workspace"


def assert_leg(leg: dict[str, Any], benchmark: dict[str, Any]) -> None:
    """The leg says what the benchmark says."""
    about = benchmark["metadata"]
    assert leg["engine"]["engine"] == about["engine"]
    assert leg["engine"]["version"] == about["engine_version"]
    assert (leg["scale"], leg["attempts"]) == (1, about["runs_per_configuration"])
    for arm in leg["arms"]:
        summary = benchmark["run_summary"][arm["id"]]
        assert arm["mean"] == summary["overall_efficiency"]["mean"]
        assert arm["deviation"] == summary["overall_efficiency"]["stddev"]
        dimensions = {k: v["mean"] for k, v in summary.get("rubric_dimensions", {}).items()}
        assert arm["dimensions"] == dimensions
        measured = {one["name"]: one["by_arm"][arm["id"]] for one in leg["measures"]}
        for name in ("time_seconds", "tokens", "overall_efficiency"):
            assert measured[name]["mean"] == summary[name]["mean"]
    by_eval = {str(one["eval_id"]): one for one in benchmark["statistics"]["by_eval"]}
    for case in leg["cases"]:
        assert case["delta"] == by_eval[case["id"]]["delta"]
        for arm, cell in zip(leg["columns"], case["cells"], strict=True):
            runs = [
                run["result"]
                for run in benchmark["runs"]
                if (str(run["eval_id"]), run["configuration"]) == (case["id"], arm)
            ]
            scores = [run["overall_efficiency"] for run in runs]
            assert cell["mean"] == pytest.approx(sum(scores) / len(scores))
            assert (cell["scored"], cell["missing"]) == (len(runs), 0)
    assert leg["statistics"] == benchmark["statistics"]


def test_an_eval_in_the_numbers_of_its_benchmarks(workspace: Path, tmp_path: Path) -> None:
    knives = skill(tmp_path)

    async def story() -> None:
        async with calling(workspace) as (client, _):
            state = await eval_started(client, knives, engines=["simulated"])
            detail = await eval_settled(client, state["id"])
            view = await seen(client, f"{EVALS}/{state['id']}")
            assert (view["kind"], view["name"], view["status"]) == ("eval", "knives", "completed")
            assert (view["partial"], view["simulated"]) == (False, True)
            assert (view["progress"]["total"], view["progress"]["settled"]) == (8, 8)
            [leg], [benchmark] = view["legs"], detail["benchmarks"]
            assert_leg(leg, benchmark)
            [card] = leg["verdicts"]
            verdict = benchmark["verdict"]
            for name in ("label", "delta", "interval", "n_cases", "n_runs", "trials", "cost_usd"):
                assert card[name] == verdict.get(name), name
            assert card["smallest_effect"] == verdict.get("smallest_detectable_effect")
            assert card["words"].keys() == {"en", "zh"}
            run = benchmark["runs"][0]
            place = {"arm": run["configuration"], "case": str(run["eval_id"])}
            answer = await client.get(f"{EVALS}/{state['id']}/view/trial", params=place)
            assert answer.status_code == 200, answer.text
            trial = answer.json()
            assert trial["score"] == run["result"]["overall_efficiency"]
            assert trial["cost_usd"] == run["result"]["cost_usd"]
            checks = [(one["text"], one["outcome"] != "failed") for one in trial["checks"]]
            assert checks == [(one["text"], one["passed"]) for one in run["expectations"]]
            assert [one["evidence"]["text"] for one in trial["checks"]] == [
                one["evidence"] for one in run["expectations"]
            ]
            assert trial["gate_passed"] == run["result"]["gate_passed"]
            assert trial["calls_total"] == run["result"]["tool_calls"] == len(trial["calls"])
            for wrong in ({"leg": 1}, {"attempt": 9}, {"case": "../../x"}):
                missing = await client.get(
                    f"{EVALS}/{state['id']}/view/trial", params={**place, **wrong}
                )
                assert_problem(missing, 404, "not_found")

    asyncio.run(story())


def test_an_eval_with_two_legs_is_one_family(workspace: Path, tmp_path: Path) -> None:
    knives = skill(tmp_path, small(eval_(1), eval_(2), eval_(3)))

    async def story() -> None:
        async with with_engine(workspace, hand(writes_python)) as (client, _):
            wish = {"engines": ["simulated", "hand"], "judges": ["simulated"], "confirmed": True}
            state = await eval_started(client, knives, **wish)
            detail = await eval_settled(client, state["id"])
            view = await seen(client, f"{EVALS}/{state['id']}")
            assert view["progress"]["total"] == view["progress"]["settled"] == 24
            for leg, benchmark in zip(view["legs"], detail["benchmarks"], strict=True):
                assert_leg(leg, benchmark)
            folder = workspace / "evals" / "knives" / "overview.json"
            overview = json.loads(folder.read_text())
            for leg, told in zip(view["legs"], overview["legs"], strict=True):
                assert leg["verdicts"][0]["label"] == told["label"]
                assert leg["verdicts"][0]["p_value"] == told.get("p_value_adjusted")
            prices = [
                run["result"]["cost_usd"] for one in detail["benchmarks"] for run in one["runs"]
            ]
            known = [price for price in prices if price is not None]
            assert view["cost"] == {"usd": pytest.approx(sum(known)), "unknown": 24 - len(known)}
            place = {"arm": "with_skill", "case": "2", "leg": 1, "attempt": 2}
            answer = await client.get(f"{EVALS}/{state['id']}/view/trial", params=place)
            trial = answer.json()
            assert (trial["leg"], trial["engine"], trial["attempt"]) == (1, "hand", 2)
            [file] = trial["files"]
            assert (file["path"], file["content"]["text"]) == ("answer.py", '"""2"""\n')

    asyncio.run(story())


@pytest.mark.slow
def test_an_eval_while_it_runs(workspace: Path, tmp_path: Path) -> None:
    knives = skill(tmp_path)
    slow = {"runs": 20, "options": {"simulate": {"latency_ms": 400}}}

    async def story() -> None:
        async with calling(workspace) as (client, _):
            state = await eval_started(client, knives, **slow)
            looks: list[dict[str, Any]] = []
            async with asyncio.timeout(120):
                while not looks or looks[-1]["status"] == "running":
                    looks.append(await seen(client, f"{EVALS}/{state['id']}"))
                    await asyncio.sleep(0.05)
            assert len(looks[0]["legs"][0]["cases"]) == 2, "the suite is there before any answer"
            done = [look["progress"]["settled"] for look in looks]
            assert done == sorted(done)
            assert len(set(done)) > 3
            under_way = [look for look in looks if look["status"] == "running"]
            assert all(look["partial"] and not look["legs"][0]["verdicts"] for look in under_way)
            assert looks[-1]["legs"][0]["verdicts"]

    asyncio.run(story())


HOSTILE = "<script>alert(1)</script> **x** \x1b[31mred\x1b[0m \u202eevil\u202c"


async def writes_too_much(_spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    """Text that steers terminals and readers, and more of it than anybody reads."""
    for number in range(30):
        (workdir.work / f"{number:02}.txt").write_text(HOSTILE + "y" * 200_000)
    (workdir.work / "answer.py").write_bytes(b"\0\1\2")
    await asyncio.sleep(0)
    yield Ended(now(), HOSTILE + "x" * 200_000, Usage(input_tokens=1))


def test_hostile_texts_are_tamed_and_cut(workspace: Path, tmp_path: Path) -> None:
    knives = skill(tmp_path, small(eval_("../<b>", name=HOSTILE)))

    async def story() -> None:
        async with with_engine(workspace, hand(writes_too_much)) as (client, _):
            wish = {"engines": ["hand"], "judges": ["simulated"], "runs": 1, "confirmed": True}
            state = await eval_started(client, knives, **wish)
            await eval_settled(client, state["id"])
            view = await seen(client, f"{EVALS}/{state['id']}")
            assert view["cost"] == {"usd": None, "unknown": 2}, "unknown is not free"
            [case] = view["legs"][0]["cases"]
            assert "\x1b" not in case["name"]
            assert "\u202e" not in case["name"]
            assert "<script>" in case["name"], "it is text, and stays text"
            place = {"arm": "with_skill", "case": case["id"]}
            trial = (await client.get(f"{EVALS}/{state['id']}/view/trial", params=place)).json()
            answer = trial["answer"]
            assert (len(answer["text"]), answer["length"]) == (20_000, len(HOSTILE) + 200_000)
            assert "\x1b" not in answer["text"]
            assert len(trial["files"]) == 20
            assert trial["files_left_out"] == 11
            file = trial["files"][0]
            assert len(file["content"]["text"]) == 20_000 < file["content"]["length"]
            assert len(json.dumps(trial)) < 1_000_000
            report = await client.get(f"{EVALS}/{state['id']}/report")
            assert report.status_code == 200
            assert "<script>alert" not in report.text

    asyncio.run(story())
