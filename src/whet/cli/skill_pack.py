"""``whet skill pack``: a skill as one file."""

from pathlib import Path
from typing import Annotated

import typer

from whet.cli.options import Json, Workspace, one_line_errors


def pack(
    skill: Annotated[
        Path,
        typer.Argument(
            help="The folder of the skill, with its SKILL.md, or its name in the library.",
            metavar="SKILL_DIR",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(help="The file, or the folder for it. Default: NAME.skill here."),
    ] = None,
    evals: Annotated[bool, typer.Option("--evals", help="Pack its own tests, too.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Also with errors; secrets are left out all the same.")
    ] = False,
    workspace: Workspace = None,
    json: Json = False,
) -> None:
    """Pack a skill into a .skill file; the same skill always gives the same file."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.skill_pack_run import packed, run

        settings = read(workspace)
        run(settings, packed(settings, skill, output, keep_evals=evals, force=force), as_json=json)
