"""``whet capability run``, ``resume``, ``cancel`` and ``delete``."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.app import App, opened
from whet.app.capability.find import find
from whet.app.capability.plan import RunPlan
from whet.app.capability.requests import EvaluationStart, Overrides
from whet.app.capability.runs import Evaluations
from whet.app.capability.sets import case_sets, load, no_set_or_file
from whet.app.eval_estimate import Estimate
from whet.cli.asset_output import line, print_json
from whet.cli.capability_compare import SeveralRuns, print_stability
from whet.cli.capability_list import run_status
from whet.cli.capability_show import OneRun, next_command, print_run
from whet.cli.command import Call, when_stopped
from whet.cli.options import MaxCost, MaxMinutes, MaxTokens, fail, named_values, say
from whet.cli.progress import shown_run
from whet.cli.request_options import Spelling
from whet.cli.spending import confirm_cost
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import UsageError, WhetError
from whet.core.naming import short
from whet.documents.base import Number
from whet.documents.capability import DIMENSIONS, CapabilityCaseSet, Dimension, EvaluationRun

INTERRUPTED = 130
MOST_TOOLS = 10


class CapabilityRunWords(Words):
    """What is said of running, resuming, cancelling and deleting; names in braces are filled in."""

    plan = Both(
        CountedText("{cases:case|cases} of {case_set} in {language} on {model}"),
        "{case_set} 的 {cases} 个用例（{language}），引擎 {model}",
    )
    skips = Both(
        "{count} of them will be skipped, for want of: {tools}",
        "其中 {count} 个将跳过，因为缺少：{tools}",
    )
    resume = Both("go on with: {command}", "继续：{command}")
    stopped = Both("stopped", "已停止")
    cancelled = Both(
        "run {run} was cancelled; what it has is kept: {command}",
        "运行 {run} 已取消，已有结果保留：{command}",
    )
    ended = Both("{run}: {status}", "{run}：{status}")
    on_its_way = Both(
        "{run} has not ended yet; it does as soon as it can.", "{run} 尚未结束，会尽快结束。"
    )
    below = Both("the total of {total} is below {least}", "总分 {total} 低于 {least}")
    unmeasured = Both(
        "nothing was measured, and --fail-under wants {least}",
        "没有任何测量结果，而 --fail-under 要求 {least}",
    )
    errors = Both("cases that ended in an error: {count}", "出错的用例：{count}")
    deleted = Both("deleted: {run}", "已删除：{run}")
    more = Both("more  ", "详情")
    report = Both("report", "报告")


Request = Annotated[
    EvaluationStart,
    Spelling(
        {"dimensions": "--dimension", "tool_names": "--tool"},
        arguments={"case_set": "SET"},
        help={
            "case_set": "A case set by its name, or a file with cases. Default: the bundled one.",
            "language": "Of the cases: en-US, zh-CN, … Default: as the program speaks.",
            "dimensions": "Only cases of this; may be repeated.",
            "tool_names": "The agent gets only this tool; may be repeated.",
        },
        without=("user_id", "model_name", "config_overrides", "weights", "stream", "confirmed"),
    ),
]
Settings = Annotated[
    Overrides,
    Spelling(
        {"timeout_s": "--timeout", "skills": "--skill", "options": "--option"},
        help={
            "timeout_s": "Seconds for cases that do not say so. Default: 120.",
            "concurrency": "Cases at once.",
            "retries": "Times to try again what the machinery failed, not the agent.",
            "skills": "A skill of the library that it gets; may be repeated.",
            "options": "An option of the engine as NAME=VALUE, VALUE as JSON; repeatable.",
        },
        without=("weights", "mcp_servers", "budget"),
    ),
]
FailUnder = Annotated[
    float | None,
    typer.Option(help="Exit 1 if the total is below this (0 to 100).", min=0, max=100),
]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What only the command line says of a run, or says otherwise than its request."""

    engine: Annotated[
        str | None, typer.Option(help="The agent that is measured. Default: as configured.")
    ] = None
    model: Annotated[
        str | None, typer.Option(help="Its model. Default: as configured, else its own.")
    ] = None
    weight: Annotated[
        list[str] | None,
        typer.Option(
            help="Of a dimension in the total, as logic=40; may be repeated.",
            metavar="DIMENSION=NUMBER",
        ),
    ] = None
    mcp_server: Annotated[
        list[str] | None,
        typer.Option(
            help="An MCP server that it gets, as NAME=JSON; may be repeated.", metavar="NAME=JSON"
        ),
    ] = None
    user: Annotated[str | None, typer.Option(help="A label to find the run by.")] = None
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_trials: Annotated[int | None, typer.Option(help="Stop after this many cases.", min=0)] = (
        None
    )
    max_minutes: MaxMinutes = None
    repeat: Annotated[
        int,
        typer.Option(help="Run it so often, one after the other, and say how stable it is.", min=1),
    ] = 1
    fail_under: FailUnder = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be run and what it may cost.")
    ] = False
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False

    @property
    def model_name(self) -> str | None:
        """An engine, a model, or ``engine:model``."""
        return ":".join(filter(None, (self.engine, self.model))) or None

    def complete(self, request: EvaluationStart, overrides: Overrides) -> EvaluationStart:
        """The request with everything that was said; raises ``UsageError``."""
        budget = {
            "max_cost_usd": self.max_cost,
            "max_tokens": self.max_tokens,
            "max_trials": self.max_trials,
            "max_seconds": None if self.max_minutes is None else self.max_minutes * 60,
        }
        servers = named_values(self.mcp_server or ())
        known = {**overrides.model_dump(exclude_unset=True), "skills": [*overrides.skills]}
        return request.model_copy(
            update={
                "user_id": self.user,
                "model_name": self.model_name,
                "weights": _weights(self.weight or ()),
                "config_overrides": {**known, "budget": budget, "mcp_servers": servers},
            }
        )


