"""The options of ``whet leaderboard``."""

from dataclasses import dataclass
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace
from whet.ports.listing import LARGEST_PAGE

GROUPS, RECORDS = 10, 20
"""On a page, unless somebody wishes otherwise."""


@dataclass(frozen=True, kw_only=True)
class Show:
    """The options of ``whet leaderboard show``."""

    baseline: Annotated[
        str | None,
        typer.Option(help="Only on this one: its id, the unique beginning of that, or its name."),
    ] = None
    skill: Annotated[
        str | None,
        typer.Option(help="Only of this one: its id, the unique beginning of that, or its name."),
    ] = None
    purpose: Annotated[str | None, typer.Option(help="Only on baselines of this purpose.")] = None
    since: Annotated[
        str | None,
        typer.Option(help="Only tested then or later: a date, or a time; UTC.", metavar="DATE"),
    ] = None
    until: Annotated[
        str | None,
        typer.Option(help="Only tested then or earlier; a date is that whole day.", metavar="DATE"),
    ] = None
    include_stale: Annotated[
        bool,
        typer.Option(
            "--include-stale/--current-only",
            help="Also what was tested before the skill or the baseline got a newer version.",
        ),
    ] = True
    by_version: Annotated[
        bool,
        typer.Option(
            "--by-version",
            help="Each version of a skill once on each version of a baseline: the latest test.",
        ),
    ] = False
    archived: Annotated[
        bool, typer.Option("--archived", help="Those of archived projects instead.")
    ] = False
    flat: Annotated[bool, typer.Option("--flat", help="One list, whatever the baseline.")] = False
    page: Annotated[int, typer.Option("--page", help="Which page.", min=1)] = 1
    page_size: Annotated[
        int | None,
        typer.Option(
            "--page-size",
            help=f"How many on a page. Default: {GROUPS} baselines, or {RECORDS} records.",
            min=1,
            max=LARGEST_PAGE,
        ),
    ] = None
    csv: Annotated[
        str | None,
        typer.Option(
            "--csv",
            help="Write every record that fits into this file, which is new; - is stdout.",
            metavar="FILE",
        ),
    ] = None
    workspace: Workspace = None
    json: Json = False


@dataclass(frozen=True, kw_only=True)
class History:
    """The options of ``whet leaderboard history``."""

    skill: Annotated[
        str,
        typer.Argument(help="Its id, the unique beginning of that, or its name.", metavar="SKILL"),
    ]
    workspace: Workspace = None
    json: Json = False
