"""Looking at runs, and what was said of them."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.evaluate.reviewed import PROMPT, add_run
from whet.core.errors import InvalidDocument, NotFound, UsageError
from whet.documents.evals import EvalSuite
from whet.documents.skill_creator import Feedback
from whet.evaluate import review
from whet.evaluate.review import (
    ReviewedRun,
    Said,
    checked_scores,
    find_run,
    is_reviewed,
    load_feedback,
    previous,
    printable,
    produced,
    review_of,
    runs_of,
    save_review,
    scales,
)

NOW = datetime(2024, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def iteration(tmp_path: Path) -> Path:
    folder = tmp_path / "iteration-2"
    for eval_id in (1, 2, 3):
        for configuration in ("with_skill", "without_skill"):
            for number in (1, 2):
                add_run(folder, configuration, number, eval_id)
    return folder


def only(folder: Path) -> ReviewedRun:
    (run,) = runs_of(folder)
    return run


def test_runs_are_named_as_skill_creator_names_them(iteration: Path) -> None:
    runs = runs_of(iteration)
    names = {run.run_id for run in runs}
    assert len(runs) == 12
    assert "eval-2-haiku-without_skill-run-1" in names
    assert {run.prompt for run in runs} == {PROMPT}


def test_the_order_is_of_chance_and_always_the_same(iteration: Path) -> None:
    runs = runs_of(iteration)
    assert [run.number for run in runs] == list(range(1, 13))
    assert [run.run_id for run in runs] == [run.run_id for run in runs_of(iteration)]
    sides = [run.configuration for run in runs]
    assert sides != sorted(sides)
    assert [run.run_id for run in runs] != sorted(run.run_id for run in runs)


def test_a_run_is_found_by_number_and_by_name(iteration: Path) -> None:
    runs = runs_of(iteration)
    assert find_run(runs, "3") is runs[2]
    assert find_run(runs, runs[4].run_id) is runs[4]
    with pytest.raises(NotFound, match="1 to 12"):
        find_run(runs, "13")


def test_what_is_no_run_is_left_out(iteration: Path, tmp_path: Path) -> None:
    outside = add_run(tmp_path / "elsewhere", number=9)
    (iteration / "eval-1-haiku" / "with_skill" / "run-9").symlink_to(outside)
    (iteration / "eval-1-haiku" / "with_skill" / "run-x").mkdir()
    broken = add_run(iteration, number=8)
    (broken / "grading.json").write_text("{")
    assert len(runs_of(iteration)) == 12


def test_the_answer_and_the_files_are_shown_without_our_own(tmp_path: Path) -> None:
    files = {
        "poem.txt": b"one\ntwo",
        "deep/data.bin": b"\xff\xfe",
        "null.txt": b"a\0b",
        "deep/metrics.json": b"the agent's own",
    }
    folder = add_run(tmp_path / "iteration-1", files=files)
    (folder / "outputs" / "secret").symlink_to("/etc/passwd")
    (folder / "outputs" / "all").symlink_to("/etc")
    assert [(one.name, one.text) for one in produced(only(tmp_path / "iteration-1"))] == [
        ("", "Steel in morning light"),
        ("deep/data.bin", "(2 bytes, no text)"),
        ("deep/metrics.json", "the agent's own"),
        ("null.txt", "(3 bytes, no text)"),
        ("poem.txt", "one\ntwo"),
    ]


def test_much_is_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MOST_BYTES", 10_000)
    files = {f"{n:02}.txt": b"x" for n in range(25)}
    files["00.txt"], files["01.txt"] = b"y" * 9_000, b"z" * 10_001
    add_run(tmp_path / "iteration-1", files=files, answer="")
    shown = produced(only(tmp_path / "iteration-1"))
    assert len(shown) == review.MOST_FILES + 1
    assert shown[0].text.startswith("y" * 2000 + "\n[… 5000 characters left out …]\n")
    assert shown[1].text == "(10001 bytes)"
    assert shown[-1].text == "(5 more files)"


def test_terminal_commands_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    evil = "\x1b]0;title\x07\x1b[2Jdone\r\x9b31m\u202etxt\u2066\u200f"
    name = "a\x1b[31m.txt"
    add_run(tmp_path / "iteration-1", answer=evil, files={name: evil.encode()})
    for one in produced(only(tmp_path / "iteration-1")):
        assert not set(one.name + one.text) & set("\x1b\x07\r\x9b\u202e\u2066\u200f")
    assert printable("\x1b[31m\r\n\tö") == "\\x1b[31m\\r\n\tö"
    assert printable("\ud800") == "\\ud800"
    assert printable("👩‍💻 磨刀") == "👩‍💻 磨刀"


@given(st.text())
def test_nothing_printable_is_a_command(text: str) -> None:
    for mark in printable(text):
        assert mark in "\n\t\u200c\u200d" or mark.isprintable() or ord(mark) >= 0xA0
        assert not "\x00" <= mark < "\t"
        assert mark not in "\x1b\x7f\x9b\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u2069"


def test_the_same_run_of_the_iteration_before(iteration: Path) -> None:
    before = iteration.with_name("iteration-1")
    add_run(before, "with_skill", 2, 1, answer="older")
    runs = {run.run_id: run for run in runs_of(iteration)}
    found = previous(runs["eval-1-haiku-with_skill-run-2"], iteration, 2)
    assert found is not None
    assert produced(found)[0].text == "older"
    assert previous(runs["eval-1-haiku-without_skill-run-2"], iteration, 2) is None
    assert previous(runs["eval-2-haiku-with_skill-run-2"], iteration, 2) is None


def test_what_was_said_is_kept_at_once(iteration: Path) -> None:
    runs = runs_of(iteration)
    said = Said("pass", "Good rhythm.", {"tone": 4})
    save_review(iteration, runs, runs[0], said, NOW)
    data = json.loads((iteration / "feedback.json").read_text())
    assert data == {
        "reviews": [
            {
                "run_id": runs[0].run_id,
                "feedback": "Good rhythm.",
                "timestamp": "2024-01-01T12:00:00.000Z",
                "label": "pass",
                "scores": {"tone": 4},
                "trial_address": runs[0].grading.trial_address,
            }
        ],
        "status": "in_progress",
    }


def test_all_reviews_make_it_complete_and_the_last_word_counts(iteration: Path) -> None:
    runs = runs_of(iteration)
    for run in runs:
        assert load_feedback(iteration).status == "in_progress"
        save_review(iteration, runs, run, Said("fail"), NOW)
    assert load_feedback(iteration).status == "complete"
    found = save_review(iteration, runs, runs[3], Said("pass", "after all"), NOW)
    assert len(found.reviews) == 12
    last = review_of(runs[3], load_feedback(iteration))
    assert last is not None
    assert (last.label, last.feedback) == ("pass", "after all")


def test_what_others_wrote_is_kept(iteration: Path) -> None:
    theirs = {"run_id": "eval-9", "feedback": "x", "timestamp": "t", "by": "somebody"}
    text = json.dumps({"status": "complete", "reviews": [theirs], "tool": 7})
    (iteration / "feedback.json").write_text(text)
    runs = runs_of(iteration)
    save_review(iteration, runs, runs[0], Said("pass"), NOW)
    data = json.loads((iteration / "feedback.json").read_text())
    assert data["tool"] == 7
    assert data["reviews"][0] == theirs
    assert data["status"] == "in_progress"


def test_a_review_without_a_label_is_a_review(iteration: Path) -> None:
    runs = runs_of(iteration)
    theirs: JsonValue = {"run_id": runs[0].run_id, "feedback": "", "timestamp": "t"}
    feedback = Feedback.parse({"reviews": [theirs], "status": "in_progress"}, "x")
    assert is_reviewed(runs[0], feedback)
    assert not is_reviewed(runs[1], feedback)


def test_a_review_of_what_stood_there_before_is_none(iteration: Path) -> None:
    runs = runs_of(iteration)
    save_review(iteration, runs, runs[0], Said("pass"), NOW)
    path = runs[0].folder / "grading.json"
    path.write_text(path.read_text().replace('"trial_address": "', '"trial_address": "new-'))
    again = next(run for run in runs_of(iteration) if run.run_id == runs[0].run_id)
    assert not is_reviewed(again, load_feedback(iteration))


def test_a_broken_file_is_not_written_over(iteration: Path) -> None:
    (iteration / "feedback.json").write_text("{")
    runs = runs_of(iteration)
    with pytest.raises(InvalidDocument):
        save_review(iteration, runs, runs[0], Said("pass"), NOW)
    assert (iteration / "feedback.json").read_text() == "{"


def test_scores_are_held_against_their_scales() -> None:
    dimensions: JsonValue = [
        {"name": "tone", "weight": 1},
        {"name": "length", "weight": 1, "minimum": 0, "maximum": 10},
    ]
    eval_: JsonValue = {"id": 1, "prompt": "p", "quality_rubric": {"dimensions": dimensions}}
    suite = EvalSuite.parse({"skill_name": "x", "evals": [eval_]}, "x")
    known = scales(suite, "1")
    assert known == {"tone": (1, 5), "length": (0, 10)}
    assert scales(suite, 2) == scales(None, 1) == {}
    assert checked_scores({"tone": 5, "length": 0}, known) == {"tone": 5, "length": 0}
    with pytest.raises(UsageError, match=r"outside 1\.\.5"):
        checked_scores({"tone": 6}, known)
    with pytest.raises(UsageError, match="the eval has: tone, length"):
        checked_scores({"x": 1}, known)
