"""``whet skill import`` and ``whet baseline import``: the ways into the library."""

from collections.abc import Callable

from whet.cli.asset_import_options import BaselineImport, SkillImport
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind


def import_(kind: Kind) -> Callable[..., None]:
    """The command ``import`` for a kind."""

    @taking(SkillImport if kind == "skill" else BaselineImport)
    def import_(options: SkillImport | BaselineImport) -> None:
        """Take files and folders into the library; exit code 1 if something could not be taken."""
        with one_line_errors("stopped; what was taken so far is in the library"):
            from whet.app.settings import read
            from whet.cli.asset_import_run import run

            run(read(options.workspace), kind, options)

    return import_
