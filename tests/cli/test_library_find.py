"""Assets are listed, shown and found."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue
from rich.console import Console

from tests.cli.calls import done, read, refused, run
from tests.curate.shelves import add_baseline, add_skill, identity, write
from tests.repo.test_startup import HEAVY, loaded_by
from whet.app.library.views import AssetItem
from whet.cli.asset_output import short_ids
from whet.cli.library_find import FindWords, assets_table

NASTY = "Evil\x1b[31m\u202e[bold]x[/bold]\nname"


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    return tmp_path / "workspace"


def tag(folder: Path, *values: str, pending: int = 0) -> None:
    given: list[JsonValue] = [
        {"id": f"t{number}", "value": value, "created_at": "2024-01-01T00:00:00Z"}
        for number, value in enumerate(values)
    ]
    auto: list[JsonValue] = [
        {
            "id": f"a{number}",
            "value": f"proposed {number}",
            "status": "pending",
            "generated_at": "2024-01-01T00:00:00Z",
            "approved_at": None,
            "rejected_at": None,
            "log_ref": "",
        }
        for number in range(pending)
    ]
    write(folder / "tags.json", {"manual": given, "auto": auto})


def item(**more: object) -> AssetItem:
    known: dict[str, object] = {
        "id": "0123456789",
        "name": "Writer",
        "purpose": "code_generate",
        "provider": "sample",
        "type": "skill",
        "version": "v12",
        "status": "active",
        "description": "",
        "author": "",
        "source": "",
        "tags": ("Python", "函数"),
        "pending_tag_count": 0,
        "created_at": "2024-01-01T00:00:00Z",
        "updated_at": "2024-05-06T00:00:00Z",
        "content_preview": "",
        "case_count": None,
        "is_package": False,
        "edited_outside": False,
        "path": "/x",
        "test_summary": None,
    }
    return AssetItem.model_validate({**known, **more})


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "way"), [("skill", "--installed"), ("baseline", "--empty")])
def test_an_empty_library_says_how_to_begin(shelf: Path, kind: str, way: str) -> None:
    said = done(kind, "list")
    assert said.count("\n") == 1
    assert f"whet {kind} import PATH" in said
    assert way in said
    assert f"--workspace {shelf}" in done(kind, "list", "--workspace", shelf)
    assert done(kind, "list", "--purpose", "x") == "Nothing fits.\n"
    assert read(kind, "list")["items"] == []


def test_a_list_has_what_tells_assets_apart(shelf: Path) -> None:
    tag(add_skill(shelf, "Careful writer", updated_at="2024-05-06T07:08:09Z"), "Python", pending=2)
    add_skill(shelf, "Old", status="archived")
    said = done("skill", "list")
    for words in (
        identity("Careful writer")[:8],
        "Careful writer",
        "code · me",
        "v1",
        "Python",
        "2024-05-06",
        "proposed tags: 2",
        "1–1 of 1",
    ):
        assert words in said
    assert "Old" not in said
    everything = done("skill", "list", "--status", "all")
    assert "archived" in everything
    assert "1–2 of 2" in everything
    assert "best" not in said, "nothing was tested"


@pytest.mark.slow
def test_what_was_edited_outside_is_marked(shelf: Path) -> None:
    folder = add_skill(shelf, "Writer")
    assert "edited outside" not in done("skill", "list") + done("skill", "show", "Writer")
    (folder / "content.txt").write_text("By hand.")
    assert "edited outside" in done("skill", "list")
    assert "v1 (edited outside)" in done("skill", "show", "Writer")
    done("skill", "edit", "Writer", "--set", "author=A")
    said = done("skill", "show", "Writer", "--version", "v1")
    assert "v1 of 2, the newest is v2 (edited outside)" in said
    listed = done("skill", "versions", "Writer")
    assert "first version" in listed
    assert "edited outside" in listed
    assert listed in said, "both show the same table"


@pytest.mark.slow
def test_a_list_is_narrowed_sorted_and_paged(shelf: Path) -> None:
    for name, moment in (("B", "2024-01-02"), ("a", "2024-01-03"), ("C", "2024-01-01")):
        folder = add_skill(shelf, name, updated_at=f"{moment}T00:00:00Z", description=f"of {name}")
        tag(folder, "all", f"only-{name}")

    def names(*arguments: str) -> list[str]:
        return [one["name"] for one in read("skill", "list", *arguments)["items"]]

    assert names() == ["a", "B", "C"]
    assert names("--ascending") == ["C", "B", "a"]
    assert names("--sort", "name") == ["a", "B", "C"], "names go up by themselves"
    assert names("--sort", "name", "--descending") == ["C", "B", "a"]
    assert names("--tag", "ALL", "--tag", "only-b") == ["B"], "all tags, in whatever case"
    assert names("--keyword", "OF c") == ["C"]
    assert names("--type", "agent") == []
    assert names("--page", "2", "--page-size", "2") == ["C"]
    assert "1–2 of 3  (the next page: --page 2)" in done("skill", "list", "--page-size", "2")
    assert done("skill", "list", "--page", "9") == "There is no page 9: 3 in all.\n"
    assert "'--page-size'" in run("skill", "list", "--page-size", "201").stderr


def test_baselines_have_cases_and_no_type(shelf: Path) -> None:
    add_baseline(shelf, count=7)
    assert read("baseline", "list")["items"][0]["case_count"] == 7
    assert "cases" in done("baseline", "list")
    assert run("baseline", "list", "--type", "agent").exit_code == 2


def test_a_score_is_not_shown_without_what_is_to_be_said_against_it() -> None:
    summary = {"has_tests": True, "best_score": 87.34, "test_count": 2, "staleness": "current"}
    real = table([item(test_summary=summary)])
    assert "87.3" in real
    assert "simulated" not in real
    assert "outdated" not in real
    doubtful = {**summary, "simulated": True, "staleness": "skill_updated"}
    assert {"87.3", "simulated", "outdated"} <= set(table([item(test_summary=doubtful)]).split())
    unscored = {**summary, "best_score": None}
    assert "–" in table([item(test_summary=unscored)])


@pytest.mark.parametrize("width", [60, 80, 99, 100, 140])
@pytest.mark.parametrize("name", ["A long name of a skill that goes on and on", "严谨的编写者" * 5])
def test_nothing_is_cut_off_at_any_width(width: int, name: str) -> None:
    summary = {"best_score": 100.0, "staleness": "both_updated", "simulated": True}
    said = table([item(name=name, test_summary=summary, pending_tag_count=3)], width)
    assert all(cells(line) <= width for line in said.splitlines())
    for words in ("01234567", "v12", "2024-05-06", "100.0", "simulated"):
        assert words in said
    whole = "".join(said.split())
    for words in (name.split()[-1][-2:], "sample", "函数"):
        assert words in whole


def table(items: list[AssetItem], width: int = 80) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(assets_table(items, "skill", width, FindWords("en")))
    return captured.get()


def cells(line: str) -> int:
    return sum(2 if one > "\u2fff" else 1 for one in line)


def test_short_ids_are_different() -> None:
    assert short_ids(["abcdefgh-1", "bbcdefgh-2"]) == {
        "abcdefgh-1": "abcdefgh",
        "bbcdefgh-2": "bbcdefgh",
    }
    assert set(short_ids(["skill-0001", "skill-0002"]).values()) == {"skill-0001", "skill-0002"}
    assert len(short_ids(["x" * 90 + "1", "x" * 90 + "2"])["x" * 90 + "1"]) == 36


@pytest.mark.slow
def test_a_skill_is_shown_with_all_that_is_known(shelf: Path) -> None:
    text = "\n".join(f"Rule {number}." for number in range(1, 40))
    tag(add_skill(shelf, "Writer", text="old", author="A. Writer"), "Python", pending=1)
    folder = add_skill(shelf, "Writer", version="v2", text=text, author="A. Writer")
    tag(folder, "Python", pending=1)
    said = done("skill", "show", "Writer")
    for words in (
        identity("Writer"),
        "v2, the newest of 2",
        "A. Writer",
        "Python",
        "proposed 0",
        str(folder),
    ):
        assert words in said
    assert "Rule 20." in said
    assert "Rule 21." not in said
    assert "--content shows all of it: 39 lines" in said
    assert "Rule 39." in done("skill", "show", "Writer", "--content")
    assert "\nold\n" in done("skill", "show", "Writer", "--version", "v1")
    told = read("skill", "show", "Writer", "--version", "v1")
    assert (told["content"], told["version"], told["asset"]["version"]) == ("old", "v1", "v2")
    assert "no skill 'nobody'" in refused("skill", "show", "nobody")
    assert "v7" in refused("skill", "show", "Writer", "--version", "v7")


def test_the_files_of_a_package_are_shown(shelf: Path) -> None:
    package = shelf.parent / "kit"
    (package / "scripts").mkdir(parents=True)
    (package / "SKILL.md").write_text("---\nname: kit\ndescription: d\n---\nHello\n")
    (package / "scripts/run.sh").write_text("ls\n")
    (package / "scripts/run.sh").chmod(0o755)
    done("skill", "import", package)
    said = done("skill", "show", "kit")
    assert "a package of files: 2" in said
    assert "3  scripts/run.sh  executable" in said


@pytest.mark.slow
def test_one_case_is_shown_in_full(shelf: Path) -> None:
    add_baseline(shelf, "Tests", count=45)
    said = done("baseline", "show", "Tests")
    assert "case_040" in said
    assert "case_041" not in said
    assert "5 more; see whet baseline case list" in said
    one = done("baseline", "show", "Tests", "--case", "case_041")
    assert "Write a Python function for case_041." in one
    assert read("baseline", "show", "Tests", "--case", "case_041")["id"] == "case_041"
    assert "has no case 'case_99'" in refused("baseline", "show", "Tests", "--case", "case_99")


def test_words_are_found_where_they_are(shelf: Path) -> None:
    add_skill(shelf, "Writer", text="Always add a docstring.\n先校验输入，再计算。")
    add_skill(shelf, "Other", text="Nothing of it.", description="about docstrings")
    add_baseline(shelf)
    said = done("skill", "search", "docstr")
    assert "content: Always add a docstring." in said
    assert "description: about docstrings" in said
    assert "1–2 of 2" in said
    assert "content: 先校验输入，再计算。" in done("skill", "search", "校验")
    assert done("skill", "search", "校算") == "Nothing was found.\n"
    assert done("skill", "search", "docstr", "--page", "3") == "There is no page 3: 2 in all.\n"
    (hit,) = read("baseline", "search", "function", "docstring")["items"]
    assert hit["matched_in"] == ["cases"]
    assert done("skill", "search", "--", "*", '"') == "Nothing was found.\n"


def test_facets_are_counted(shelf: Path) -> None:
    assert done("skill", "facets").count("none") == 3
    tag(add_skill(shelf, "A"), "x", "y")
    tag(add_skill(shelf, "B"), "y")
    assert read("skill", "facets") == {
        "purposes": [{"value": "code", "count": 2}],
        "providers": [{"value": "me", "count": 2}],
        "tags": [{"value": "y", "count": 2}, {"value": "x", "count": 1}],
    }
    assert [line.split() for line in done("skill", "facets").splitlines()][-2:] == [
        ["2", "y"],
        ["1", "x"],
    ]


@pytest.mark.slow
def test_what_is_broken_is_counted_and_named(shelf: Path) -> None:
    assert done("skill", "broken") == "Every folder can be read.\n"
    (add_skill(shelf, "Writer") / "meta.json").write_text("{")
    add_baseline(shelf)
    listed = done("skill", "list")
    assert "cannot be read: 1. They are listed by: whet skill broken\n" in listed
    assert "no skill yet" in listed
    (one,) = read("skill", "broken")["broken"]
    assert one["path"].startswith("skills/code/me/skill_")
    assert done("skill", "broken") == f"{one['path']}: {one['reason']}\n"
    assert read("baseline", "broken") == {"broken": []}
    assert read("baseline", "list")["broken_count"] == 0


@pytest.mark.slow
def test_nothing_of_a_skill_steers_the_terminal(shelf: Path) -> None:
    folder = add_skill(shelf, "Evil", text=f"{NASTY} docstring\x1b]0;gone\x07")
    meta = json.loads((folder / "meta.json").read_text())
    write(folder / "meta.json", {**meta, "name": NASTY, "description": NASTY, "author": NASTY})
    tag(folder, NASTY)
    cases = add_baseline(shelf, "Tests", count=1) / "cases.json"
    cases.write_text(cases.read_text().replace("Write a", "\\u001b[31m[bold]\\u202eWrite a"))
    (shelf / "skills/code/me/skill_broken_v1\x1b[31m").mkdir()
    for arguments in (
        ("skill", "list"),
        ("skill", "show", meta["id"]),
        ("skill", "show", meta["id"], "--content"),
        ("skill", "search", "docstring"),
        ("skill", "facets"),
        ("skill", "broken"),
        ("baseline", "show", "Tests"),
        ("baseline", "show", "Tests", "--case", "case_001"),
    ):
        said = done(*arguments)
        assert "\x1b" not in said, arguments
        assert "\u202e" not in said, arguments
        assert "\\x1b[31m" in said.replace("\n", ""), arguments
    assert "[bold]x[/bold]" in done("skill", "search", "docstring"), "markup is text"
    assert done("skill", "list").count("\n") < 12, "no name has lines"


@pytest.mark.slow
def test_chinese(shelf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert "还没有技能" in done("skill", "list")
    add_skill(shelf, "Writer")
    assert "共 1 项" in done("skill", "list")
    assert "内容: Be careful." in done("skill", "search", "careful")
    assert "使用中" in done("skill", "show", "Writer")
    add_baseline(shelf, "Tests")
    assert "标准" in done("baseline", "show", "Tests")
    assert "标准" in done("baseline", "show", "Tests", "--case", "case_001")


@pytest.mark.slow
def test_a_list_loads_neither_server_nor_database_nor_mathematics(shelf: Path) -> None:
    add_skill(shelf, "Writer")
    call = (
        "import sys\n"
        f"sys.argv = ['whet', 'skill', 'list', '--workspace', {str(shelf)!r}]\n"
        "from whet.cli.main import main\n"
        "try:\n"
        "    main()\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
    )
    assert not loaded_by(call) & HEAVY


def test_json_steers_no_terminal_either(shelf: Path) -> None:
    nasty = "\x9b31m \x7f \u202eabc\u2066 \u2028 \x1b[31m é 中"
    add_skill(shelf, "Evil", text=nasty)
    printed = done("skill", "show", "Evil", "--json")
    assert json.loads(printed)["content"] == nasty
    assert not set(printed) & set("\x9b\x7f\u202e\u2066\u2028\x1b")
    assert "é 中" in printed
