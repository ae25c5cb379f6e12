"""``whet secret``: the secrets that runs of this workspace were given."""

import sys
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.secret_store import SecretStore
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.core.bilingual import Both, Words

STOPPED = "stopped; nothing was changed"


class SecretWords(Words):
    """What is said of secrets; names in braces are filled in."""

    none = Both("no secrets are kept for {workspace}", "没有为 {workspace} 保存任何密钥")
    ask = Both("The value of {name}, which is not shown", "{name} 的值（输入时不显示）")


Reference = Annotated[
    str, typer.Argument(help="As the message or the list names it.", metavar="REFERENCE")
]
Name = Annotated[
    str, typer.Option("--name", help="Where it stands, as environment.API_TOKEN.", metavar="NAME")
]


def list_(call: Call) -> None:
    """Print every secret of the workspace without its value."""
    kept, workspace = SecretStore(call.settings).list(), str(call.settings.workspace)
    if call.json:
        rows: list[JsonValue] = [
            {"reference": one.reference, "name": one.name, "owner": one.owner} for one in kept
        ]
        print_json({"workspace": workspace, "secrets": rows})
        return
    for one in kept:
        typer.echo(f"{one.reference}  {line(one.name)}  {line(one.owner)}")
    if not kept:
        typer.echo(SecretWords(call.language).none.format(workspace=line(workspace)))


@when_stopped(STOPPED)
def set_(call: Call, reference: Reference, name: Name) -> None:
    """Keep the value of a reference, and print all there are then."""
    if sys.stdin.isatty():
        question = SecretWords(call.language).ask.format(name=line(name))
        value: str = typer.prompt(question, hide_input=True, err=True)
    else:
        value = sys.stdin.read().removesuffix("\n")
    SecretStore(call.settings).give(reference, name, value)
    list_(call)


@when_stopped(STOPPED)
def remove(call: Call, reference: Reference) -> None:
    """Forget a secret, and print those that are left."""
    SecretStore(call.settings).remove(reference)
    list_(call)
