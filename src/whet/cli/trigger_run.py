"""What ``whet trigger`` does once its imports are worth their time."""

import json
import sys
from collections.abc import Sequence

import typer
from pydantic import JsonValue
from rich.console import Console

from whet.app.app import App, opened
from whet.app.eval_estimate import FIRST_TRIALS
from whet.app.settings import Settings
from whet.app.trigger_plan import TriggerPlan, estimate, plan, require_credentials
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
from whet.cli.termination import run_to_end
from whet.cli.trigger_options import Optimize, Run
from whet.cli.trigger_table import improvement, printed
from whet.cli.trigger_words import TriggerWords


def measure(settings: Settings, options: Run) -> None:
    """Run the queries and say what came of them."""
    words = TriggerWords(settings.language)
    with opened(settings) as app:
        made = plan(app, options.request())
        _agree(app, made, yes=options.yes)
        outcomes = run_to_end(app, _measured(app, made))
    if options.json:
        _print_json(_results(made, outcomes))
    else:
        printed(Console(), outcomes, made.warnings, words)
    _gate(outcomes, options.fail_under, words)


async def _measured(app: App, made: TriggerPlan) -> list[TriggerOutcome]:
    async with shown(app.store.events, made.subject, ", ".join(leg.name for leg in made.legs)):
        return await Triggers(app).measure(made)


def _agree(app: App, made: TriggerPlan, *, most: int | None = None, yes: bool) -> None:
    """Ask about a large cost, and about one that is not on record; *most* are the runs of a search,
    which some trials tell nothing about."""
    cost = estimate(app, made, most)
    if cost.needs_consent:
        told = cost.in_words(FIRST_TRIALS if most is None else "")
        paid = ", ".join(leg.name for leg in made.legs if leg.is_paid)
        confirm(f"{paid}: {'' if most is None else 'up to '}{told}", yes=yes)


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


def improve(settings: Settings, options: Optimize) -> None:
    """Look for a better description, and write it into the skill if that is wanted."""
    words = TriggerWords(settings.language)
    console = Console(stderr=options.json)
    with opened(settings) as app:
        made = plan(app, options.request())
        leg, parts = only_leg(made), parts_of(made)
        require_credentials(app, [leg])
        _agree(app, made, most=most_runs(made, parts), yes=options.yes)

        async def work() -> Improved:
            async with shown(app.store.events, made.subject, leg.name):
                return await Triggers(app).improve(made, parts)

        improved = run_to_end(app, work())
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
