"""What ``whet cassette`` does once its imports are worth their time."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from whet.app.app import App, opened
from whet.app.cassettes import (
    every_trial,
    export_cassette,
    import_cassette,
    trials_named,
    trials_of_project,
)
from whet.app.settings import Settings
from whet.cli.progress import counted
from whet.core.errors import UsageError


@dataclass(frozen=True)
class Choice:
    """Which trials a person wants; exactly one of the three."""

    project: str | None
    trials: tuple[str, ...]
    every: bool

    def addresses(self, app: App) -> Sequence[str]:
        """The trials that are meant."""
        if self.every:
            return every_trial(app)
        if self.project is not None:
            return trials_of_project(app, self.project)
        return trials_named(app, self.trials)


def export(settings: Settings, out: Path, choice: Choice, *, as_json: bool) -> None:
    """Write a cassette and say what is on it."""
    if [choice.project is not None, bool(choice.trials), choice.every].count(True) != 1:
        raise UsageError("say which trials: one of --project, --trial and --all")
    with opened(settings) as app, counted("export", "parts") as tell:
        done = export_cassette(app, out, choice.addresses(app), tell)
    size = out.stat().st_size
    facts = {
        "file": str(out),
        "bytes": size,
        "trials": done.trials,
        "without_tape": done.without_tape,
    }
    text = f"{_trials(done.trials)} in {out}, {size / 1000:.0f} kB"
    if done.without_tape:
        text += f"; {done.without_tape} without steps, which cannot be replayed"
    _say(facts, text, as_json=as_json)


def take_in(settings: Settings, file: Path, *, as_json: bool) -> None:
    """Import a cassette and say what is new."""
    with opened(settings) as app, counted("import", "parts") as tell:
        done = import_cassette(app, file, tell)
    present = done.trials - done.new
    facts = {"file": str(file), "trials": done.trials, "imported": done.new, "present": present}
    text = f"{_trials(done.new)} imported into {settings.workspace}"
    if present:
        text += f"; {present} had been imported before"
    _say(facts, text, as_json=as_json)


def _trials(count: int) -> str:
    return "1 trial" if count == 1 else f"{count} trials"


def _say(facts: Mapping[str, str | int], text: str, *, as_json: bool) -> None:
    sys.stdout.write((json.dumps(facts, ensure_ascii=False) if as_json else text) + "\n")
