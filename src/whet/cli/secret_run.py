"""What ``whet secret`` does once its imports are worth their time."""

import sys
from dataclasses import dataclass

import typer
from pydantic import JsonValue

from whet.app.secret_store import SecretStore
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json


@dataclass(frozen=True)
class SecretWords:
    """Names in braces are filled in."""

    none: str
    ask: str


BY_LANGUAGE = {
    "en": SecretWords(
        none="no secrets are kept for {workspace}", ask="The value of {name}, which is not shown"
    ),
    "zh": SecretWords(none="没有为 {workspace} 保存任何密钥", ask="{name} 的值（输入时不显示）"),
}


def show(settings: Settings, *, as_json: bool) -> None:
    """Print every secret of the workspace without its value."""
    kept = SecretStore(settings).list()
    if as_json:
        rows: list[JsonValue] = [
            {"reference": one.reference, "name": one.name, "owner": one.owner} for one in kept
        ]
        print_json({"workspace": str(settings.workspace), "secrets": rows})
        return
    for one in kept:
        typer.echo(f"{one.reference}  {line(one.name)}  {line(one.owner)}")
    if not kept:
        words = BY_LANGUAGE[settings.language]
        typer.echo(words.none.format(workspace=line(str(settings.workspace))))


def give(settings: Settings, reference: str, name: str, *, as_json: bool) -> None:
    """Keep the value of a reference, and print all there are then."""
    if sys.stdin.isatty():
        asked = BY_LANGUAGE[settings.language].ask.format(name=line(name))
        value: str = typer.prompt(asked, hide_input=True, err=True)
    else:
        value = sys.stdin.read().removesuffix("\n")
    SecretStore(settings).give(reference, name, value)
    show(settings, as_json=as_json)


def remove(settings: Settings, reference: str, *, as_json: bool) -> None:
    """Forget a secret, and print those that are left."""
    SecretStore(settings).remove(reference)
    show(settings, as_json=as_json)
