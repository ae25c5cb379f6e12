"""Small sets of capability cases, and an agent that does what its prompt says."""

import asyncio
import json
import os
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.app.opening import app_on
from whet.app.app import App
from whet.app.capability.requests import EvaluationStart
from whet.app.capability.runs import Evaluations
from whet.cli.options import usable_values
from whet.core.event import Event
from whet.documents.capability import EvaluationDetail

AGENT = """\
read -r task rest
case "$task" in
  say) printf '%s\\n' "$rest" ;;
  crash) echo "out of order" >&2; exit 3 ;;
  hang) echo $$ > "MARK"; sleep 1000 ;;
  write) mkdir -p out; printf '%s' "$rest" > out/made.txt; rm -f gone.txt; echo done ;;
  flood) yes | head -c 100000 ;;
  link) ln -s /etc/passwd out.txt; ln -s / root; echo done ;;
esac
"""


def case(name: str, prompt: str, expected: str | None = "done", **more: Any) -> dict[str, Any]:
    """A case whose answer must be exactly the expected one. The agent of this module goes by the
    first line; the second makes it a task that the simulated agent takes on."""
    known = {"dimension": "logic", "checker": "exact", "expected": expected}
    return {"id": name, "prompt": f"{prompt}\nin Python", **known, **more}


def write_set(workspace: Path, cases: Sequence[dict[str, Any]], name: str = "mini") -> None:
    """A set of the workspace."""
    folder = workspace / "evaluation" / "cases"
    folder.mkdir(parents=True, exist_ok=True)
    content = {"version": 1, "case_set": name, "language": "en-US", "cases": cases}
    (folder / f"{name}.json").write_text(json.dumps(content))


def sayings(count: int) -> list[dict[str, Any]]:
    """Cases that differ in what is to be said."""
    return [case(f"c{number:04}", f"say {number}", str(number)) for number in range(count)]


@contextmanager
def free_app(workspace: Path, **environment: str) -> Generator[App]:
    """An app whose agents run without a sandbox, which takes half a second for each."""
    with app_on(workspace, WHET_SANDBOX="off", PATH=os.environ["PATH"], **environment) as app:
        yield app


def commanded(folder: Path, **more: Any) -> dict[str, Any]:
    """The body of a start that lets the agent of this module do the set ``mini``."""
    script = folder / "agent.sh"
    script.write_text(AGENT.replace("MARK", str(folder / "hanging")))
    overrides = {
        "options": {"argv": ["/bin/sh", str(script)]},
        "timeout_s": 20,
        "retries": 0,
        **more.pop("config_overrides", {}),
    }
    known = {"model_name": "command", "case_set": "mini", "language": "en-US"}
    return {**known, "config_overrides": overrides, **more}


def request(body: dict[str, Any]) -> EvaluationStart:
    """The request in a body; raises ``UsageError``."""
    with usable_values():
        return EvaluationStart.model_validate(body)


def started(app: App, body: dict[str, Any]) -> str:
    """Start a run as the app's own process would, and name it."""
    evaluations = Evaluations(app)
    plan = evaluations.plan(request(body))
    return evaluations.start(plan, confirmed=True).run_id


def carried_out(app: App, body: dict[str, Any]) -> EvaluationDetail:
    """A run from its start to its end."""
    run_id = started(app, body)
    asyncio.run(Evaluations(app).run(run_id))
    return Evaluations(app).get(run_id)


def events(app: App, run_id: str) -> Sequence[Event]:
    """All that was told of a run."""
    return app.store.events.since(0, run_id, 1_000_000)


def assert_whole(app: App, detail: EvaluationDetail) -> None:
    """Every case settled once, told once, and counted right."""
    counts = Counter(item.status for item in detail.items)
    told = events(app, detail.run.run_id)
    results = Counter(
        str(event.data["case_id"])
        for event in told
        if event.kind == "eval_item" and event.data["status"] != "active"
    )
    assert results == Counter(item.case_id for item in detail.items)
    known = detail.run.counts or {}
    by_status = {name: count for name, count in known.items() if name != "total"}
    assert known["total"] == len(detail.items)
    assert by_status == {name: counts[name] for name in by_status}
    assert told[0].kind == "eval_started"
    assert told[-1].kind == "eval_finished"
    progress = [event.data for event in told if event.kind == "eval_progress"]
    completed: Any = [data["completed"] for data in progress]
    assert progress[-1]["total_score"] == detail.run.total_score
    assert progress[-1]["dimension_scores"] == detail.run.dimension_scores
    assert progress[-1]["counts"] == known
    assert completed == sorted(completed)
    assert completed[-1] == len(detail.items) - counts["cancelled"]
