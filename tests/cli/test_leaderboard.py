"""The leaderboard on the command line."""

import csv
import io
import json
from pathlib import Path
from unicodedata import east_asian_width

import pytest

from tests.cli.calls import done, read, refused, run
from tests.repo.test_startup import HEAVY, loaded_by
from tests.stores.index.libraries import add, identity
from tests.stores.index.tested import add_project, change, reference

NASTY = "Evil\x1b[31m\u202e[bold]x[/bold]\nname"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    return tmp_path / "workspace"


def fill(shelf: Path) -> None:
    """Writer is at v2, the baseline Tests at v1, and Lost is gone."""
    for version in (1, 2):
        add(shelf, "Writer", version)
    add(shelf, "Tests", 1, ["x", "y"], purpose="review")
    add_project(shelf, "Old", {"Writer": 60.04, "Author": 55})
    add_project(shelf, "New", {"Writer@v2": 80}, simulated=True)
    add_project(shelf, "Else", {"Writer": None}, ("Lost",))


def width(line: str) -> int:
    return sum(2 if east_asian_width(one) in "WF" else 1 for one in line)


@pytest.mark.parametrize("flat", [(), ("--flat",)])
def test_an_empty_workspace_says_how_to_begin(shelf: Path, flat: tuple[str, ...]) -> None:
    said = done("leaderboard", *flat)
    assert said.count("\n") == 1
    assert "whet demo" in said
    assert not [*shelf.parent.glob("leaderboard*")]


def test_groups_tell_what_is_behind_each_score(shelf: Path) -> None:
    fill(shelf)
    said = done("leaderboard")
    assert said == done("leaderboard", "show")
    tests, lost = said.split("\n\n")[:2]
    assert tests.splitlines()[0] == "Tests  v1  review · cases: 2 · skills: 2"
    assert lost.splitlines()[0] == "Lost  gone from the library  – · cases: 3 · skills: 1"
    first, second, third = (tests.index(one) for one in ("80.0", "60.0", "55.0"))
    assert first < second < third
    assert "simulated" in tests[first:second]
    assert "skill is v2 now" in tests[second:third]
    assert "skill is gone" in tests[third:]
    assert "baseline is gone" in lost
    assert "failed: 1" in tests
    assert said.endswith("baselines 1–2 of 2\n")


def test_one_baseline_has_pages_of_records(shelf: Path) -> None:
    fill(shelf)
    said = done("leaderboard", "--baseline", "Tests", "--page-size", "2")
    assert said.endswith("records 1–2 of 3  (the next page: --page 2)\n")
    assert "Author" not in said
    said = done("leaderboard", "--baseline", "Tests", "--page-size", "2", "--page", "2")
    assert "Author" in said
    assert said.endswith("records 3–3 of 3\n")
    beyond = done("leaderboard", "--baseline", "Tests", "--page", "9")
    assert beyond == "There is no page 9: 3 in all.\n"


def test_a_group_with_more_says_where(shelf: Path) -> None:
    add_project(shelf, "Many", {f"s{number}": number for number in range(12)})
    said = done("leaderboard", "--workspace", shelf)
    hint = f"whet leaderboard --baseline {identity('Tests')[:8]} --workspace {shelf}"
    assert f"… and 2 more; see {hint}" in said
    assert "records 1–12 of 12" in done("leaderboard", "--baseline", identity("Tests")[:8])


def test_a_flat_list_names_the_baselines(shelf: Path) -> None:
    fill(shelf)
    said = done("leaderboard", "--flat")
    assert said.endswith("records 1–4 of 4\n")
    assert "Lost v1" in said
    assert "Tests v1" in said
    few = done("leaderboard", "--flat", "--current-only")
    assert "records 1–1 of 1" in few
    assert done("leaderboard", "--purpose", "nothing") == "Nothing fits.\n"


@pytest.mark.slow
def test_machines_get_what_the_api_gives(shelf: Path) -> None:
    fill(shelf)
    groups = read("leaderboard", "--page-size", "1")
    assert (groups["total"], len(groups["groups"]), groups["page_size"]) == (2, 1, 1)
    flat = read("leaderboard", "--flat", "--page", "2", "--page-size", "3")
    assert (flat["total"], len(flat["records"]), flat["page"]) == (4, 1, 2)
    one = read("leaderboard", "--baseline", "Tests", "--page", "2", "--page-size", "2")
    assert (one["records_page"], len(one["groups"][0]["records"])) == (2, 1)
    latest = read("leaderboard", "--flat", "--by-version", "--skill", "Writer")
    assert latest["total"] == 3
    assert read("leaderboard", "--flat", "--archived")["total"] == 0
    dated = read("leaderboard", "--flat", "--since", "2024-01-01", "--until", "2024-01-01")
    assert dated["total"] == 4
    history = read("leaderboard", "history", "Writer")
    assert [len(one["points"]) for one in history["baselines"]] == [1, 2]


