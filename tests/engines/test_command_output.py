"""An agent that prints a gigabyte does not grow our memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PRINTER = """
import sys
piece = sys.argv[1].encode().decode("unicode_escape").encode() * 64
for _ in range(1024 ** 3 // len(piece)):
    sys.stdout.buffer.write(piece)
"""

RUN = """
import asyncio, json, resource, sys
from pathlib import Path
from whet.app.app import opened
from whet.app.settings import read
from whet.core.case import Limits, Stimulus
from whet.core.trial import TrialSpec

folder, piece = Path(sys.argv[1]), sys.argv[2]
options = {"argv": [sys.executable, str(folder / "printer.py"), piece]}
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
own = {"WHET_SCRATCH": str(folder / "scratch"), "WHET_CONFIG_DIR": str(folder / "config")}
with opened(read(folder / "workspace", own)) as app:
    app.access.give("command", options)
    engine = app.parts.engine("command")
    stimulus = Stimulus(prompt="Print.", limits=Limits(timeout_seconds=300))
    spec = TrialSpec(
        skill=None, stimulus=stimulus, engine="command", model="none", options=options,
        engine_version=engine.version(options), sandbox=app.sandbox(engine),
    )
    before = peak()
    record = asyncio.run(app.runner(0)(spec)).record
    after = peak()
    session = json.loads(app.store.blobs.get(record.session))
print(json.dumps({
    "grown_kb": after - before,
    "status": record.status,
    "answer": len(record.answer),
    "truncated": session.get("output_truncated"),
}))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["x" * 4096, "x" * 63 + r"\n"], ids=["in one line", "in many lines"]
)
def test_a_gigabyte_is_cut(tmp_path: Path, piece: str) -> None:
    (tmp_path / "printer.py").write_text(PRINTER)
    done = subprocess.run(
        [sys.executable, "-c", RUN, str(tmp_path), piece],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    figures = json.loads(done.stdout)
    assert figures["status"] == "completed"
    assert figures["truncated"] is True
    assert 0 < figures["answer"] <= 1024 * 1024
    assert figures["grown_kb"] < 200 * 1024
