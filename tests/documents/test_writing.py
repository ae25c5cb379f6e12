"""What is written: nothing invented, nothing lost, keys in their place."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue, ValidationError

from tests.documents.inventory import exact
from whet.documents.assets import AutoTag, SkillMeta
from whet.documents.cases import BaselineCase
from whet.documents.evolution import ExplorationParams
from whet.documents.project import CliConfig, ProjectConfig
from whet.documents.result import Scores
from whet.documents.session import ToolInput
from whet.documents.skill_creator import TriggerCount, TriggerQuery, TriggerSet
from whet.documents.verdict import Interval

FIXTURES = Path(__file__).parent / "fixtures"


def test_unknown_keys_keep_their_place_at_every_level() -> None:
    known: Any = json.loads((FIXTURES / "workspace/project_config.json").read_text("utf-8"))
    known["cli_config"] = {"colour": "red", **known["cli_config"]}
    data: JsonValue = {"first": [1, 1.0, None], **known, "last": {"b": 1, "a": 2}}

    config = ProjectConfig.parse(data, "config.json")

    assert exact(config.to_data()) == exact(data)


def test_a_changed_copy_keeps_the_order_and_adds_new_keys_last() -> None:
    config = CliConfig.parse({"x": 1, "retry_count": 2, "model": "m", "timeout_seconds": 60}, "c")

    copy = config.model_copy(update={"retry_count": 3, "engine": "simulated"})

    assert exact(copy.to_data()) == exact(
        {"x": 1, "retry_count": 3, "model": "m", "timeout_seconds": 60, "engine": "simulated"}
    )


def test_what_was_absent_stays_absent() -> None:
    data = json.loads((FIXTURES / "workspace/skill_meta.json").read_text("utf-8"))
    del data["description"], data["type"]

    meta = SkillMeta.parse(data, "meta.json")

    assert (meta.description, meta.type) == ("", "skill")
    assert exact(meta.to_data()) == exact(data)


def test_our_own_documents_have_their_keys_in_the_order_of_the_format() -> None:
    config = CliConfig(retry_count=2, timeout_seconds=60, model="m")

    assert exact(config.to_data()) == exact(
        {"model": "m", "timeout_seconds": 60, "retry_count": 2, "extra_flags": []}
    )


def test_a_field_the_format_shows_as_null_is_written_and_one_we_added_is_not() -> None:
    tag = AutoTag(id="t", value="v", status="pending", generated_at="now", log_ref="log")
    case = BaselineCase(
        id="case_001",
        name="n",
        category="standard",
        input="i",
        expected_output="e",
        created_at="c",
        updated_at="u",
    )

    assert exact(tag.to_data()) == exact(
        {
            "id": "t",
            "value": "v",
            "status": "pending",
            "generated_at": "now",
            "approved_at": None,
            "rejected_at": None,
            "log_ref": "log",
        }
    )
    assert "checks" not in case.to_json()


def test_null_that_was_given_is_written() -> None:
    assert exact(ToolInput(params={}, description=None).to_data()) == exact(
        {"params": {}, "description": None}
    )


def test_text_is_indented_unescaped_and_ends_with_a_newline() -> None:
    written = ToolInput(params={"路径": ["é", "😀"]}, description="").to_json()

    assert written == (
        '{\n  "params": {\n    "路径": [\n      "é",\n      "😀"\n    ]\n  },\n'
        '  "description": ""\n}\n'
    )


def test_half_an_emoji_survives(tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_text('{"params": {"cut": "\\ud83d", "whole": "😀"}}', "utf-8")

    document = ToolInput.load(path)
    path.write_text(document.to_json(), "utf-8")

    assert document.params == {"cut": "\ud83d", "whole": "😀"}
    assert ToolInput.load(path) == document


def test_numbers_keep_their_type() -> None:
    data: JsonValue = {"low": 3, "high": 3.0, "level": 0.95, "method": "m"}

    assert exact(Interval.parse(data, "i").to_data()) == exact(data)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_what_is_no_json_number_cannot_be_made(number: float) -> None:
    with pytest.raises(ValidationError, match="finite"):
        Interval(low=number, high=1, level=0.95, method="m")
    with pytest.raises(ValidationError, match="finite"):
        ToolInput(params={"x": [number]})


def test_documents_are_frozen() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        Interval(low=0, high=1, level=0.95, method="m").low = 2  # pyright: ignore[reportAttributeAccessIssue]


def test_equal_documents_are_equal_however_they_came_about() -> None:
    read = Interval.parse({"method": "m", "low": 0, "level": 0.9, "high": 1}, "i")

    assert read == Interval(low=0, high=1, level=0.9, method="m")
    assert read != Interval(low=0, high=2, level=0.9, method="m")
    assert read != Interval.parse({**read.model_dump(), "note": "x"}, "i")


def test_scores_of_another_rubric() -> None:
    scores = Scores.of({"clarity": 4, "depth": None}, total=80)

    assert exact(scores.to_data()) == exact({"total": 80, "clarity": 4, "depth": None})
    assert scores.dimensions == {"clarity": 4, "depth": None}
    assert Scores(functional_correctness=28, total=28).dimensions == {"functional_correctness": 28}


def test_keys_that_cannot_be_python_names() -> None:
    params = ExplorationParams(
        max_rounds=3, beam_width=2, plateau_threshold=1.0, stop_threshold=None
    )
    count = TriggerCount(
        query="q", should_trigger=True, trigger_rate=1.0, triggers=3, runs=3, passed=True
    )

    assert exact(params.to_data()) == exact(
        {"maxRounds": 3, "beamWidth": 2, "plateauThreshold": 1.0, "stopThreshold": None}
    )
    assert '"pass": true' in count.to_json()


def test_a_trigger_set_is_a_bare_list() -> None:
    queries = TriggerSet(queries=(TriggerQuery(query="q", should_trigger=False),))

    assert exact(queries.to_data()) == '[{"query": "q", "should_trigger": false}]'
    assert TriggerSet.parse(queries.to_data(), "set") == queries


def test_the_schema_of_what_is_written_shows_the_fields() -> None:
    schema = Interval.model_json_schema(mode="serialization")

    assert list(schema["properties"]) == ["low", "high", "level", "method"]


def test_a_lean_document_keeps_what_is_not_known() -> None:
    data = {"id": "a", "name": "A", "category": "standard", "input": "x", "expected_output": ""}
    dates = {"created_at": "", "updated_at": ""}
    case = BaselineCase.parse({**data, **dates, "weight": None, "more": None}, "c")
    assert exact(case.lean().to_data()) == exact({**data, **dates, "more": None})
