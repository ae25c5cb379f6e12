"""``whet skill list``, ``search``, ``facets`` and ``broken``, and the same of baselines."""

import re
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from pydantic import JsonValue, TypeAdapter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.library import views
from whet.app.library.library import library
from whet.app.library.requests import SearchRequest
from whet.app.library.views import AssetItem, AssetPage, HitItem, HitPage
from whet.cli.asset_output import cell, line, plain_table, print_json, short_ids
from whet.cli.command import Call
from whet.cli.request_options import Spelling
from whet.core.asset_query import AssetQuery, SkillQuery
from whet.core.bilingual import Both, Words
from whet.ports.facets import Facet, Facets
from whet.ports.listing import Kind

ROOMY = 100
"""Columns of a terminal that has room for purpose, provider and tags beside the name."""

MOST_TAGS = 5
FIXED = ("id", "version", "cases", "updated_at", "best_score")
_WORD = re.compile(r"[^\W_]+")
_SPELLING = Spelling(
    help={"page": "Which page.", "page_size": "How many on a page."}, without=("order",)
)

Ascending = Annotated[
    bool | None,
    typer.Option(
        "--ascending/--descending",
        help="The order. Default: names ascending, dates descending.",
        show_default=False,
    ),
]


class FindWords(Words):
    """Headings, marks and sentences; names in braces are filled in."""

    columns = Both(
        {
            "id": "id",
            "name": "name",
            "purpose": "purpose",
            "provider": "provider",
            "version": "version",
            "tags": "tags",
            "pending_tags": "proposed tags",
            "cases": "cases",
            "updated_at": "updated",
            "created_at": "created",
            "best_score": "best",
            "type": "type",
            "status": "status",
            "description": "description",
            "author": "author",
            "source": "source",
            "path": "folder",
            "category": "category",
            "input": "input",
            "made_from": "made from",
            "rubric": "rubric",
        },
        {
            "id": "id",
            "name": "名称",
            "purpose": "用途",
            "provider": "来源方",
            "version": "版本",
            "tags": "标签",
            "pending_tags": "待审标签",
            "cases": "用例",
            "updated_at": "更新时间",
            "created_at": "创建时间",
            "best_score": "最高分",
            "type": "类型",
            "status": "状态",
            "description": "描述",
            "author": "作者",
            "source": "出处",
            "path": "文件夹",
            "category": "类别",
            "input": "输入",
            "made_from": "由此重组",
            "rubric": "评分标准",
        },
    )
    """Of tables and of the fields of an asset, by their names in JSON."""

    values = Both(
        {
            "active": "active",
            "archived": "archived",
            "standard": "standard",
            "boundary": "boundary",
            "exception": "exception",
        },
        {
            "active": "使用中",
            "archived": "已归档",
            "standard": "标准",
            "boundary": "边界",
            "exception": "异常",
        },
    )
    """What a field says, where that is one of a few words."""

    edited_outside = Both("edited outside", "在外部被修改")
    pending = Both("proposed tags: {count}", "待审标签：{count}")
    simulated = Both("simulated", "模拟")
    outdated = Both("outdated", "已过期")
    extent = Both("{first}–{last} of {total}", "第 {first}–{last} 项，共 {total} 项")
    next_page = Both("the next page: --page {page}", "下一页：--page {page}")
    no_page = Both("There is no page {page}: {total} in all.", "没有第 {page} 页：共 {total} 项。")
    broken = Both(
        "Folders that cannot be read: {count}. They are listed by: {command}",
        "有 {count} 个文件夹无法读取。查看：{command}",
    )
    none_broken = Both("Every folder can be read.", "所有文件夹都可以读取。")
    empty = Both(
        {
            "skill": (
                "There is no skill yet. Take some in: {command} PATH, or those that "
                "your agents have: "
                "{command} --installed"
            ),
            "baseline": (
                "There is no baseline yet. Take one in: {command} PATH, a JSON or CSV file "
                "or a skill "
                "with evals, or begin one: {command} --empty --name NAME"
            ),
        },
        {
            "skill": (
                "还没有技能。导入技能：{command} PATH；"
                "导入智能体已安装的技能：{command} --installed"
            ),
            "baseline": (
                "还没有基线。导入基线：{command} PATH（JSON 或 CSV 文件，或带 evals 的技能）；"
                "新建空基线：{command} --empty --name NAME"
            ),
        },
    )
    none_fit = Both("Nothing fits.", "没有符合条件的条目。")
    nothing_found = Both("Nothing was found.", "没有找到。")
    places = Both(
        {
            "name": "name",
            "description": "description",
            "tags": "tags",
            "content": "content",
            "cases": "cases",
        },
        {
            "name": "名称",
            "description": "描述",
            "tags": "标签",
            "content": "内容",
            "cases": "用例",
        },
    )
    facets = Both(
        {"purposes": "purpose", "providers": "provider", "tags": "tag"},
        {"purposes": "用途", "providers": "来源方", "tags": "标签"},
    )
    no_facet = Both("none", "无")


