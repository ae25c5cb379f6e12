"""Two skills, their answers and the environments of projects side by side, by command."""

from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused
from tests.cli.projects import filled, made
from tests.curate.shelves import add_skill


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = filled(tmp_path_factory.mktemp("compare"))
    add_skill(folder, "Quoter", text='Say "[bold]" \x1b[31m often.')
    made(folder, "Small", "--repeats", "2", "--skill", "Quoter")
    made(folder, "Other", "--repeats", "3")
    return folder


@pytest.mark.slow
def test_two_skills_of_one_project(workspace: Path) -> None:
    found = read("project", "compare", "Small:Writer", "Small:Author", "--workspace", workspace)
    ranking = read("project", "show", "Small", "--workspace", workspace)["summary"]["ranking"]
    averages = {entry["skill_name"]: entry["avg_score"] for entry in ranking}
    assert found["score"]["left"] == pytest.approx(averages["Writer"], abs=0.01)
    assert found["score"]["right"] == pytest.approx(averages["Author"], abs=0.01)
    assert found["wins"] + found["losses"] + found["ties"] == 2
    assert found["environment"] == []
    told = done("project", "compare", "Small:Writer", "Small:Author", "--workspace", workspace)
    assert "Writer v1  against  Author v1" in told
    assert f"{found['score']['left']:.1f}" in told
    for words in ("failed as zero", "readability /15", "seconds a case", "case_002", "simulated"):
        assert words in told
    assert "USD a case" not in told, "nobody was paid"


def test_two_projects_differ_in_more_than_the_skill(workspace: Path) -> None:
    told = done("project", "compare", "Small:Writer", "Other:Author", "--workspace", workspace)
    assert "differ in more than the skill" in told
    assert "repeats" in told


def test_the_answers_to_one_case(workspace: Path) -> None:
    sides = ("Small:Writer", "Small:Author", "--case", "case_001", "--workspace", workspace)
    found = read("project", "compare", *sides)
    told = done("project", "compare", *sides)
    assert told.startswith("case_001 Case case_001, attempt 1\nWriter v1: completed, ")
    assert found["text"]["unified"].removesuffix("\n") in told
    beside = done("project", "compare", *sides, "--side-by-side", "--attempt", "2")
    assert " | " in beside or " < " in beside or " > " in beside


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sides", "says"),
    [
        (("Small", "Other"), "has 3 skills; say which after a colon"),
        (("Small:Nobody", "Small:Author"), "'Nobody'; it has Writer@v1, Author@v1"),
        (("nothing", "Author"), "'nothing'"),
        (("Small:Writer", "Small:Writer"), "name two"),
        (("Small:Writer", "Small:Author", "--case", "nope"), "no case 'nope'"),
    ],
)
def test_sides_that_are_none_are_named(workspace: Path, sides: tuple[str, ...], says: str) -> None:
    assert says in refused("project", "compare", *sides, "--workspace", workspace)


def test_one_environment_and_two(workspace: Path) -> None:
    one = read("project", "environment", "Small", "--workspace", workspace)
    assert (one["engine"], one["repeats"], len(one["skills"])) == ("simulated", 2, 3)
    both = read("project", "environment", "Small", "Other", "--workspace", workspace)
    assert not both["identical"]
    fields = [change["field"].partition(".")[0] for change in both["differences"]]
    assert sorted(fields) == ["repeats", "skills"]
    told = done("project", "environment", "Small", "Other", "--workspace", workspace)
    assert ["repeats", "2", "3"] in [line.split() for line in told.splitlines()]
    same = done("project", "environment", "Small", "Small", "--workspace", workspace)
    assert same == "Both projects are carried out with the same.\n"


def test_nothing_of_a_stranger_steers_the_terminal(workspace: Path) -> None:
    for arguments in (
        ("compare", "Small:Quoter", "Small:Author"),
        ("compare", "Small:Quoter", "Small:Author", "--case", "case_001"),
        ("results", "Small", "--skill", "Quoter", "--case", "case_001"),
        ("environment", "Small"),
    ):
        assert "\x1b" not in done("project", *arguments, "--workspace", workspace)
