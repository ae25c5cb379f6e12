"""``whet consent``: what agents of this workspace may see and reach beyond what any agent does."""

import re
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.access import POLICY, Access
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.core.bilingual import Both, Words
from whet.core.errors import UsageError

STOPPED = "stopped; nothing was changed"
_CODE = re.compile(r"[0-9a-f]{32}")


class ConsentWords(Words):
    """What is said of consents; names in braces are filled in."""

    none = Both("nothing is agreed to in {workspace}", "{workspace} 中没有任何授权")
    policy = Both(
        "allowed on this machine without asking: {path}", "本机无需询问即允许的内容：{path}"
    )
    unnamed = Both("agreed to by its code", "按代码授权")


Code = Annotated[str, typer.Argument(help="The code that the refusal names.", metavar="CODE")]


def list_(call: Call) -> None:
    """Print every consent of the workspace, and where the policy lies."""
    access, workspace = Access(call.settings), str(call.settings.workspace)
    given = access.consents().given
    path = call.settings.config_folder / POLICY
    if call.json:
        allowed = access.policy().model_dump(mode="json")
        known: dict[str, JsonValue] = {"workspace": workspace, "given": {**given}}
        print_json({**known, "policy_file": str(path), "policy": allowed})
        return
    words = ConsentWords(call.language)
    for code, meaning in given.items():
        typer.echo(f"{code}  {line(meaning)}")
    if not given:
        typer.echo(words.none.format(workspace=line(workspace)))
    typer.echo(words.policy.format(path=line(str(path))))


@when_stopped(STOPPED)
def give(call: Call, code: Code) -> None:
    """Keep a consent by its code, and print all there are then."""
    if not _CODE.fullmatch(code):
        raise UsageError(f"{code[:40]!r} is no code; take the one that the refusal names")
    Access(call.settings).give_code(code, ConsentWords(call.language).unnamed)
    list_(call)


@when_stopped(STOPPED)
def revoke(call: Call, code: Code) -> None:
    """Take a consent back, and print those that are left."""
    Access(call.settings).revoke(code)
    list_(call)
