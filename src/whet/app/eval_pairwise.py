"""Outputs of both sides held against each other, blind."""

import asyncio

from pydantic import JsonValue

from whet.app.app import App
from whet.app.eval_leg import LegRun
from whet.app.eval_plan import EvalPlan
from whet.documents.eval_statistics import PairwiseSummary
from whet.evaluate.pairwise import AT_ONCE, Pair, PairVerdict, compare_runs, pairs_of, summary
from whet.evaluate.suite_runs import eval_folder, write_text
from whet.ports.comparing import Comparing


async def side_by_side(app: App, plan: EvalPlan, leg: LegRun) -> PairwiseSummary | None:
    """Let the first judge that can compare every pair of runs; None if no judge can."""
    judge = next((each for each in plan.grader.judges if isinstance(each, Comparing)), None)
    if judge is None:
        return None
    pairs = pairs_of(leg.rows, "with_skill", plan.request.other, app.store.blobs)
    room = asyncio.Semaphore(AT_ONCE)

    async def one(pair: Pair) -> PairVerdict:
        async with room:
            [verdict] = await compare_runs(judge, [pair])
        _write(plan, leg, verdict)
        for preference in (verdict.first, verdict.second):
            leg.compared.update(preference.asked if preference else ())
        news: dict[str, JsonValue] = {"case": pair.case, "status": verdict.outcome}
        await app.writer(lambda: app.store.events.append("trial.settled", plan.id, news))
        return verdict

    start: dict[str, JsonValue] = {"total": len(pairs), "reused": 0}
    await app.writer(lambda: app.store.events.append("eval.comparing", plan.id, start))
    return summary(await asyncio.gather(*map(one, pairs)))


def _write(plan: EvalPlan, leg: LegRun, verdict: PairVerdict) -> None:
    found = verdict.comparison
    if found is not None:
        folder = leg.iteration.folder / eval_folder(plan.suite.evals[verdict.pair.case])
        write_text(folder / f"comparison-run-{verdict.pair.run}.json", found.to_json())
