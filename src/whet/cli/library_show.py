"""``whet skill show`` and ``whet baseline show``: all that is known of one version."""

import json
from collections.abc import Iterator, Mapping
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.library.library import library
from whet.app.library.views import AssetDetail, detail
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.library_find import FindWords, doubts
from whet.cli.library_options import Reference, Version
from whet.cli.library_versions import versions_table
from whet.core.bilingual import Both
from whet.core.counts import CountedText
from whet.core.errors import NotFound
from whet.core.naming import short
from whet.core.text import printable
from whet.ports.listing import Kind

VERSIONS = 10
FILES = 40
CASES = 40
LINES = 20
CHARACTERS = 2000
"""What is shown of each; the rest is counted."""

_LONG = ("input", "expected_output")


class ShowWords(FindWords):
    """What is said of one version, beside what lists say."""

    newest_of = Both("{version}, the newest of {count}", "{version}，共 {count} 个版本中最新的")
    version_of = Both(
        "{version} of {count}, the newest is {newest}",
        "{version}，共 {count} 个版本，最新为 {newest}",
    )
    package = Both("{type}, a package of files: {count}", "{type}，文件包，文件数：{count}")
    best = Both(
        "{score} on {baseline}, tests: {count}", "{score}，基线：{baseline}，测试次数：{count}"
    )
    no_best = Both("none yet, tests: {count}", "尚无，测试次数：{count}")
    executable = Both("executable", "可执行")
    headings = Both(
        {
            "versions": "Versions",
            "files": "Files",
            "content": "Text",
            "cases": "Cases",
            "input": "Input",
            "expected_output": "Expected",
        },
        {
            "versions": "版本",
            "files": "文件",
            "content": "正文",
            "cases": "用例",
            "input": "输入",
            "expected_output": "期望",
        },
    )
    more_text = Both(
        CountedText(
            "… --content shows all of it: {lines:line|lines}, {characters:character|characters}"
        ),
        "… 用 --content 显示全文：{lines} 行，{characters} 个字符",
    )
    more = Both("… and {count} more; see {command}", "… 还有 {count} 个，见 {command}")
    problem = Both("problem", "问题")


def show_skill(
    call: Call,
    reference: Reference,
    version: Version = None,
    content: Annotated[bool, typer.Option("--content", help="The whole text.")] = False,
) -> None:
    """Print one version of a skill."""
    with library(call.settings.workspace, "skill") as shelf:
        found = detail(shelf, reference, version)
    if call.json:
        print_json(found)
    else:
        _Sheet(call, "skill", found, is_whole=content).print()


def show_baseline(
    call: Call,
    reference: Reference,
    version: Version = None,
    case: Annotated[
        str | None, typer.Option("--case", help="One case in full, by its id.", metavar="CASE")
    ] = None,
) -> None:
    """Print one version of a baseline, or one case of it."""
    with library(call.settings.workspace, "baseline") as shelf:
        found = detail(shelf, reference, version)
    if case is not None:
        _print_case(call, found, case)
    elif call.json:
        print_json(found)
    else:
        _Sheet(call, "baseline", found).print()


