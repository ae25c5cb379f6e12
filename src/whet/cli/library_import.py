"""``whet skill import`` and ``whet baseline import``: the ways into the library."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from whet.app.library.intake import Imports, Intake, Taken
from whet.app.library.library import library
from whet.app.library.requests import ImportRequest, SkillImportRequest
from whet.cli.asset_output import print_json
from whet.cli.command import Call, when_stopped
from whet.cli.library_options import STDIN, text_of_stdin
from whet.cli.options import say
from whet.cli.request_options import Spelling
from whet.core.bilingual import Both, Words
from whet.core.errors import UsageError, WhetError
from whet.core.text import printable
from whet.curate.intake.baseline_files import baseline_from_csv, baseline_from_json
from whet.curate.intake.skill_text import of_itself
from whet.documents.text import parse_untrusted
from whet.ports.listing import Kind

STOPPED = "stopped; what was taken so far is in the library"
_SPELLING = Spelling(
    help={
        "name": "Its name. Default: as it says itself.",
        "purpose": "What it is for. Default: as it says itself, else general.",
        "provider": "Who it is from. Default: as it says itself, else local.",
        "source": "Where it is from. Default: the name of the file.",
        "update": "The next version of what has this name, instead of another asset.",
        "type": "What it is. Default: as it says itself, else skill.",
    }
)

Work = tuple[str, Callable[[], Imports]]
"""Something to be imported, with its name."""


class ImportWords(Words):
    """What is said of assets that came in, or could not."""

    outcomes = Both(
        {"created": "created", "updated": "updated", "unchanged": "unchanged"},
        {"created": "已新建", "updated": "已更新", "unchanged": "无变化"},
    )
    failed = Both("failed", "失败")
    joint = Both(", ", "，")
    """Between the counts of several outcomes."""

    taken = Both("{outcome}  {name} {version}  {id}", "{outcome}  {name} {version}  {id}")
    note = Both("note", "注意")
    nothing = Both("No agent has a skill there.", "这些位置没有智能体安装的技能。")


@when_stopped(STOPPED)
def import_skill(
    call: Call,
    request: Annotated[SkillImportRequest, _SPELLING],
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="A skill's folder, one with skills below, a .zip, .skill, .md, .txt or .json "
            "file; - reads a text from stdin.",
            metavar="PATH...",
            show_default=False,
        ),
    ] = None,
    installed: Annotated[
        bool,
        typer.Option(
            "--installed",
            help="Every skill that agents have in your home, here, and in the folders given.",
        ),
    ] = False,
) -> None:
    """Take in skills, and end with 1 if something could not be taken."""
    given = paths or []
    if installed and request.name is not None:
        raise UsageError("--name is for one skill; leave it out with --installed")
    if installed and STDIN in given:
        raise UsageError("--installed looks into folders, not into stdin")
    if not installed:
        _check_paths(given, request, "--installed")

    def works(intake: Intake) -> list[Work]:
        if not installed:
            return [_at(intake, path) for path in given]
        machine = call.settings.machine
        roots = dict.fromkeys((machine.home, Path.cwd(), *map(Path, given)))
        return [("--installed", partial(intake.installed, tuple(roots), machine.environment))]

    _import(call, "skill", request, works)


@when_stopped(STOPPED)
def import_baseline(
    call: Call,
    request: Annotated[ImportRequest, _SPELLING],
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            help="A .json, .csv or .tsv file, or a skill's folder with evals; - reads JSON or CSV "
            "from stdin.",
            metavar="PATH...",
            show_default=False,
        ),
    ] = None,
    empty: Annotated[
        bool, typer.Option("--empty", help="Begin one without cases; it needs a --name.")
    ] = False,
) -> None:
    """Take in baselines, and end with 1 if something could not be taken."""
    given = paths or []
    if empty and (given or request.update):
        raise UsageError("--empty begins a new baseline; leave PATH and --update out")
    if empty and not (request.name or "").strip():
        raise UsageError("an empty baseline needs a --name")
    if not empty:
        _check_paths(given, request, "--empty with a --name")

    def works(intake: Intake) -> list[Work]:
        if empty:
            return [("--empty", partial(intake.by_hand, ()))]
        return [_at(intake, path) for path in given]

    _import(call, "baseline", request, works)


def _check_paths(paths: Sequence[str], request: ImportRequest, other: str) -> None:
    """Refuse what cannot be meant, before anything is written."""
    if not paths:
        raise UsageError(f"nothing to import: name a PATH, - for stdin, or use {other}")
    if request.name is not None and len(paths) > 1:
        raise UsageError(f"--name is for one, and {len(paths)} were given")
    if paths.count(STDIN) > 1:
        raise UsageError("stdin can be read once only")


def _import(
    call: Call, kind: Kind, request: ImportRequest, works: Callable[[Intake], list[Work]]
) -> None:
    with library(call.settings.workspace, kind) as shelf:
        done = _one_by_one(works(Intake(shelf, request.given(), update=request.update)))
    if call.json:
        first = done.assets[0].model_dump(mode="json") if done.assets else _NO_ASSET
        print_json({**first, **done.model_dump(mode="json")})
    else:
        _print(done, ImportWords(call.language))
    if done.problems:
        raise typer.Exit(1)


_NO_ASSET = dict.fromkeys(Taken.model_fields)


def _at(intake: Intake, path: str) -> Work:
    return path, partial(_from_stdin, intake) if path == STDIN else partial(intake.path, Path(path))


def _one_by_one(works: Sequence[Work]) -> Imports:
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
    text = text_of_stdin()
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
