"""``whet engine``: the agents that whet can drive."""

import asyncio
from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.config import machine_of
from whet.app.doctor import EngineReport, Engines, inspected
from whet.app.parts import InstalledParts
from whet.cli.asset_output import print_json
from whet.cli.command import Call
from whet.core.bilingual import Both, Words


class EngineWords(Words):
    """Headings and states of engines; names in braces are filled in."""

    looking = Both("looking around …", "正在检查……")
    engine = Both("engine", "引擎")
    version = Both("version", "版本")
    credential = Both("credential", "凭据")
    state = Both("state", "状态")
    ready = Both("ready", "就绪")
    simulated = Both(" (simulated: no model behind it)", "（模拟：背后没有模型）")
    answered = Both("answered in {seconds:.1f} s", "{seconds:.1f} 秒内回答")
    fix = Both("fix", "解决办法")


def list_(call: Call) -> None:
    """Print the engines."""
    words = EngineWords(call.language)
    with Console(stderr=True).status(words.looking):
        known = asyncio.run(inspected(InstalledParts(machine_of(call.settings))))
    if call.json:
        print_json(Engines(engines=tuple(known)))
    else:
        Console().print(engine_table(known, words))


def engine_table(reports: Sequence[EngineReport], words: EngineWords) -> Table:
    """One row for each engine: its version, its credential, and what is wrong with it."""
    table = Table(box=SIMPLE_HEAD)
    for heading in (words.engine, words.version, words.credential, words.state):
        table.add_column(heading, no_wrap=heading == words.engine)
    for report in reports:
        chosen = f"\n[dim]{report.program_setting}: {escape(report.program or '')}[/]"
        state = _state(report, words) + (chosen if report.program_setting else "")
        table.add_row(report.name, report.version or "–", report.credential or "–", state)
    return table


def _state(report: EngineReport, words: EngineWords) -> str:
    if report.problem is not None:
        colour = "red" if report.installed else "dim"
        fix = f"\n{words.fix}: [bold]{escape(report.fix)}[/]" if report.fix else ""
        return f"[{colour}]{escape(report.problem)}[/]{fix}"
    if report.live is not None and not report.live.ok:
        return f"[red]{escape(report.live.error or '')}[/]"
    if report.live is not None:
        cost = "" if report.live.cost_usd is None else f", {report.live.cost_usd:.4f} USD"
        return f"[green]{words.answered.format(seconds=report.live.seconds)}[/]{cost}"
    return f"[green]{words.ready}[/]{words.simulated if report.simulated else ''}"
