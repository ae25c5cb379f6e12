"""``whet session show``."""

import json
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from pydantic import JsonValue
from rich.console import Console
from rich.table import Table
from rich.text import Text

from whet.app.sessions.view import View
from whet.cli.asset_output import cell, line, print_json
from whet.cli.command import Call
from whet.cli.session.output import COLOURS, EntryWords, Reference, duration, opened_sessions
from whet.core.bilingual import Both
from whet.core.errors import NotFound
from whet.core.text import printable
from whet.documents.session import PhaseAnnotation
from whet.documents.session_timeline import CallDetail, CallPage, CallRow
from whet.exporters.amounts import amount
from whet.replay.annotators import Annotator, annotations_of, annotators

PHASE_COLOURS = {
    "understand": "cyan",
    "explore": "blue",
    "plan": "magenta",
    "execute": "yellow",
    "verify": "green",
}
_MOST_TEXT = 4000
_MOST_VERDICTS = 40


class ShowWords(EntryWords):
    """What is said of one session."""

    fields = Both(
        {
            "name": "session",
            "title": "task",
            "kind": "from",
            "status": "status",
            "engine": "engine",
            "model": "model",
            "created": "begun",
            "took": "took",
            "calls": "calls",
            "tokens": "tokens",
            "cost": "cost",
            "skills": "skills",
            "trial": "trial",
            "source": "log",
            "annotators": "phases by",
            "error": "error",
        },
        {
            "name": "会话",
            "title": "任务",
            "kind": "来源",
            "status": "状态",
            "engine": "引擎",
            "model": "模型",
            "created": "开始",
            "took": "用时",
            "calls": "调用",
            "tokens": "令牌",
            "cost": "费用",
            "skills": "技能",
            "trial": "试验",
            "source": "日志",
            "annotators": "阶段标注者",
            "error": "错误",
        },
    )
    phases = Both(
        {
            "understand": "understand",
            "explore": "explore",
            "plan": "plan",
            "execute": "execute",
            "verify": "verify",
            "mixed": "mixed",
            "unclassified": "unclassified",
        },
        {
            "understand": "理解",
            "explore": "探索",
            "plan": "规划",
            "execute": "执行",
            "verify": "验证",
            "mixed": "混合",
            "unclassified": "未标注",
        },
    )
    confidences = Both(
        {"high": "high", "medium": "medium", "low": "low"},
        {"high": "高", "medium": "中", "low": "低"},
    )
    no_calls = Both("No calls.", "没有调用。")
    further = Both(
        "calls {first} to {last} of {total}; go on: {command}",
        "第 {first} 至 {last} 次调用，共 {total} 次；继续：{command}",
    )
    simulated = Both("by the built-in simulated agent", "由内置的模拟智能体产生")
    verdicts = Both("verdicts", "判定")
    passed = Both("passed", "通过")
    failed = Both("failed", "未通过")


Number = Annotated[
    int | None, typer.Option("--call", help="Only this call, with all that is known of it.", min=1)
]
First = Annotated[int, typer.Option("--from", help="Begin with this call.", min=1, metavar="N")]
Limit = Annotated[int, typer.Option(help="Calls that are shown, at most.", min=1, max=500)]
By = Annotated[str | None, typer.Option(help="Whose phases, auto:signals say. Default: the first.")]


def show(
    call: Call,
    session: Reference,
    number: Number = None,
    first: First = 1,
    limit: Limit = 200,
    annotator: By = None,
) -> None:
    """Print a session, or one call of it."""
    words = ShowWords(call.language)
    with opened_sessions(call.settings) as sessions:
        view = sessions.view(session)
        if number is not None:
            found = view.detail(number - 1)
            if call.json:
                print_json(found.to_data())
            else:
                typer.echo("\n".join(_call_lines(found, words)))
            return
        page = view.page(first - 1, limit)
        if call.json:
            print_json(_document(view, page))
            return
        opening = _openings(view, _annotator(view, annotator))
        console = Console(highlight=False)
        console.print(_head(view, words))
        _print_calls(console, call, view, page, opening)
        _print_verdicts(console, view, words)


def _document(view: View, page: CallPage) -> dict[str, JsonValue]:
    session = view.loaded.session
    return {
        "session": view.loaded.entry.model_dump(mode="json"),
        "user_prompt": session.user_prompt,
        "final_answer": session.final_answer,
        "annotations": [one.to_data() for one in session.phase_annotations or ()],
        "calls": page.to_data(),
        "verdicts": [link.to_data() for link in view.links],
    }


def _head(view: View, words: ShowWords) -> Table:
    entry, session = view.loaded.entry, view.loaded.session
    tokens = (entry.input_tokens, entry.output_tokens)
    rows: dict[str, str | Text] = {
        "name": entry.name,
        "title": entry.title,
        "kind": words.kinds[entry.kind],
        "status": Text(words.statuses[entry.status], COLOURS[entry.status]),
        "engine": f"{entry.engine or ''} {session.engine_version or ''}".strip(),
        "model": entry.model or "",
        "created": entry.created_at,
        "took": duration(entry.duration_ms),
        "calls": f"{entry.calls}" + (f" ({entry.failed}✗)" if entry.failed else ""),
        "tokens": " + ".join(f"{one:,}" for one in tokens if one is not None),
        "cost": amount(entry.cost_usd, "usd") if entry.cost_usd is not None else "",
        "skills": ", ".join(entry.skills),
        "trial": (entry.trial_address or "")[:16],
        "source": " ".join(filter(None, (entry.source_format, entry.source_file))),
        "annotators": ", ".join(who.label for who in annotators(session)),
        "error": session.error or "",
    }
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for name, value in rows.items():
        if value:
            told = value if isinstance(value, Text) else cell(value)
            grid.add_row(words.fields[name], told)
    if entry.simulated:
        grid.add_row("", Text(words.simulated, "yellow"))
    return grid


