"""What ``whet skill list`` and the like do once their imports are worth their time."""

import re
from collections.abc import Sequence

import typer
from pydantic import TypeAdapter
from rich.console import Console
from rich.text import Text

from whet.app.library import told
from whet.app.library.library import library
from whet.app.library.told import AssetItem, AssetPage, HitItem, HitPage
from whet.app.settings import Settings
from whet.cli.asset_find_options import List, Plain, Search, SkillList
from whet.cli.asset_find_table import assets, marks, short_ids
from whet.cli.asset_find_words import FindWords
from whet.cli.asset_output import cell, command, line, print_json
from whet.ports.facets import Facet, Facets
from whet.ports.listing import AssetQuery, Kind

_WORD = re.compile(r"[^\W_]+")


def list_(settings: Settings, kind: Kind, options: List) -> None:
    """Print one page of the assets."""
    query = _query(options)
    with library(settings.workspace, kind) as shelf:
        page = told.page(shelf, query)
    if options.json:
        print_json(page)
        return
    words = FindWords(settings.language)
    if page.items:
        console = Console()
        console.print(assets(page.items, kind, console.width, words))
    else:
        hint = command(f"{kind} import", options.workspace)
        typer.echo(_nothing(page, query, words.empty[kind].format(command=hint), words))
    _end(page, words)
    if page.broken_count:
        hint = command(f"{kind} broken", options.workspace)
        typer.echo(words.broken.format(count=page.broken_count, command=hint))


def search(settings: Settings, kind: Kind, options: Search) -> None:
    """Print one page of hits."""
    wanted = " ".join(options.words)
    with library(settings.workspace, kind) as shelf:
        page = told.hits(shelf, wanted, options.page, options.page_size)
    if options.json:
        print_json(page)
        return
    words = FindWords(settings.language)
    console = Console()
    names = short_ids([hit.asset.id for hit in page.items])
    for hit in page.items:
        _hit(console, hit, names[hit.asset.id], _WORD.findall(wanted), words)
    if not page.items:
        beyond = words.no_page.format(page=page.page, total=page.total)
        typer.echo(beyond if page.total else words.nothing_found)
    _end(page, words)


def facets(settings: Settings, kind: Kind, options: Plain) -> None:
    """Print what lists can be narrowed by."""
    with library(settings.workspace, kind) as shelf:
        found = shelf.index.facets(kind)
    if options.json:
        print_json(TypeAdapter(Facets).dump_python(found, mode="json"))
        return
    words = FindWords(settings.language)
    console = Console()
    for name, heading in words.facets.items():
        values: Sequence[Facet] = getattr(found, name)
        console.print(f"[bold]{heading}[/]", highlight=False)
        for one in values:
            console.print(Text(f"  {one.count:>6}  ") + cell(one.value))
        if not values:
            console.print(f"  {words.no_facet}", highlight=False)


def broken(settings: Settings, kind: Kind, options: Plain) -> None:
    """Print what cannot be read."""
    with library(settings.workspace, kind) as shelf:
        found = told.broken(shelf)
    if options.json:
        print_json({"broken": [{"path": one.path, "reason": one.reason} for one in found]})
        return
    words = FindWords(settings.language)
    if not found:
        typer.echo(words.none_broken)
    for one in found:
        typer.echo(f"{line(one.path, 4096)}: {line(one.reason)}")


def _query(options: List) -> AssetQuery:
    by_name = options.sort.value == "name"
    is_ascending = by_name if options.ascending is None else options.ascending
    kind = options.type if isinstance(options, SkillList) else None
    return AssetQuery(
        purpose=options.purpose,
        provider=options.provider,
        type=None if kind is None else kind.value,
        status=None if options.status.value == "all" else options.status.value,
        tags=tuple(options.tag or ()),
        keyword=options.keyword,
        sort=options.sort.value,
        descending=not is_ascending,
        page=options.page,
        page_size=options.page_size,
    )


def _nothing(page: AssetPage, query: AssetQuery, empty: str, words: FindWords) -> str:
    """Why there is nothing on the page."""
    if page.total:
        return words.no_page.format(page=page.page, total=page.total)
    narrowed = (query.purpose, query.provider, query.type, query.keyword, *query.tags)
    if any(narrowed) or query.status != "active":
        return words.none_fit
    return empty


def _end(page: AssetPage | HitPage, words: FindWords) -> None:
    """Which part of all this is, and how to get at the next."""
    if not page.items:
        return
    first = (page.page - 1) * page.page_size + 1
    last = first + len(page.items) - 1
    extent = words.extent.format(first=first, last=last, total=page.total)
    more = words.next_page.format(page=page.page + 1)
    typer.echo(f"{extent}  ({more})" if last < page.total else extent)


def _hit(
    console: Console, hit: HitItem, short: str, wanted: Sequence[str], words: FindWords
) -> None:
    asset: AssetItem = hit.asset
    title = Text.assemble(
        (short, "dim"), "  ", (line(asset.name, 80), "bold"), f"  {line(asset.version, 20)}  "
    )
    title.append(line(f"{asset.purpose} · {asset.provider}"), "dim")
    if said := marks(asset, words):
        title.append(f"  {said}", "yellow")
    console.print(title, soft_wrap=True)
    snippet = cell(hit.snippet)
    snippet.highlight_words(wanted, "bold green", case_sensitive=False)
    places = ", ".join(words.places[place] for place in hit.matched_in)
    console.print(Text.assemble("  ", (f"{places}: ", "cyan"), snippet), soft_wrap=True)
