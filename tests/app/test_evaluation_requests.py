"""What may be asked for when a capability run is started, and what is refused."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.app.measuring import carried_out, case, commanded, free_app, request, sayings, write_set
from tests.curate.shelves import add_skill
from whet.app.capability.measured_agent import narrowed, options_of
from whet.app.capability.plan import RunPlan
from whet.app.capability.requests import read_overrides
from whet.app.capability.runs import Evaluations
from whet.core.errors import ConfirmationNeeded, NotFound, UsageError
from whet.evaluate.capability.scores import WEIGHTS


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    made = tmp_path / "workspace"
    write_set(made, sayings(2))
    return made


def plan(workspace: Path, **body: Any) -> RunPlan:
    with free_app(workspace) as app:
        asked = request({"case_set": "mini", **body})
        return Evaluations(app).plan(asked)


def test_without_a_wish_it_is_the_simulated_agent(workspace: Path) -> None:
    found = plan(workspace)
    assert found.snapshot.pin.engine == found.model_name == "simulated"
    assert (found.language, found.weights) == ("en-US", WEIGHTS)
    assert found.snapshot.timeout_s == 120
    assert found.snapshot.concurrency == 4
    assert not found.estimate.needs_consent


def test_the_configuration_names_engine_and_model(workspace: Path) -> None:
    (workspace / "cli").mkdir(parents=True)
    config = {"default_engine": "replay", "default_model": "fast", "default_timeout_seconds": 7}
    (workspace / "cli" / "config.json").write_text(json.dumps(config))
    with pytest.raises(UsageError, match="replay"):
        plan(workspace)
    assert plan(workspace, model_name="simulated").snapshot.timeout_s == 7


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"model_name": "gpt-9"}, "'gpt-9' is no engine"),
        ({"model_name": "nowhere:gpt-9"}, "'nowhere:gpt-9' is no engine"),
        ({"model_name": "simulated:gpt-9"}, "no model 'gpt-9'"),
        ({"model_name": "simulated:"}, "names no model"),
        ({"model_name": " "}, "model_name: is empty"),
        ({"case_set": "other"}, "no case set 'other'"),
        ({"language": "fr-FR"}, "no cases in fr-FR"),
        ({"dimensions": ["tool"]}, "no cases"),
        ({"dimension": "tool"}, "dimension: "),
        ({"weights": dict.fromkeys(WEIGHTS, 0)}, "above 0"),
        ({"config_overrides": {"weights": {"logic": True}}}, "config_overrides.weights.logic"),
        ({"config_overrides": {"weights": {"logic": "40"}}}, "config_overrides.weights.logic"),
        ({"weights": {"logic": 1}, "config_overrides": {"weights": {"logic": 1}}}, "given twice"),
        (
            {"config_overrides": {"wieghts": {}}},
            "config_overrides.wieghts: unknown; known: weights",
        ),
        ({"config_overrides": {"weights": {"logik": 1}}}, "config_overrides.weights.logik"),
        ({"config_overrides": {"weights": {"logic": -1}}}, "config_overrides.weights.logic"),
        ({"config_overrides": {"timeout_s": 0}}, "config_overrides.timeout_s"),
        ({"config_overrides": {"concurrency": 1000}}, "config_overrides.concurrency"),
        ({"config_overrides": {"options": {"allowed_tools": []}}}, "use tool_names instead"),
        ({"config_overrides": {"skills": ["nowhere"]}}, "nowhere"),
        ({"tool_names": ["write", "raed"]}, "no agent has a tool 'raed'; it has Bash, Edit"),
    ],
)
def test_what_cannot_be_is_refused_by_name(
    workspace: Path, body: dict[str, Any], says: str
) -> None:
    with pytest.raises(UsageError, match=says.replace("'", "['\"]")):
        plan(workspace, **body)


def test_a_set_with_a_mistake_is_not_run_at_all(workspace: Path) -> None:
    write_set(workspace, [*sayings(1), case("bad", "say 1", "(", checker="regex")])
    with pytest.raises(UsageError, match="bad"):
        plan(workspace)


def test_a_broken_set_hurts_no_other(workspace: Path) -> None:
    (workspace / "evaluation" / "cases" / "broken.json").write_text("{")
    assert len(plan(workspace).chosen) == 2
    with pytest.raises(UsageError, match=r"broken\.json"):
        plan(workspace, case_set="broken")


def test_only_the_named_tools_are_there(workspace: Path) -> None:
    tools = ["Read", "write_file"]
    cases = [case(tool, "do it", checker="tool_called", expected=tool) for tool in (*tools, "Bash")]
    write_set(workspace, cases)
    found = plan(workspace, tool_names=["读取文件", "write"])
    assert found.snapshot.pin.options["allowed_tools"] == ["Read", "Write"]
    assert found.tools.tools == ("Read", "Write", "final_response")
    assert [chosen.missing for chosen in found.chosen] == [(), (), ("Bash",)]
    others = plan(workspace, tool_names=["ptc", "WebSearch", "shop@buy", "final_response"])
    assert others.tools.tools == ("final_response",)


def test_servers_are_given_to_the_agent_by_name() -> None:
    servers: dict[str, Any] = {"shop": {"command": "shop"}, "bank": {"command": "bank"}}
    body: dict[str, Any] = {"config_overrides": {"mcp_servers": servers}}
    every = request(body)
    some = request({**body, "tool_names": ["read", "mcp__shop__buy"]})
    assert options_of(every, read_overrides(every)) == {"mcp_servers": servers}
    assert options_of(some, read_overrides(some)) == {
        "allowed_tools": ["Read"],
        "mcp_servers": {"shop": servers["shop"]},
    }
    assert narrowed(["Read", "shop@*"], None) == ["Read", "shop@*"]
    assert narrowed(["Read", "shop@*"], ["read", "mcp__shop__buy"]) == ["Read", "shop@buy"]
    assert narrowed(["shop@*"], ["shop@*"]) == ["shop@*"]


def test_of_an_engine_that_does_not_tell_its_tools_builtin_ones_are_expected(
    workspace: Path, tmp_path: Path
) -> None:
    cases = [
        case("plain", "say 1", "1", prerequisites=["read_file"]),
        case("ptc", "say 1", "1", prerequisites=["ptc"]),
        case("mcp", "say 1", "1", prerequisites=["server@tool"]),
    ]
    write_set(workspace, cases)
    found = plan(workspace, **commanded(tmp_path))
    assert found.tools.tools is None
    assert [chosen.missing for chosen in found.chosen] == [(), ("ptc",), ("server@tool",)]


def test_skills_of_the_library_are_given_to_the_agent(workspace: Path) -> None:
    add_skill(workspace, "Writer", text="Be brief.")
    write_set(workspace, [case("a", "say 1", prerequisites=["skill@writer"])])
    found = plan(workspace, config_overrides={"skills": ["Writer"]})
    assert found.snapshot.skill is not None
    assert found.snapshot.skill.name == "Writer"
    assert found.tools.configured == ("skill@writer",)
    assert found.chosen[0].missing == ()


def test_a_paid_agent_needs_a_yes(workspace: Path, tmp_path: Path) -> None:
    with free_app(workspace) as app:
        evaluations = Evaluations(app)
        made = evaluations.plan(request(commanded(tmp_path)))
        assert made.estimate.runs == 2
        with pytest.raises(ConfirmationNeeded):
            evaluations.start(made)
        with pytest.raises(NotFound):
            evaluations.get(made.run_id)
        evaluations.start(made, confirmed=True)
        assert asyncio.run(evaluations.run(made.run_id)).status == "finished"


def test_weights_of_a_run_are_its_own(workspace: Path, tmp_path: Path) -> None:
    write_set(workspace, [*sayings(1), case("t", "say 1", "2", dimension="tool")])
    with free_app(workspace) as app:
        body = commanded(tmp_path, config_overrides={"weights": {"logic": 3, "tool": 1}})
        run = carried_out(app, body).run
    assert run.weights == {**WEIGHTS, "logic": 3, "tool": 1}
    assert run.total_score == 75


def test_a_weight_that_is_not_named_keeps_its_usual_value(workspace: Path) -> None:
    given = {"logic": 40}
    for body in ({"weights": given}, {"config_overrides": {"weights": given}}):
        assert plan(workspace, **body).weights == {**WEIGHTS, "logic": 40}
    assert plan(workspace, weights={}).weights == WEIGHTS


def test_a_changed_set_does_not_reach_a_run_that_was_started(
    workspace: Path, tmp_path: Path
) -> None:
    with free_app(workspace) as app:
        evaluations = Evaluations(app)
        made = evaluations.plan(request(commanded(tmp_path)))
        evaluations.start(made, confirmed=True)
        write_set(workspace, [case("other", "say 9", "9")])
        asyncio.run(evaluations.run(made.run_id))
        detail = evaluations.get(made.run_id)
        kept = app.store.evaluations.get_case_set(detail.run.case_set_digest or "")
    assert [item.status for item in detail.items] == ["passed", "passed"]
    assert kept is not None
    assert [one.id for one in kept.cases] == ["c0000", "c0001"]
