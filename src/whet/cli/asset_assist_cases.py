"""What ``whet baseline generate`` does once its imports are worth their time."""

import json
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import typer
from pydantic import JsonValue

from whet.app.clock import SystemClock
from whet.app.library.assist_cases import Drafts, Generation, draft_of
from whet.app.library.intake import Intake, Taken
from whet.app.library.library import library
from whet.app.settings import Settings
from whet.cli.asset_assist_options import Generate
from whet.cli.asset_assist_run import assisting, spent, who
from whet.cli.asset_assist_words import AssistWords
from whet.cli.asset_edit_text import is_terminal, text_of
from whet.cli.asset_export_run import refuse_present
from whet.cli.asset_output import command, line, print_json, print_shelved
from whet.cli.termination import run_to_end
from whet.core.errors import NotFound, UsageError, WhetError
from whet.core.text import shortened
from whet.curate.draft import About, BaselineDraft
from whet.curate.intake.case_rows import read_cases
from whet.curate.intake.given import Given
from whet.documents.cases import BaselineCase
from whet.documents.drafts import BaselineDraftFile
from whet.documents.files import write_atomic
from whet.documents.text import parse_json
from whet.evaluate.review import printable
from whet.shell.editor import edit_file

_SHOWN = 4000
"""Characters of a text on the screen."""

_EDITED = ("name", "category", "input", "expected_output", "description")


def generate(settings: Settings, options: Generate) -> None:
    """Let it be written, let a person choose, and save what was chosen."""
    words = AssistWords(settings.language)
    if options.output is not None:
        _check_place(options.output)
    made = _made(settings, options, words)
    path = Path(made.path or "")
    cases = draft_of(path).cases
    is_asked = is_terminal() and not (options.json or options.yes)
    if not options.json:
        _tell(made, len(cases), words)
    kept: Sequence[BaselineCase] | None = cases
    if is_asked:
        kept = _Choice(settings, words, SystemClock().now()).of(cases)
    if not kept or not (is_asked or options.yes or options.output):
        _left(path, made, options, words)
        return
    _save(settings, options, made, kept)


def _check_place(path: Path) -> None:
    """Before anybody is charged."""
    refuse_present(path, "choose another by --output")
    if not path.parent.is_dir():
        raise NotFound(f"no folder {path.parent}")


def _made(settings: Settings, options: Generate, words: AssistWords) -> Generation:
    description = _described(options)
    about = About(options.name, options.purpose, options.provider, description)
    with assisting(settings, "baseline") as assistant:
        asked = assistant.how(options.engine, options.model)
        drafts = Drafts(assistant)
        order = drafts.order(about, description, options.number, asked)
        told = words.writing.format(who=who(asked), number=options.number)
        typer.echo(line(told), err=True)
        return run_to_end(assistant.app, drafts.run(order))


def _described(options: Generate) -> str:
    if (options.description is None) == (options.description_file is None):
        raise UsageError("say what the cases are to test: --description or --description-file")
    if options.description is not None:
        return options.description
    return text_of(options.description_file or "")


def _tell(made: Generation, count: int, words: AssistWords) -> None:
    by = made.engine if made.engine == made.model else f"{made.engine}:{made.model}"
    typer.echo(line(words.of_model.format(count=count, who=by)))
    if made.simulated:
        typer.echo(words.cases_simulated)
    if made.missing:
        lacks = (f"{words.categories[name]} {many}" for name, many in made.missing.items())
        typer.echo(words.missing.format(missing=", ".join(lacks)))
    if made.left_out:
        typer.echo(words.left_out.format(count=made.left_out))
    if told := spent(words, made.tokens, made.cost_usd):
        typer.echo(told)


