"""What ``whet consent`` does once its imports are worth their time."""

import re
from dataclasses import dataclass

import typer

from whet.app.access import POLICY, Access
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.core.errors import UsageError

_CODE = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class ConsentWords:
    """Names in braces are filled in."""

    none: str
    policy: str
    unnamed: str


BY_LANGUAGE = {
    "en": ConsentWords(
        none="nothing is agreed to in {workspace}",
        policy="allowed on this machine without asking: {path}",
        unnamed="agreed to by its code",
    ),
    "zh": ConsentWords(
        none="{workspace} 中没有任何授权",
        policy="本机无需询问即允许的内容：{path}",
        unnamed="按代码授权",
    ),
}


def show(settings: Settings, *, as_json: bool) -> None:
    """Print every consent of the workspace, and where the policy lies."""
    access, words = Access(settings), BY_LANGUAGE[settings.language]
    known = access.consents()
    path = settings.config_folder / POLICY
    if as_json:
        allowed = access.policy().model_dump(mode="json")
        print_json(
            {
                "workspace": str(settings.workspace),
                "given": dict(known.given),
                "policy_file": str(path),
                "policy": allowed,
            }
        )
        return
    for code, meaning in known.given.items():
        typer.echo(f"{code}  {line(meaning)}")
    if not known.given:
        typer.echo(words.none.format(workspace=line(str(settings.workspace))))
    typer.echo(words.policy.format(path=line(str(path))))


def give(settings: Settings, code: str, *, as_json: bool) -> None:
    """Keep a consent by its code, and print all there are then."""
    if not _CODE.fullmatch(code):
        raise UsageError(f"{code[:40]!r} is no code; take the one that the refusal names")
    Access(settings).give_code(code, BY_LANGUAGE[settings.language].unnamed)
    show(settings, as_json=as_json)


def revoke(settings: Settings, code: str, *, as_json: bool) -> None:
    """Take a consent back, and print those that are left."""
    Access(settings).revoke(code)
    show(settings, as_json=as_json)
