"""What ``whet trigger`` does once its imports are worth their time."""

import asyncio
import json
import sys
from collections.abc import Sequence

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import ASK_ABOVE_USD
from whet.app.settings import Settings
from whet.app.trigger_plan import TriggerPlan, estimate, plan
from whet.app.triggers import (
    Improved,
    TriggerOutcome,
    Triggers,
    apply,
    most_runs,
    only_leg,
    parts_of,
)
from whet.cli.options import say
from whet.cli.progress import shown
from whet.cli.spending import confirm
from whet.cli.trigger_options import Optimize, Run
from whet.cli.trigger_table import improvement, printed
from whet.cli.trigger_words import BY_LANGUAGE, TriggerWords


def measure(settings: Settings, options: Run) -> None:
    """Run the queries and say what came of them."""
    words = BY_LANGUAGE[settings.language]
    with opened(settings) as app:
        made = plan(app, options.request())
        _confirm_runs(app, made, yes=options.yes)
        outcomes = asyncio.run(_measured(app, made))
    if options.json:
        _print_json(_results(made, outcomes))
    else:
        printed(Console(), outcomes, made.warnings, words)
    if options.fail_under is not None:
        _gate(outcomes, options.fail_under, words)


async def _measured(app: App, made: TriggerPlan) -> list[TriggerOutcome]:
    outcomes: list[TriggerOutcome] = []
    for leg in made.legs:
        async with shown(app.store.events, made.subject, leg.name):
            outcomes.append(await Triggers(app).run(made, leg))
    return outcomes


def _confirm_runs(app: App, made: TriggerPlan, *, yes: bool) -> None:
    paid = [leg for leg in made.legs if leg.is_paid and leg.extent.missing]
    if not paid:
        return
    runs = sum(leg.extent.missing for leg in paid)
    costs = [estimate(app, leg, leg.extent.missing) for leg in paid]
    known = [cost for cost in costs if cost is not None]
    total = sum(known) if len(known) == len(costs) else None
    _agree(f"{runs} runs on {', '.join(leg.name for leg in paid)}", total, yes=yes)


def _agree(what: str, cost_usd: float | None, *, yes: bool) -> None:
    """Ask about a large cost, and about one that nobody knows."""
    if cost_usd is not None and cost_usd <= ASK_ABOVE_USD:
        return
    about = "of unknown cost" if cost_usd is None else f"about {cost_usd:.2f} USD"
    confirm(f"{what}, {about}", yes=yes)


def _results(made: TriggerPlan, outcomes: Sequence[TriggerOutcome]) -> JsonValue:
    return {
        "skill_name": made.offer.name,
        "warnings": [*made.warnings],
        "results": [
            {
                "file": str(outcome.file),
                "trials": {
                    "total": outcome.extent.total,
                    "executed": outcome.extent.missing,
                    "reused": outcome.extent.total - outcome.extent.missing,
                },
                "result": outcome.result.to_data(),
            }
            for outcome in outcomes
        ],
    }


def _gate(outcomes: Sequence[TriggerOutcome], limit: float, words: TriggerWords) -> None:
    """Exit 1 where a leg is below the limit, or where that cannot be known."""
    failures: list[str] = []
    for outcome in outcomes:
        found = outcome.result
        about = {"leg": f"{found.engine}:{found.model}", "limit": limit}
        if found.accuracy is None or found.alarm or found.unknown:
            failures.append(words.unmeasured.format(**about))
        elif found.accuracy < limit:
            failures.append(words.below.format(**about, accuracy=found.accuracy))
    for failure in failures:
        say(failure)
    if failures:
        raise typer.Exit(1)


def improve(settings: Settings, options: Optimize) -> None:
    """Look for a better description, and write it into the skill if that is wanted."""
    words = BY_LANGUAGE[settings.language]
    console = Console(stderr=options.json)
    with opened(settings) as app:
        made = plan(app, options.request())
        leg, parts = only_leg(made), parts_of(made)
        if leg.is_paid:
            runs = most_runs(made, parts)
            _agree(f"up to {runs} runs on {leg.name}", estimate(app, leg, runs), yes=options.yes)

        async def work() -> Improved:
            async with shown(app.store.events, made.subject, leg.name):
                return await Triggers(app).improve(made, parts)

        improved = asyncio.run(work())
    loop = improved.loop
    is_new = loop.final_description != loop.original_description
    if not options.json:
        improvement(console, improved, words)
    if options.apply and is_new:
        path = apply(made, loop.final_description)
        console.print(words.applied.format(path=path), markup=False, highlight=False)
    elif is_new and not options.json:
        console.print(words.not_applied, highlight=False)
    if options.json:
        applied = options.apply and is_new
        _print_json({"file": str(improved.file), "applied": applied, "loop": loop.to_data()})


def _print_json(value: JsonValue) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")
