"""Tags by options; going through them one by one is in the flows."""

from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.cli.calls import done, read, refused
from tests.curate.shelves import add_baseline, add_skill, write

NASTY = "\x1b]0;owned\x07"


@pytest.fixture(autouse=True)
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with a skill that a model proposed tags for, one of them hostile."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    folder = add_skill(tmp_path / "workspace", "Writer")
    proposed: list[JsonValue] = [
        {
            "id": f"id-{number}",
            "value": value,
            "status": "rejected" if value == "no" else "pending",
            "generated_at": "2024-01-01T00:00:00Z",
            "approved_at": None,
            "rejected_at": None,
            "log_ref": "",
        }
        for number, value in enumerate(("fast", "safe", f"evil{NASTY}[red]", "no"))
    ]
    write(folder / "tags.json", {"manual": [], "auto": proposed})
    return tmp_path / "workspace"


def states() -> dict[str, str]:
    return {tag["id"]: tag["status"] for tag in read("skill", "tag", "list", "Writer")["auto"]}


@pytest.mark.slow
def test_tags_of_a_person(shelf: Path) -> None:
    add_baseline(shelf, "Tests")
    assert done("baseline", "tag", "list", "Tests") == "no tags\n"
    assert done("baseline", "tag", "add", "Tests", "one", "二") == "Tests: one, 二\n"
    assert "there already" in refused("baseline", "tag", "add", "Tests", "three", "ONE")
    for value, says in ((" ", "tag is empty"), ("a\nb", "tag 'a\\nb'"), ("x" * 101, "100")):
        assert says in refused("baseline", "tag", "add", "Tests", value)
    assert read("baseline", "tag", "rename", "Tests", "ONE", "[b]eins")["tags"] == ["[b]eins", "二"]
    printed = done("baseline", "tag", "list", "Tests")
    assert "[b]eins" in printed
    assert "yours" in printed
    assert "'three'" in refused("baseline", "tag", "remove", "Tests", "二", "three")
    assert done("baseline", "tag", "remove", "Tests", "二", "[b]eins") == "Tests: no tags\n"


def test_proposed_tags_are_listed_without_steering_the_terminal() -> None:
    printed = done("skill", "tag", "list", "Writer")
    assert printed.count("proposed") == 3
    assert "rejected" in printed
    assert "\x1b" not in printed
    assert "evil\\x1b]0;owned\\x07[red]" in printed


def test_a_review_by_options() -> None:
    printed = done(
        *("skill", "tag", "review", "Writer", "--approve", "fast"),
        *("--modify", "safe=sound=1", "--reject", "id-2"),
    )
    assert printed == "Writer: fast, sound=1\n"
    assert states() == {
        "id-0": "approved",
        "id-1": "approved",
        "id-2": "rejected",
        "id-3": "rejected",
    }
    late = refused("skill", "tag", "review", "Writer", "--reject", "fast")
    assert "found approved; --again" in late
    again = read("skill", "tag", "review", "Writer", "--reject", "fast", "--again")
    assert again["tags"] == ["sound=1"]


def test_one_answer_for_the_others() -> None:
    printed = done("skill", "tag", "review", "Writer", "--approve", "fast")
    assert printed.splitlines()[1] == "2 proposed tags wait for a review."
    told = read("skill", "tag", "review", "Writer", "--approve", "safe", "--all", "reject")
    assert told["tags"] == ["fast", "safe"]
    assert states()["id-2"] == "rejected"
    assert done("skill", "tag", "review", "Writer", "--all", "approve") == "Writer: fast, safe\n"


@pytest.mark.slow
def test_all_of_a_review_or_nothing() -> None:
    before = states()
    for more, says in (
        (("--approve", "nobody"), "'nobody'"),
        (("--modify", "safe"), "TAG=VALUE"),
        (("--modify", "safe="), "empty"),
        (("--approve", "no"), "found rejected"),
    ):
        assert says in refused("skill", "tag", "review", "Writer", "--approve", "fast", *more)
    assert "terminal" in refused("skill", "tag", "review", "Writer")
    assert states() == before


def test_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert "待审核" in done("skill", "tag", "list", "Writer")
