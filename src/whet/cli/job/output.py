"""What the commands of jobs share: the jobs of a workspace, what one came to, what to type next."""

import shlex
import sys
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.app import App, opened
from whet.app.jobs import told
from whet.app.jobs.office import Office
from whet.app.jobs.serving import is_served
from whet.app.library.library import Library, library
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call
from whet.cli.options import say
from whet.core.bilingual import Both, Words
from whet.core.foreign import obj
from whet.core.job import Interaction, Job
from whet.core.naming import short
from whet.core.text import printable

UNSUCCESSFUL = 1
INTERRUPTED = 130

JOB = "Its id, the unique beginning of that, or: latest."
Reference = Annotated[str, typer.Argument(help=JOB, metavar="ID")]
Out = Annotated[
    Path | None,
    typer.Option(help="A folder for the files, new or empty; made if it is not there."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Write into a folder that has files, and replace those.")
]


class OutcomeWords(Words):
    """What is said of how a job ended, and of what it waits for."""

    failed = Both("job {job} failed: {code}: {message}", "作业 {job} 失败：{code}：{message}")
    cancelled = Both("job {job} was cancelled", "作业 {job} 已取消")
    needs_upload = Both(
        "job {job} waits for files that a client of the HTTP API uploads",
        "作业 {job} 在等待文件，由 HTTP API 的客户端上传",
    )
    asks = Both("job {job} waits for an answer: {question}", "作业 {job} 在等待回答：{question}")
    reply = Both("answer with: {command}", "回答：{command}")
    served = Both(
        "A running whet serve does it. Wait for it with: {command}",
        "正在运行的 whet serve 会执行它。等待结果：{command}",
    )
    unserved = Both(
        "Nobody does it yet: start whet serve, or do it here with: {command}",
        "目前没有进程执行它：启动 whet serve，或在此执行：{command}",
    )


@contextmanager
def opened_jobs(settings: Settings) -> Generator[Office]:
    """The jobs of a workspace; its library is opened when somebody looks for a skill."""
    with ExitStack() as stack:
        app = stack.enter_context(opened(settings))

        @cache
        def skills() -> Library:
            return stack.enter_context(library(settings.workspace, "skill"))

        yield Office(app, skills)


def job_command(call: Call, verb: str, identity: str, more: str = "") -> str:
    """A command for a job or a batch to be typed next, by the beginning of its id."""
    return printable(call.command(f"job {verb} {short(identity)} {more}".rstrip()))


def document(job: Job, files: Mapping[str, str]) -> dict[str, JsonValue]:
    """The result with where the job is, what it waits for, and where its *files* were put."""
    result = obj(told.result(job).to_data()) if job.is_over else {}
    pending = told.pending_question(job.pending).model_dump(mode="json") if job.pending else None
    return {
        "request_id": job.request_id,
        "result": result.get("result"),
        "job": told.status(job).to_data(),
        **({"pending": pending} if pending else {}),
        **({"files": {**files}} if files else {}),
    }


def print_outcome(call: Call, job: Job, files: Mapping[str, str]) -> None:
    """The result document on stdout, with --json the same and more; nothing before the end,
    unless that is wanted for a program."""
    if call.json:
        print_json(document(job, files))
    elif job.is_over:
        print_json(told.result(job).to_data())
    sys.stdout.flush()


def end(call: Call, job: Job) -> None:
    """Say why there is no result, and end the command if there is none."""
    words, name = OutcomeWords(call.language), short(job.request_id)
    failure = job.result.failure if job.result else None
    match job.state:
        case "succeeded":
            return
        case "failed" if failure is not None:
            say(words.failed.format(job=name, code=failure.code, message=failure.message))
        case "waiting_user" if job.pending is not None:
            _print_waiting(call, job, job.pending)
        case "waiting_upload":
            say(words.needs_upload.format(job=name))
        case _:
            say(words.cancelled.format(job=name))
    raise typer.Exit(UNSUCCESSFUL)


def _print_waiting(call: Call, job: Job, asked: Interaction) -> None:
    """The question in a line, and how to answer it, on stderr."""
    choices = ", ".join(line(choice.value, 40) for choice in asked.options)
    question = line(asked.message or asked.prompt, 300) + (f" [{choices}]" if choices else "")
    said = OutcomeWords(call.language).asks
    say(said.format(job=short(job.request_id), question=question))
    typer.echo(how_to_reply(call, job, asked), err=True)


def how_to_reply(call: Call, job: Job, asked: Interaction) -> str:
    """The command that answers a question. Of what the agent says only the names of files are in
    it, as somebody may paste it into a shell."""
    slots = (f"--file {shlex.quote(line(slot.name))}=PATH" for slot in asked.files)
    what = " ".join(slots) or ("yes" if asked.kind == "confirm" else "VALUE")
    command = job_command(call, "reply", job.request_id, what)
    return OutcomeWords(call.language).reply.format(command=command)


def print_who_works(call: Call, app: App, identity: str) -> None:
    """Say who does a job or a batch now, or how to do it."""
    words = OutcomeWords(call.language)
    said = words.served if is_served(app) else words.unserved
    typer.echo(said.format(command=job_command(call, "wait", identity)))