@dataclass(frozen=True)
class _Choice:
    """One person at the cases of a draft."""

    settings: Settings
    words: AssistWords
    now: datetime

    def of(self, cases: Sequence[BaselineCase]) -> list[BaselineCase] | None:
        """Those that the person keeps, as the person put them; None where it was broken off."""
        kept: list[BaselineCase] = []
        for place, case in enumerate(cases, start=1):
            self._show(case, place, len(cases))
            while (key := self._key()) == "e":
                case = self._edited(case)
                self._show(case, place, len(cases))
            if key == "q":
                return None
            if key == "a":
                return [*kept, case, *cases[place:]]
            kept += [case] if key == "k" else []
        return kept

    def _show(self, case: BaselineCase, place: int, total: int) -> None:
        words = self.words
        head = words.case.format(
            place=place,
            total=total,
            category=words.categories[case.category],
            name=line(case.name),
        )
        typer.echo(f"\n{'=' * 72}\n{head}")
        texts = ((words.input, case.input), (words.expected, case.expected_output))
        for title, text in (*texts, (words.description, case.description)):
            if text:
                typer.echo(f"\n--- {title} ---\n{printable(shortened(text, _SHOWN))}")
        typer.echo("")

    def _key(self) -> str:
        while True:
            try:
                key = input(self.words.keys).strip().lower()[:1]
            except EOFError:
                return "q"
            if key and key in "kdeaq":
                return key

    def _edited(self, case: BaselineCase) -> BaselineCase:
        """The case as the person leaves it in the editor; as it was if it cannot be one so."""
        data = case.to_data()
        whole = data if isinstance(data, dict) else {}
        text = json.dumps({name: whole[name] for name in _EDITED}, ensure_ascii=False, indent=2)
        try:
            changed = parse_json(self._typed(text).encode(), case.id)
            if not isinstance(changed, dict):
                raise UsageError("a case is an object")
            row: JsonValue = {**whole, **changed, "id": case.id}
            (new,), _ = read_cases([row], case.id, self.now)
        except WhetError as error:
            typer.echo(printable(self.words.unusable.format(error=error)))
            return case
        return new

    def _typed(self, text: str) -> str:
        with tempfile.TemporaryDirectory(prefix="whet-") as folder:
            path = Path(folder) / "case.json"
            path.write_text(text + "\n", encoding="utf-8")
            edit_file(path, self.settings.machine.environment)
            return text_of(str(path))


def _left(path: Path, made: Generation, options: Generate, words: AssistWords) -> None:
    """Nothing is saved: say where the draft is, and what to do with it."""
    if options.json:
        print_json(_told(made))
        return
    if is_terminal():
        typer.echo(words.none_kept)
    typer.echo(printable(words.draft.format(path=path)))
    verb = f"baseline import {shlex.quote(str(path))}"
    typer.echo(printable(words.look.format(command=command(verb, options.workspace))))


def _save(
    settings: Settings, options: Generate, made: Generation, kept: Sequence[BaselineCase]
) -> None:
    """Into the library, or into the file that was named."""
    path = Path(made.path or "")
    names = (f"case_{number:03}" for number in range(1, len(kept) + 1))
    cases = tuple(
        case.model_copy(update={"id": name}) for case, name in zip(kept, names, strict=True)
    )
    if options.output is not None:
        file = BaselineDraftFile.load(path).model_copy(update={"cases": cases})
        write_atomic(options.output, file.to_json(), durable=True)
        if options.json:
            print_json({**_told(made), "output": str(options.output)})
        else:
            words = AssistWords(settings.language)
            typer.echo(printable(words.written.format(path=options.output)))
        return
    taken = _taken(settings, replace(draft_of(path), cases=cases))
    if options.json:
        print_json({**_told(made), **taken.model_dump(mode="json")})
    else:
        print_shelved(taken, settings.language, as_json=False)


def _taken(settings: Settings, draft: BaselineDraft) -> Taken:
    about = draft.about
    given = Given(name=about.name, purpose=about.purpose, provider=about.provider)
    with library(settings.workspace, "baseline") as shelf:
        return Intake(shelf, given).draft(draft)


def _told(made: Generation) -> dict[str, JsonValue]:
    whole = made.draft or {}
    return {
        "draft": made.path,
        "cases": whole.get("cases"),
        "missing": {**made.missing},
        "left_out": made.left_out,
        "simulated": made.simulated,
        "tokens": made.tokens,
        "cost_usd": made.cost_usd,
    }
