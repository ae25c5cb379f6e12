"""Automatic annotations as documents."""

from pathlib import Path

import pytest
from hypothesis import given

from tests.replay.drawn import OFTEN, sessions
from tests.replay.making import AT, acts, made
from tests.replay.recorded import every
from whet.documents.session import PhaseAnnotation, Session
from whet.replay.acts import acts_of
from whet.replay.annotate import auto_annotated, auto_annotations, wants_annotation
from whet.replay.annotators import AUTO, annotations_of, mistake


@pytest.mark.parametrize(
    ("calls", "asked", "wanted"),
    [
        (21, False, True),
        (20, False, False),
        (20, True, True),
        (5, True, True),
        (5, False, False),
        (4, True, False),
        (0, True, False),
    ],
)
def test_many_calls_by_themselves_some_on_request_few_never(
    calls: int,
    asked: bool,  # noqa: FBT001 - a table
    wanted: bool,  # noqa: FBT001
) -> None:
    assert wants_annotation(calls, asked=asked) is wanted
    session = made(*["Grep a"] * calls)
    annotated = auto_annotated(session, AT, asked=asked)
    assert (annotated.phase_annotations is not None) is wanted
    assert wanted or annotated is session


def test_an_annotation_says_who_when_what_and_how_sure() -> None:
    [found] = auto_annotations(acts("Grep a", "Grep b", "Read a.py", "Read b.py", "LS src"), AT)
    assert (found.annotation_id, found.annotated_by, found.annotated_at) == ("auto-001", "auto", AT)
    assert found.annotator == "signals"
    assert (found.phase_type, found.confidence) == ("explore", "high")
    assert found.tool_call_range.start_call_id == "tool-001"
    assert found.tool_call_range.end_call_id == "tool-005"
    assert found.description == "5 looks (a.py, b.py)"
    assert found.decisions is None


def test_it_is_done_anew_each_time_and_leaves_others_alone() -> None:
    own = auto_annotations(acts("Edit a.py"), AT)[0]
    human = own.model_copy(update={"annotated_by": "human", "annotation_id": "auto-001"})
    session = made(*["Edit a.py"] * 6).model_copy(update={"phase_annotations": (human,)})
    once = auto_annotated(session, AT, asked=True)
    again = auto_annotated(once, "2026-02-01T00:00:00Z", asked=True)
    assert [one.annotation_id for one in once.phase_annotations or ()] == ["auto-001", "auto-002"]
    assert again.phase_annotations is not None
    assert again.phase_annotations[0] == human
    assert [one.annotated_at for one in annotations_of(again, AUTO)] == ["2026-02-01T00:00:00Z"]


def test_what_another_program_made_automatically_stays() -> None:
    own = auto_annotations(acts("Edit a.py"), AT)[0]
    foreign = own.model_copy(update={"annotator": None, "annotation_id": "phase-1"})
    session = made(*["Edit a.py"] * 6).model_copy(update={"phase_annotations": (foreign,)})
    annotated = auto_annotated(session, AT, asked=True)
    assert [one.annotation_id for one in annotated.phase_annotations or ()] == [
        "phase-1",
        "auto-001",
    ]


def test_a_decision_stands_with_the_shortest_phase_around_it() -> None:
    lines = ["EnterPlanMode", "Grep a", "Read a.py!", "Bash cat a.py", "ExitPlanMode"]
    plan, explore = auto_annotations(acts(*lines), AT)
    assert (plan.phase_type, plan.decisions) == ("plan", None)
    assert [one.type for one in explore.decisions or ()] == ["tool_selection"]


def referred(annotation: PhaseAnnotation) -> list[tuple[str, str, str, str | None]]:
    found = annotation.context_used or ()
    return [(one.type, one.source, one.relevance, one.usage_mode) for one in found]


