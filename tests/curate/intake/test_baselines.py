"""Baselines from JSON, tables, eval suites and by hand."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from pydantic import JsonValue

from whet.core.errors import InvalidImport, NotFound, UsageError
from whet.curate.draft import About, BaselineDraft
from whet.curate.intake.baseline_files import (
    baseline_by_hand,
    baseline_from,
    baseline_from_csv,
    baseline_from_json,
)
from whet.curate.intake.given import Given, Imported

NOW = datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)
MOMENT = "2024-01-02T03:04:05Z"
NAMED = Given(name="Tests")


def by_csv(text: str) -> Imported[BaselineDraft]:
    return baseline_from_csv(text, NAMED, NOW)


def problems(data: JsonValue) -> tuple[str, ...]:
    with pytest.raises(InvalidImport) as caught:
        baseline_from_json(data, NAMED, NOW)
    return caught.value.problems


@pytest.mark.parametrize("key", ["id", "case_id"])
@pytest.mark.parametrize("bare", [True, False])
def test_json_is_an_object_or_a_bare_list(key: str, *, bare: bool) -> None:
    cases: JsonValue = [{key: "c1", "input": "Do.", "expected_output": "Done."}]
    draft = baseline_from_json(cases if bare else {"cases": cases}, NAMED, NOW).draft
    (case,) = draft.cases
    assert case.to_data() == {
        "id": "c1",
        "name": "c1",
        "category": "standard",
        "input": "Do.",
        "expected_output": "Done.",
        "description": "",
        "created_at": MOMENT,
        "updated_at": MOMENT,
    }


def test_what_a_case_says_is_kept_unknown_keys_too() -> None:
    case: dict[str, JsonValue] = {
        "id": "c1",
        "input": "Do.",
        "expected_output": "Done.",
        "created_at": "2020-01-01T00:00:00Z",
        "checks": [{"type": "contains", "expected": "x"}],
        "weight": 2,
        "difficulty": {"level": 3},
    }
    draft = baseline_from_json({"rubric": "code", "cases": [case]}, NAMED, NOW).draft
    read = draft.cases[0].to_data()
    assert isinstance(read, dict)
    assert {key: read[key] for key in case} == case
    assert read["updated_at"] == "2020-01-01T00:00:00Z"
    assert draft.rubric == "code"


def test_cases_without_an_id_get_the_next_free_number() -> None:
    rows: list[JsonValue] = [{"input": "a"}, {"id": "case_002", "input": "b"}, {"input": "c"}]
    draft = baseline_by_hand(rows, NAMED, NOW).draft
    assert [case.id for case in draft.cases] == ["case_001", "case_002", "case_003"]
    assert [case.name for case in draft.cases] == ["case_001", "case_002", "case_003"]


def test_a_number_is_an_id() -> None:
    assert baseline_by_hand([{"id": 7, "input": "a"}], NAMED, NOW).draft.cases[0].id == "7"


def test_a_file_may_say_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "set.json"
    path.write_text(
        json.dumps(
            {
                "baseline_id": "b",
                "version": "v3",
                "purpose": "code",
                "description": "D",
                "colour": 1,
                "cases": [{"input": "a", "expected_output": "b"}],
            }
        )
    )
    found = baseline_from(path, Given(provider="me"), NOW)
    assert found.draft.about == About("set", "code", "me", "D", "", "set.json")
    assert found.notes == ("not taken: 'colour'",)


def test_every_mistake_is_told_at_once() -> None:
    found = problems(
        [
            {"id": "a", "input": "x", "category": "edge case"},
            {"id": "a", "input": " "},
            {"id": "../b", "input": "x"},
            "none",
            {"input": "x", "weight": "much", "checks": [{}]},
            {"input": "half \ud83d"},
            {"id": "c.run-2", "input": "x"},
        ]
    )
    assert found[0].startswith("case 1 ('a'): category: must be standard")
    assert found[0].endswith("did you mean boundary?")
    assert [problem.partition(":")[0] for problem in found] == [
        "case 1 ('a')",
        "case 2 ('a')",
        "case 3 ('../b')",
        "case 4",
        "case 5 ('case_001')",
        "case 5 ('case_001')",
        "case 6 ('case_002')",
        "case 7 ('c.run-2')",
        "case 2 ('a')",
    ]


@pytest.mark.parametrize(
    ("category", "meant"),
    [("Standard", "standard"), ("边界测试", "boundary"), ("error", "exception")],
)
def test_a_category_nearly_right_gets_a_hint(category: str, meant: str) -> None:
    (problem,) = problems([{"input": "x", "category": category}])
    assert problem.endswith(f"did you mean {meant}?")


def test_the_text_of_an_escape_is_no_zero_byte() -> None:
    draft = baseline_by_hand([{"input": "print('\\u0000')"}], NAMED, NOW).draft
    assert draft.cases[0].input == "print('\\u0000')"
    assert problems([{"input": "a\0"}])


def test_what_is_nested_without_end_is_refused() -> None:
    deep: JsonValue = []
    for _ in range(200):
        deep = [deep]
    assert "nested" in problems([{"input": "x", "more": deep}])[0]


@pytest.mark.parametrize("data", [{}, {"cases": {}}, 3, "cases", {"cases": [], "rubric": 3}])
def test_what_is_no_baseline_is_refused(data: JsonValue) -> None:
    assert problems(data)


def test_cases_that_expect_nothing_are_named() -> None:
    assert baseline_by_hand([{"input": "x"}], NAMED, NOW).notes == (
        "nothing is expected of case_001",
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_table_with_any_usual_delimiter(delimiter: str) -> None:
    header = delimiter.join(["Case ID", "Category", "input", "Expected-Output", "weight"])
    row = delimiter.join(["c1", " boundary ", '"a, b; ""c""\td\ne"', "z", "1.5"])
    (case,) = by_csv(f"\ufeff{header}\r\n{row}\r\n\r\n").draft.cases
    assert (case.id, case.category, case.weight) == ("c1", "boundary", 1.5)
    assert case.input == 'a, b; "c"\td\ne'
    assert case.expected_output == "z"


def test_unknown_columns_are_named() -> None:
    found = by_csv("input,expected_output,owner\nx,y,Ada\n")
    assert found.notes == ("columns not taken: 'owner'",)
    assert found.draft.cases[0].model_extra == {}


def test_cells_may_hold_json() -> None:
    text = 'input,checks,files,rubric\nx,"[{""type"":""contains""}]","[""a.txt""]",code\n'
    (case,) = by_csv(text).draft.cases
    assert [check.type for check in case.checks or ()] == ["contains"]
    assert (case.files, case.rubric) == (("a.txt",), "code")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("name,output\na,b\n", "no column input"),
        ("input,input\na,b\n", "2 columns input"),
        ("input\na,b\n", "has 2 cells"),
        ("input,weight\na,much\n", "must be a number"),
        ("input,checks\na,{\n", "must be JSON"),
        ("input,category\na,odd\n", "must be standard"),
        ('input\na\n"b\nc\nd\n', "line 3: a quote is opened and never closed"),
        ('input,name\n"a\nb",c\n"a "b" c",d\n', "line 4: text follows a closing quote"),
    ],
)
def test_mistakes_of_a_table(text: str, what: str) -> None:
    with pytest.raises(InvalidImport, match=what):
        by_csv(text)


def test_a_large_cell_is_read() -> None:
    assert len(by_csv(f"input\n{'x' * 200_000}\n").draft.cases[0].input) == 200_000


def test_guarded_formulas_are_read_as_meant_and_quotes_stay() -> None:
    text = "input,expected_output\n'=1+1,''' doc '''\n"
    (case,) = by_csv(text).draft.cases
    assert (case.input, case.expected_output) == ("=1+1", "''' doc '''")


EVALS: JsonValue = {
    "skill_name": "pdf",
    "eval_config": {"runs_per_eval": 3},
    "evals": [
        {
            "id": 1,
            "name": "Read",
            "prompt": "Read it.",
            "expected_output": "A text.",
            "files": ["evals/files/a.pdf"],
            "expectations": ["It is short.", "It is right."],
            "structural_expectations": [{"id": "S1", "type": "file_exists", "pattern": "*.txt"}],
            "quality_rubric": {"dimensions": [{"name": "clear", "weight": 1}]},
            "timeout_seconds": 30,
            "cluster": "files",
        },
        {"id": "b", "prompt": "Write it.", "assertions": ["It is there."]},
    ],
}


def test_an_eval_suite_is_a_baseline(tmp_path: Path) -> None:
    path = tmp_path / "evals/evals.json"
    path.parent.mkdir()
    path.write_text(json.dumps(EVALS))
    found = baseline_from(tmp_path, Given(), NOW)
    first, second = found.draft.cases
    assert found.draft.about.name == "pdf evals"
    assert (first.id, first.name, first.input) == ("1", "Read", "Read it.")
    assert first.expected_output == "A text.\n\n- It is short.\n- It is right."
    assert [check.type for check in first.checks or ()] == ["file_exists"]
    assert not isinstance(first.rubric, str | None)
    assert (first.files, first.timeout_seconds) == (("evals/files/a.pdf",), 30)
    assert (second.id, second.expected_output) == ("b", "- It is there.")
    assert [note.partition(" ")[0] for note in found.notes] == [
        "eval_config",
        "expectations",
        "files",
    ]


def test_mistakes_of_an_eval_suite() -> None:
    found = problems({"skill_name": 1, "evals": [{"id": 1}]})
    assert [problem.partition(":")[0] for problem in found] == ["skill_name", "evals[0].prompt"]


def test_other_files_are_no_baselines(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"no file .*a\.xlsx"):
        baseline_from(tmp_path / "a.xlsx", Given(), NOW)
    (tmp_path / "a.xlsx").touch()
    with pytest.raises(UsageError, match=r"is no baseline: one of .*\.csv"):
        baseline_from(tmp_path / "a.xlsx", Given(), NOW)
    with pytest.raises(NotFound):
        baseline_from(tmp_path / "a.csv", Given(), NOW)
    with pytest.raises(NotFound, match="evals"):
        baseline_from(tmp_path, Given(), NOW)


@pytest.mark.parametrize("data", [[], {"cases": []}, {"skill_name": "pdf", "evals": []}])
def test_an_empty_baseline_is_refused(data: JsonValue) -> None:
    assert problems(data) == ("has no cases; write at least one",)


def test_a_table_without_rows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("input,expected_output\n")
    with pytest.raises(InvalidImport, match="has no cases"):
        baseline_from(tmp_path / "a.csv", Given(), NOW)
