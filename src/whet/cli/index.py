"""``whet index``: the mirror of the library's files, made anew."""

from dataclasses import asdict

import typer

from whet.app.library.library import index_of
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.core.bilingual import Both, Words


class IndexWords(Words):
    """What is said of an index that was made anew."""

    indexed = Both(
        "read: {read}, of them new: {added}; gone: {removed}, broken: {broken}; {seconds:.1f} s",
        "已读取 {read}，其中新增 {added}；移除 {removed}，无法读取 {broken}；用时 {seconds:.1f} 秒",
    )


@when_stopped("stopped; the next command goes on")
def index(call: Call) -> None:
    """Read every file of the library anew."""
    with index_of(call.settings.workspace) as index:
        done, broken = index.rebuild(), index.broken()
    if call.json:
        print_json({**asdict(done), "broken_folders": [asdict(one) for one in broken]})
        return
    # Every folder is read anew: those that are not new are not changed for that.
    read = done.added + done.changed
    typer.echo(IndexWords(call.language).indexed.format(read=read, **asdict(done)))
    for one in broken:
        typer.echo(f"  {line(one.path)}: {line(one.reason)}")
