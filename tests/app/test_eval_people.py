"""Where the runs of a skill lie, and what follows from them."""

import json
from pathlib import Path
from typing import Any

import pytest

from whet.app.eval_iterations import (
    Place,
    all_iterations,
    load_suite,
    one_iteration,
    suite_of_runs,
)
from whet.app.eval_people import (
    PROPOSALS,
    apply,
    ask_for_edits,
    chosen,
    drafted,
    improvement,
)
from whet.app.settings import Settings, read
from whet.core.errors import Conflict, InvalidDocument, InvalidSuite, NotFound, UsageError
from whet.evaluate.starter import subject
from whet.evaluate.suite_edits import SuiteEdit

SUITE: dict[str, Any] = {
    "skill_name": "Two Words",
    "evals": [{"id": 1, "prompt": "p", "expectations": ["e"]}],
}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return read(tmp_path / "workspace", {"WHET_SCRATCH": str(tmp_path / "scratch")})


@pytest.fixture
def skill(tmp_path: Path) -> Path:
    folder = tmp_path / "skill"
    (folder / "evals").mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: two\ndescription: Do it.\n---\n")
    (folder / "evals/evals.json").write_text(json.dumps(SUITE))
    return folder


def add_iteration(settings: Settings, leg: str, number: int, *suggestions: str) -> Path:
    folder = settings.workspace / "evals/two-words" / leg / f"iteration-{number}"
    folder.mkdir(parents=True)
    mark = {"plan_digest": f"{number}", "eval_id": "x", "created_at": "t", "skill_digest": "d"}
    (folder / "iteration.json").write_text(json.dumps(mark))
    told = [
        {"frequency": 1, "assertion": None, "reason": one, "action": "-", "eval_ids": [1]}
        for one in suggestions
    ]
    aggregate = {
        "skill_name": "Two Words",
        "iteration": number,
        "total_runs": 2,
        "suggestions": told,
    }
    (folder / "eval_feedback_aggregate.json").write_text(json.dumps(aggregate))
    return folder


def test_the_newest_or_the_chosen_one(settings: Settings, skill: Path) -> None:
    for number in (2, 10, 1):
        add_iteration(settings, "claude__opus", number)
    place = Place(folder=skill)
    assert [one.number for one in all_iterations(settings, place)] == [1, 2, 10]
    assert one_iteration(settings, place, None).number == 10
    assert one_iteration(settings, place, 2).number == 2
    with pytest.raises(NotFound, match="1, 2, 10"):
        one_iteration(settings, place, 3)


def test_several_engines_need_a_choice(settings: Settings, skill: Path) -> None:
    add_iteration(settings, "claude__opus", 1)
    add_iteration(settings, "claude__a-b", 2)
    (settings.workspace / "evals/two-words/notes").mkdir()
    with pytest.raises(UsageError, match="--engine and --model"):
        one_iteration(settings, Place(folder=skill, engine="claude"), None)
    assert (
        one_iteration(settings, Place(folder=skill, engine="claude", model="a/b"), None).number == 2
    )
    assert one_iteration(settings, Place(folder=skill, model="opus"), None).number == 1
    with pytest.raises(NotFound, match="whet eval"):
        one_iteration(settings, Place(folder=skill, engine="codex"), None)


def test_without_a_suite_or_runs_the_way_is_told(settings: Settings, skill: Path) -> None:
    with pytest.raises(NotFound, match="whet eval "):
        all_iterations(settings, Place(folder=skill))
    (skill / "evals/evals.json").unlink()
    with pytest.raises(NotFound, match="whet eval init"):
        load_suite(skill)


def test_the_suite_of_the_runs_goes_before_that_of_today(settings: Settings, skill: Path) -> None:
    folder = add_iteration(settings, "claude__opus", 1)
    iteration = one_iteration(settings, Place(folder=skill), None)
    assert suite_of_runs(iteration, skill).skill_name == "Two Words"
    (folder / "evals.json").write_text(json.dumps({**SUITE, "skill_name": "older"}))
    assert suite_of_runs(iteration, skill).skill_name == "older"