def _print_calls(
    console: Console, call: Call, view: View, page: CallPage, opening: "_Openings"
) -> None:
    words = ShowWords(call.language)
    if not page.calls:
        typer.echo(words.no_calls)
        return
    before: int | None = None
    for row in page.calls:
        now = opening.within(row.index)
        if now != before and now is not None:
            console.print(_phase(opening.annotations[now], opening.spans[now], words))
        before = now
        console.print(_call_line(row), soft_wrap=True)
    last = page.calls[-1].index + 1
    if last < page.total:
        name = view.loaded.entry.name
        go_on = printable(call.command(f"session show {name} --from {last + 1}"))
        first = page.calls[0].index + 1
        typer.echo(words.further.format(first=first, last=last, total=page.total, command=go_on))


def _annotator(view: View, label: str | None) -> Annotator | None:
    known = annotators(view.loaded.session)
    if label is None:
        return known[0] if known else None
    for who in known:
        if label in (who.label, who.kind):
            return who
    names = ", ".join(who.label for who in known) or "–"
    raise NotFound(f"nobody called {label[:100]!r} has annotated it; these have: {names}")


class _Openings:
    """Which phase of one annotator a call stands in: the shortest around it."""

    def __init__(self, view: View, annotations: Sequence[PhaseAnnotation]) -> None:
        places = {act.call_id: act.index for act in reversed(view.acts)}
        self.annotations: list[PhaseAnnotation] = []
        self.spans: list[tuple[int, int]] = []
        for one in annotations:
            first = places.get(one.tool_call_range.start_call_id)
            last = places.get(one.tool_call_range.end_call_id)
            if first is not None and last is not None and not one.is_point:
                self.annotations.append(one)
                self.spans.append((first, last))
        self._of: list[int | None] = [None] * len(view.acts)
        by_length = sorted(
            range(len(self.spans)), key=lambda n: self.spans[n][0] - self.spans[n][1]
        )
        for number in by_length:
            first, last = self.spans[number]
            self._of[first : last + 1] = [number] * max(0, last + 1 - first)

    def within(self, place: int) -> int | None:
        """The number of the phase, if it is in one."""
        return self._of[place]


def _openings(view: View, who: Annotator | None) -> _Openings:
    found = () if who is None else annotations_of(view.loaded.session, who)
    return _Openings(view, found)


def _phase(one: PhaseAnnotation, span: tuple[int, int], words: ShowWords) -> Text:
    name = words.phases[one.phase_type]
    said = f" {span[0] + 1}–{span[1] + 1} ({words.confidences[one.confidence]})"
    told = f"  {line(one.description, 160)}" if one.description else ""
    colour = PHASE_COLOURS.get(one.phase_type, "white")
    return Text.assemble("\n── ", (name, f"bold {colour}"), said, (told, "dim"))


def _call_line(row: CallRow) -> Text:
    mark = ("✗", "red") if row.failed else ("✓", "green")
    inner = "  ↳ " if row.agent is not None else "  "
    marks = [one for one in row.marks if one != "error"]  # which the cross says already
    links = f"  ⚑ {', '.join(marks)}" if marks else ""
    return Text.assemble(
        f"{row.index + 1:>5} ",
        mark,
        f" {duration(row.duration_ms):>9}{inner}",
        (line(row.tool, 40), "bold"),
        f"  {line(row.subject, 120)}",
        (f"  {line(row.display, 80)}" if row.failed and row.display else "", "red"),
        (links, "cyan"),
    )


def _print_verdicts(console: Console, view: View, words: ShowWords) -> None:
    links = view.links
    if not links:
        return
    console.print(Text(f"\n{words.verdicts}", "bold"))
    for link in links[:_MOST_VERDICTS]:
        passed = {True: (words.passed, "green"), False: (words.failed, "red")}
        mark = ("–", "dim") if link.passed is None else passed[link.passed]
        said = f"  {line(link.verdict, 60)}  {line(link.text, 100)}"
        where = f" → {link.index + 1} ({link.reason}: {line(link.because, 60)})"
        console.print(Text.assemble("  ", mark, said, (where, "dim")), soft_wrap=True)


def _call_lines(found: CallDetail, words: ShowWords) -> Iterator[str]:
    call = found.call
    mark = "✗" if call.output.status == "failed" else "✓"
    yield line(f"{found.index + 1} {mark} {call.tool_name} {call.call_id} {call.started_at}")
    for said in found.said:
        yield _block("“", said)
    yield _block("→", json.dumps(call.input.params, ensure_ascii=False, indent=2))
    result = call.output.result
    content = (result.model_extra or {}).get("content") if result else None
    for text in (call.output.error, result.display if result else None, content):
        if isinstance(text, str) and text:
            yield _block("←", text)
    for link in found.verdicts:
        passed = "–" if link.passed is None else words.passed if link.passed else words.failed
        yield line(f"⚑ {passed} {link.verdict}: {link.text} ({link.reason}: {link.because})")


def _block(mark: str, text: str) -> str:
    """Several lines of a stranger's text, without anything that steers a terminal."""
    cut = text[:_MOST_TEXT] + (" …" if len(text) > _MOST_TEXT else "")
    lines = printable(cut.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    return "\n".join([f"{mark} {lines[0]}", *(f"  {one}" for one in lines[1:])])
