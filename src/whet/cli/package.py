"""``whet package``: install job packages, look at them, go back, remove them."""

import json
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.text import Text

from whet.app.packages.packages import Packages, packages
from whet.app.packages.requests import PackageRollback
from whet.app.packages.told import (
    Installed,
    PackageDetail,
    PackageHistory,
    PackageItem,
    PackageList,
    PackageVersion,
)
from whet.app.parts import InstalledParts
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class PackageWords(Words):
    """Headings and sentences; names in braces are filled in."""

    actions = Both(
        {
            "install": "installed {skill_id} {version} as {library_version}",
            "update": "updated {skill_id} to {version}, as {library_version}",
            "unchanged": "{skill_id} {version} is there already, as {library_version}",
            "rollback": "{skill_id} is {version} again, as {library_version}",
            "uninstall": "removed {skill_id} {version}; nothing is deleted",
        },
        {
            "install": "已安装 {skill_id} {version}，版本 {library_version}",
            "update": "已将 {skill_id} 更新到 {version}，版本 {library_version}",
            "unchanged": "{skill_id} {version} 已经存在，版本 {library_version}",
            "rollback": "{skill_id} 已回退到 {version}，版本 {library_version}",
            "uninstall": "已移除 {skill_id} {version}，没有删除任何内容",
        },
    )
    note = Both("note", "注意")
    none = Both(
        "No package is installed. whet package install takes a zip or a folder.",
        "没有安装任何技能包。whet package install 接受 zip 文件或文件夹。",
    )
    heads = Both(
        ("package", "version", "library", "name", "modes", "engines"),
        ("技能包", "版本", "库版本", "名称", "模式", "引擎"),
    )
    history_heads = Both(
        ("version", "library", "when", "changed"), ("版本", "库版本", "时间", "改动")
    )
    every = Both("all", "全部")
    removed = Both("removed", "已移除")
    problem = Both("cannot be run", "无法运行")
    fields = Both(
        {
            "name": "name",
            "description": "description",
            "version": "version",
            "id": "id",
            "modes": "modes",
            "engines": "engines",
            "updated_at": "updated",
        },
        {
            "name": "名称",
            "description": "描述",
            "version": "版本",
            "id": "标识",
            "modes": "模式",
            "engines": "引擎",
            "updated_at": "更新于",
        },
    )
    inputs = Both("inputs", "输入")
    parameters = Both("parameters", "参数")
    outputs = Both("outputs", "输出")
    artifacts = Both("files it yields", "产物文件")
    files = Both(
        CountedText("files of the package: {count}, {size:byte|bytes}"),
        "包内文件：{count} 个，{size} 字节",
    )
    file = Both("file", "文件")
    required = Both("required", "必填")
    otherwise = Both("optional", "可选")
    default = Both("default {value}", "默认 {value}")
    prompts = Both("prompts of its own: {names}", "自带提示词：{names}")
    unused = Both("not used", "不起作用")
    first = Both("first version", "首个版本")


Source = Annotated[Path, typer.Argument(help="A zip or a folder.", metavar="ZIP_OR_FOLDER")]
All = Annotated[bool, typer.Option("--all", help="Also those that were removed.")]
Reference = Annotated[
    str,
    typer.Argument(
        help="What the package calls itself, its name, or its id or the beginning of that.",
        metavar="PACKAGE",
    ),
]
Rollback = Annotated[PackageRollback, Spelling(arguments={"version": "VERSION"})]


def install(call: Call, source: Source) -> None:
    """Install a package, and say what became of it."""
    with _packages(call) as known:
        _print_done(call, known.install(source))


def list_(call: Call, all_: All = False) -> None:
    """Print a table of packages, and below it what is wrong with some."""
    with _packages(call) as known:
        every, items = len(known.engines), known.items(None if all_ else "active")
    if call.json:
        print_json(PackageList(packages=items))
        return
    words = PackageWords(call.language)
    if not items:
        typer.echo(words.none)
        return
    table = plain_table(words.heads, words.heads[:3])
    for one in items:
        gone = f" ({words.removed})" if one.status == "archived" else ""
        table.add_row(
            cell(one.skill_id + gone, 100),
            cell(one.version, 40),
            cell(one.library_version),
            cell(one.name, 100),
            cell(", ".join(one.execution_modes)),
            cell(words.every if len(one.engines) == every else ", ".join(one.engines)),
        )
    Console().print(table)
    for one in items:
        for problem in one.problems:
            typer.echo(line(f"{one.skill_id}: {words.problem}: {problem}"))


