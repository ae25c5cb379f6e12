"""``whet cassette``: trials in one file, to be shared, graded again or replayed."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from whet.app.app import App, opened
from whet.app.cassettes import (
    every_trial,
    export_cassette,
    import_cassette,
    trials_named,
    trials_of_project,
)
from whet.cli.command import Call, when_stopped
from whet.cli.progress import counted
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import UsageError


class CassetteWords(Words):
    """What is said of cassettes; names in braces are filled in."""

    written = Both(
        CountedText("{trials:trial|trials} in {file}, {size:.0f} kB"),
        "{file} 中有 {trials} 次试验，{size:.0f} kB",
    )
    without_steps = Both(
        "; {count} without steps, which cannot be replayed", "；其中 {count} 次没有步骤，无法重放"
    )
    imported = Both(
        CountedText("{trials:trial|trials} imported into {workspace}"),
        "已将 {trials} 次试验导入 {workspace}",
    )
    present = Both("; {count} had been imported before", "；另有 {count} 次早已导入")


Out = Annotated[Path, typer.Argument(help="The file to write; it must not exist.")]
File = Annotated[Path, typer.Argument(help="The cassette.")]
Project = Annotated[str | None, typer.Option(help="The trials of this project, by name or id.")]
Trials = Annotated[
    list[str] | None,
    typer.Option(help="A trial by its address or how that begins; may be given again."),
]
Every = Annotated[bool, typer.Option("--all", help="Every trial of the workspace.")]


@when_stopped("stopped; nothing was written")
def export(
    call: Call, out: Out, project: Project = None, trial: Trials = None, every: Every = False
) -> None:
    """Write a cassette and say what is on it."""
    if [project is not None, bool(trial), every].count(True) != 1:
        raise UsageError("say which trials: one of --project, --trial and --all")
    with opened(call.settings) as app, counted("export", "parts") as tell:
        done = export_cassette(app, out, _addresses(app, project, trial or [], every), tell)
    size = out.stat().st_size
    facts = {
        "file": str(out),
        "bytes": size,
        "trials": done.trials,
        "without_tape": done.without_tape,
    }
    words = CassetteWords(call.language)
    text = words.written.format(trials=done.trials, file=out, size=size / 1000)
    if done.without_tape:
        text += words.without_steps.format(count=done.without_tape)
    _say(call, facts, text)


@when_stopped("stopped; nothing was imported")
def import_(call: Call, file: File) -> None:
    """Import a cassette and say what is new."""
    with opened(call.settings) as app, counted("import", "parts") as tell:
        done = import_cassette(app, file, tell)
    present = done.trials - done.new
    facts = {"file": str(file), "trials": done.trials, "imported": done.new, "present": present}
    words = CassetteWords(call.language)
    text = words.imported.format(trials=done.new, workspace=call.settings.workspace)
    if present:
        text += words.present.format(count=present)
    _say(call, facts, text)


def _addresses(app: App, project: str | None, trials: Sequence[str], every: bool) -> Sequence[str]:
    if every:
        return every_trial(app)
    return trials_named(app, trials) if project is None else trials_of_project(app, project)


def _say(call: Call, facts: Mapping[str, str | int], text: str) -> None:
    sys.stdout.write((json.dumps(facts, ensure_ascii=False) if call.json else text) + "\n")