class _Sheet:
    """One version for people."""

    def __init__(
        self, call: Call, kind: Kind, found: AssetDetail, *, is_whole: bool = False
    ) -> None:
        self._call = call
        self._kind = kind
        self._found = found
        self._is_whole = is_whole
        self._words = ShowWords(call.language)
        self._console = Console()

    def print(self) -> None:
        found, words = self._found, self._words
        grid = _grid()
        for name, text in self._fields().items():
            if text:
                grid.add_row(words.columns[name], cell(text, 2000))
        self._console.print(grid)
        # On one line, however long, so that it can be copied.
        typer.echo(f"{words.columns['path']}  {line(found.path, 4096)}")
        self._versions()
        if found.files is not None:
            self._files()
        if found.content is not None:
            self._content(found.content)
        if found.cases is not None:
            self._cases(found.cases)
        for problem in found.problems:
            typer.echo(f"{words.problem}: {line(problem)}")

    def _fields(self) -> dict[str, str]:
        """What is known of it, by column; what is empty says nothing."""
        found, meta = self._found, self._found.meta
        proposed = (tag["value"] for tag in found.labels.auto if tag["status"] == "pending")

        def said(*names: str) -> dict[str, str]:
            return {name: str(meta.get(name, "")) for name in names}

        return {
            **said("name"),
            "id": found.asset.id,
            "version": self._version(),
            "type": self._type(),
            **said("purpose", "provider", "description", "author", "source"),
            "tags": ", ".join(found.labels.tags),
            "pending_tags": ", ".join(map(str, proposed)),
            "status": self._words.values[found.asset.status],
            **said("created_at", "updated_at"),
            "best_score": _best(found.asset.test_summary, self._words),
            "made_from": ", ".join(_sources(found.provenance)),
            "rubric": _rubric(found.rubric),
        }

    def _version(self) -> str:
        found, words = self._found, self._words
        count, newest = len(found.versions), found.asset.version
        said = words.newest_of if found.version == newest else words.version_of
        told = said.format(version=found.version, count=count, newest=newest)
        version = told if count > 1 else found.version
        is_edited = any(
            one.edited_outside for one in found.versions if one.version == found.version
        )
        return f"{version} ({words.edited_outside})" if is_edited else version

    def _type(self) -> str:
        found = self._found
        kind = str(found.meta.get("type", ""))
        if found.files is None:
            return kind
        return self._words.package.format(type=kind, count=len(found.files))

    def _versions(self) -> None:
        found = self._found
        if len(found.versions) < 2:
            return
        self._heading("versions")
        listed = found.versions[:VERSIONS]
        self._console.print(versions_table(listed, self._call.language))
        self._more(len(found.versions) - VERSIONS, "versions")

    def _files(self) -> None:
        files, words = self._found.files or (), self._words
        self._heading("files")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(justify="right", no_wrap=True)
        table.add_column(overflow="fold")
        for file in files[:FILES]:
            path = cell(file.path)
            if file.is_executable:
                path.append(f"  {words.executable}", "dim")
            table.add_row(str(file.size), path)
        self._console.print(table)
        self._more(len(files) - FILES, "show", "--json")

    def _content(self, text: str) -> None:
        self._heading("content")
        whole = text.removesuffix("\n")
        shown = whole if self._is_whole else _beginning(whole)
        typer.echo(printable(shown))
        if shown != whole:
            lines = whole.count("\n") + 1
            typer.echo(self._words.more_text.format(lines=lines, characters=len(whole)))

    def _cases(self, cases: tuple[dict[str, JsonValue], ...]) -> None:
        words = self._words
        self._heading("cases")
        names = ("id", "name", "category", "input")
        table = plain_table(words.columns[name] for name in names)
        for case in cases[:CASES]:
            said = {**case, "category": words.values[str(case["category"])]}
            table.add_row(*(cell(str(said.get(name, "")), 160) for name in names))
        if cases:
            self._console.print(table)
        self._more(len(cases) - CASES, "case list")

    def _more(self, count: int, verb: str, flag: str = "") -> None:
        if count > 0:
            words = f"{self._kind} {verb} {short(self._found.asset.id)} {flag}".rstrip()
            hint = self._call.command(words)
            typer.echo(self._words.more.format(count=count, command=printable(hint)))

    def _heading(self, name: str) -> None:
        self._console.print(Text(f"\n{self._words.headings[name]}", "bold"))


def _print_case(call: Call, found: AssetDetail, wanted: str) -> None:
    case = next((one for one in found.cases or () if one.get("id") == wanted), None)
    if case is None:
        name, version = line(found.asset.name, 60), found.version
        raise NotFound(f"{name!r} {version} has no case {line(wanted, 60)!r}")
    if call.json:
        print_json(case)
        return
    words = ShowWords(call.language)
    grid = _grid()
    said = {**case, "category": words.values[str(case["category"])]}
    for name, value in said.items():
        if name not in _LONG and value not in ("", None):
            grid.add_row(cell(words.columns.get(name, name), 40), cell(_as_text(value), 2000))
    console = Console()
    console.print(grid)
    for name in _LONG:
        console.print(Text(f"\n{words.headings[name]}", "bold"))
        typer.echo(printable(_as_text(case.get(name))))


def _grid() -> Table:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    return grid


def _beginning(text: str) -> str:
    return "\n".join(text[:CHARACTERS].split("\n")[:LINES])


def _as_text(value: JsonValue) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _best(summary: dict[str, JsonValue] | None, words: ShowWords) -> str:
    if summary is None:
        return ""
    match summary:
        case {"best_score": int() | float() as score, "best_baseline_name": name}:
            said = words.best.format(
                score=f"{score:.1f}", baseline=name, count=summary["test_count"]
            )
        case _:
            said = words.no_best.format(count=summary["test_count"])
    return " · ".join((said, *doubts(summary, words)))


def _sources(provenance: Mapping[str, JsonValue] | None) -> Iterator[str]:
    match provenance:
        case {"source_skills": list(sources)}:
            for source in sources:
                if isinstance(source, dict):
                    yield f"{source.get('skill_name')} {source.get('skill_version')}"
        case _:
            pass


def _rubric(rubric: JsonValue) -> str:
    match rubric:
        case {"name": str(name)}:
            return name
        case _:
            return _as_text(rubric)
