"""What ``whet index`` does once its imports are worth their time."""

from dataclasses import asdict

import typer

from whet.app.library.library import index_of
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.workspace_words import WorkspaceWords


def run(settings: Settings, *, as_json: bool) -> None:
    """Rebuild the index, and tell what was found."""
    with index_of(settings.workspace) as index:
        done, broken = index.rebuild(), index.broken()
    if as_json:
        print_json({**asdict(done), "broken_folders": [asdict(one) for one in broken]})
        return
    words = WorkspaceWords(settings.language)
    # Every folder is read anew: those that are not new are not changed for that.
    read = done.added + done.changed
    typer.echo(words.indexed.format(read=read, **asdict(done)))
    for one in broken:
        typer.echo(f"  {line(one.path)}: {line(one.reason)}")
