"""The options of ``whet session``."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace

SESSION = (
    "Its name, its id or what its log called it, the address of its trial, a unique beginning of "
    "one of them; or: latest; or a log file."
)


class Agent(StrEnum):
    """Whose history."""

    CLAUDE = "claude"
    CODEX = "codex"
    GEMINI = "gemini"
    OPENCODE = "opencode"
    ALL = "all"


class Kind(StrEnum):
    """Where a session comes from."""

    JOB = "job"
    IMPORT = "import"
    FILE = "file"
    TRIAL = "trial"
    ASK = "ask"


class Status(StrEnum):
    """How a session ended."""

    SUCCESS = "success"
    FAILED = "failed"
    IN_PROGRESS = "in_progress"


class By(StrEnum):
    """Who annotates."""

    AUTO = "auto"
    ENGINE = "engine"
    HAND = "hand"


class Phase(StrEnum):
    """What a stretch of calls is."""

    UNDERSTAND = "understand"
    EXPLORE = "explore"
    PLAN = "plan"
    EXECUTE = "execute"
    VERIFY = "verify"
    MIXED = "mixed"
    UNCLASSIFIED = "unclassified"


class Form(StrEnum):
    """What is written."""

    HTML = "html"
    MD = "md"
    JSON = "json"
    OTLP = "otlp"


OneSession = Annotated[str, typer.Argument(help=SESSION, metavar="ID")]
Page = Annotated[int, typer.Option(help="Which page; they are counted from 1.", min=1)]
PageSize = Annotated[int, typer.Option(help="Sessions on a page.", min=1, max=200)]
Engine = Annotated[str | None, typer.Option(help="Only of this one.")]


@dataclass(frozen=True, kw_only=True)
class Import:
    """The options of ``whet session import``."""

    paths: Annotated[
        list[Path] | None,
        typer.Argument(help="Session logs, or folders with some.", metavar="[PATH…]"),
    ] = None
    history: Annotated[
        Agent | None, typer.Option(help="What this agent keeps on this machine, or all do.")
    ] = None
    keep_secrets: Annotated[
        bool,
        typer.Option(
            "--keep-secrets", help="Leave keys, tokens and passwords in what is kept of the logs."
        ),
    ] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Narrowed:
    """Which sessions."""

    kind: Annotated[
        list[Kind] | None,
        typer.Option(help="Only these; repeatable. Default: all but what judges ask."),
    ] = None
    status: Annotated[Status | None, typer.Option(help="Only those that ended so.")] = None
    engine: Engine = None
    model: Annotated[str | None, typer.Option(help="Only of this one.")] = None
    skill: Annotated[str | None, typer.Option(help="Only those in which the agent took it up.")] = (
        None
    )
    since: Annotated[
        str | None, typer.Option(help="Begun then or later: a date or a time; UTC.")
    ] = None
    until: Annotated[
        str | None, typer.Option(help="Begun then or earlier; a date is that whole day.")
    ] = None
    page: Page = 1
    page_size: PageSize = 20
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Search(Narrowed):
    """The options of ``whet session search``."""

    query: Annotated[
        list[str],
        typer.Argument(
            help="Words, and tool:Bash status:failed file:app.py engine:claude skill:NAME "
            "session:failed.",
            metavar="QUERY…",
        ),
    ]


@dataclass(frozen=True, kw_only=True)
class Show:
    """The options of ``whet session show``."""

    session: OneSession
    call: Annotated[
        int | None, typer.Option(help="Only this call, with all that is known of it.", min=1)
    ] = None
    first: Annotated[
        int, typer.Option("--from", help="Begin with this call.", min=1, metavar="N")
    ] = 1
    limit: Annotated[int, typer.Option(help="Calls that are shown, at most.", min=1, max=500)] = 200
    annotator: Annotated[
        str | None, typer.Option(help="Whose phases, auto:signals say. Default: the first.")
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Annotate:
    """The options of ``whet session annotate``."""

    session: OneSession
    by: Annotated[By, typer.Option(help="Who says what the phases are.")] = By.AUTO
    file: Annotated[
        Path | None,
        typer.Option(
            help="By hand: phases as a JSON list, in place of what you said before; - is stdin."
        ),
    ] = None
    phase: Annotated[Phase | None, typer.Option(help="By hand: one phase more.")] = None
    calls: Annotated[
        str | None,
        typer.Option(help="Its first and last call, by number or id.", metavar="FIRST..LAST"),
    ] = None
    description: Annotated[str | None, typer.Option(help="What was done in it.")] = None
    name: Annotated[str | None, typer.Option(help="By hand: who you are.")] = None
    engine: Annotated[
        str | None, typer.Option(help="The engine that is asked. Default: as configured.")
    ] = None
    model: Annotated[str | None, typer.Option(help="Its model.")] = None
    remove: Annotated[
        str | None,
        typer.Option(help="Take away all of an annotator, or one annotation.", metavar="WHO"),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")] = False
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class One:
    """A session, and nothing else."""

    session: OneSession
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Compare:
    """The options of ``whet session compare``."""

    left: Annotated[str, typer.Argument(help=SESSION, metavar="A")]
    right: Annotated[str, typer.Argument(help="The other one.", metavar="B")]
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Export:
    """The options of ``whet session export``."""

    session: OneSession
    format_: Annotated[Form, typer.Option("--format", help="What is written.")] = Form.HTML
    out: Annotated[
        str | None,
        typer.Option(
            help="The file, or the folder for it; - is stdout. Default: a new file here.",
            metavar="PATH",
        ),
    ] = None
    no_redact: Annotated[
        bool,
        typer.Option("--no-redact", help="Leave secrets and paths of this machine as they are."),
    ] = False
    full: Annotated[bool, typer.Option("--full", help="Cut no text, however long.")] = False
    endpoint: Annotated[
        str | None,
        typer.Option(
            help="Send the spans to this collector instead of writing a file; for otlp.",
            metavar="URL",
        ),
    ] = None
    header: Annotated[
        list[str] | None,
        typer.Option(
            "--header",
            help="For the collector; $NAME in VALUE is taken from the environment. Repeatable.",
            metavar="NAME=VALUE",
        ),
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class Tail:
    """What is followed."""

    reference: Annotated[
        str | None,
        typer.Argument(
            help="A job, an execution or a trial, by its id or the unique beginning of that; or "
            "an experiment, an eval run or a capability run by its id. Without it: list what runs.",
            metavar="ID",
        ),
    ] = None
    json: Json = False
    workspace: Workspace = None
