"""What a job came to: on stdout for programs, on stderr for people, and as an exit code."""

import shlex
import sys
from collections.abc import Mapping
from pathlib import Path

import typer
from pydantic import JsonValue

from whet.app.jobs import told
from whet.app.jobs.office import Office
from whet.cli.asset_output import line, print_json
from whet.cli.job.desk import hint
from whet.cli.job.words import JobWords
from whet.cli.options import say
from whet.core.job import Interaction, Job
from whet.core.naming import short

UNSUCCESSFUL = 1


def document(job: Job, files: Mapping[str, str]) -> dict[str, JsonValue]:
    """The result with where the job is, what it waits for, and where its *files* were put."""
    result = told.result(job).to_data() if job.is_over else {"request_id": job.request_id}
    assert isinstance(result, dict), "a document is an object"
    pending = told.pending_question(job.pending).model_dump(mode="json") if job.pending else None
    return {
        "request_id": job.request_id,
        "result": result.get("result"),
        "job": told.status(job).to_data(),
        **({"pending": pending} if pending else {}),
        **({"files": {**files}} if files else {}),
    }


def print_outcome(job: Job, files: Mapping[str, str], *, as_json: bool) -> None:
    """The result document on stdout, with --json the same and more; nothing before the end,
    unless that is wanted for a program."""
    if as_json:
        print_json(document(job, files))
    elif job.is_over:
        print_json(told.result(job).to_data())
    sys.stdout.flush()


def end(office: Office, job: Job, workspace: Path | None) -> None:
    """Say why there is no result, and end the command if there is none."""
    words, name = JobWords(office.app.settings.language), short(job.request_id)
    failure = job.result.failure if job.result else None
    match job.state:
        case "succeeded":
            return
        case "failed" if failure is not None:
            say(words.work.failed.format(job=name, code=failure.code, message=failure.message))
        case "waiting_user" if job.pending is not None:
            tell_waiting(job, job.pending, words, workspace)
        case "waiting_upload":
            say(words.work.needs_upload.format(job=name))
        case _:
            say(words.work.cancelled.format(job=name))
    raise typer.Exit(UNSUCCESSFUL)


def tell_waiting(job: Job, asked: Interaction, words: JobWords, workspace: Path | None) -> None:
    """The question in a line, and how to answer it, on stderr."""
    choices = ", ".join(line(choice.value, 40) for choice in asked.options)
    question = line(asked.message or asked.prompt, 300) + (f" [{choices}]" if choices else "")
    say(words.work.asks.format(job=short(job.request_id), question=question))
    typer.echo(how_to_reply(job, asked, words, workspace), err=True)


def how_to_reply(job: Job, asked: Interaction, words: JobWords, workspace: Path | None) -> str:
    """The command that answers a question. Of what the agent says only the names of files are in
    it, as somebody may paste it into a shell."""
    slots = (f"--file {shlex.quote(line(slot.name))}=PATH" for slot in asked.files)
    what = " ".join(slots) or ("yes" if asked.kind == "confirm" else "VALUE")
    return words.work.reply.format(command=hint("reply", job.request_id, workspace, what))