def run(call: Call, request: Request, overrides: Settings, options: RunOptions) -> None:
    """Run a set to its end, as often as that is wanted."""
    with opened(call.settings) as app:
        if options.engine is not None:
            app.parts.engine(options.engine)  # whoever misspells it hears which there are
        evaluations, whole = Evaluations(app), options.complete(request, overrides)
        given = _from_file(call.settings.workspace, request.case_set)
        plan = evaluations.plan(whole, given)
        cost = _times(plan.estimate, options.repeat)
        if options.dry_run:
            _print_plan(call, app, plan, cost, options.repeat)
            return
        confirm_cost(cost, yes=options.yes)
        done: list[EvaluationRun] = []
        for number in range(options.repeat):
            plan = plan if number == 0 else evaluations.plan(whole, given)
            run_id = evaluations.start(plan, confirmed=True).run_id
            title = f"{plan.model_name}, {plan.case_set}"
            if options.repeat > 1:
                title += f" {number + 1}/{options.repeat}"
            done.append(_carry_out(call, app, run_id, title))
        _show(call, app, done)
    _gate(call, done, options.fail_under)


def resume(call: Call, run: OneRun, fail_under: FailUnder = None) -> None:
    """Go on with a run to its end."""
    with opened(call.settings) as app:
        run_id = find(app, run)
        taken = Evaluations(app).take_up(run_id)
        done = [_carry_out(call, app, run_id, f"{taken.model_name}, {taken.case_set}")]
        _show(call, app, done)
    _gate(call, done, fail_under)


@when_stopped("no longer waiting; it ends as soon as it can")
def cancel(call: Call, run: OneRun) -> None:
    """End a run, and say how it is then."""
    words = CapabilityRunWords(call.language)
    with opened(call.settings) as app:
        ended = asyncio.run(Evaluations(app).cancel(find(app, run)))
    if call.json:
        print_json(ended.to_data())
    elif ended.status == "running":
        typer.echo(words.on_its_way.format(run=ended.run_id))
    else:
        status = run_status(ended, call.language)
        typer.echo(words.ended.format(run=ended.run_id, status=status))
        typer.echo(f"{words.more}  {next_command(call, 'show', ended.run_id)}")


def delete(call: Call, runs: SeveralRuns) -> None:
    """Remove runs; all of them are looked up before any is removed."""
    words = CapabilityRunWords(call.language)
    with opened(call.settings) as app:
        ids = list(dict.fromkeys(find(app, one) for one in runs))
        for run_id in ids:
            Evaluations(app).delete(run_id)
            if not call.json:
                typer.echo(words.deleted.format(run=line(run_id)))
    if call.json:
        print_json({"deleted": [*ids]})


def _from_file(workspace: Path, name: str | None) -> CapabilityCaseSet | None:
    """The set in a file, where a file is named and no set of the workspace is called so."""
    if name is None or any(one.name == name for one in case_sets(workspace)):
        return None
    if Path(name).is_file():
        return load(Path(name))
    raise no_set_or_file(workspace, name)