def list_skills(
    call: Call, query: Annotated[SkillQuery, _SPELLING], ascending: Ascending = None
) -> None:
    """Print one page of the skills."""
    _list(call, "skill", query, ascending)


def list_baselines(
    call: Call, query: Annotated[AssetQuery, _SPELLING], ascending: Ascending = None
) -> None:
    """Print one page of the baselines."""
    _list(call, "baseline", query, ascending)


def _list(call: Call, kind: Kind, query: AssetQuery, ascending: bool | None) -> None:
    is_ascending = query.sort == "name" if ascending is None else ascending
    query = query.model_copy(update={"order": "asc" if is_ascending else "desc"})
    with library(call.settings.workspace, kind) as shelf:
        page = views.page(shelf, query)
    if call.json:
        print_json(page)
        return
    words = FindWords(call.language)
    if page.items:
        console = Console()
        console.print(assets_table(page.items, kind, console.width, words))
    else:
        typer.echo(_nothing(call, kind, page, query))
    _print_extent(page, words)
    if page.broken_count:
        hint = call.command(f"{kind} broken")
        typer.echo(words.broken.format(count=page.broken_count, command=hint))


def search(
    call: Call,
    request: Annotated[
        SearchRequest,
        Spelling(
            arguments={"q": "WORDS..."},
            help={
                "q": "All of them have to be there; the last may be a beginning.",
                **_SPELLING.help,
            },
        ),
    ],
    kind: Kind,
) -> None:
    """Print one page of hits."""
    with library(call.settings.workspace, kind) as shelf:
        page = views.hits(shelf, request)
    if call.json:
        print_json(page)
        return
    words = FindWords(call.language)
    console = Console()
    names = short_ids([hit.asset.id for hit in page.items])
    for hit in page.items:
        _print_hit(console, hit, names[hit.asset.id], _WORD.findall(request.q), words)
    if not page.items:
        beyond = words.no_page.format(page=page.page, total=page.total)
        typer.echo(beyond if page.total else words.nothing_found)
    _print_extent(page, words)


def facets(call: Call, kind: Kind) -> None:
    """Print what lists can be narrowed by."""
    with library(call.settings.workspace, kind) as shelf:
        found = shelf.index.facets(kind)
    if call.json:
        print_json(TypeAdapter(Facets).dump_python(found, mode="json"))
        return
    words = FindWords(call.language)
    console = Console()
    for name, heading in words.facets.items():
        values: Sequence[Facet] = getattr(found, name)
        console.print(f"[bold]{heading}[/]", highlight=False)
        for one in values:
            console.print(Text(f"  {one.count:>6}  ") + cell(one.value))
        if not values:
            console.print(f"  {words.no_facet}", highlight=False)


def broken(call: Call, kind: Kind) -> None:
    """Print what cannot be read."""
    with library(call.settings.workspace, kind) as shelf:
        found = views.broken(shelf)
    if call.json:
        print_json(found)
        return
    if not found.broken:
        typer.echo(FindWords(call.language).none_broken)
    for one in found.broken:
        typer.echo(f"{line(one.path, 4096)}: {line(one.reason)}")


