"""The options of ``whet capability``."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.options import (
    Json,
    MaxCost,
    MaxMinutes,
    MaxTokens,
    PageNumber,
    PageSize,
    Workspace,
)

RUN = "Its id, the unique beginning of that, or: latest."


class Dimension(StrEnum):
    """What a case is about."""

    TOOL = "tool"
    LOGIC = "logic"
    COMMON = "common"
    COMPLEX = "complex"


class Status(StrEnum):
    """How far a run is."""

    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Form(StrEnum):
    """What a run can be written as."""

    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    HTML = "html"


class LintForm(StrEnum):
    """How findings are printed."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"


OneRun = Annotated[str, typer.Argument(help=RUN, metavar="RUN")]
SetOrFile = Annotated[
    str, typer.Argument(help="A case set by its name, or a file with cases.", metavar="SET")
]
Language = Annotated[
    str | None,
    typer.Option(help="Of the cases: en-US, zh-CN, … Default: as the program speaks."),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]


@dataclass(frozen=True, kw_only=True)
class Sets:
    """The options of ``whet capability sets``."""

    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Lint:
    """The options of ``whet capability lint``."""

    case_set: SetOrFile
    format_: Annotated[LintForm, typer.Option("--format", help="How to print it.")] = LintForm.TEXT
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Coverage:
    """The options of ``whet capability coverage``."""

    subject: Annotated[
        str,
        typer.Argument(help="A case set, a file with cases, or a run by its id.", metavar="SET"),
    ]
    language: Annotated[str | None, typer.Option(help="Only cases in this language.")] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Run:
    """The options of ``whet capability run``."""

    case_set: Annotated[
        str | None,
        typer.Argument(
            help="A case set by its name, or a file with cases. Default: the bundled one.",
            metavar="SET",
        ),
    ] = None
    engine: Annotated[
        str | None, typer.Option(help="The agent that is measured. Default: as configured.")
    ] = None
    model: Annotated[
        str | None, typer.Option(help="Its model. Default: as configured, else its own.")
    ] = None
    language: Language = None
    dimension: Annotated[
        list[Dimension] | None,
        typer.Option("--dimension", help="Only cases of this; may be repeated."),
    ] = None
    tool: Annotated[
        list[str] | None,
        typer.Option("--tool", help="The agent gets only this tool; may be repeated."),
    ] = None
    weight: Annotated[
        list[str] | None,
        typer.Option(
            "--weight",
            help="Of a dimension in the total, as logic=40; may be repeated.",
            metavar="DIMENSION=NUMBER",
        ),
    ] = None
    skill: Annotated[
        list[str] | None,
        typer.Option("--skill", help="A skill of the library that it gets; may be repeated."),
    ] = None
    mcp_server: Annotated[
        list[str] | None,
        typer.Option(
            "--mcp-server",
            help="An MCP server that it gets, as NAME=JSON; may be repeated.",
            metavar="NAME=JSON",
        ),
    ] = None
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option", help="An option of the engine as NAME=VALUE, VALUE as JSON; repeatable."
        ),
    ] = None
    timeout: Annotated[
        float | None,
        typer.Option(help="Seconds for cases that do not say so. Default: 120.", min=0.1),
    ] = None
    concurrency: Annotated[int, typer.Option(help="Cases at once.", min=1, max=64)] = 4
    max_cost: MaxCost = None
    max_tokens: MaxTokens = None
    max_trials: Annotated[int | None, typer.Option(help="Stop after this many cases.", min=0)] = (
        None
    )
    max_minutes: MaxMinutes = None
    retries: Annotated[
        int | None,
        typer.Option(help="Times to try again what the machinery failed, not the agent.", min=0),
    ] = None
    user: Annotated[str | None, typer.Option(help="A label to find the run by.")] = None
    repeat: Annotated[
        int,
        typer.Option(help="Run it so often, one after the other, and say how stable it is.", min=1),
    ] = 1
    fail_under: Annotated[
        float | None,
        typer.Option(help="Exit 1 if the total is below this (0 to 100).", min=0, max=100),
    ] = None
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be run and what it may cost.")
    ] = False
    yes: Yes = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Resume:
    """The options of ``whet capability resume``."""

    run: OneRun
    fail_under: Annotated[
        float | None,
        typer.Option(help="Exit 1 if the total is below this (0 to 100).", min=0, max=100),
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Plain:
    """A run, and nothing else."""

    run: OneRun
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Several:
    """Runs."""

    runs: Annotated[
        list[str],
        typer.Argument(help="Each by its id, the unique beginning of that, or: latest."),
    ]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class List:
    """The options of ``whet capability list``."""

    status: Annotated[Status | None, typer.Option(help="Only these.")] = None
    model: Annotated[
        str | None, typer.Option(help="Only of this one: engine, or engine:model.")
    ] = None
    case_set: Annotated[str | None, typer.Option("--set", help="Only on this case set.")] = None
    language: Annotated[str | None, typer.Option(help="Only in this language.")] = None
    user: Annotated[str | None, typer.Option(help="Only with this label.")] = None
    since: Annotated[
        str | None,
        typer.Option(help="Only started then or later: a date, or a time; UTC.", metavar="DATE"),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(help="Only started before: a date, or a time; UTC.", metavar="DATE"),
    ] = None
    page: PageNumber = 1
    page_size: PageSize = 20
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Show:
    """The options of ``whet capability show``."""

    run: OneRun
    case: Annotated[
        str | None, typer.Option("--case", help="This case in full, by its id.", metavar="CASE")
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Export:
    """The options of ``whet capability export``."""

    run: OneRun
    format_: Annotated[Form, typer.Option("--format", help="As what.")] = Form.HTML
    output: Annotated[
        str | None,
        typer.Option(
            help="The file, or the folder for it; - is stdout. Default: a new file here.",
            metavar="PATH",
        ),
    ] = None
    workspace: Workspace = None
    json: Json = False
