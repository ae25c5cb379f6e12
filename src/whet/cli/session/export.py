"""``whet session export``."""

import sys
from collections.abc import Mapping
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.sessions.export import Exported
from whet.app.sessions.export import export as exported
from whet.app.sessions.requests import SessionExport
from whet.app.sessions.views import SpansSent
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.options import say
from whet.cli.output_files import STDOUT, place, refuse_present
from whet.cli.request_options import Spelling
from whet.cli.session.output import Reference, opened_sessions
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import UsageError
from whet.documents.files import write_atomic
from whet.exporters.sessions.otlp_send import send
from whet.ports.session_exporter import ExportWish


class ExportWords(Words):
    """What is said of a session that goes to somebody else."""

    redacted = Both("taken out: {kinds}", "已隐去：{kinds}")
    nothing_private = Both(
        "nothing private was found; look at what you share all the same",
        "没有发现私密内容；分享前仍请自行查看",
    )
    not_redacted = Both(
        "nothing was taken out: secrets and paths are in it as they were",
        "未隐去任何内容：密钥与路径原样保留",
    )
    sent = Both(
        CountedText("{spans:span|spans} sent to {endpoint}"), "已向 {endpoint} 发送 {spans} 个 span"
    )
    rejected = Both("{count} were rejected: {message}", "{count} 个被拒收：{message}")


Wanted = Annotated[
    SessionExport,
    Spelling(
        {"redact": "--redact/--no-redact"},
        help={"redact": "Whether secrets and paths of this machine are taken out."},
        without=("language",),
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        help="The file, or the folder for it; - is stdout. Default: a new file here.",
        metavar="PATH",
    ),
]
Endpoint = Annotated[
    str | None,
    typer.Option(
        help="Send the spans to this collector instead of writing a file; for otlp.", metavar="URL"
    ),
]
Headers = Annotated[
    list[str] | None,
    typer.Option(
        "--header",
        help="For the collector; $NAME in VALUE is taken from the environment. Repeatable.",
        metavar="NAME=VALUE",
    ),
]


@when_stopped("stopped; nothing was written")
def export(
    call: Call,
    session: Reference,
    wanted: Wanted,
    out: Out = None,
    endpoint: Endpoint = None,
    header: Headers = None,
) -> None:
    """Write a session for somebody else, or send it."""
    if out == STDOUT and call.json:
        raise UsageError("--json and --out - both want stdout; leave one of them out")
    if endpoint is None and header:
        raise UsageError("--header is for --endpoint")
    if endpoint is not None and wanted.format != "otlp":
        raise UsageError("--endpoint takes spans; give --format otlp")
    if endpoint is not None and out is not None:
        raise UsageError("give --out or --endpoint, not both")
    with opened_sessions(call.settings) as sessions:
        wish = ExportWish(call.language, wanted.full)
        view = sessions.view(session)
        made = exported(view, wanted.format, wish, redact=wanted.redact)
    if endpoint is not None:
        _send(call, made, endpoint, header or [])
    else:
        _write(call, made, wanted.format, out)


def _write(call: Call, made: Exported, form: str, out: str | None) -> None:
    data = made.text.encode(errors="replace")
    if out == STDOUT:
        sys.stdout.buffer.write(data)
        return
    path = place(out, made.name)
    refuse_present(path, "choose another by --out")
    write_atomic(path, data, durable=False)
    if call.json:
        counts: JsonValue = None if made.redactions is None else {**made.redactions}
        print_json({"path": str(path), "format": form, "bytes": len(data), "redactions": counts})
        return
    typer.echo(line(str(path), 4096))
    typer.echo(_private(made, ExportWords(call.language)))


def _send(call: Call, made: Exported, endpoint: str, header: list[str]) -> None:
    sent = send(made.text, endpoint, _headers(header, call.settings.machine.environment))
    if call.json:
        told = SpansSent(
            spans=sent.spans,
            rejected=sent.rejected,
            message=sent.message,
            redactions=made.redactions,
        )
        print_json({"endpoint": endpoint, **told.model_dump(mode="json")})
    else:
        words = ExportWords(call.language)
        typer.echo(line(words.sent.format(spans=sent.spans, endpoint=endpoint)))
        typer.echo(_private(made, words))
        if sent.rejected:
            say(words.rejected.format(count=sent.rejected, message=sent.message))
    if sent.rejected:
        raise typer.Exit(1)


def _private(made: Exported, words: ExportWords) -> str:
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
