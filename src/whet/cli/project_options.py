"""Options that the commands for projects share."""

from typing import Annotated

import typer

Project = Annotated[
    str,
    typer.Argument(help="Its id, the unique beginning of that, or its name.", metavar="PROJECT"),
]
InSkill = Annotated[
    str | None,
    typer.Option("--skill", help="A skill of the project; @v2 picks a version.", metavar="SKILL"),
]
InBaseline = Annotated[
    str | None,
    typer.Option("--baseline", help="A baseline of the project.", metavar="BASELINE"),
]
Case = Annotated[str | None, typer.Option("--case", help="A case, by its id.", metavar="CASE")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before spending.")]
