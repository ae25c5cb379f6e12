"""``whet skill pack``: a skill as one file."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from whet.app.library.lint import as_folder
from whet.app.settings import Settings
from whet.cli.command import Call, when_stopped
from whet.cli.skill_lint import shelf_of
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.text import printable
from whet.curate import pack as packing
from whet.curate.pack import Packed


class PackWords(Words):
    """What is said of a file that a skill was packed into."""

    left_out = Both("left out: {path} ({reason})", "未打包：{path}（{reason}）")
    reasons = Both(
        {
            "evals": "its own tests",
            "leftover": "no part of the skill",
            "link": "a symbolic link",
            "name": "cannot be the name of a file",
            "secret": "a secret in it",
            "secret_file": "secrets are kept under such a name",
            "special": "neither a file nor a folder",
        },
        {
            "evals": "技能自身的测试",
            "leftover": "不属于技能",
            "link": "符号链接",
            "name": "不能作为文件名",
            "secret": "含有密钥",
            "secret_file": "这类文件名通常存放密钥",
            "special": "既不是文件也不是文件夹",
        },
    )
    forced = Both("packed in spite of errors: {errors}", "忽略错误打包，错误数：{errors}")
    packed = Both(
        CountedText("{path}: {files:file|files}, sha256 {digest}"),
        "{path}：{files} 个文件，sha256 {digest}",
    )


@when_stopped("stopped; nothing was written")
def pack(
    call: Call,
    skill: Annotated[
        Path,
        typer.Argument(
            help="The folder of the skill, with its SKILL.md, or its name in the library.",
            metavar="SKILL_DIR",
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(help="The file, or the folder for it. Default: NAME.skill here."),
    ] = None,
    evals: Annotated[bool, typer.Option("--evals", help="Pack its own tests, too.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Also with errors; secrets are left out all the same.")
    ] = False,
) -> None:
    """Write the file, and print what is in it and what is not."""
    packed = _packed(call.settings, skill, output, keep_evals=evals, force=force)
    parcel = packed.parcel
    if call.json:
        data = {
            "path": str(packed.path),
            "digest": packed.digest,
            "name": parcel.name,
            "files": [file.path for file in parcel.files],
            "left_out": [one._asdict() for one in parcel.left_out],
            "errors": [
                f"{one.path}:{one.line} {one.rule.id} {one.message}" for one in parcel.errors
            ],
        }
        sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
        return
    words = PackWords(call.language)
    for one in parcel.left_out:
        typer.echo(
            printable(words.left_out.format(path=one.path, reason=words.reasons[one.reason]))
        )
    if parcel.errors:
        typer.echo(words.forced.format(errors=len(parcel.errors)))
    path = printable(str(packed.path))
    typer.echo(words.packed.format(path=path, files=len(parcel.files), digest=packed.digest))


def _packed(
    settings: Settings, skill: Path, output: Path | None, *, keep_evals: bool, force: bool
) -> Packed:
    """Write the file, of a folder or of a skill in the library."""
    with shelf_of(settings, skill) as shelf:
        meant = nullcontext(skill) if shelf is None else as_folder(shelf, str(skill))
        with meant as place:
            return packing.pack(place, output, keep_evals=keep_evals, force=force)
