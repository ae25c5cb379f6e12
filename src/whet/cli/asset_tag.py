"""``whet skill tag`` and ``whet baseline tag``: a person's own tags, and those that a model
proposed."""

from collections.abc import Callable

import typer

from whet.cli import asset_assist
from whet.cli.asset_tag_options import TagAdd, TagList, TagRemove, TagRename, TagReview
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind

STOPPED = "stopped"


def tags(kind: Kind) -> typer.Typer:
    """The group of commands for a kind."""
    group = typer.Typer(
        name="tag",
        help="Tags: your own, and what you say to proposed ones.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command("list")(_list(kind))
    group.command("add")(_add(kind))
    group.command("remove")(_remove(kind))
    group.command("rename")(_rename(kind))
    group.command("review")(_review(kind))
    group.command("auto")(asset_assist.auto(kind))
    return group


def _list(kind: Kind) -> Callable[..., None]:
    @taking(TagList)
    def list_(options: TagList) -> None:
        """List every tag, also those that wait or were rejected."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_tag_run import list_

            list_(read(options.workspace), kind, options)

    return list_


def _add(kind: Kind) -> Callable[..., None]:
    @taking(TagAdd)
    def add(options: TagAdd) -> None:
        """Add tags; all of them, or none."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_tag_run import add

            add(read(options.workspace), kind, options)

    return add


def _remove(kind: Kind) -> Callable[..., None]:
    @taking(TagRemove)
    def remove(options: TagRemove) -> None:
        """Take tags away; an approved one is rejected and stays on record."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_tag_run import remove

            remove(read(options.workspace), kind, options)

    return remove


def _rename(kind: Kind) -> Callable[..., None]:
    @taking(TagRename)
    def rename(options: TagRename) -> None:
        """Put a tag that holds into other words."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_tag_run import rename

            rename(read(options.workspace), kind, options)

    return rename


def _review(kind: Kind) -> Callable[..., None]:
    @taking(TagReview)
    def review(options: TagReview) -> None:
        """Say what becomes of proposed tags; without options, one after the other."""
        with one_line_errors("stopped; what you said so far is kept"):
            from whet.app.settings import read
            from whet.cli.asset_tag_run import review

            review(read(options.workspace), kind, options)

    return review
