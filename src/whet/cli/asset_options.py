"""Options that the commands for skills and baselines share."""

from enum import StrEnum
from typing import Annotated

import typer

Reference = Annotated[
    str, typer.Argument(help="Its id, the unique beginning of that, or its name.", metavar="ID")
]
Expect = Annotated[
    str | None,
    typer.Option(
        "--expect", help="The version it is meant for, v3 say; another one is a conflict."
    ),
]
Version = Annotated[
    str | None, typer.Option("--version", help="An older version, v2 say. Default: the newest.")
]


class Type(StrEnum):
    """What a skill is."""

    SKILL = "skill"
    AGENT = "agent"
