"""``whet job status`` and ``whet job result``."""

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.jobs import told
from whet.app.jobs.office import Office
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call
from whet.cli.job.output import Reference, document, how_to_reply, job_command, opened_jobs
from whet.cli.job.question import print_question
from whet.cli.job.states import StateWords, engine_name, is_abandoned, state_text
from whet.core.bilingual import Both
from whet.core.job import Job
from whet.exporters.amounts import amount


class StatusWords(StateWords):
    """What is said of one job."""

    fields = Both(
        {
            "job": "job",
            "skill": "skill",
            "engine": "engine",
            "status": "status",
            "mode": "mode",
            "created": "asked for",
            "started": "started",
            "ended": "ended",
            "took": "worked",
            "turns": "turns",
            "cost": "cost",
            "cached": "done before",
            "simulated": "simulated",
            "session": "session",
            "batch": "batch",
            "folder": "folder",
            "error": "error",
            "warning": "mind",
        },
        {
            "job": "作业",
            "skill": "技能",
            "engine": "引擎",
            "status": "状态",
            "mode": "模式",
            "created": "提交",
            "started": "开始",
            "ended": "结束",
            "took": "用时",
            "turns": "轮次",
            "cost": "费用",
            "cached": "取自先前作业",
            "simulated": "模拟",
            "session": "会话",
            "batch": "批次",
            "folder": "目录",
            "error": "错误",
            "warning": "注意",
        },
    )
    next = Both("next  {command}", "下一步  {command}")
    yes = Both("yes", "是")


def status(call: Call, job: Reference) -> None:
    """Print where a job is."""
    words = StatusWords(call.language)
    with opened_jobs(call.settings) as office:
        found = office.find(job)
        if call.json:
            print_json(told.status(found).to_data())
            return
        console = Console(highlight=False)
        console.print(_grid(_fields(office, found, words), words))
        is_waiting = found.state == "queued" or is_abandoned(office.app, found)
    if found.pending is not None and found.state == "waiting_user":
        print_question(console, found.pending, call.language)
        typer.echo(how_to_reply(call, found, found.pending))
    elif is_waiting or found.is_over:
        verb = "wait" if is_waiting else "result"
        typer.echo(words.next.format(command=job_command(call, verb, found.request_id)))


def result(call: Call, job: Reference) -> None:
    """Print what a job came to; raises ``WrongStatus`` before its end."""
    with opened_jobs(call.settings) as office:
        found = office.find(job)
        plain = told.result(found).to_data()
        folder = office.places.run(found.run_id)
    artifacts = found.result.artifacts if found.result else ()
    files = {each.path: str(folder / each.path) for each in artifacts}
    print_json(document(found, files) if call.json else plain)


def _fields(office: Office, job: Job, words: StatusWords) -> dict[str, str | Text]:
    skill, failure = job.skill, job.result.failure if job.result else None
    versions = [skill.version, skill.package_version] if skill else []
    warnings = [each.message for each in job.result.notices] if job.result else []
    return {
        "job": job.request_id,
        "skill": " ".join([job.skill_id, *(each for each in versions if each)]),
        "engine": f"{engine_name(job)} {job.engine_version}",
        "status": state_text(office.app, job, words),
        "mode": job.mode,
        "created": job.created_at,
        "started": job.started_at or "",
        "ended": job.ended_at or "",
        "took": amount(job.worked_seconds, "seconds") if job.worked_seconds else "",
        "turns": str(len(job.rounds) or ""),
        "cost": amount(job.usage.cost_usd, "usd") if job.usage.cost_usd else "",
        "cached": words.yes if job.cache_hit else "",
        "simulated": words.yes if job.simulated else "",
        "session": job.session or "",
        "batch": job.batch or "",
        "folder": str(office.places.run(job.run_id)) if job.is_over else "",
        "error": f"{failure.code}: {failure.message}" if failure else "",
        "warning": "; ".join(warnings),
    }


def _grid(fields: dict[str, str | Text], words: StatusWords) -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in fields.items():
        if value:
            text = value if isinstance(value, Text) else Text(line(value, 2000))
            grid.add_row(words.fields[name], text)
    return grid
