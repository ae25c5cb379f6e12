"""Where a verdict comes from."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import acts, call, session
from whet.core.check import CheckResult, CheckSpec
from whet.core.grade import DimensionScore, Grade, JudgedExpectation
from whet.documents.grading import Grading
from whet.documents.session import Session
from whet.replay.acts import Acts, acts_of
from whet.replay.verdicts import MOST, Verdict, links, verdicts_in, verdicts_of

ACTS = acts(
    "Read /w/brief.md => Mind the gap between the trains.",
    "Write /w/out/report.md",
    "Bash pytest! => ZeroDivisionError: division by zero",
    "Edit /w/out/report.md",
    "Skill fix",
)


def told(
    own: Acts, kind: str, expected: Any, evidence: str = "", **more: Any
) -> list[tuple[int, str]]:
    fields = {"expected": expected, **more} if expected is not None else more
    verdict = Verdict("check:S1", "x", more.pop("passed", True), evidence, 1.0, kind, fields)
    return [(one.index, one.reason) for one in links(own, [verdict])]


@pytest.mark.parametrize(
    ("kind", "expected", "found"),
    [
        ("tool_called", "bash", [(2, "tool")]),
        ("tool_called", "run_shell_command", [(2, "tool")]),
        ("tool_called", "Grep", []),
        ("tool_args", {"tool": "Read", "args": {"path": "brief.md"}}, [(0, "arguments")]),
        ("tool_args", {"tool": "Read", "args": {"path": "other.md"}}, [(0, "tool")]),
        ("tool_args", {"tool": "Grep", "args": {}}, []),
        ("tool_args", "nonsense", []),
        ("skill_triggered", True, [(4, "skill")]),
        ("file_exists", "out/report.md", [(1, "file"), (3, "file")]),
        ("file_exists", "report.md", [(1, "file"), (3, "file")]),
        ("file_exists", "brief.md", []),
        ("file_contains", {"path": "out/report.md", "text": "x"}, [(1, "file"), (3, "file")]),
        ("directory_structure", ["out/report.md"], [(1, "file"), (3, "file")]),
        ("contains", "report.md", []),
    ],
)
def test_what_a_check_names(kind: str, expected: Any, found: list[tuple[int, str]]) -> None:
    assert told(ACTS, kind, expected) == found


@pytest.mark.parametrize(
    ("pattern", "hit"),
    [
        ("*.md", True),
        ("out/*.md", True),
        ("**/report.*", True),
        ("w/**/*.md", True),
        ("*.txt", False),
        ("src/*.md", False),
        ("[", False),
    ],
)
def test_patterns_of_files(pattern: str, hit: bool) -> None:  # noqa: FBT001 - a table
    assert bool(told(ACTS, "file_exists", None, pattern=pattern)) is hit


def test_a_check_for_errors_points_to_the_failures_if_it_failed() -> None:
    assert told(ACTS, "no_errors", None, passed=False) == [(2, "failure")]
    assert told(ACTS, "no_errors", None, passed=True) == []


@pytest.mark.parametrize(
    ("evidence", "found"),
    [
        ("Found: out/report.md", [(1, "file"), (3, "file")]),
        ("It read brief.md first.", [(0, "file")]),
        ("It read mybrief.md first.", []),
        ("The log says `division by zero`.", [(2, "quote")]),
        ("It notes “gap between the … trains”", [(0, "quote")]),
        ('It says "gap between the trains."', [(0, "quote")]),
        ('It says "the gap".', []),
        ("All is well.", []),
    ],
)
def test_what_evidence_names_or_quotes(evidence: str, found: list[tuple[int, str]]) -> None:
    assert told(ACTS, "", None, evidence) == found


def test_a_name_that_several_files_have_is_no_evidence() -> None:
    own = acts("Write /w/a/index.ts", "Write /w/b/index.ts", "Read README")
    assert told(own, "", None, "index.ts is fine") == []
    assert told(own, "", None, "b/index.ts is fine") == [(1, "file")]
    assert told(own, "", None, "README is mentioned") == []


def test_the_longest_name_is_meant() -> None:
    own = acts("Write a.md", "Write docs/a.md")
    assert told(own, "", None, "see docs/a.md") == [(1, "file")]


def test_quotes_are_looked_for_in_what_a_call_was_given_too() -> None:
    given: Any = {"params": {"file_path": "a.md", "edits": [{"new": "a quite unusual phrase"}]}}
    own = acts_of(session([{**call(0, "Edit a.md"), "input": given}]))
    assert told(own, "", None, "'a quite unusual phrase'") == [(0, "quote")]


def test_a_link_says_what_it_is_about() -> None:
    [one] = links(ACTS, [Verdict("expectation:2", "It is right.", False, "`division by zero`")])  # noqa: FBT003
    assert (one.verdict, one.text, one.passed) == ("expectation:2", "It is right.", False)
    assert (one.call_id, one.reason, one.because) == ("tool-003", "quote", "division by zero")


def test_there_are_only_so_many_links() -> None:
    assert len(told(acts(*["Grep a"] * 99), "tool_called", "Grep")) == MOST


CHECK = CheckResult(
    id="S1", type="tool_called", text="calls", outcome="passed", score=1, evidence="called"
)
GRADE = Grade(
    address="a",
    trial="t",
    generation=1,
    grader="g",
    grader_version="1",
    status="scored",
    evaluated_at="",
    checks=(CHECK, CHECK.model_copy(update={"id": "S2", "outcome": "skipped"})),
    expectations=(JudgedExpectation(text="right", passed=False, evidence="brief.md"),),
    dimensions={"clarity": DimensionScore(score=3, evidence="report.md")},
)
SPEC = CheckSpec(id="S1", type="tool_called", fields={"expected": "Bash"})


def test_a_grade_is_all_its_verdicts() -> None:
    found = links(ACTS, verdicts_of(GRADE, [SPEC]))
    assert [(one.verdict, one.index, one.passed, one.score) for one in found] == [
        ("check:S1", 2, True, 1.0),
        ("expectation:1", 0, False, None),
        ("dimension:clarity", 1, None, 3.0),
        ("dimension:clarity", 3, None, 3.0),
    ]


def test_so_is_a_grading_file() -> None:
    grading = Grading.parse(
        {
            "expectations": [
                {
                    "text": "calls",
                    "passed": True,
                    "evidence": "",
                    "id": "S1",
                    "type": "tool_called",
                },
                {"text": "right", "passed": False, "evidence": "brief.md", "judged": True},
            ],
            "summary": {"passed": 1, "failed": 1, "total": 2, "pass_rate": 0.5},
            "rubric_scores": {"clarity": {"score": 3, "evidence": "report.md"}},
        },
        "grading",
    )
    found = links(ACTS, verdicts_in(grading, [SPEC]))
    assert [(one.verdict, one.index) for one in found] == [
        ("check:S1", 2),
        ("expectation:1", 0),
        ("dimension:clarity", 1),
        ("dimension:clarity", 3),
    ]


KINDS = st.sampled_from(["tool_called", "tool_args", "file_exists", "no_errors", "json_schema", ""])
FIELDS: st.SearchStrategy[Any] = st.dictionaries(
    st.sampled_from(["expected", "pattern"]),
    st.sampled_from(
        ["Read", "*.py", "**/**/*", "[", {"path": "a.py"}, {"tool": "Bash", "args": {}}, 3]
    ),
)
EVIDENCE = st.text(max_size=30) | st.sampled_from(
    ["a.py", "src/b.py is `long enough a quote`", "“”"]
)


@OFTEN
@given(sessions(), KINDS, FIELDS, EVIDENCE)
def test_any_verdict_is_linked_to_calls_of_the_session(
    made: Session, kind: str, fields: Any, evidence: str
) -> None:
    own = acts_of(made)
    verdict = Verdict("check:S1", "x", None, evidence, None, kind, fields)
    for one in links(own, [verdict, verdict]):
        assert own[one.index].call_id == one.call_id
        assert one.because
