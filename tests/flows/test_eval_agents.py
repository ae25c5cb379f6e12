"""A suite on real agents: claude does the work, codex judges it, the model is scripted."""

import asyncio
import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.opening import app_on
from tests.engines.installed import installed
from whet.app.app import App
from whet.app.eval_estimate import estimate
from whet.app.eval_plan import plan
from whet.app.eval_request import EvalRequest
from whet.app.evals import EvalOutcome, Evals
from whet.testing.model_server import Conversation, ModelServer, Script, ToolCall, Turn

pytestmark = pytest.mark.slow

SKILL = "---\nname: greeter\ndescription: Greet people.\n---\nAlways write hello.md.\n"
SUITE: dict[str, JsonValue] = {
    "skill_name": "greeter",
    "eval_config": {"runs_per_eval": 1, "judge_model": "codex:gpt-5.5"},
    "evals": [
        {
            "id": number,
            "prompt": f"GREET person {number} in a file.",
            "expectations": ["The greeting is friendly"],
            "structural_expectations": [
                {"id": "S1", "type": "file_exists", "pattern": "*.md", "critical": True}
            ],
            "quality_rubric": {"dimensions": [{"name": "tone", "weight": 1, "scoring": {}}]},
        }
        for number in (1, 2)
    ],
}
JUDGED: Mapping[str, JsonValue] = {
    "scores": {"tone": {"evidence": "hello.md:1", "score": 4}},
    "expectations": [{"number": 1, "evidence": "hello.md:1 says hello", "passed": True}],
    "claims": [],
    "suggestions": [{"assertion": "S1", "reason": "An empty file would pass."}],
    "overall": "Small.",
}
SCRIPT = Script(
    conversations=(
        Conversation(marker="You examine the work", turns=(Turn(text=json.dumps(JUDGED)),)),
        Conversation(
            marker="GREET",
            turns=(
                Turn(
                    calls=(
                        ToolCall(action="write", arguments={"path": "hello.md", "content": "Hi\n"}),
                    )
                ),
                Turn(text="It is there."),
            ),
        ),
    )
)


def skill(folder: Path) -> Path:
    (folder / "evals").mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL)
    (folder / "evals/evals.json").write_text(json.dumps(SUITE))
    return folder


@contextmanager
def workplace(tmp_path: Path) -> Generator[tuple[App, ModelServer]]:
    """An app whose agents know nothing but the scripted model."""
    home = tmp_path / "home"
    home.mkdir()
    folders = ":".join(str(installed(name).parent) for name in ("claude", "codex"))
    with ModelServer(SCRIPT) as server:
        given = {
            "HOME": str(home),
            "PATH": f"{folders}:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": server.url,
            "ANTHROPIC_API_KEY": "key-of-claude",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "key-of-codex",
        }
        with app_on(tmp_path / "workspace", **given) as app:
            yield app, server


def carried_out(app: App, request: EvalRequest, *, paid: bool) -> EvalOutcome:
    made = plan(app, request)
    assert estimate(app, made).needs_consent == paid
    return asyncio.run(Evals(app).run(made))


def test_real_agents_work_and_judge_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    request = EvalRequest(
        skill=str(skill(tmp_path / "greeter")), engines=("claude",), models=("claude-sonnet-4-5",)
    )
    with workplace(tmp_path) as (app, server):
        outcome = carried_out(app, request, paid=True)
        asked = len(server.requests)
        again = carried_out(app, request, paid=False)
        assert len(server.requests) == asked
        sent = "\n".join((request.body or b"").decode() for request in server.requests)
    [leg] = outcome.legs
    found = leg.benchmark
    assert (found.metadata.status, found.metadata.simulated) == ("completed", False)
    assert found.metadata.judges == ("codex:gpt-5.5",)
    assert {run.configuration for run in found.runs} == {"with_skill", "without_skill"}
    # 0.4 for both expectations, and 0.6 times 4 of 5.
    assert {run.result.overall_efficiency for run in found.runs} == {0.88}
    assert all(run.result.tokens for run in found.runs)
    assert outcome.spent.total_tokens > 0
    assert again.spent.total_tokens == 0
    assert again.legs[0].benchmark.run_summary == found.run_summary
    assert "evals.json" not in sent
    assert "The greeting is friendly" not in sent.partition("You examine the work")[0]
    folder = leg.iteration.folder
    assert (folder / "eval-1-greet-person-1-in-a-file/with_skill/run-1/outputs/hello.md").is_file()
    feedback = json.loads((folder / "eval_feedback_aggregate.json").read_text())
    assert [one["frequency"] for one in feedback["suggestions"]] == [4]
