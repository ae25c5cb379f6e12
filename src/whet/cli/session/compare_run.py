"""What ``whet session compare`` does once its imports are worth their time."""

import typer
from rich.console import Console
from rich.text import Text

from whet.app.settings import Settings
from whet.cli.asset_output import line, plain_table, print_json
from whet.cli.session.desk import desk_of, took
from whet.cli.session.options import Compare
from whet.cli.session.words import DoWords, SessionWords
from whet.documents.base import Number
from whet.documents.session_comparison import SessionComparison
from whet.exporters.amounts import amount, signed
from whet.replay.compare_words import in_words


def compare(settings: Settings, options: Compare) -> None:
    """Print where two sessions part, and what else is different."""
    words = SessionWords(settings.language).do
    with desk_of(settings) as desk:
        found = desk.compare(options.left, options.right)
    if options.json:
        print_json(found.to_data())
        return
    for sentence in in_words(found, settings.language):
        typer.echo(line(sentence, 1000))
    counts = {"left": found.only_left, "right": found.only_right}
    typer.echo(words.same.format(same=found.same, changed=found.changed, **counts))
    typer.echo(words.alike.format(share=f"{100 * found.similarity:.0f}"))
    _print_amounts(found, words)


def _print_amounts(found: SessionComparison, words: DoWords) -> None:
    heads = words.columns
    table = plain_table(heads.values(), [*heads.values()][1:])
    for one in found.amounts:
        if one.left is None and one.right is None:
            continue
        told = (_told(one.name, one.left), _told(one.name, one.right), _delta(one.name, one.delta))
        table.add_row(words.measures[one.name], *(Text(each, justify="right") for each in told))
    Console(highlight=False).print(table)


def _told(name: str, value: Number | None) -> str:
    if value is None:
        return "–"
    if name.endswith("_ms"):
        return took(value)
    return amount(value, "usd") if name == "cost_usd" else f"{value:,}"


def _delta(name: str, value: Number | None) -> str:
    if value is None:
        return "–"
    if name.endswith("_ms"):
        sign = "−" if value < 0 else "+" if value > 0 else ""
        return f"{sign}{took(abs(value))}"
    return signed(value, "usd" if name == "cost_usd" else "tokens")
