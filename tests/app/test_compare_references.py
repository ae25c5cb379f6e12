"""Skills in projects by whatever a person calls them, and errors that help."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.app.comparing import fill, wish
from tests.app.opening import app_on
from tests.curate.shelves import add_skill, identity
from whet.app.app import App
from whet.app.projects.create import create_project
from whet.app.projects.sides import SkillInProject, two_sides
from whet.core.errors import NotFound, UsageError
from whet.evaluate.project import Project


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace", cases=1)
    return tmp_path / "workspace"


@pytest.fixture
def app(workspace: Path) -> Generator[App]:
    with app_on(workspace) as opened:
        yield opened


def made(app: App, name: str, *skills: str, at: str = "") -> Project:
    project = create_project(app, wish(name, *skills))
    return project.saved(created_at=at) if at else project


def names(found: tuple[SkillInProject, SkillInProject]) -> list[tuple[str, str]]:
    return [(one.project.config.name, one.name) for one in found]


def test_a_skill_is_named_in_many_ways(app: App) -> None:
    project = made(app, "P", "Writer@v1", "Writer@v2", "Author")
    writer, author = identity("Writer"), identity("Author")
    for left, right in (
        ("P:Writer@v1", "P:Author"),
        (f"P:{writer}@v1", f"P:{author}"),
        (f"P:{writer[:6]}@v1", f"P:{author[:4]}"),
        (f"{project.config.id}:Writer@v1", f"{project.folder.name}:Author@v1"),
        ("Writer@v1", "Author"),
        ("P:Writer@v1", "Author"),
        ("Writer@v1", "P:Author"),
    ):
        assert names(two_sides(app, left, right)) == [("P", "Writer v1"), ("P", "Author v1")]
    assert names(two_sides(app, "P:Writer", "P:Author"))[0] == ("P", "Writer v2")


def test_a_project_with_one_skill_stands_for_it(app: App) -> None:
    made(app, "One", "Writer@v1")
    made(app, "Two", "Author")
    assert names(two_sides(app, "One", "Two")) == [("One", "Writer v1"), ("Two", "Author v1")]


def test_skills_alone_are_looked_for_where_both_are(app: App) -> None:
    made(app, "Old", "Writer@v1", "Author", at="2024-01-01T00:00:00Z")
    made(app, "Both", "Writer@v1", "Author", at="2024-02-01T00:00:00Z")
    made(app, "New", "Writer@v1", at="2024-03-01T00:00:00Z")
    assert names(two_sides(app, "Writer@v1", "Author")) == [
        ("Both", "Writer v1"),
        ("Both", "Author v1"),
    ]
    made(app, "Newest", "Writer@v2", at="2024-04-01T00:00:00Z")
    assert names(two_sides(app, "Writer@v2", "Author"))[1] == ("Both", "Author v1")
    assert names(two_sides(app, "Writer@v2", "New:Writer"))[0] == ("Newest", "Writer v2")


def test_names_may_have_colons_and_signs_in_them(app: App, workspace: Path) -> None:
    add_skill(workspace, "a:b")
    add_skill(workspace, "me@home")
    made(app, "Test: it", "a:b", "me@home")
    made(app, "Test", "Author")
    assert names(two_sides(app, "Test: it:a:b", "Test: it:me@home")) == [
        ("Test: it", "a:b v1"),
        ("Test: it", "me@home v1"),
    ]


WRONG: dict[str, tuple[str, str, type[UsageError], str]] = {
    "no such thing": ("Nobody", "P:Author", NotFound, "no project, and no skill .*'Nobody'"),
    "no such skill": ("P:Nobody", "P:Author", NotFound, "no 'Nobody'; it has Writer@v2, Author@v1"),
    "no such version": ("P:Writer@v1", "P:Author", NotFound, "no 'Writer@v1'; it has"),
    "which skill": (
        "P",
        "P:Author",
        UsageError,
        "has 2 skills; say which after a colon: Writer v2",
    ),
    "one thing": ("P:Author", "Author", UsageError, "both sides are Author v1 of 'P'; name two"),
    "nothing": ("", "P:Author", NotFound, "is called ''"),
    "half": ("P:", "P:Author", NotFound, "has no ''"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_is_told_with_what_there_is(app: App, name: str) -> None:
    made(app, "P", "Writer@v2", "Author")
    left, right, kind, message = WRONG[name]
    with pytest.raises(kind, match=message) as caught:
        two_sides(app, left, right)
    assert "\n" not in str(caught.value)