def _weights(given: Sequence[str]) -> dict[Dimension, Number] | None:
    """The weights that are given; None where none is."""
    if wrong := [each for each in given if "=" not in each]:
        raise UsageError(f"--weight {wrong[0]}: write DIMENSION=NUMBER, as logic=40")
    weights: dict[Dimension, Number] = {}
    known: dict[str, Dimension] = {name: name for name in DIMENSIONS}
    for name, value in named_values(given).items():
        if name not in known:
            raise UsageError(f"--weight {name}: no such dimension; known: {', '.join(known)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
            raise UsageError(f"--weight {name}: must be a number, and not below 0")
        weights[known[name]] = value
    return weights or None


def _times(cost: Estimate, count: int) -> Estimate:
    usd = None if cost.cost_usd is None else cost.cost_usd * count
    rough = None if cost.rough_cost_usd is None else cost.rough_cost_usd * count
    return replace(cost, runs=cost.runs * count, cost_usd=usd, rough_cost_usd=rough)


def _print_plan(call: Call, app: App, plan: RunPlan, cost: Estimate, repeats: int) -> None:
    """Print what a run would do, and what all repeats may cost."""
    lacking = {each.core.id: each.missing for each in plan.chosen if each.missing}
    if call.json:
        pin = plan.snapshot.pin
        planned = plan.told(simulated=app.parts.engine(pin.engine).simulated)
        more: dict[str, JsonValue] = {
            "case_set_digest": plan.digest,
            "engine_version": pin.engine_version,
            "selected_cases": [each.core.id for each in plan.chosen],
            "skipped_cases": {case: [*tools] for case, tools in lacking.items()},
            "repeats": repeats,
            "estimate": str(cost),
            "cost_usd": cost.cost_usd,
            "rough_cost_usd": cost.rough_cost_usd,
        }
        print_json({**planned.model_dump(mode="json"), **more})
        return
    words = CapabilityRunWords(call.language)
    said = words.plan.format(
        cases=len(plan.chosen),
        case_set=line(plan.case_set, 80),
        language=plan.language,
        model=line(plan.model_name, 80),
    )
    typer.echo(line(f"{said}; {cost}" if cost.is_paid else said))
    if lacking:
        tools = sorted({tool for names in lacking.values() for tool in names})
        shown = [*tools[:MOST_TOOLS], *(["…"] if len(tools) > MOST_TOOLS else [])]
        typer.echo(line(words.skips.format(count=len(lacking), tools=", ".join(shown))))


def _carry_out(call: Call, app: App, run_id: str, title: str) -> EvaluationRun:
    """Do a run of this process. It can be resumed whatever happens, and we say how."""
    words = CapabilityRunWords(call.language)
    again = words.resume.format(command=next_command(call, "resume", run_id))

    async def work() -> EvaluationRun:
        begun = asyncio.Event()
        async with shown_run(app, run_id, line(title, 60), begun, "cases"):
            return await Evaluations(app).run(run_id, begun.set)

    try:
        ended = run_to_end(app, work())
    except WhetError as error:
        fail(f"{error}; {again}", error.exit_code)
        raise
    except KeyboardInterrupt:
        fail(f"{words.stopped}; {again}", INTERRUPTED)
        raise
    if ended.status == "cancelled":
        command = next_command(call, "show", run_id)
        fail(words.cancelled.format(run=short(run_id), command=command), 1)
    return ended


def _show(call: Call, app: App, done: Sequence[EvaluationRun]) -> None:
    details = [Evaluations(app).get(run.run_id) for run in done]
    if len(details) > 1:
        print_stability(call, details)
        return
    [detail] = details
    if call.json:
        print_json(detail.to_data())
        return
    words, run_id = CapabilityRunWords(call.language), detail.run.run_id
    print_run(detail, call.language)
    typer.echo(f"\n{words.more}  {next_command(call, 'show', run_id)}")
    typer.echo(f"{words.report}  {next_command(call, 'export', run_id)}")


def _gate(call: Call, done: Sequence[EvaluationRun], least: float | None) -> None:
    """Exit code 1 where a run has no answer to some cases, or too few points."""
    words = CapabilityRunWords(call.language)
    errors = sum((run.counts or {}).get("error", 0) for run in done)
    if errors:
        say(words.errors.format(count=errors))
    totals = [run.total_score for run in done]
    if least is not None and any(total is None for total in totals):
        fail(words.unmeasured.format(least=f"{least:g}"), 1)
    lowest = min((float(total) for total in totals if total is not None), default=None)
    if least is not None and lowest is not None and lowest < least:
        fail(words.below.format(total=f"{lowest:.1f}", least=f"{least:g}"), 1)
    if errors:
        raise typer.Exit(1)
