"""Projects and results are found, page by page, and shown whole."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.calls import done, read, refused, run
from tests.cli.projects import SKILLS, TESTS, filled, made
from tests.curate.shelves import add_baseline

LONG = "极其认真、面面俱到、从不偷懒的技能对照项目 with an English tail"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = filled(tmp_path_factory.mktemp("find"))
    add_baseline(folder, "More", count=2)
    made(folder, "Small", "--repeats", "2")
    made(folder, LONG, "--baseline", "More")
    read("project", "create", "New", *SKILLS, *TESTS, "--workspace", folder)
    for day, name in enumerate(("Small", LONG, "New"), start=1):
        made_on(folder, name, f"2024-01-0{day}T12:00:00Z")
    return folder


def made_on(workspace: Path, name: str, moment: str) -> None:
    """Projects that are made within one second have no order worth a test."""
    path = Path(read("project", "show", name, "--workspace", workspace)["project"]["path"])
    config = json.loads((path / "config.json").read_text())
    (path / "config.json").write_text(json.dumps({**config, "created_at": moment}))


@pytest.mark.slow
def test_lists_are_narrowed_and_paged(workspace: Path) -> None:
    def names(*more: str) -> list[str]:
        page = read("project", "list", *more, "--workspace", workspace)
        return [item["name"] for item in page["items"]]

    assert names() == ["New", LONG, "Small"]
    assert names("--status", "pending") == ["New"]
    assert names("--status", "completed") == [LONG, "Small"]
    assert names("--keyword", "SMA") == ["Small"]
    assert names("--page", "2", "--page-size", "2") == ["Small"]
    assert names("--archived") == []
    told = done("project", "list", "--page-size", "2", "--workspace", workspace)
    assert "1–2 of 3  (next: --page 2)" in told


def test_an_empty_workspace_says_how_to_begin(tmp_path: Path) -> None:
    told = done("project", "list", "--workspace", tmp_path)
    assert told == f"no projects yet; make one with: whet project create --workspace {tmp_path}\n"
    assert done("project", "list", "--keyword", "x", "--workspace", tmp_path) == "nothing fits\n"
    assert "还没有项目" in done("project", "list", "--lang", "zh", "--workspace", tmp_path)


@pytest.mark.slow
def test_a_broken_project_hides_no_other(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    made(folder)
    (folder / "projects/project_broken_20240101000000").mkdir()
    (folder / "projects/project_broken_20240101000000/config.json").write_text("{")
    assert "Small" in (told := done("project", "list", "--workspace", folder))
    assert "not readable: " in told
    page = read("project", "list", "--workspace", folder)
    assert (page["total"], len(page["problems"])) == (1, 1)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("show", LONG),
        ("status", LONG),
        ("results", LONG),
        ("environment", "Small"),
        ("compare", f"{LONG}:Writer", f"{LONG}:Author"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_nothing_is_wider_than_a_terminal(
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: tuple[str, ...],
    language: str,
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("WHET_LANGUAGE", language)
    told = done("project", *arguments, "--workspace", workspace)
    # What is to be copied is on one line, however long.
    lines = [line for line in told.splitlines() if "/" not in line and "whet " not in line]
    assert max(map(cell_len, lines)) <= 80
    assert "…" not in told.replace(" … ", "")


def test_show_has_the_set_up_and_the_ranking(workspace: Path) -> None:
    found = read("project", "show", "Small", "--workspace", workspace)
    assert found["project"]["name"] == found["config"]["name"] == "Small"
    assert [entry["rank"] for entry in found["summary"]["ranking"]] == [1, 2]
    told = done("project", "show", "Small", "--workspace", workspace)
    for words in ("Writer v1", "Tests v1", "simulated (version 1)", "60 s for each", "repeats"):
        assert words in told
    assert "95 % interval" in told
    on_each = done("project", "show", LONG, "--workspace", workspace)
    assert "On Tests v1 (2 cases): 1 " in on_each.replace("\n", " ")


@pytest.mark.slow
def test_results_are_narrowed_and_paged(workspace: Path) -> None:
    def places(*more: str) -> list[tuple[str, str, int]]:
        page = read("project", "results", "Small", *more, "--workspace", workspace)
        return [(one["skill_name"], one["case"], one["attempt"]) for one in page["items"]]

    assert len(places()) == 8
    assert places("--skill", "Writer", "--page-size", "3", "--page", "2") == [
        ("Writer", "case_002", 2)
    ]
    assert places("--case", "case_002") == [
        (skill, "case_002", attempt) for attempt in (1, 2) for skill in ("Writer", "Author")
    ]
    assert places("--status", "failed") == places("--grade", "unscored") == []
    assert len(places("--status", "completed", "--grade", "scored")) == 8
    assert len(places("--baseline", "Tests")) == 8
    told = done("project", "results", "Small", "--page-size", "5", "--workspace", workspace)
    assert "1–5 of 8  (next: --page 2)" in told
    assert "Case case_001" in told


def test_one_result_in_full(workspace: Path) -> None:
    wanted = ("results", "Small", "--skill", "Writer", "--case", "case_001")
    found = read("project", *wanted, "--attempt", "2", "--workspace", workspace)
    assert (found["item"]["attempt"], found["attempts"]) == (2, 2)
    assert found["result"]["input"] == "Write a Python function for case_001."
    assert found["item"]["score"] == found["result"]["scores"]["total"]
    assert found["dimensions"]["readability"]["evidence"]
    told = done("project", *wanted, "--workspace", workspace)
    for words in ("1 of 2", "\ninput\n", "\nanswer\n", "\nscores\n", "total", "```python"):
        assert words in told
    assert found["result"]["actual_output"].splitlines()[0] in told


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("Small", "--skill", "Nobody"), "'Nobody'"),
        (("Small", "--skill", "Writer", "--case", "nope"), "no result of that skill"),
        (("Small", "--skill", "Writer", "--case", "case_001", "--attempt", "3"), "there is 1, 2"),
        (("Small", "--attempt", "2"), "--attempt needs --skill and --case"),
        ((LONG, "--skill", "Writer", "--case", "case_001"), "say which"),
        (("nothing",), "no project 'nothing'"),
    ],
)
def test_what_is_not_there_is_named(workspace: Path, arguments: tuple[str, ...], says: str) -> None:
    assert says in refused("project", "results", *arguments, "--workspace", workspace)


def test_two_baselines_are_told_apart(workspace: Path) -> None:
    wanted = ("results", LONG, "--skill", "Writer", "--case", "case_001", "--baseline", "More")
    found = read("project", *wanted, "--workspace", workspace)
    assert found["item"]["baseline_name"] == "More"
    table = run("project", "results", LONG, "--workspace", workspace).stdout
    assert "More" in table
    assert "Tests" in table


@pytest.mark.slow
def test_no_time_at_all_is_a_time_and_an_unknown_one_is_not(tmp_path: Path) -> None:
    folder = filled(tmp_path)
    made(folder, "Quick")
    crash = ("--retries", "0", "--option", 'simulate={"crash": 1}')
    run("project", "create", "Lost", *SKILLS, *TESTS, *crash, "--run", "--workspace", folder)
    with closing(sqlite3.connect(folder / "whet.db")) as database, database:
        database.execute("UPDATE results SET duration_ms = 0")
    assert done("project", "results", "Quick", "--workspace", folder).count("0.0 s") == 4
    assert "0.0 s" not in done("project", "results", "Lost", "--workspace", folder)


def test_a_project_without_results_says_so(workspace: Path) -> None:
    assert done("project", "results", "New", "--workspace", workspace) == "no results yet\n"