def _nothing(call: Call, kind: Kind, page: AssetPage, query: AssetQuery) -> str:
    """Why there is nothing on the page."""
    words = FindWords(call.language)
    if page.total:
        return words.no_page.format(page=page.page, total=page.total)
    if query.model_dump(exclude={"sort", "order", "page", "page_size"}, exclude_defaults=True):
        return words.none_fit
    return words.empty[kind].format(command=call.command(f"{kind} import"))


def _print_extent(page: AssetPage | HitPage, words: FindWords) -> None:
    """Which part of all this is, and how to get at the next."""
    if not page.items:
        return
    first = (page.page - 1) * page.page_size + 1
    last = first + len(page.items) - 1
    extent = words.extent.format(first=first, last=last, total=page.total)
    more = words.next_page.format(page=page.page + 1)
    typer.echo(f"{extent}  ({more})" if last < page.total else extent)


def _print_hit(
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


def assets_table(items: Sequence[AssetItem], kind: Kind, width: int, words: FindWords) -> Table:
    """A table of assets; a column that says nothing of any of them is left out."""
    names = short_ids([item.id for item in items])
    columns: dict[str, Callable[[AssetItem], Text]] = {"id": lambda item: Text(names[item.id])}
    if width >= ROOMY:
        columns["name"] = lambda item: _named(item, "", words)
        columns["purpose"] = lambda item: cell(item.purpose, 60)
        columns["provider"] = lambda item: cell(item.provider, 60)
        if any(item.tags for item in items):
            columns["tags"] = lambda item: Text(_tags(item))
    else:
        columns["name"] = lambda item: _named(item, _beneath(item), words)
    columns["version"] = lambda item: cell(item.version, 20)
    if kind == "baseline":
        columns["cases"] = lambda item: Text(str(item.case_count), justify="right")
    columns["updated_at"] = lambda item: cell(item.updated_at[:10])
    if any(item.test_summary for item in items):
        columns["best_score"] = lambda item: best_score(item.test_summary, words)
    table = plain_table(
        (words.columns[name] for name in columns), (words.columns[name] for name in FIXED)
    )
    for item in items:
        table.add_row(*(made(item) for made in columns.values()))
    return table


def marks(item: AssetItem, words: FindWords) -> str:
    """What is special about an asset, in words."""
    found = [words.values["archived"]] if item.status == "archived" else []
    if item.edited_outside:
        found.append(words.edited_outside)
    if item.pending_tag_count:
        found.append(words.pending.format(count=item.pending_tag_count))
    return " · ".join(found)


def best_score(summary: dict[str, JsonValue] | None, words: FindWords) -> Text:
    """The best score of a skill, and what is to be said against it."""
    match summary:
        case {"best_score": int() | float() as score}:
            text = Text(f"{score:.1f}", justify="right")
            for doubt in doubts(summary, words):
                text.append(f"\n{doubt}", "yellow")
            return text
        case _:
            return Text("–", justify="right")


def doubts(summary: dict[str, JsonValue], words: FindWords) -> list[str]:
    """Why a score does not say all that it seems to say."""
    found = [words.simulated] if summary.get("simulated") else []
    return found if summary.get("staleness") == "current" else [*found, words.outdated]


def _named(item: AssetItem, beneath: str, words: FindWords) -> Text:
    text = cell(item.name, 80)
    if beneath:
        text.append(f"\n{beneath}", "dim")
    if said := marks(item, words):
        text.append(f"\n{said}", "yellow")
    return text


def _beneath(item: AssetItem) -> str:
    place = f"{line(item.purpose, 60)} · {line(item.provider, 60)}"
    return f"{place}\n{_tags(item)}" if item.tags else place


def _tags(item: AssetItem) -> str:
    rest = len(item.tags) - MOST_TAGS
    more = f" +{rest}" if rest > 0 else ""
    return ", ".join(line(tag, 30) for tag in item.tags[:MOST_TAGS]) + more
