"""``whet session import``."""

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

import typer
from pydantic import JsonValue

from whet.app.sessions.intake import ImportedLog, Intake, every_log, without_read_along
from whet.cli.asset_output import line, print_json
from whet.cli.command import Call, when_stopped
from whet.cli.options import say
from whet.cli.progress import counted
from whet.cli.session.output import opened_sessions
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText

MOST_NAMED = 5
MOST_UNRECOGNISED = 50


class ImportWords(Words):
    """What is said of importing."""

    statuses = Both(
        {
            "imported": "imported",
            "updated": "updated",
            "unchanged": "unchanged",
            "refused": "refused",
        },
        {"imported": "已导入", "updated": "已更新", "unchanged": "无变化", "refused": "被拒绝"},
    )
    sessions = Both(CountedText("  {name}  {calls:call|calls}"), "  {name}  {calls} 次调用")
    repairs = Both("  repairs: {count} ({kinds})", "  修补 {count} 处：{kinds}")
    redacted = Both(
        "  secrets replaced: {count}; with --keep-secrets they stay",
        "  已隐去 {count} 处密钥；用 --keep-secrets 可以保留",
    )
    unrecognised = Both("not a session log: {source}", "不是会话日志：{source}")
    unrecognised_more = Both(
        "not session logs: {count} more; --json lists all",
        "另有 {count} 个文件不是会话日志；--json 列出全部",
    )
    more = Both(
        CountedText("  … and {count:more session|more sessions}; --json has all of them"),
        "  ……另有 {count} 个会话，--json 给出全部",
    )
    summary = Both(
        "{imported} imported, {updated} updated, {unchanged} unchanged, {refused} refused",
        "导入 {imported} 个，更新 {updated} 个，无变化 {unchanged} 个，拒绝 {refused} 个",
    )
    report = Both("  report: {path}", "  报告：{path}")
    title = Both("import", "导入")
    unit = Both("logs", "个日志")


Paths = Annotated[
    list[Path] | None,
    typer.Argument(help="Session logs, or folders with some.", metavar="[PATH…]"),
]
History = Annotated[
    Literal["claude", "codex", "gemini", "opencode", "all"] | None,
    typer.Option(help="What this agent keeps on this machine, or all do."),
]
KeepSecrets = Annotated[
    bool,
    typer.Option(
        "--keep-secrets", help="Leave keys, tokens and passwords in what is kept of the logs."
    ),
]


@when_stopped("stopped; what was imported stays")
def import_(
    call: Call, paths: Paths = None, history: History = None, keep_secrets: KeepSecrets = False
) -> None:
    """Import, tell what came of each log, and end with 1 if one was refused."""
    words = ImportWords(call.language)
    done: list[ImportedLog] = []
    with opened_sessions(call.settings) as sessions:
        intake = Intake(sessions.shelf, keep_secrets)
        found = every_log(intake, paths or (), history)
        logs = found.logs
        with counted(words.title, words.unit) as tell:
            for number, log in enumerate(logs, start=1):
                done.append(intake.take(log))
                if len(logs) > 1:
                    tell(number, len(logs))
    others = without_read_along(found, done)
    counts = Counter(one.status for one in done)
    numbers = {status: counts[status] for status in words.statuses}
    if call.json:
        files: list[JsonValue] = [one.model_dump(mode="json") for one in done]
        names: list[JsonValue] = [*map(str, others)]
        print_json({"files": files, **numbers, "unrecognised": names})
    else:
        for one in done:
            _print_log(one, words)
        if len(done) > 1:
            typer.echo(words.summary.format(**numbers))
        for file in others[:MOST_UNRECOGNISED]:
            typer.echo(words.unrecognised.format(source=line(str(file), 1000)))
        if (more := len(others) - MOST_UNRECOGNISED) > 0:
            typer.echo(words.unrecognised_more.format(count=more))
    if counts["refused"]:
        raise typer.Exit(1)


def _print_log(log: ImportedLog, words: ImportWords) -> None:
    typer.echo(f"{words.statuses[log.status]}  {line(log.source, 1000)}")
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
            f"{line(str(one['code']), 60)} ×{one['count']}" for one in log.findings[:MOST_NAMED]
        )
        more = ", …" if len(log.findings) > MOST_NAMED else ""
        typer.echo(words.repairs.format(count=log.repairs, kinds=kinds + more))
        if log.report is not None:
            typer.echo(words.report.format(path=line(log.report)))
