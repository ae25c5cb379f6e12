"""The options of the commands that find projects and their results."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import typer

from whet.cli.options import Json, PageNumber, PageSize, Workspace
from whet.cli.project_options import Case, InBaseline, InSkill, Project


class Status(StrEnum):
    """How far a project is."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    INTERRUPTED = "interrupted"


class ResultStatus(StrEnum):
    """What came of a trial."""

    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class GradeStatus(StrEnum):
    """What the judges made of it."""

    SCORED = "scored"
    UNSCORED = "unscored"
    FAILED = "failed"


@dataclass(frozen=True, kw_only=True)
class List:
    """The options of ``whet project list``."""

    status: Annotated[Status | None, typer.Option(help="Only these.")] = None
    keyword: Annotated[str, typer.Option(help="A part of the name.")] = ""
    archived: Annotated[
        bool, typer.Option("--archived", help="Those that are out of the way instead.")
    ] = False
    page: PageNumber = 1
    page_size: PageSize = 20
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Results:
    """The options of ``whet project results``."""

    project: Project
    skill: InSkill = None
    baseline: InBaseline = None
    case: Case = None
    attempt: Annotated[
        int | None,
        typer.Option(help="With --skill and --case: that attempt in full. Default: 1.", min=1),
    ] = None
    status: Annotated[ResultStatus | None, typer.Option(help="Only what came to this.")] = None
    grade: Annotated[GradeStatus | None, typer.Option(help="Only what judges made this of.")] = None
    page: PageNumber = 1
    page_size: PageSize = 50
    workspace: Workspace = None
    json: Json = False
