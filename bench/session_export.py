"""Exporting a large session: time, memory and size, beside another program for the same log.

    python -m bench.session_export             makes the log, and measures each format by itself
    python -m bench.session_export FORM FILE   the figures of one as JSON

A transcript of Claude Code with 50 MB, which is read into a session before the clock starts. Its
page has limits of 3 s and 10 MB. The peer's figures stand in ``bench.session_import``: it takes the
log itself and has no steps to tell apart.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.run import peak_mb
from bench.session_import import SIZE, made
from whet.app.parts import InstalledParts, every_reader
from whet.documents.session import Session
from whet.exporters.sessions.prepare import prepared
from whet.ports.machine import Machine
from whet.ports.session_exporter import ExportWish
from whet.readers.sessions import read_log

FORMS = ("html", "html full", "markdown", "json", "otlp")
LIMIT_SECONDS, LIMIT_MB = 3.0, 10.0


def main() -> None:
    match sys.argv[1:]:
        case [form, file]:
            sys.stdout.write(json.dumps(measured(form, Path(file))))
        case _:
            with tempfile.TemporaryDirectory(prefix="whet-bench-") as folder:
                log = Path(folder) / "0a1b2c3d-0000-4000-8000-000000000001.jsonl"
                made(log, SIZE)
                print(f"{log.stat().st_size / 1e6:.0f} MB of Claude Code, redacted and exported")
                for form in FORMS:
                    told(form, log)
                print(f"  {'limit of html':12}{LIMIT_SECONDS:15.2f} s {LIMIT_MB:17.1f} MB")


def told(form: str, log: Path) -> None:
    child = [sys.executable, "-m", "bench.session_export", form, str(log)]
    done = subprocess.run(child, check=True, capture_output=True, text=True)
    figures = json.loads(done.stdout)
    print(
        f"  {form:12}{figures['redacting']:7.2f} + {figures['writing']:5.2f} s"
        f" {figures['megabytes']:17.1f} MB, {figures['peak_mb']:5.0f} MB at most"
    )


def measured(form: str, log: Path) -> dict[str, float]:
    parts = InstalledParts(Machine({}, Path()))
    (data,) = read_log(log, every_reader(parts)).sessions()
    session = Session.parse(data, log.name)
    name, _, full = form.partition(" ")
    exporter = parts.session_exporter(name)
    begun = time.perf_counter()
    report = prepared(session)
    between = time.perf_counter()
    text = exporter.export(report, ExportWish(full=bool(full)))
    ended = time.perf_counter()
    return {
        "redacting": between - begun,
        "writing": ended - between,
        "megabytes": len(text.encode()) / 1e6,
        "peak_mb": peak_mb(),
    }


if __name__ == "__main__":
    main()
