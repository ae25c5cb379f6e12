"""``whet session compare``."""

from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from whet.cli.asset_output import line, plain_table, print_json
from whet.cli.command import Call
from whet.cli.session.output import SESSION, duration, opened_sessions
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.documents.base import Number
from whet.documents.session_comparison import SessionComparison
from whet.exporters.amounts import amount, signed
from whet.replay.compare_words import in_words


class CompareWords(Words):
    """What is said of two sessions."""

    same = Both(
        CountedText(
            "{same:call is|calls are} the same, {changed} changed, {left} only left, "
            "{right} only right"
        ),
        "相同调用 {same} 次，改变 {changed} 次，仅左 {left} 次，仅右 {right} 次",
    )
    measures = Both(
        {
            "calls": "calls",
            "failed": "failed",
            "wall_ms": "in all",
            "busy_ms": "calls running",
            "thinking_ms": "thinking",
            "idle_ms": "waiting",
            "input_tokens": "tokens in",
            "output_tokens": "tokens out",
            "estimated_tokens": "tokens, estimated",
            "cost_usd": "cost",
        },
        {
            "calls": "调用",
            "failed": "失败",
            "wall_ms": "总时长",
            "busy_ms": "调用运行",
            "thinking_ms": "思考",
            "idle_ms": "等待",
            "input_tokens": "输入令牌",
            "output_tokens": "输出令牌",
            "estimated_tokens": "估计令牌",
            "cost_usd": "费用",
        },
    )
    columns = Both(("left", "right", "left − right"), ("左", "右", "左 − 右"))
    alike = Both("similarity {share} of 100", "相似度 {share}（满分 100）")


def compare(
    call: Call,
    left: Annotated[str, typer.Argument(help=SESSION, metavar="A")],
    right: Annotated[str, typer.Argument(help="The other one.", metavar="B")],
) -> None:
    """Print where two sessions part, and what else is different."""
    words = CompareWords(call.language)
    with opened_sessions(call.settings) as sessions:
        found = sessions.compare(left, right)
    if call.json:
        print_json(found.to_data())
        return
    for sentence in in_words(found, call.language):
        typer.echo(line(sentence, 1000))
    counts = {"left": found.only_left, "right": found.only_right}
    typer.echo(words.same.format(same=found.same, changed=found.changed, **counts))
    typer.echo(words.alike.format(share=f"{100 * found.similarity:.0f}"))
    _print_amounts(found, words)


def _print_amounts(found: SessionComparison, words: CompareWords) -> None:
    table = plain_table(("", *words.columns), words.columns)
    for one in found.amounts:
        if one.left is None and one.right is None:
            continue
        sides = (_amount(one.name, one.left), _amount(one.name, one.right))
        shown = (*sides, _delta(one.name, one.delta))
        table.add_row(words.measures[one.name], *(Text(each, justify="right") for each in shown))
    Console(highlight=False).print(table)


def _amount(name: str, value: Number | None) -> str:
    if value is None:
        return "–"
    if name.endswith("_ms"):
        return duration(value)
    return amount(value, "usd") if name == "cost_usd" else f"{value:,}"


def _delta(name: str, value: Number | None) -> str:
    if value is None:
        return "–"
    if name.endswith("_ms"):
        sign = "−" if value < 0 else "+" if value > 0 else ""
        return f"{sign}{duration(abs(value))}"
    return signed(value, "usd" if name == "cost_usd" else "tokens")
