"""``whet trigger``: does an agent take the skill up when it should, and only then."""

from collections.abc import Sequence
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS
from whet.app.trigger_plan import TriggerPlan, TriggerRequest, estimate, plan, require_credentials
from whet.app.triggers import Improved, TriggerOutcome, Triggers, most_runs, only_leg, parts_of
from whet.app.triggers import apply as write_description
from whet.cli.asset_output import print_json
from whet.cli.command import GOES_ON, Call, when_stopped
from whet.cli.options import say
from whet.cli.progress import shown
from whet.cli.request_options import Spelling
from whet.cli.spending import LIMITS, Spending, confirm_cost
from whet.cli.termination import run_to_end
from whet.cli.trigger_table import print_improvement, print_results
from whet.core.bilingual import Both, Words


class TriggerWords(Words):
    """What is said beside the results."""

    below = Both(
        "{leg}: accuracy {accuracy:.2f} is below {limit:g}",
        "{leg}：准确率 {accuracy:.2f} 低于 {limit:g}",
    )
    unmeasured = Both(
        "{leg}: too little was measured to say that it is {limit:g} or more",
        "{leg}：测得的结果太少，不能说明达到 {limit:g}",
    )
    nothing = Both(
        "{leg}: nothing was measured: no run tells whether the skill was taken up",
        "{leg}：没有测得任何结果：没有一次运行能说明技能是否被采用",
    )
    not_applied = Both(
        "SKILL.md is unchanged; write it there with --apply.",
        "SKILL.md 没有改动；用 --apply 写入。",
    )
    applied = Both("Written into {path}.", "已写入 {path}。")


Request = Annotated[
    TriggerRequest,
    Spelling(
        {
            "beside": "--with",
            "engines": "--engine",
            "models": "--model",
            "timeout_seconds": "--timeout",
        },
        arguments={"skill": "SKILL_DIR"},
        without=("budget",),
    ),
]
FailUnder = Annotated[
    float | None,
    typer.Option(help="Exit 1 if fewer queries (0 to 1) come out right.", min=0, max=1),
]
Apply = Annotated[bool, typer.Option("--apply", help="Write the new description into SKILL.md.")]


@when_stopped(GOES_ON)
def run(call: Call, request: Request, spending: Spending, fail_under: FailUnder = None) -> None:
    """Put the queries to agents, and say what came of it."""
    request = request.model_copy(update={"budget": spending.budget()})
    with opened(call.settings) as app:
        made = plan(app, request)
        _agree(app, made, yes=spending.yes)
        outcomes = run_to_end(app, _measured(app, made))
    if call.json:
        print_json(_results(made, outcomes))
    else:
        print_results(Console(), outcomes, made.warnings, call.language)
    _gate(outcomes, fail_under, TriggerWords(call.language))


@when_stopped(GOES_ON)
def optimize(call: Call, request: Request, spending: Spending, apply: Apply = False) -> None:
    """Look for a better description, and write it into the skill if that is wanted."""
    words = TriggerWords(call.language)
    console = Console(stderr=call.json)
    request = request.model_copy(update={"budget": spending.budget()})
    with opened(call.settings) as app:
        made = plan(app, request)
        leg, parts = only_leg(made), parts_of(made)
        require_credentials(app, [leg])
        _agree(app, made, most=most_runs(made, parts), yes=spending.yes)

        async def work() -> Improved:
            async with shown(app.store.events, made.subject, leg.name):
                return await Triggers(app).improve(made, parts)

        improved = run_to_end(app, work())
    loop = improved.loop
    is_new = loop.final_description != loop.original_description
    if not call.json:
        print_improvement(console, improved, call.language)
    if apply and is_new:
        path = write_description(made, loop.final_description)
        console.print(words.applied.format(path=path), markup=False, highlight=False)
    elif is_new and not call.json:
        console.print(words.not_applied, highlight=False)
    if call.json:
        applied = apply and is_new
        print_json({"file": str(improved.file), "applied": applied, "loop": loop.to_data()})


async def _measured(app: App, made: TriggerPlan) -> list[TriggerOutcome]:
    async with shown(app.store.events, made.subject, ", ".join(leg.name for leg in made.legs)):
        return await Triggers(app).measure(made)


def _agree(app: App, made: TriggerPlan, *, most: int | None = None, yes: bool) -> None:
    """Ask about a large cost, and about one that is not on record; *most* are the runs of a search,
    which some trials tell nothing about."""
    cost = estimate(app, made, most)
    paid = ", ".join(leg.name for leg in made.legs if leg.is_paid)
    confirm_cost(
        cost,
        yes=yes,
        before=f"{paid}: {'' if most is None else 'up to '}",
        first=FIRST_TRIALS if most is None else "",
        hint=LIMITS,
    )


def _results(made: TriggerPlan, outcomes: Sequence[TriggerOutcome]) -> JsonValue:
    return {
        "skill_name": made.offer.name,
        "warnings": [*made.warnings],
        "results": [
            {
                "file": str(outcome.file),
                "trials": {
                    "total": outcome.extent.total,
                    "executed": outcome.extent.executed,
                    "reused": outcome.extent.total
                    - outcome.extent.missing
                    + outcome.extent.done_elsewhere,
                },
                "result": outcome.result.to_data(),
            }
            for outcome in outcomes
        ],
    }


def _gate(outcomes: Sequence[TriggerOutcome], limit: float | None, words: TriggerWords) -> None:
    """Exit 1 where no run of a leg tells anything, where it is below the limit, or where that
    cannot be known."""
    failures: list[str] = []
    for outcome in outcomes:
        found = outcome.result
        about = {"leg": f"{found.engine}:{found.model}", "limit": limit}
        if found.accuracy is None:
            failures.append(words.nothing.format(**about))
        elif limit is None:
            continue
        elif found.alarm or found.unknown:
            failures.append(words.unmeasured.format(**about))
        elif found.accuracy < limit:
            failures.append(words.below.format(**about, accuracy=found.accuracy))
    for failure in failures:
        say(failure)
    if failures:
        raise typer.Exit(1)
