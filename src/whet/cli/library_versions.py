"""``whet skill versions`` and ``whet skill diff``, and the same of baselines: look back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.library import views
from whet.app.library.library import library
from whet.app.library.views import VersionItem
from whet.cli.asset_output import cell, line, plain_table, print_json, print_unified
from whet.cli.command import Call
from whet.cli.library_options import Reference
from whet.cli.side_by_side import DifferenceWords, columns
from whet.core.bilingual import Both, Words
from whet.curate.difference import Difference
from whet.documents import assets
from whet.ports.listing import Kind

MOST_NAMED = 20
"""What is named of many; the rest is counted."""

Change = Literal["added", "removed", "changed"]


class VersionsWords(Words):
    """Headings, marks and sentences; names in braces are filled in."""

    version = Both("version", "版本")
    updated = Both("when", "时间")
    changed = Both("changed", "改动")
    marks = Both("marks", "标记")
    first = Both("first version", "首个版本")
    edited_outside = Both("edited outside", "在外部被修改")
    problem = Both("not readable", "无法读取")
    no_difference = Both("no difference", "没有差异")
    between = Both("{name}: {left} → {right}", "{name}：{left} → {right}")
    groups = Both(
        {
            "meta": "metadata",
            "cases": "cases",
            "files": "files",
            "rubric": "rubric",
            "case_order": "order of cases",
            "executables": "files that may be executed",
        },
        {
            "meta": "元数据",
            "cases": "用例",
            "files": "文件",
            "rubric": "评分标准",
            "case_order": "用例顺序",
            "executables": "可执行文件",
        },
    )
    """What changed beside lines of text, by the group it belongs to."""

    changes = Both(
        {"added": "added", "removed": "removed", "changed": "changed"},
        {"added": "新增", "removed": "删除", "changed": "修改"},
    )


def versions(call: Call, reference: Reference, kind: Kind) -> None:
    """Print every version with what it changed."""
    with library(call.settings.workspace, kind) as shelf:
        found = views.versions(shelf, reference)
    if call.json:
        print_json(found)
        return
    console = Console(highlight=False)
    console.print(versions_table(found.versions, call.language))
    problem = VersionsWords(call.language).problem
    for one in found.problems:
        console.print(Text(f"{problem}: {line(one)}", "yellow"), soft_wrap=True)


def diff(
    call: Call,
    reference: Reference,
    left: Annotated[str, typer.Argument(help="A version, v1 say.")],
    right: Annotated[str, typer.Argument(help="Another one.")],
    kind: Kind,
    side_by_side: Annotated[
        bool, typer.Option("--side-by-side", help="In two columns instead of one.")
    ] = False,
) -> None:
    """Print what is different between two versions."""
    with library(call.settings.workspace, kind) as shelf:
        found = shelf.difference(reference, left, right)
        name = shelf.entry(reference).meta.name
    if call.json:
        print_json(found)
        return
    words, of_texts = VersionsWords(call.language), DifferenceWords(call.language)
    console = Console(highlight=False)
    if not found.changed_fields:
        console.print(words.no_difference)
        return
    title = words.between.format(name=line(name), left=found.left, right=found.right)
    for one in (Text(title, "bold"), *_summary(found, words)):
        console.print(one, soft_wrap=True)
    if found.unified and side_by_side:
        for one in (Text(), *columns(found.rows, console.width, of_texts.equal_lines)):
            console.print(one, soft_wrap=True)
    elif found.unified:
        print_unified(console, found.unified)
    if found.is_cut:
        console.print(Text(of_texts.cut, "yellow"), soft_wrap=True)


def versions_table(found: Sequence[VersionItem], language: str) -> Table:
    """What each of them changed, and which were edited outside, if any was."""
    words = VersionsWords(language)
    heads = [words.version, words.updated, words.changed]
    is_marked = any(one.edited_outside for one in found)
    table = plain_table([*heads, words.marks] if is_marked else heads, heads[:2])
    for one in found:
        marks = [words.edited_outside if one.edited_outside else ""] if is_marked else []
        table.add_row(cell(one.version), cell(one.updated_at), cell(_changed(one, words)), *marks)
    return table


def _changed(one: VersionItem, words: VersionsWords) -> str:
    if one.version == "v1" and not one.changed_fields:
        return words.first
    more = len(one.changed_fields) - MOST_NAMED
    named = ", ".join(one.changed_fields[:MOST_NAMED])
    return f"{named}, +{more}" if more > 0 else named


def _summary(found: Difference, words: VersionsWords) -> Iterator[Text]:
    """What changed beside the lines of the text."""
    for name, change in found.meta.items():
        yield Text(f"{words.groups['meta']} {line(name)}: {_values(change)}")
    for group, changes in (("cases", found.cases), ("files", found.files)):
        for kind, names in _sorted_by_kind(changes).items():
            more = f", +{len(names) - MOST_NAMED}" if len(names) > MOST_NAMED else ""
            listed = ", ".join(line(name, 100) for name in names[:MOST_NAMED])
            yield Text(f"{words.groups[group]} {words.changes[kind]}: {listed}{more}")
    for field, change in (("rubric", found.rubric), ("executables", found.executables)):
        if change is not None:
            yield Text(f"{words.groups[field]}: {_values(change)}")
    # Where a case came or went, the order is another one anyway.
    if found.case_order and not {"added", "removed"} & set(_sorted_by_kind(found.cases)):
        yield Text(f"{words.groups['case_order']}: {words.changes['changed']}")


def _sorted_by_kind(changes: Mapping[str, assets.Change]) -> dict[Change, list[str]]:
    found: dict[Change, list[str]] = {}
    for name, change in changes.items():
        if change.before is None:
            kind: Change = "added"
        else:
            kind = "removed" if change.after is None else "changed"
        found.setdefault(kind, []).append(name)
    return found


def _values(change: assets.Change) -> str:
    return f"{_value(change.before)} → {_value(change.after)}"


def _value(value: JsonValue) -> str:
    return "–" if value is None else line(json.dumps(value, ensure_ascii=False), 200)
