"""What ``whet session export`` does once its imports are worth their time."""

import sys
from collections.abc import Mapping

import typer
from pydantic import JsonValue

from whet.app.sessions.export import Exported
from whet.app.sessions.export import export as exported
from whet.app.settings import Settings
from whet.cli.asset_export_run import STDOUT, place, refuse_present
from whet.cli.asset_output import line, print_json
from whet.cli.options import say
from whet.cli.session.desk import desk_of
from whet.cli.session.options import Export, Form
from whet.cli.session.words import DoWords, SessionWords
from whet.core.errors import UsageError
from whet.documents.files import write_atomic
from whet.exporters.sessions.otlp_send import send
from whet.ports.session_exporter import ExportWish


def export(settings: Settings, options: Export) -> None:
    """Write a session for somebody else, or send it."""
    if options.out == STDOUT and options.json:
        raise UsageError("--json and --out - both want stdout; leave one of them out")
    if options.endpoint is None and options.header:
        raise UsageError("--header is for --endpoint")
    if options.endpoint is not None and options.format_ is not Form.OTLP:
        raise UsageError("--endpoint takes spans; give --format otlp")
    if options.endpoint is not None and options.out is not None:
        raise UsageError("give --out or --endpoint, not both")
    words = SessionWords(settings.language).do
    with desk_of(settings) as desk:
        view = desk.view(options.session)
        wish = ExportWish(settings.language, options.full)
        made = exported(view, options.format_.value, wish, redact=not options.no_redact)
    if options.endpoint is not None:
        _send(made, settings, options, words)
    else:
        _write(made, options, words)


def _write(made: Exported, options: Export, words: DoWords) -> None:
    data = made.text.encode(errors="replace")
    if options.out == STDOUT:
        sys.stdout.buffer.write(data)
        return
    path = place(options.out, made.name)
    refuse_present(path, "choose another by --out")
    write_atomic(path, data, durable=False)
    if options.json:
        told: dict[str, JsonValue] = {"path": str(path), "format": options.format_.value}
        print_json({**told, "bytes": len(data), "redactions": _counts(made)})
        return
    typer.echo(line(words.written.format(path=path), 4096))
    typer.echo(_private(made, words))


def _send(made: Exported, settings: Settings, options: Export, words: DoWords) -> None:
    assert options.endpoint is not None, "asked for"
    headers = _headers(options.header or [], settings.machine.environment)
    sent = send(made.text, options.endpoint, headers)
    if options.json:
        told: dict[str, JsonValue] = {"endpoint": options.endpoint, "spans": sent.spans}
        said: dict[str, JsonValue] = {"rejected": sent.rejected, "message": sent.message}
        print_json({**told, **said, "redactions": _counts(made)})
    else:
        typer.echo(line(words.sent.format(spans=sent.spans, endpoint=options.endpoint)))
        typer.echo(_private(made, words))
        if sent.rejected:
            say(words.rejected.format(count=sent.rejected, message=sent.message))
    if sent.rejected:
        raise typer.Exit(1)


def _counts(made: Exported) -> dict[str, JsonValue] | None:
    return None if made.redactions is None else {**made.redactions}


def _private(made: Exported, words: DoWords) -> str:
    if made.redactions is None:
        return words.not_redacted
    found = [f"{line(kind, 40)} ×{count}" for kind, count in made.redactions.items() if count]
    return words.redacted.format(kinds=", ".join(found)) if found else words.nothing_private


def _headers(given: list[str], environment: Mapping[str, str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for each in given:
        name, equals, value = each.partition("=")
        if not name or not equals:
            raise UsageError("a header is written NAME=VALUE")
        if value.startswith("$"):
            if value[1:] not in environment:
                raise UsageError(f"{value} is not set")
            value = environment[value[1:]]
        found[name] = value
    return found
