"""``whet skill list`` and the like: find skills and baselines, and look at one."""

from collections.abc import Callable

from whet.cli.asset_find_options import BaselineShow, List, Plain, Search, SkillList, SkillShow
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind

STOPPED = "stopped"


def list_(kind: Kind) -> Callable[..., None]:
    """The command ``list`` for a kind."""

    @taking(SkillList if kind == "skill" else List)
    def list_(options: List) -> None:
        """List what is in the library, one page of it."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_find_run import list_

            list_(read(options.workspace), kind, options)

    return list_


def show(kind: Kind) -> Callable[..., None]:
    """The command ``show`` for a kind."""

    @taking(SkillShow if kind == "skill" else BaselineShow)
    def show(options: SkillShow | BaselineShow) -> None:
        """Show all that is known of one version: what it says, its tags and its other versions."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_find_show import show

            show(read(options.workspace), kind, options)

    return show


def search(kind: Kind) -> Callable[..., None]:
    """The command ``search`` for a kind."""

    @taking(Search)
    def search(options: Search) -> None:
        """Look for words in names, tags, descriptions and contents, the best hit first."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_find_run import search

            search(read(options.workspace), kind, options)

    return search


def facets(kind: Kind) -> Callable[..., None]:
    """The command ``facets`` for a kind."""

    @taking(Plain)
    def facets(options: Plain) -> None:
        """Say which purposes, providers and tags there are, and how often."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_find_run import facets

            facets(read(options.workspace), kind, options)

    return facets


def broken(kind: Kind) -> Callable[..., None]:
    """The command ``broken`` for a kind."""

    @taking(Plain)
    def broken(options: Plain) -> None:
        """List the folders that cannot be read, and why."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_find_run import broken

            broken(read(options.workspace), kind, options)

    return broken