def test_a_history_goes_down_the_page_with_time(shelf: Path) -> None:
    fill(shelf)
    change(
        next(shelf.glob("projects/project_New_*")) / "results/summary.json",
        generated_at="2024-03-04T00:00:00Z",
    )
    said = done("leaderboard", "history", "Writer")
    assert said.index("Lost") < said.index("Tests")
    assert said.index("60.0") < said.index("80.0")
    assert "2024-03-04" in said
    assert "simulated" in said[said.index("80.0") :]


def test_a_long_history_shows_its_end(shelf: Path) -> None:
    for number in range(32):
        moment = f"2024-01-01T00:{number:02}:00Z"
        add_project(shelf, f"P{number:02}", {"Writer": number}, generated_at=moment)
    said = done("leaderboard", "history", identity("Writer"))
    assert "P01" not in said
    assert "P02" in said
    hint = f"whet leaderboard history {identity('Writer')[:8]} --json"
    assert f"… and 2 earlier ones; see {hint}" in said


def test_a_skill_without_any_test(shelf: Path) -> None:
    add(shelf, "New")
    assert done("leaderboard", "history", "New") == "New was in no project yet.\n"


def test_a_table_goes_into_a_new_file_or_to_stdout(shelf: Path, tmp_path: Path) -> None:
    fill(shelf)
    said = done("leaderboard", "--csv", "out.csv", "--skill", "Writer")
    assert said == "Written to out.csv.\n"
    data = (tmp_path / "out.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    rows = [*csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline=""))]
    assert [one["avg_score"] for one in rows] == ["80", "60.04", ""]
    assert run("leaderboard", "--csv", "-", "--skill", "Writer").stdout_bytes == data
    assert "out.csv is there already" in refused("leaderboard", "--csv", "out.csv")
    assert (tmp_path / "out.csv").read_bytes() == data
    assert json.loads(done("leaderboard", "--csv", "b.csv", "--json"))["path"] == "b.csv"
    (tmp_path / "link.csv").symlink_to(tmp_path / "nowhere")
    assert "link.csv is there already" in refused("leaderboard", "--csv", "link.csv")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--skill", "nobody"), "no skill 'nobody'"),
        (("--since", "soon"), "is no date"),
        (("--csv", "-", "--json"), "both want stdout"),
        (("history", "nobody"), "no skill 'nobody'"),
        (("--csv", "no/such/folder.csv", "--skill", "nobody"), "no skill"),
    ],
)
def test_what_cannot_be_is_one_line(shelf: Path, arguments: tuple[str, ...], says: str) -> None:
    fill(shelf)
    assert says in refused("leaderboard", *arguments)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("columns", ["80", "100"])
def test_it_fits_the_terminal(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, language: str, columns: str
) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", language)
    monkeypatch.setenv("COLUMNS", columns)
    long = "一个名字很长的技能名字很长的技能名字很长的技能"
    folder = add_project(shelf, "Trial", {long: 100, "a" * 70: 0}, (long,))
    change(folder / "config.json", name=long)
    for arguments in ((), ("--flat",), ("history", identity(long))):
        said = done("leaderboard", *arguments)
        assert "100.0" in said
        table = [line for line in said.splitlines() if not line.startswith("…")]
        assert max(map(width, table)) <= int(columns)


@pytest.mark.parametrize("arguments", [(), ("--flat",), ("history", identity("x"))])
def test_strangers_names_are_shown_and_not_obeyed(shelf: Path, arguments: tuple[str, ...]) -> None:
    folder = add_project(shelf, "Nasty", {"x": 1})
    change(folder / "config.json", name=NASTY, baselines=[reference("Tests") | {"name": NASTY}])
    summary = json.loads((folder / "results/summary.json").read_text())
    summary["ranking"][0]["skill_name"] = NASTY
    change(folder / "results/summary.json", ranking=summary["ranking"], generated_at="\x1b[2J")
    said = done("leaderboard", *arguments)
    assert "\x1b" not in said
    assert "\u202e" not in said
    # Whichever of them a narrow column did not break.
    assert any(mark in said for mark in ("[bold]", "[/bold]"))


def test_it_needs_nothing_heavy() -> None:
    assert not loaded_by("from whet.cli import leaderboard") & HEAVY


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("arguments", [(), ("--flat",)])
def test_failures_leave_room_for_names(
    shelf: Path, monkeypatch: pytest.MonkeyPatch, language: str, arguments: tuple[str, ...]
) -> None:
    """Words of names are whole in 80 columns, whatever failed."""
    monkeypatch.setenv("WHET_LANGUAGE", language)
    folder = add_project(shelf, "Trial", {"Careful Instructions": 91.5})
    change(folder / "config.json", name="Comparison of Tuesday")
    [entry] = json.loads((folder / "results/summary.json").read_text())["ranking"]
    interval = {"low": 84.4, "high": 100.0, "level": 0.95, "method": "t"}
    entry |= {"check_pass_rate": 0.875, "gate_failed_cases": 12, "interval": interval}
    change(folder / "results/summary.json", ranking=[entry | {"failed_cases": 2}])
    said = done("leaderboard", *arguments)
    for word in ("Careful", "Instructions", "Comparison", "Tuesday", "84.4 … 100.0", "87.5"):
        assert word in said
    assert max(map(width, said.splitlines())) <= 80
