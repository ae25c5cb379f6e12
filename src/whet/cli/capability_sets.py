"""``whet capability sets``: the sets of cases, bundled ones and those of the workspace."""

import typer
from rich.console import Console
from rich.table import Table

from whet.app.capability.sets import case_sets
from whet.cli.asset_output import cell, line, plain_table, print_json
from whet.cli.command import Call
from whet.core.bilingual import Both, Words
from whet.documents.capability import DIMENSIONS, CaseSetList, CaseSetSummary


class CaseSetWords(Words):
    """What is said of case sets."""

    heads = Both(("case set", "language", "cases"), ("用例集", "语言", "用例"))
    source = Both("source", "来源")
    problem = Both("problem", "问题")


def sets(call: Call) -> None:
    """Print the sets, and what is wrong with those that cannot be read."""
    known = CaseSetList(
        case_sets=tuple(one.summary() for one in case_sets(call.settings.workspace))
    )
    if call.json:
        print_json(known.to_data())
        return
    words = CaseSetWords(call.language)
    readable = [one for one in known.case_sets if one.problem is None]
    if readable:
        Console().print(_table(readable, words))
    for one in known.case_sets:
        if one.problem is not None:
            typer.echo(line(f"{words.problem}: {one.source}: {one.problem}"))


def _table(known: list[CaseSetSummary], words: CaseSetWords) -> Table:
    heads = [*words.heads, *DIMENSIONS]
    table = plain_table([*heads, words.source], heads)
    for column in table.columns[2:-1]:
        column.justify = "right"
    for one in known:
        table.add_row(
            cell(one.case_set if one.version is None else f"{one.case_set} {one.version}", 80),
            cell(one.language or "–", 40),
            str(one.case_count),
            *(str(one.dimensions.get(name, 0)) for name in DIMENSIONS),
            cell(one.source or "", 200),
        )
    return table
