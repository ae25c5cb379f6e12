"""What ``whet session import`` does once its imports are worth their time."""

from collections import Counter

import typer
from pydantic import JsonValue

from whet.app.sessions.intake import ImportedLog, Intake, every_log, without_read_along
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json
from whet.cli.options import say
from whet.cli.progress import counted
from whet.cli.session.desk import desk_of
from whet.cli.session.options import Import
from whet.cli.session.words import ImportWords, SessionWords

MOST_NAMED = 5
MOST_UNRECOGNISED = 50
_STATUSES = ("imported", "updated", "unchanged", "refused")


def run(settings: Settings, options: Import) -> None:
    """Import, tell what came of each log, and end with 1 if one was refused."""
    words = SessionWords(settings.language).imports
    done: list[ImportedLog] = []
    with desk_of(settings) as desk:
        intake = Intake(desk.shelf, options.keep_secrets)
        agent = None if options.history is None else options.history.value
        found = every_log(intake, options.paths or (), agent)
        logs = found.logs
        with counted(words.title, words.unit) as tell:
            for number, log in enumerate(logs, start=1):
                done.append(intake.take(log))
                if len(logs) > 1:
                    tell(number, len(logs))
    others = without_read_along(found, done)
    counts = Counter(one.status for one in done)
    numbers = {status: counts[status] for status in _STATUSES}
    if options.json:
        files: list[JsonValue] = [one.model_dump(mode="json") for one in done]
        names: list[JsonValue] = [*map(str, others)]
        print_json({"files": files, **numbers, "unrecognised": names})
    else:
        for one in done:
            _tell(one, words)
        if len(done) > 1:
            typer.echo(words.summary.format(**numbers))
        for file in others[:MOST_UNRECOGNISED]:
            typer.echo(words.unrecognised.format(source=line(str(file), 1000)))
        if (more := len(others) - MOST_UNRECOGNISED) > 0:
            typer.echo(words.unrecognised_more.format(count=more))
    if counts["refused"]:
        raise typer.Exit(1)


def _tell(log: ImportedLog, words: ImportWords) -> None:
    typer.echo(words.line.format(status=words.statuses[log.status], source=line(log.source, 1000)))
    if log.error is not None:
        say(log.error)
    for one in log.sessions[:MOST_NAMED]:
        typer.echo(words.sessions.format(name=line(one.name), calls=one.calls))
    if len(log.sessions) > MOST_NAMED:
        typer.echo(words.more.format(count=len(log.sessions) - MOST_NAMED))
    if log.redactions:
        typer.echo(words.redacted.format(count=sum(log.redactions.values())))
    if log.repairs and log.status != "unchanged":
        kinds = ", ".join(
            words.finding.format(code=line(str(one["code"]), 60), count=one["count"])
            for one in log.findings[:MOST_NAMED]
        )
        more = ", …" if len(log.findings) > MOST_NAMED else ""
        typer.echo(words.repairs.format(count=log.repairs, kinds=kinds + more))
        if log.report is not None:
            typer.echo(words.report.format(path=line(log.report)))
