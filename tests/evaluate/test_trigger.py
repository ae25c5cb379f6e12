"""Queries and skills are read with suspicion; runs say whether the skill was taken up."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.evaluate.judges import Laboratory
from tests.evaluate.triggering import (
    NAME,
    offered,
    planned,
    rows,
    shuns,
    wants,
    write_queries,
    write_skill,
)
from tests.run.agents import USED, now
from whet.core.errors import EngineFailure, InvalidDocument, InvalidSuite, NotFound, UsageError
from whet.core.failure import Failure
from whet.core.step import Ended, Step, Triggered
from whet.core.trial import TrialSpec
from whet.documents.skill_creator import TriggerQuery
from whet.evaluate.plan import cells, trial
from whet.evaluate.trigger import MAX_TURNS, offer, read_queries, reason, triggered
from whet.evaluate.trigger_report import counted, unknown_runs
from whet.ports.workdir import Workdir

QUERIES = [*wants("Clean it", "Tidy it"), *shuns("Cook it")]


def test_queries_of_the_skill_or_of_a_file_are_read(tmp_path: Path) -> None:
    skill = write_skill(tmp_path / "skill")
    with pytest.raises(NotFound, match="whet eval init"):
        read_queries(skill)
    file = write_queries(skill, QUERIES)
    assert read_queries(skill).items == tuple(QUERIES)
    assert read_queries(skill).warnings == ()
    other = tmp_path / "other.json"
    file.rename(other)
    assert read_queries(skill, other).items == tuple(QUERIES)
    with pytest.raises(NotFound, match=r"nowhere\.json$"):
        read_queries(skill, tmp_path / "nowhere.json")


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    skill = write_skill(tmp_path / "skill")
    bad = [
        *wants("One", " ", "two  words", "x" * 20_001),
        *shuns("TWO words", "one"),
        *wants("ONE"),
    ]
    write_queries(skill, bad)
    with pytest.raises(InvalidSuite) as caught:
        read_queries(skill)
    assert caught.value.problems == (
        "query 2 is empty",
        "query 4 has more than 20000 characters",
        "query 5 contradicts query 3",
        "query 6 contradicts query 1",
        "query 7 repeats query 1",
    )


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[]", "there are no queries"),
        ('[{"query": "x"}, {"query": 1, "should_trigger": true}]', "2 mistakes"),
        ('{"a": 1}', "queries"),
        (json.dumps([{"query": f"q{n}", "should_trigger": True} for n in range(1_001)]), "at most"),
    ],
)
def test_what_is_no_set_of_queries_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "triggers.json"
    file.write_text(text)
    with pytest.raises(InvalidSuite, match=complaint):
        read_queries(tmp_path, file)


def test_broken_json_is_said_to_be_that(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text("[{]")
    with pytest.raises(InvalidDocument, match="broken JSON"):
        read_queries(tmp_path, tmp_path / "t.json")


@pytest.mark.parametrize(("queries", "word"), [(wants("a"), "should not"), (shuns("a"), "should ")])
def test_a_missing_class_is_a_warning(
    tmp_path: Path, queries: list[TriggerQuery], word: str
) -> None:
    skill = write_skill(tmp_path / "skill")
    write_queries(skill, queries)
    [warning] = read_queries(skill).warnings
    assert f"no query {word}" in warning


def test_a_folder_of_skills_means_all_but_the_one_on_trial(tmp_path: Path) -> None:
    shelf = tmp_path / "shelf"
    own = write_skill(shelf / "own")
    for name in ("x", "y"):
        write_skill(shelf / name, name)
    (shelf / "no-skill").mkdir()
    other = write_skill(tmp_path / "z", "z")
    made = offer(own, [shelf, other, other])
    assert (made.name, made.neighbour_names) == ("own", ("x", "y", "z"))
    wanted = {file.digest for each in (made.skill, *made.neighbours) for file in each.files}
    assert made.content.keys() == wanted
    assert offer(own, [shelf / ".." / "shelf" / "own"]).neighbours == ()


def test_names_that_clash_are_refused_before_anything_runs(tmp_path: Path) -> None:
    own = write_skill(tmp_path / "own")
    with pytest.raises(UsageError, match="two of the skills are called 'OWN'"):
        offer(own, [write_skill(tmp_path / "a", "OWN")])
    twins = [write_skill(tmp_path / name, "twin") for name in ("b", "c")]
    with pytest.raises(UsageError, match="'twin'"):
        offer(own, twins)


def test_what_is_no_skill_is_refused(tmp_path: Path) -> None:
    own = write_skill(tmp_path / "own")
    (tmp_path / "empty").mkdir()
    for beside in (tmp_path / "nowhere", tmp_path / "empty"):
        with pytest.raises(UsageError, match=str(beside)):
            offer(own, [beside])
    with pytest.raises(NotFound, match=r"SKILL\.md"):
        offer(tmp_path / "empty")


def test_another_description_changes_that_file_and_nothing_else(tmp_path: Path) -> None:
    folder = write_skill(tmp_path / "own")
    raw = (folder / "SKILL.md").read_bytes() + b"\xff\xfe raw bytes\r\n"
    (folder / "SKILL.md").write_bytes(raw)
    made = offer(folder)
    other = made.described("Does more.")
    assert (other.description, made.description) == ("Does more.", "Does it.")
    assert other.skill.digest != made.skill.digest
    assert other.name == made.name
    before, after = ({f.path: f.digest for f in each.skill.files} for each in (made, other))
    assert before.keys() == after.keys()
    assert {path for path in before if before[path] != after[path]} == {"SKILL.md"}
    written = other.content[after["SKILL.md"]]
    assert written == raw.replace(b"description: Does it.", b'description: "Does more."')
    assert made.described("Does more.").skill == other.skill


def test_a_design_asks_every_query_of_one_arm_with_limits_and_neighbours(tmp_path: Path) -> None:
    made = offer(write_skill(tmp_path / "own"), [write_skill(tmp_path / "x", "x")])
    plan = planned(made, QUERIES, runs=2)
    assert plan.size == 6
    specs = [trial(plan, cell) for cell in cells(plan)]
    assert len({spec.address for spec in specs}) == 6
    for spec in specs:
        assert spec.skill == made.skill
        assert spec.neighbours == made.neighbours
        assert spec.stimulus.limits.max_turns == MAX_TURNS == 8
        assert spec.stimulus.limits.timeout_seconds == 60
    assert [case.stimulus.prompt for case in plan.cases] == ["Clean it", "Tidy it", "Cook it"]


@pytest.mark.parametrize(
    ("mark", "found"),
    [("T", True), ("-", False), ("M", False), ("t", None), ("A", True), ("x", None), ("$", None)],
)
def test_what_a_run_tells(tmp_path: Path, mark: str, found: bool | None) -> None:  # noqa: FBT001
    plan = planned(offered(tmp_path), QUERIES[:1], runs=1)
    [row] = rows(plan, mark)
    assert triggered(row, NAME) is found
    assert triggered(row, "another name") is (None if mark in "tAx$" else False)


@pytest.mark.parametrize("failure", [Failure.REFUSAL, Failure.CONTEXT, Failure.BUDGET])
def test_an_agent_that_was_cut_off_otherwise_tells_nothing(
    tmp_path: Path, failure: Failure
) -> None:
    [row] = rows(planned(offered(tmp_path), QUERIES[:1], runs=1), "M")
    assert row.record is not None
    record = row.record.model_copy(update={"failure": failure})
    cut = type(row)(row.cell, row.trial, record, None, "so it is")
    assert triggered(cut, NAME) is None
    assert reason(cut) == f"{failure}: so it is"


async def cleaner(spec: TrialSpec, _workdir: Workdir) -> AsyncGenerator[Step]:
    """Takes the skill up for everything but cooking, and another one for that."""
    cooks = "Cook" in spec.stimulus.prompt
    yield Triggered(now(), "another" if cooks else NAME)
    yield Ended(now(), "done", USED)


async def breaks_at_tidying(spec: TrialSpec, workdir: Workdir) -> AsyncGenerator[Step]:
    if "Tidy" in spec.stimulus.prompt:
        raise EngineFailure(Failure.RATE_LIMIT, "too many requests")
    async for step in cleaner(spec, workdir):
        yield step


def test_runs_go_through_an_experiment_and_are_picked_up_again(
    tmp_path: Path, laboratory: Laboratory
) -> None:
    made = offered(tmp_path / "skills")
    for data in made.content.values():
        laboratory.store.blobs.put(data)
    plan = planned(made, QUERIES, runs=2)
    laboratory.scripts = (breaks_at_tidying,)
    extent, first = laboratory.run(plan)
    assert (extent.total, extent.missing) == (6, 6)
    found = counted(QUERIES, first, NAME)
    assert [one.rate for one in found] == [1.0, None, 0.0]
    assert unknown_runs(found) == (
        "query 2 run 1: too many requests",
        "query 2 run 2: too many requests",
    )
    laboratory.scripts = (cleaner,)
    extent, second = laboratory.run(plan)
    assert (extent.missing, extent.reused) == (2, 4)
    assert [one.rate for one in counted(QUERIES, second, NAME)] == [1.0, 1.0, 0.0]
