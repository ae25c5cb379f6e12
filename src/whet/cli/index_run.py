"""What ``whet index`` does once its imports are worth their time."""

from dataclasses import asdict

import typer

from whet.app.library.library import index_of
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.core.bilingual import Both, Words


class IndexWords(Words):
    """What the index was found to be; names in braces are filled in."""

    indexed = Both(
        "read: {read}, of them new: {added}; gone: {removed}, broken: {broken}; {seconds:.1f} s",
        "已读取 {read}，其中新增 {added}；移除 {removed}，无法读取 {broken}；用时 {seconds:.1f} 秒",
    )


def run(settings: Settings, *, as_json: bool) -> None:
    """Rebuild the index, and tell what was found."""
    with index_of(settings.workspace) as index:
        done, broken = index.rebuild(), index.broken()
    if as_json:
        print_json({**asdict(done), "broken_folders": [asdict(one) for one in broken]})
        return
    words = IndexWords(settings.language)
    # Every folder is read anew: those that are not new are not changed for that.
    read = done.added + done.changed
    typer.echo(words.indexed.format(read=read, **asdict(done)))
    for one in broken:
        typer.echo(f"  {line(one.path)}: {line(one.reason)}")