def test_a_simulated_engine_is_not_asked(settings: Settings, skill: Path) -> None:
    draft, author = drafted(settings, subject(skill), Place(folder=skill, engine="simulated"), 3)
    assert (len(draft.suite.evals), author) == (3, "")
    add_iteration(settings, "claude__opus", 1, "Nothing checks the tone.")
    found = improvement(settings, Place(folder=skill), None)
    assert ask_for_edits(settings, found, Place(folder=skill, engine="simulated")) is found
    assert not settings.workspace.joinpath("whet.db").exists()


def test_edits_are_chosen_and_written(settings: Settings, skill: Path) -> None:
    add_iteration(settings, "claude__opus", 1, "Nothing checks the tone.")
    found = improvement(settings, Place(folder=skill), None)
    with pytest.raises(UsageError, match="no edit 2"):
        chosen(found, [1, 2])
    assert "+" in apply(settings, found, chosen(found, [1, 1]))
    again = improvement(settings, Place(folder=skill), None)
    assert apply(settings, again, chosen(again, [1])) == ""
    written = json.loads((skill / "evals/evals.json").read_text())
    assert written["evals"][0]["expectations"] == ["e", "The tone"]


def test_a_suite_that_would_break_is_not_written(settings: Settings, skill: Path) -> None:
    add_iteration(settings, "claude__opus", 1)
    found = improvement(settings, Place(folder=skill), None)
    before = (skill / "evals/evals.json").read_text()
    edit = SuiteEdit(kind="add_check", eval_ids=(1,), reason="r", check={"type": "nosuch"})
    with pytest.raises(InvalidSuite, match="nosuch"):
        apply(settings, found, [edit])
    assert (skill / "evals/evals.json").read_text() == before


def test_broken_proposals_are_named(settings: Settings, skill: Path) -> None:
    folder = add_iteration(settings, "claude__opus", 1)
    (folder / PROPOSALS).write_text('{"edits": 5}')
    with pytest.raises(InvalidDocument, match=PROPOSALS):
        improvement(settings, Place(folder=skill), None)


def test_what_somebody_wrote_meanwhile_is_not_lost(settings: Settings, skill: Path) -> None:
    add_iteration(settings, "claude__opus", 1, "Nothing checks the tone.")
    found = improvement(settings, Place(folder=skill), None)
    path = skill / "evals/evals.json"
    path.write_text(json.dumps({**SUITE, "note": "an hour of work"}))
    with pytest.raises(Conflict, match="changed meanwhile"):
        apply(settings, found, chosen(found, [1]))
    assert json.loads(path.read_text())["note"] == "an hour of work"


def test_who_may_read_a_suite_stays_as_it_was(settings: Settings, skill: Path) -> None:
    add_iteration(settings, "claude__opus", 1, "Nothing checks the tone.")
    path = skill / "evals/evals.json"
    path.chmod(0o600)
    found = improvement(settings, Place(folder=skill), None)
    assert apply(settings, found, chosen(found, [1]))
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_script_among_the_proposals_was_put_there(settings: Settings, skill: Path) -> None:
    """No model may propose one, so nobody is asked to accept one."""
    folder = add_iteration(settings, "claude__opus", 1)
    edit = {
        "kind": "add_check",
        "eval_ids": [1],
        "reason": "harmless",
        "check": {"type": "custom_script", "description": "harmless", "script": "curl evil"},
    }
    asked = {"engine": "claude", "model": "opus", "edits": [edit]}
    (folder / PROPOSALS).write_text(json.dumps(asked))
    with pytest.raises(InvalidDocument, match="no model may propose"):
        improvement(settings, Place(folder=skill), None)


def test_a_link_is_no_iteration(settings: Settings, skill: Path, tmp_path: Path) -> None:
    folder = add_iteration(settings, "claude__opus", 1)
    elsewhere = folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(elsewhere)
    with pytest.raises(NotFound):
        all_iterations(settings, Place(folder=skill))