def show(call: Call, reference: Reference) -> None:
    """Print all that a person has to know to use a package."""
    with _packages(call) as known:
        detail = known.detail(reference)
    if call.json:
        print_json(detail)
        return
    console = Console(highlight=False)
    for one in _described(detail, PackageWords(call.language)):
        console.print(one, soft_wrap=True)


def history(call: Call, reference: Reference) -> None:
    """Print a table of the versions of a package."""
    with _packages(call) as known:
        versions = known.history(reference)
    if call.json:
        print_json(PackageHistory(versions=versions))
        return
    words = PackageWords(call.language)
    table = plain_table(words.history_heads, words.history_heads[:3])
    for one in versions:
        changed = _changed(one, words)
        table.add_row(
            cell(one.version or "–", 40), cell(one.library_version), cell(one.updated_at), changed
        )
    Console().print(table)


def rollback(call: Call, reference: Reference, wanted: Rollback) -> None:
    """Bring an older version back, and say which one it is now."""
    with _packages(call) as known:
        done = known.rollback(reference, wanted.version)
    _print_done(call, done)


def remove(call: Call, reference: Reference) -> None:
    """Remove a package, and say so."""
    with _packages(call) as known:
        done = known.uninstall(reference)
    _print_done(call, done)


@contextmanager
def _packages(call: Call) -> Generator[Packages]:
    engines = InstalledParts(call.settings.machine).engines()
    with packages(call.settings.workspace, engines) as known:
        yield known


def _print_done(call: Call, done: Installed) -> None:
    if call.json:
        print_json(done)
        return
    words = PackageWords(call.language)
    typer.echo(line(words.actions[done.action].format(**done.model_dump())))
    for note in done.notes:
        typer.echo(f"  {line(f'{words.note}: {note}')}")


def _changed(one: PackageVersion, words: PackageWords) -> Text:
    is_first = one.library_version == "v1" and not one.changed_fields
    return cell(words.first if is_first else ", ".join(one.changed_fields))


def _described(found: PackageDetail, words: PackageWords) -> Iterator[Text]:
    yield Text(line(f"{found.skill_id} {found.version}"), "bold")
    values = {
        "name": found.name,
        "description": found.description,
        "version": f"{found.version} ({found.library_version})",
        "id": found.id,
        "modes": ", ".join(found.execution_modes),
        "engines": ", ".join(found.engines),
        "updated_at": found.updated_at,
    }
    for field, value in values.items():
        if value:
            yield Text(f"{words.fields[field]}: {line(value)}")
    yield from _properties(words.inputs, found.input, words, is_input=True)
    yield from _properties(words.parameters, found.parameter, words)
    yield from _properties(words.outputs, found.output, words)
    if found.artifacts:
        yield Text(f"{words.artifacts}:", "bold")
    for rule in found.artifacts:
        need = words.required if rule.required else words.otherwise
        yield Text(f"  artifacts/{line(rule.pattern, 200)} ({line(rule.role, 60)}, {need})")
    if found.prompts:
        yield Text(line(words.prompts.format(names=", ".join(found.prompts))))
    size = sum(file.size for file in found.files)
    yield Text(words.files.format(count=len(found.files), size=f"{size:,}"))
    for each in found.unused:
        yield Text(line(f"{words.unused}: {each}"), "yellow")
    yield from _troubles(found, words)


def _troubles(found: PackageItem, words: PackageWords) -> Iterator[Text]:
    if found.status == "archived":
        yield Text(words.removed, "yellow")
    for problem in found.problems:
        yield Text(line(f"{words.problem}: {problem}"), "red")


def _properties(
    title: str,
    schema: Mapping[str, JsonValue] | None,
    words: PackageWords,
    *,
    is_input: bool = False,
) -> Iterator[Text]:
    """One line for each property of an object's schema."""
    every, needed = (schema or {}).get("properties"), (schema or {}).get("required")
    if not isinstance(every, dict) or not every:
        return
    yield Text(f"{title}:", "bold")
    for name, one in every.items():
        source = one if isinstance(one, dict) else {}
        is_file = is_input and source.get("x-input-source", "file") == "file"
        is_needed = isinstance(needed, list) and name in needed
        kind = words.file if is_file else source.get("type")
        said = [
            kind if isinstance(kind, str) else "",
            words.required if is_needed else words.otherwise,
        ]
        if "default" in source:
            said.append(words.default.format(value=json.dumps(source["default"])))
        about = source.get("description")
        tail = f"  {about}" if isinstance(about, str) else ""
        told = ", ".join(filter(None, said))
        yield Text(f"  {line(f'{name} ({told}){tail}')}")
