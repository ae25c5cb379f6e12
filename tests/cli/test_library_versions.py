"""Versions are listed and compared."""

import json
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.calls import done, read, refused
from tests.curate.shelves import add_baseline, add_skill
from whet.cli.side_by_side import columns
from whet.curate.text_difference import Line, Row

NASTY = "\x1b]0;owned\x07 \u202e [bold]x[/bold]"


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a skill of three versions and a baseline."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    add_skill(tmp_path / "workspace", "Writer", text="One.\nTwo.\n")
    done("skill", "edit", "Writer", "--set", "author=Ann")
    done("skill", "edit", "Writer", "--content", "-", given=f"One.\n{NASTY}\tx  \n")
    add_baseline(tmp_path / "workspace", "Tests")
    return tmp_path / "workspace"


@pytest.mark.slow
def test_the_newest_version_is_first(shelf: Path) -> None:
    told = read("skill", "versions", "Writer")
    assert told["problems"] == []
    assert [(one["version"], one["changed_fields"]) for one in told["versions"]] == [
        ("v3", ["content"]),
        ("v2", ["meta.author"]),
        ("v1", []),
    ]
    printed = done("skill", "versions", "Writer")
    assert [line.split()[0] for line in printed.splitlines()[2:]] == ["v3", "v2", "v1"]
    assert "first version" in printed
    assert "edited outside" not in printed
    (first,) = shelf.glob("skills/*/*/*_v1")
    (first / "content.txt").write_text("By hand.\n")
    assert "edited outside" in done("skill", "versions", "Writer").splitlines()[-1]


def test_what_cannot_be_read_is_named(shelf: Path) -> None:
    (record,) = shelf.glob("skills/*/*/*_v3/history/v2_to_v3_*.json")
    record.write_text("{")
    assert record.name in "".join(done("skill", "versions", "Writer").split())
    assert record.name in read("skill", "versions", "Writer")["problems"][0]


def test_two_versions_that_are_no_neighbours() -> None:
    printed = done("skill", "diff", "Writer", "v1", "v3")
    assert printed.splitlines() == [
        "Writer: v1 → v3",
        'metadata author: "" → "Ann"',
        "",
        "--- v1",
        "+++ v3",
        "@@ -1,2 +1,2 @@",
        " One.",
        "-Two.",
        "+\\x1b]0;owned\\x07 \\u202e [bold]x[/bold]\tx  ",
    ]
    told = read("skill", "diff", "Writer", "v3", "v1")
    assert told["changed_fields"] == ["content", "meta.author"]
    assert told["meta"]["author"] == {"before": "Ann", "after": ""}
    assert [row["kind"] for row in told["rows"]] == ["equal", "changed"]


def test_equal_versions_are_no_error() -> None:
    assert done("skill", "diff", "Writer", "v2", "v2") == "no difference\n"
    only_meta = done("skill", "diff", "Writer", "v1", "v2")
    assert "@@" not in only_meta
    assert "'v9'; it has v1, v2, v3" in refused("skill", "diff", "Writer", "v1", "v9")


@pytest.mark.slow
def test_cases_files_and_the_rest_are_summed_up(tmp_path: Path) -> None:
    cases = read("baseline", "show", "Tests")["cases"]
    cases[0]["input"] = NASTY
    (tmp_path / "c.json").write_text(json.dumps([{"input": "New."}, cases[0]]))
    done("baseline", "edit", "Tests", "--cases", "c.json", "--rubric", "code")
    printed = done("baseline", "diff", "Tests", "v1", "v2")
    assert printed.splitlines()[1:5] == [
        "cases changed: case_001",
        "cases removed: case_002",
        "cases added: case_003",
        'rubric: – → "code"',
    ]
    assert "\x1b" not in printed
    turned = read("baseline", "show", "Tests")["cases"][::-1]
    (tmp_path / "c.json").write_text(json.dumps(turned))
    done("baseline", "edit", "Tests", "--cases", "c.json")
    assert "order of cases: changed" in done("baseline", "diff", "Tests", "v2", "v3")


@pytest.mark.slow
def test_files_of_a_package(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p/SKILL.md").write_text("One.\n")
    (tmp_path / "p/run.sh").write_text("ls\n")
    done("skill", "edit", "Writer", "--from", "p")
    (tmp_path / "p/run.sh").write_text("pwd\n")
    (tmp_path / "p/run.sh").chmod(0o755)
    (tmp_path / "p/b[red].md").write_text("x\n")
    done("skill", "edit", "Writer", "--from", "p")
    assert done("skill", "diff", "Writer", "v4", "v5").splitlines()[1:] == [
        "files changed: run.sh",
        "files added: b[red].md",
        'files that may be executed: [] → ["run.sh"]',
    ]


@pytest.mark.slow
@pytest.mark.parametrize("width", [40, 80, 121])
def test_side_by_side_no_line_is_wider_than_the_terminal(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    long = "".join(f"{number}. 写得更好 better {'x' * 50}\n" for number in range(30))
    done("skill", "edit", "Writer", "--content", "-", given=long)
    done("skill", "edit", "Writer", "--content", "-", given=long.replace("5. 写", "5. \t读"))
    monkeypatch.setenv("COLUMNS", str(width))
    lines = done("skill", "diff", "Writer", "v4", "v5", "--side-by-side").splitlines()
    assert max(map(cell_len, lines)) <= width
    assert any("equal lines" in line for line in lines)
    marked = [line for line in lines if " | " in line]
    assert len(marked) == 3, "lines 5, 15 and 25"
    starts = {cell_len(line.partition(" | ")[0]) for line in marked}
    assert len(starts) == 1, "the columns are straight"
    done("skill", "diff", "Writer", "v1", "v5", "--side-by-side")


def test_long_lines_are_folded_and_none_is_lost() -> None:
    wide = "中文" * 40
    rows = [
        Row(kind="changed", left=Line(number=1, text=wide), right=Line(number=1, text="")),
        Row(kind="added", right=Line(number=2, text="new")),
        Row(kind="removed", left=Line(number=2, text="old")),
    ]
    lines = [text.plain for text in columns(rows, 60, "{count}")]
    assert "".join(line[2:30].split(" ")[0] for line in lines[:-2]) == wide
    assert lines[-2].split() == [">", "2", "new"]
    assert lines[-1].split() == ["2", "old", "<"]


def test_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert done("skill", "diff", "Writer", "v1", "v1") == "没有差异\n"
    assert "首个版本" in done("skill", "versions", "Writer")
