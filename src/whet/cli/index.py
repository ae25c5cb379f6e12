"""``whet index``: the mirror of the library's files, made anew."""

from whet.cli.options import Json, Workspace, one_line_errors


def index(workspace: Workspace = None, json: Json = False) -> None:
    """Read every file of the library anew, for lists and search; it may be done at any time."""
    with one_line_errors("stopped; the next command goes on"):
        from whet.app.settings import read
        from whet.cli.index_run import run

        run(read(workspace), as_json=json)