def test_what_was_drawn_upon() -> None:
    understand, explore, execute = auto_annotations(
        acts(
            "Read /w/CLAUDE.md",
            "Read /w/docs/specs/SPEC-1.md",
            "Skill fix",
            "Grep parse => src/parser.py:3: def parse",
            "Read /w/src/parser.py",
            "Read /w/src/lexer.py",
            "Read /w/src/lexer.py",
            "Edit /w/src/parser.py",
            "Write /w/src/new.py",
            user_prompt="Mend the parser.",
            agent={"model_id": "m", "capability_snapshot": "2026-01-25"},
        ),
        AT,
    )
    assert referred(understand) == [
        ("user_message", "user_prompt", "high", None),
        ("claude_md", "/w/CLAUDE.md", "high", "read"),
        ("spec", "/w/docs/specs/SPEC-1.md", "high", "read"),
        ("skill", "fix", "high", None),
        ("capability", "2026-01-25", "low", None),
    ]
    assert referred(explore) == [
        ("file", "/w/src/parser.py", "high", "read_then_modified"),
        ("tool_result", "tool-004", "medium", None),
        ("file", "/w/src/lexer.py", "medium", "read"),
    ]
    assert referred(execute) == [
        ("file", "/w/src/parser.py", "high", "read_then_modified"),
        ("file", "/w/src/new.py", "high", "modified"),
    ]


def test_what_the_user_answered_was_drawn_upon() -> None:
    [found] = auto_annotations(acts("AskUserQuestion Which? => The blue one."), AT)
    assert [(one.type, one.source, one.summary) for one in found.context_used or ()] == [
        ("user_message", "user_prompt", "Mend the parser."),
        ("user_message", "tool-001", "The blue one."),
    ]


def test_a_call_that_failed_gave_nothing_to_draw_upon() -> None:
    [found] = auto_annotations(acts("Read /w/a.py!", "Grep x", user_prompt=""), AT)
    assert found.context_used is None


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("CLAUDE.md", "claude_md"),
        ("/w/AGENTS.md", "claude_md"),
        (".cursor/rules/a.mdc", "rule"),
        ("rules/workflow/RULE-001.md", "rule"),
        ("src/rules/engine.py", "file"),
        ("standards/data/STD-001.md", "standard"),
        ("/h/.claude/skills/fix/scripts/run.sh", "skill"),
        ("x/SKILL.md", "skill"),
        ("../skill/content.txt", "skill"),
        ("docs/specs/SPEC-003.md", "spec"),
        ("spec/models/user_spec.rb", "file"),
        ("data/capability-snapshots/2026-01-25.json", "capability"),
        ("src/main.py", "file"),
    ],
)
def test_the_type_of_a_file(path: str, kind: str) -> None:
    [found] = auto_annotations(acts(f"Write {path}", user_prompt=""), AT)
    assert referred(found) == [(kind, path, "high", "modified")]


def test_the_recorded_sessions_of_real_programs(tmp_path: Path) -> None:
    found = {
        name: [
            f"{one.phase_type} {one.confidence}" for one in auto_annotations(acts_of(session), AT)
        ]
        for name, session in every(tmp_path).items()
    }
    assert found == {
        "claude": ["understand medium"],
        "codex": ["execute high", "explore low", "execute high"],
        "gemini": ["execute high", "verify low"],
        "opencode": ["execute high", "verify low", "explore medium"],
    }


@OFTEN
@given(sessions())
def test_annotations_of_any_session_fit_it_and_are_written_as_read(given: Session) -> None:
    found = auto_annotations(acts_of(given), AT)
    assert len({one.annotation_id for one in found}) == len(found)
    unique = len({call.call_id for call in given.tool_calls}) == len(given.tool_calls)
    assert not unique or [one for one in found if mistake(given, one)] == []
    annotated = given.model_copy(update={"phase_annotations": found})
    again = Session.parse(annotated.to_data(), "again")
    assert again == annotated
    assert again.to_data() == annotated.to_data()
