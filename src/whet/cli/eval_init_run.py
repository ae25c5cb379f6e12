"""What ``whet eval init`` does once its imports are worth their time."""

import json
import sys

import typer

from whet.app.eval_people import Place, drafted
from whet.app.settings import Settings
from whet.cli.eval_people_options import Init
from whet.cli.eval_people_words import PeopleWords
from whet.evaluate.review import printable
from whet.evaluate.starter import Draft, Subject, Written, refuse_existing, subject, write_draft
from whet.evaluate.suite import FILE

_SHOWN = 200


def run(settings: Settings, options: Init) -> None:
    """Draft, write and show."""
    words = PeopleWords(settings.language)
    refuse_existing(options.skill, force=options.force)
    skill = subject(options.skill)
    place = Place(options.skill, options.engine, options.model)
    draft, author = drafted(settings, skill, place, options.evals)
    written = write_draft(options.skill, draft, force=options.force)
    if options.json:
        _print_json(draft, author, written)
        return
    if options.skill / FILE in written.left:
        typer.echo(words.queries_only.format(count=len(draft.triggers.queries)))
    else:
        _print(skill, draft, author, words)
    if options.engine and not author:
        typer.echo(words.no_model)
    for path in written.kept:
        typer.echo(words.kept.format(path=path))
    for path in written.left:
        typer.echo(words.left.format(path=path))
    for path in written.files:
        typer.echo(str(path))
    if options.skill / FILE in written.files:
        typer.echo(words.how_many)
        typer.echo(words.edit_it.format(folder=options.skill))


def _print(skill: Subject, draft: Draft, author: str, words: PeopleWords) -> None:
    head = words.drafted_by if author else words.drafted
    count = len(draft.suite.evals)
    typer.echo(head.format(count=count, name=printable(skill.name), author=printable(author)))
    for one in draft.suite.evals:
        prompt = " ".join(one.prompt.split())
        short = prompt if len(prompt) <= _SHOWN else f"{prompt[: _SHOWN - 1]}…"
        typer.echo(f"\n  {one.id}  {printable(one.name or '')}\n     {printable(short)}")
        for text in one.expectations:
            typer.echo(f"     - {printable(text)}")
    typer.echo("")


def _print_json(draft: Draft, author: str, written: Written) -> None:
    data = {
        "author": author or None,
        "evals": len(draft.suite.evals),
        "triggers": len(draft.triggers.queries),
        "files": [str(path) for path in written.files],
        "kept": [str(path) for path in written.kept],
        "left": [str(path) for path in written.left],
    }
    sys.stdout.write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
