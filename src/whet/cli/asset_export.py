"""``whet skill export`` and ``whet baseline export``: the ways out of the library."""

from collections.abc import Callable

from whet.cli.asset_export_options import BaselineExport, SkillExport
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind


def export(kind: Kind) -> Callable[..., None]:
    """The command ``export`` for a kind."""

    @taking(SkillExport if kind == "skill" else BaselineExport)
    def export(options: SkillExport | BaselineExport) -> None:
        """Write one version into a file that can be imported again."""
        with one_line_errors("stopped; nothing was written"):
            from whet.app.settings import read
            from whet.cli.asset_export_run import run

            run(read(options.workspace), kind, options)

    return export
