"""A plan for machines, before anything is run."""

from pydantic import JsonValue

from whet.app.eval_estimate import FIRST_TRIALS, Estimate
from whet.app.eval_plan import EvalPlan


def plan_told(
    made: EvalPlan, expected: Estimate, first: str = FIRST_TRIALS
) -> dict[str, JsonValue]:
    """The plan as one JSON object; *first* is how people limit a run to some trials."""
    return {
        "eval_id": made.id,
        "skill_name": made.suite.document.skill_name,
        "evals": len(made.suite.cases),
        "configurations": [arm.id for arm in made.legs[0].design.arms],
        "runs_per_eval": made.legs[0].design.repeats,
        "judges": list(made.judge_names),
        "legs": [
            {
                "engine": leg.design.pin.engine,
                "model": leg.design.pin.model,
                "engine_version": leg.design.pin.engine_version,
                "sandbox": leg.design.pin.sandbox,
                "total": leg.extent.total,
                "run": leg.extent.missing,
                "regrade": leg.extent.ungraded,
                "reuse": leg.extent.reused,
            }
            for leg in made.legs
        ],
        "estimate": {
            "agent_runs": expected.runs,
            "judge_calls": expected.judge_calls,
            "cost_usd": expected.cost_usd,
            "rough_cost_usd": expected.rough_cost_usd,
            "advice": expected.advice(first),
            "paid": expected.is_paid,
        },
        "smallest_effects": [row.to_data() for row in made.power()],
        "warnings": list(made.warnings),
    }
