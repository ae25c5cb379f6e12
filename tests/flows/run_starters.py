"""Start a run of any kind in a process of its own: ``python -m tests.flows.run_starters``."""

import asyncio
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from tests.app.evaluating import planned, skill
from tests.app.jobs.offices import EXAMPLE, TEXT, wanted
from tests.app.measuring import sayings, write_set
from tests.app.opening import COMPARISON, app_on, fill
from tests.evaluate.suites import eval_, suite_of
from whet.app.app import App
from whet.app.capability.requests import EvaluationStart
from whet.app.capability.runs import Evaluations
from whet.app.evals import Evals
from whet.app.experiments import Experiments
from whet.app.jobs.create import AtHand, create
from whet.app.jobs.dispatch import carry_out
from whet.app.jobs.office import Office
from whet.app.library.assist import Assistant
from whet.app.library.assist_cases import Drafts
from whet.app.library.assist_tags import AutoTags
from whet.app.library.library import library
from whet.app.packages.packages import Packages
from whet.app.projects.create import create_project
from whet.app.races import race_plan, run_race
from whet.app.trigger_plan import TriggerRequest
from whet.app.trigger_plan import plan as trigger_plan
from whet.app.triggers import Triggers
from whet.core.errors import Draining, Halted
from whet.curate.draft import About

SLOW: dict[str, JsonValue] = {"simulate": {"latency_ms": 150}}
Work = Coroutine[Any, Any, object]


def prepare(workspace: Path) -> None:
    """A workspace that has what a run of each kind needs; the rest lies beside it."""
    fill(workspace)
    write_set(workspace, sayings(16))
    folder = skill(workspace.parent, suite_of(*(eval_(number) for number in range(1, 9))))
    asked = "sharpen my knife number {}", "what is the weather in city {}"
    queries = [
        {"query": text.format(number), "should_trigger": text is asked[0]}
        for number in range(10)
        for text in asked
    ]
    (folder / "evals" / "triggers.json").write_text(str(queries).replace("'", '"').lower())
    rival = workspace.parent / "rival"
    rival.mkdir()
    text = (folder / "SKILL.md").read_text()
    (rival / "SKILL.md").write_text(text + "\nBe careful, and say what you do.\n")
    (workspace.parent / "rivers.txt").write_text(TEXT)
    with app_on(workspace) as app, library(workspace, "skill") as skills:
        Packages(skills, app.parts.engines()).install(EXAMPLE)


def project(app: App, _folder: Path) -> Work:
    made = create_project(app, COMPARISON.model_copy(update={"repeats": 4, "options": {**SLOW}}))
    return Experiments(app, width=2).run(made)


def suite(app: App, folder: Path) -> Work:
    return Evals(app).run(planned(app, folder / "knives", runs=1, options={**SLOW}, width=2))


def capability(app: App, _folder: Path) -> Work:
    runs = Evaluations(app)
    overrides: dict[str, JsonValue] = {"options": {**SLOW}, "concurrency": 2}
    wish = EvaluationStart(
        case_set="mini", language="en-US", model_name="simulated", config_overrides=overrides
    )
    return runs.run(runs.start(runs.plan(wish)).run_id)


def trigger(app: App, folder: Path) -> Work:
    request = TriggerRequest(skill=folder / "knives", engines=("simulated",), runs=2)
    return Triggers(app, width=1).measure(trigger_plan(app, request))


def race(app: App, folder: Path) -> Work:
    request = planned(app, folder / "knives", options={**SLOW}, width=4).request
    return run_race(app, race_plan(app, request, [str(folder / "rival")]))


def job(app: App, folder: Path) -> Work:
    options: dict[str, JsonValue] = {"no_cache": True, "engine_options": {**SLOW}}
    asked = wanted(runtime_options={**options, "engine_options": {"simulate": {"latency_ms": 900}}})
    office = Office(app, lambda: library(app.settings.workspace, "skill").__enter__())
    made = create(office, asked, None, AtHand({"document": folder / "rivers.txt"}))
    return carry_out(office, made.request_id)


def auto_tag(app: App, _folder: Path) -> Work:
    assistant = Assistant(app, library(app.settings.workspace, "skill").__enter__())
    tagging = AutoTags(assistant)
    return tagging.run(tagging.batch(["Writer", "Author"], assistant.how("simulated")))


def generation(app: App, _folder: Path) -> Work:
    assistant = Assistant(app, library(app.settings.workspace, "baseline").__enter__())
    about = About("Sums", "coding", "anthropic", "Sums of numbers.")
    drafts = Drafts(assistant)
    return drafts.run(drafts.order(about, "Sums.", 3, assistant.how("simulated")))


KINDS = {
    "project": project,
    "eval": suite,
    "capability": capability,
    "trigger": trigger,
    "race": race,
    "job": job,
    "auto_tag": auto_tag,
    "generation": generation,
}


def main(kind: str, workspace: Path) -> None:
    """Carry a new run of that kind out."""
    with app_on(workspace) as app:
        try:
            asyncio.run(KINDS[kind](app, workspace.parent))  # type: ignore[arg-type]
        except (Halted, Draining):
            sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
