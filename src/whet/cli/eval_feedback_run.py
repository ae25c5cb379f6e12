"""What ``whet eval feedback`` does once its imports are worth their time."""

import json
import sys

import typer

from whet.app.eval_people import (
    Improvement,
    Place,
    applied,
    apply,
    ask_for_edits,
    chosen,
    improvement,
)
from whet.app.settings import Settings
from whet.cli.eval_people_options import Feedback
from whet.cli.eval_people_words import PeopleWords
from whet.evaluate.review import printable
from whet.evaluate.suite import FILE
from whet.evaluate.suite_edits import SuiteEdit, difference, is_done

_SHOWN = 300


def run(settings: Settings, options: Feedback) -> None:
    """Show, ask a model if one is named, and write what is accepted."""
    words = PeopleWords(settings.language)
    engine, _, model = (options.of or "").partition(":")
    place = Place(options.skill, engine or None, model or None)
    found = improvement(settings, place, options.iteration)
    found = ask_for_edits(settings, found, Place(options.skill, options.engine, options.model))
    if options.apply:
        _apply(settings, found, chosen(found, options.apply), words, as_json=options.json)
    elif options.json:
        _dump(_told(found))
    else:
        _print(found, words)
        if sys.stdin.isatty() and sys.stdout.isatty():
            _accept_one_by_one(settings, found, words)
        elif found.edits:
            typer.echo(words.how_to_apply.format(folder=options.skill))


def _apply(
    settings: Settings,
    found: Improvement,
    edits: list[SuiteEdit],
    words: PeopleWords,
    *,
    as_json: bool,
) -> None:
    change = apply(settings, found, edits)
    if as_json:
        _dump({"changed": bool(change), "diff": change})
    elif change:
        typer.echo(printable(change))
        typer.echo(words.applied.format(path=found.place.folder / FILE))
    else:
        typer.echo(words.nothing_to_do)


def _accept_one_by_one(settings: Settings, found: Improvement, words: PeopleWords) -> None:
    """Show the change of each edit, and write those that the person accepts, each at once."""
    for number, edit in enumerate(found.edits, start=1):
        if is_done(found.data, edit):
            continue
        typer.echo(f"\n{number}  {_edit_text(edit, words)}")
        typer.echo(printable(difference(found.text, applied(found, [edit]))))
        answer = _answer(words.accept)
        if answer == "q":
            return
        if answer == "y":
            apply(settings, found, [edit])
            typer.echo(words.applied.format(path=found.place.folder / FILE))
            # The next one speaks of the suite as it is now.
            found = improvement(settings, found.place, found.iteration.number)


def _answer(question: str) -> str:
    while True:
        try:
            given = input(question).strip().lower()[:1]
        except EOFError:
            return "q"
        if given in ("y", "n", "q"):
            return given


def _print(found: Improvement, words: PeopleWords) -> None:
    aggregate = found.aggregate
    heading = words.suggested if aggregate.suggestions else words.no_suggestions
    typer.echo(heading.format(total=aggregate.total_runs, iteration=aggregate.iteration))
    for one in aggregate.suggestions:
        about = f"{printable(one.assertion)}: " if one.assertion else ""
        typer.echo(f"  {one.frequency:3}×  {about}{_short(one.reason)}")
        typer.echo(f"        {_short(one.action)}")
    typer.echo("\n" + (words.edits if found.edits else words.no_edits))
    for number, edit in enumerate(found.edits, start=1):
        marks = [words.done] if is_done(found.data, edit) else []
        if edit.source == "model" and found.asked:
            author = f"{found.asked.engine}:{found.asked.model}"
            marks.append(words.by_model.format(author=printable(author)))
        told = f" ({', '.join(marks)})" if marks else ""
        typer.echo(f"  {number:3}  {_edit_text(edit, words)}{told}")
        typer.echo(f"       {_short(edit.reason)}")
    for why in found.asked.dropped if found.asked else ():
        typer.echo(words.dropped.format(why=_short(why)))
    if aggregate.simulated:
        typer.echo(words.simulated)


def _edit_text(edit: SuiteEdit, words: PeopleWords) -> str:
    check = json.dumps(edit.check, ensure_ascii=False) if edit.check else ""
    return words.kinds[edit.kind].format(
        evals=f"eval {_short(', '.join(map(str, edit.eval_ids)))}",
        text=_short(edit.text or check),
        target=_short(edit.target or ""),
    )


def _told(found: Improvement) -> dict[str, object]:
    edits = [
        {
            "number": number,
            "done": is_done(found.data, edit),
            **edit.model_dump(mode="json"),
        }
        for number, edit in enumerate(found.edits, start=1)
    ]
    return {
        "feedback": found.aggregate.to_data(),
        "edits": edits,
        "dropped": list(found.asked.dropped) if found.asked else [],
    }


def _dump(data: object) -> None:
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return printable(plain if len(plain) <= _SHOWN else f"{plain[: _SHOWN - 1]}…")
