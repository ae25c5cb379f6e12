"""The options of ``whet job run`` and ``whet job``."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, MaxCost, MaxMinutes, MaxTokens, Workspace

JOB = "Its id, the unique beginning of that, or: latest."


class Mode(StrEnum):
    """Whether the agent may ask in between."""

    AUTO = "auto"
    INTERACTIVE = "interactive"


class State(StrEnum):
    """Where a job is."""

    WAITING_UPLOAD = "waiting_upload"
    QUEUED = "queued"
    RUNNING = "running"
    WAITING_USER = "waiting_user"
    SUCCEEDED = "succeeded"
    FAILED = "failed"
    CANCELLED = "cancelled"


OneJob = Annotated[str, typer.Argument(help=JOB, metavar="ID")]
Out = Annotated[
    Path | None,
    typer.Option(help="A folder for the files, new or empty; made if it is not there."),
]
Force = Annotated[
    bool, typer.Option("--force", help="Write into a folder that has files, and replace those.")
]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What a job is asked for with."""

    skill: Annotated[
        str,
        typer.Argument(
            help="A skill of the library, by name, id or name@v2; or a folder with a SKILL.md, "
            "a .zip or a .skill, which is used without being installed.",
            metavar="SKILL",
        ),
    ]
    input: Annotated[
        list[str] | None,
        typer.Option(
            "--input",
            help="An input; VALUE as JSON, else as text. @FILE.json has several. Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    file: Annotated[
        list[str] | None,
        typer.Option(
            "--file",
            help="An input that is a file, or a folder; - is stdin. Repeatable.",
            metavar="NAME=PATH",
        ),
    ] = None
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", help="A parameter, written as an input is. Repeatable.", metavar="NAME=VALUE"
        ),
    ] = None
    version: Annotated[
        str | None,
        typer.Option(help="Of the skill, v2 say, or the package's own. Default: the newest."),
    ] = None
    engine: Annotated[
        str | None, typer.Option(help="The agent that does it. Default: as configured.")
    ] = None
    model: Annotated[
        str | None, typer.Option(help="Its model. Default: as configured, else its own.")
    ] = None
    mode: Annotated[
        Mode | None,
        typer.Option(help="Whether the agent may ask you. Default: auto if the skill has that."),
    ] = None
    timeout: Annotated[
        float | None, typer.Option(help="Seconds of the agent's work in all.", min=0.1)
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            help="An option of the engine; VALUE as JSON, else as text. Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    env: Annotated[
        list[str] | None,
        typer.Option(
            "--env",
            help="A variable for the agent: as it is set here, or with this value. It is kept "
            "secret. Repeatable.",
            metavar="NAME[=VALUE]",
        ),
    ] = None
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Do it anew, even if just the same was done before.")
    ] = False
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_minutes: MaxMinutes = None
    keep: Annotated[
        float | None,
        typer.Option(help="Days that it is kept after its end. Default: 7.", min=0.001, max=366),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False


@dataclass(frozen=True, kw_only=True)
class Run(Asked):
    """The options of ``whet job run``."""

    out: Out = None
    force: Force = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Submit(Asked):
    """The options of ``whet job submit``."""

    batch: Annotated[
        Path | None,
        typer.Option(
            help="A job for each line of this .jsonl or .csv file, or for each item of a .json.",
            metavar="FILE",
        ),
    ] = None
    engines: Annotated[
        str | None,
        typer.Option(help="Each input by each of these: claude,codex:gpt-5", metavar="A,B"),
    ] = None
    wait: Annotated[bool, typer.Option("--wait", help="Return when it is over.")] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class List:
    """The options of ``whet job list``."""

    status: Annotated[State | None, typer.Option(help="Only these.")] = None
    skill: Annotated[str | None, typer.Option(help="Only of this skill, as it was asked for.")] = (
        None
    )
    engine: Annotated[str | None, typer.Option(help="Only by this one.")] = None
    batch: Annotated[str | None, typer.Option(help="Only of this batch.", metavar="ID")] = None
    limit: Annotated[int, typer.Option(help="So many at most.", min=1, max=200)] = 20
    offset: Annotated[int, typer.Option(help="Leave out so many of the newest.", min=0)] = 0
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class One:
    """A job, and nothing else."""

    job: OneJob
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Wait:
    """The options of ``whet job wait``."""

    job: Annotated[
        str, typer.Argument(help="A job or a batch: " + JOB[0].lower() + JOB[1:], metavar="ID")
    ]
    timeout: Annotated[float | None, typer.Option(help="Give up after so many seconds.", min=0)] = (
        None
    )
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Logs:
    """The options of ``whet job logs``."""

    job: OneJob
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on until the job is over.")] = (
        False
    )
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Reply:
    """The options of ``whet job reply``."""

    job: OneJob
    value: Annotated[
        str | None,
        typer.Argument(
            help="A text; yes or no; a choice by its value, its label or its number.",
            metavar="[VALUE]",
        ),
    ] = None
    file: Annotated[
        list[str] | None,
        typer.Option("--file", help="A file that was asked for. Repeatable.", metavar="SLOT=PATH"),
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Artifacts:
    """The options of ``whet job artifacts``."""

    job: OneJob
    out: Out = None
    force: Force = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """The options of ``whet job bundle``."""

    job: OneJob
    debug: Annotated[bool, typer.Option("--debug", help="Also how it came about.")] = False
    out: Annotated[
        str | None,
        typer.Option(
            help="The file, or the folder for it; - is stdout. Default: a new file here.",
            metavar="PATH",
        ),
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Case:
    """The options of ``whet job case``."""

    job: OneJob
    baseline: Annotated[str, typer.Option(help="By name or id; it gets its next version.")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Batch:
    """The options of ``whet job batch``."""

    batch: Annotated[str, typer.Argument(help=JOB, metavar="ID")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Delete:
    """The options of ``whet job delete``."""

    jobs: Annotated[
        list[str],
        typer.Argument(
            help="Each by its id, the unique beginning of that, or: latest.", metavar="ID…"
        ),
    ]
    workspace: Workspace = None
    json: Json = False
