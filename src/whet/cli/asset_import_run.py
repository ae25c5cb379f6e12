"""What ``whet skill import`` does once its imports are worth their time."""

import sys
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import typer

from whet.app.library.intake import Imports, Intake, Taken
from whet.app.library.library import library
from whet.app.settings import Settings
from whet.cli.asset_import_options import BaselineImport, SkillImport
from whet.cli.asset_import_words import ImportWords
from whet.cli.asset_output import print_json
from whet.cli.options import say
from whet.core.errors import InvalidImport, UsageError, WhetError
from whet.curate.archive import MOST_IN_ONE
from whet.curate.intake.baseline_files import baseline_from_csv, baseline_from_json
from whet.curate.intake.given import Given, decoded
from whet.curate.intake.skill_text import of_itself
from whet.documents.text import parse_untrusted
from whet.evaluate.review import printable
from whet.ports.listing import Kind

STDIN = "-"


def run(settings: Settings, kind: Kind, options: SkillImport | BaselineImport) -> None:
    """Take in all that was named, tell it, and end with 1 if something could not be taken."""
    _check(options)
    with library(settings.workspace, kind) as shelf:
        intake = Intake(shelf, _given(options), update=options.update)
        done = _one_by_one(_works(settings, intake, options))
    if options.json:
        first = done.assets[0].model_dump(mode="json") if done.assets else _NO_ASSET
        print_json({**first, **done.model_dump(mode="json")})
    else:
        _print(done, ImportWords(settings.language))
    if done.problems:
        raise typer.Exit(1)


_NO_ASSET = dict.fromkeys(Taken.model_fields)


def _check(options: SkillImport | BaselineImport) -> None:
    """Refuse what cannot be meant, before anything is written."""
    paths = options.paths or ()
    if isinstance(options, SkillImport) and options.installed:
        if options.name is not None:
            raise UsageError("--name is for one skill; leave it out with --installed")
        if STDIN in paths:
            raise UsageError("--installed looks into folders, not into stdin")
        return
    if isinstance(options, BaselineImport) and options.empty:
        if paths or options.update:
            raise UsageError("--empty begins a new baseline; leave PATH and --update out")
        if not (options.name or "").strip():
            raise UsageError("an empty baseline needs a --name")
        return
    if not paths:
        other = "--installed" if isinstance(options, SkillImport) else "--empty with a --name"
        raise UsageError(f"nothing to import: name a PATH, - for stdin, or use {other}")
    if options.name is not None and len(paths) > 1:
        raise UsageError(f"--name is for one, and {len(paths)} were given")
    if paths.count(STDIN) > 1:
        raise UsageError("stdin can be read once only")


def _given(options: SkillImport | BaselineImport) -> Given:
    kind = options.type if isinstance(options, SkillImport) else None
    return Given(
        name=options.name,
        purpose=options.purpose,
        provider=options.provider,
        description=options.description,
        author=options.author,
        source=options.source,
        type=None if kind is None else kind.value,
    )


def _works(
    settings: Settings, intake: Intake, options: SkillImport | BaselineImport
) -> list[tuple[str, Callable[[], Imports]]]:
    """What is to be done, each with its name."""
    paths = options.paths or []
    if isinstance(options, SkillImport) and options.installed:
        roots = dict.fromkeys((settings.machine.home, Path.cwd(), *map(Path, paths)))
        found = partial(intake.installed, tuple(roots), settings.machine.environment)
        return [("--installed", found)]
    if isinstance(options, BaselineImport) and options.empty:
        return [("--empty", partial(intake.by_hand, ()))]
    return [
        (path, partial(_from_stdin, intake) if path == STDIN else partial(intake.path, Path(path)))
        for path in paths
    ]


def _one_by_one(works: Sequence[tuple[str, Callable[[], Imports]]]) -> Imports:
    """All of it; where there is more than one, none that fails hides another."""
    if len(works) == 1:
        return works[0][1]()
    made: list[Taken] = []
    problems: list[str] = []
    for name, work in works:
        try:
            done = work()
        except WhetError as error:
            problems.append(str(error) if name in str(error) else f"{name}: {error}")
        else:
            made += done.assets
            problems += done.problems
    return Imports(assets=tuple(made), problems=tuple(problems))


def _from_stdin(intake: Intake) -> Imports:
    data = sys.stdin.buffer.read(MOST_IN_ONE + 1)
    if len(data) > MOST_IN_ONE:
        raise InvalidImport("stdin", [f"is larger than {MOST_IN_ONE // 1024 // 1024} MB"])
    text = decoded(data, "stdin")
    if intake.library.kind == "skill":
        if not (intake.given.name or of_itself(text).name):
            raise UsageError("the text on stdin says no name; give it a --name")
        return intake.text(text)
    now = intake.library.clock.now()
    if text.lstrip()[:1] in ("[", "{"):
        found = baseline_from_json(parse_untrusted(text.encode(), "stdin"), intake.given, now)
    else:
        found = baseline_from_csv(text, intake.given, now)
    return Imports(assets=(intake.draft(found.draft, found.notes),))


def _print(done: Imports, words: ImportWords) -> None:
    for one in done.assets:
        said = words.taken.format(
            outcome=words.outcomes[one.outcome], name=one.name, version=one.version, id=one.id
        )
        typer.echo(printable(said))
        typer.echo(printable(f"  {one.path}"))
        for note in one.notes:
            typer.echo(printable(f"  {words.note}: {note}"))
    for problem in done.problems:
        say(problem)
    if not done.assets and not done.problems:
        typer.echo(words.nothing)
    elif len(done.assets) + len(done.problems) > 1:
        counts = Counter(words.outcomes[one.outcome] for one in done.assets)
        counts[words.failed] = len(done.problems)
        told = (f"{outcome} {count}" for outcome, count in counts.items() if count)
        typer.echo(words.joint.join(told))
