"""``whet config``: show and set what holds where a command names nothing."""

import json
from typing import Annotated

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app import config
from whet.app.clock import SystemClock
from whet.app.config import Configuration
from whet.app.parts import InstalledParts
from whet.cli.asset_output import print_json
from whet.cli.command import Call, when_stopped
from whet.cli.options import named_values
from whet.core.bilingual import Both, Words


class ConfigWords(Words):
    """Headings and sources; names in braces are filled in."""

    key = Both("key", "键")
    value = Both("value", "值")
    source = Both("from", "来源")
    sources = Both(
        {"environment": "environment", "file": "file", "built-in": "built in"},
        {"environment": "环境变量", "file": "文件", "built-in": "内置"},
    )
    no_file = Both("{file} is not there yet.", "{file} 尚不存在。")
    compress = Both(
        "context.auto_compress is kept for other programs and has no effect here: to have an agent "
        "compress its conversation, use whet project create --compress.",
        "context.auto_compress 只为其他程序保留，在此不起作用："
        "要让智能体压缩对话，请用 whet project create --compress。",
    )


Values = Annotated[
    list[str],
    typer.Argument(
        help="KEY=VALUE, VALUE as JSON; null goes back to what is built in.",
        metavar="KEY=VALUE...",
    ),
]


def show(call: Call) -> None:
    """Print every value with its source."""
    _print(call, config.configuration(call.settings))


@when_stopped("stopped; nothing was changed")
def set_(call: Call, values: Values) -> None:
    """Set values, and print what holds then."""
    settings, wanted = call.settings, named_values(values)
    parts = InstalledParts(settings.machine)
    changed = config.change(settings, parts, wanted, SystemClock().now())
    if wanted.get("cli_path") is not None:
        config.agree_to_program(settings)
    _print(call, changed)


def _print(call: Call, known: Configuration) -> None:
    if call.json:
        print_json(known)
        return
    words = ConfigWords(call.language)
    table = Table(box=SIMPLE_HEAD)
    for heading in (words.key, words.value, words.source):
        table.add_column(heading, no_wrap=heading == words.key)
    for key, one in known.values.items():
        text = one.value if isinstance(one.value, str) else json.dumps(one.value)
        table.add_row(key, escape(text), words.sources[one.source])
    console = Console()
    console.print(table)
    file = known.file if known.exists else words.no_file.format(file=known.file)
    console.print(file, markup=False, highlight=False, soft_wrap=True)
    if known.values["context.auto_compress"].value is True:
        console.print(words.compress, markup=False, highlight=False, soft_wrap=True)
