"""The library is edited by real commands: versions, conflicts, an editor, a review."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from tests.curate.shelves import write
from tests.flows.command import WHET, started, whet
from tests.flows.terminal import Terminal

pytestmark = pytest.mark.slow

NASTY = "\x1b]0;owned\x07"
AUTO: dict[str, JsonValue] = {
    "generated_at": "2024-01-01T00:00:00Z",
    "approved_at": None,
    "rejected_at": None,
}


class Shelf:
    """Commands on one workspace."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.workspace = root / "workspace"

    def run(self, *arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
        return whet(*arguments, "--workspace", self.workspace, **more)

    def read(self, *arguments: str | Path) -> Any:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def terminal(self, *arguments: str | Path, **more: str) -> Terminal:
        more["TMPDIR"] = str(self.root)  # what is kept goes when the test does
        return Terminal(*arguments, "--workspace", self.workspace, **more)

    def file(self, name: str, text: str) -> Path:
        path = self.root / name
        path.write_text(text)
        return path


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """A skill of one text, and a baseline of two cases."""
    made = Shelf(tmp_path)
    text = made.file("writer.md", "---\nname: Writer\ndescription: d\n---\nWrite well.\n")
    made.read("skill", "import", text)
    cases = [{"input": "1 + 1", "expected_output": "2"}, {"input": "2 + 2", "expected_output": "4"}]
    made.read("baseline", "import", made.file("Sums.json", json.dumps(cases)))
    return made


def editor(shelf: Shelf, script: str) -> str:
    """A program that a person might have set: it gets the file as its first argument."""
    path = shelf.file("editor.sh", f"#!/bin/sh\n{script}\n")
    return f"sh '{path}'"


def test_cases_are_changed_compared_and_brought_back(shelf: Shelf) -> None:
    before = shelf.read("baseline", "show", "Sums")["cases"]
    edit = ("baseline", "case", "edit", "Sums", "case_001")
    assert shelf.read(*edit, "--set", "input=3")["version"] == "v2"
    assert shelf.read("baseline", "case", "remove", "Sums", "case_002")["version"] == "v3"
    added = shelf.read("baseline", "case", "add", "Sums", "--input", "New.")
    assert (added["version"], added["case_ids"]) == ("v4", ["case_003"])
    listed = shelf.read("baseline", "versions", "Sums")["versions"]
    assert [one["version"] for one in listed] == ["v4", "v3", "v2", "v1"]
    found = shelf.read("baseline", "diff", "Sums", "v1", "v4")
    assert sorted(found["cases"]) == ["case_001", "case_002", "case_003"]
    assert found["cases"]["case_002"]["after"] is None
    printed = shelf.run("baseline", "diff", "Sums", "v1", "v4").stdout
    assert '+    "input": "3"' in printed.replace('"3",', '"3"')
    assert "cases removed: case_002" in printed
    back = shelf.read("baseline", "rollback", "Sums", "v1", "--expect", "v4")
    assert back["version"] == "v5"
    assert shelf.read("baseline", "show", "Sums")["cases"] == before
    assert shelf.run("baseline", "diff", "Sums", "v1", "v5").stdout == "no difference\n"
    again = shelf.read("baseline", "case", "add", "Sums", "--input", "Once more.")
    assert again["case_ids"] == ["case_004"], "an id never comes back"


def test_of_two_edits_at_once_one_is_made(shelf: Shelf) -> None:
    for number in range(3):
        edits = [
            started(
                *("skill", "edit", "Writer", "--set", f"author={name}{number}"),
                *("--expect", f"v{number + 1}", "--workspace", shelf.workspace),
            )
            for name in ("Ann", "Bob", "Eve")
        ]
        said = [(one.communicate(timeout=120), one.returncode) for one in edits]
        assert sorted(code for _, code in said) == [0, 2, 2]
        for (out, error), code in said:
            if code:
                expected = f"expected v{number + 1}, found v{number + 2}"
                assert (out, error.count("\n"), expected in error) == ("", 1, True), error
    assert len(shelf.read("skill", "versions", "Writer")["versions"]) == 4


def test_an_edit_by_hand_is_seen_and_adopted(shelf: Shelf) -> None:
    folder = Path(shelf.read("skill", "show", "Writer")["path"])
    (folder / "content.txt").write_text(f"By hand. {NASTY}\n")
    shown = shelf.run("skill", "show", "Writer").stdout
    assert "edited outside" in shown
    assert "\x1b" not in shown
    assert shelf.read("skill", "versions", "Writer")["versions"][0]["edited_outside"]
    assert shelf.read("skill", "adopt", "Writer")["version"] == "v2"
    newest, oldest = shelf.read("skill", "versions", "Writer")["versions"]
    assert (newest["changed_fields"], newest["edited_outside"]) == (["content"], False)
    assert oldest["version"] == "v1"
    assert shelf.run("skill", "adopt", "Writer").returncode == 2


def test_what_is_archived_is_not_in_the_list(shelf: Shelf) -> None:
    assert shelf.run("skill", "archive", "Writer").returncode == 0
    assert shelf.read("skill", "list")["items"] == []
    assert len(shelf.read("skill", "list", "--status", "archived")["items"]) == 1
    assert shelf.run("skill", "restore", "Writer").returncode == 0
    assert len(shelf.read("skill", "list")["items"]) == 1


def test_half_a_character_is_no_crash(shelf: Shelf) -> None:
    folder = Path(shelf.read("baseline", "show", "Sums")["path"])
    path = folder / "cases.json"
    path.write_text(path.read_text().replace("1 + 1", "half \\ud83d"))
    assert shelf.read("baseline", "adopt", "Sums")["version"] == "v2"
    for verb in (("diff", "Sums", "v1", "v2"), ("case", "list", "Sums"), ("versions", "Sums")):
        assert shelf.read("baseline", *verb)
        done = shelf.run("baseline", *verb)
        assert (done.returncode, done.stderr) == (0, "")


def test_colours_are_for_terminals_only(shelf: Shelf) -> None:
    path = shelf.file("new.md", f"New. {NASTY}\n")
    shelf.read("skill", "edit", "Writer", "--content", path)
    for more in ((), ("--side-by-side",)):
        piped = shelf.run("skill", "diff", "Writer", "v1", "v2", *more, TERM="xterm-256color")
        assert "\x1b" not in piped.stdout
        seen = shelf.terminal("skill", "diff", "Writer", "v1", "v2", *more, TERM="xterm-256color")
        code, said = seen.ended()
        assert code == 0
        assert "\x1b[31m" in said
        assert "\x1b[32m" in said
        assert "\x1b]0;" not in said
        assert "\\x1b]0;owned" in said.replace("\n", "")
        plain = shelf.terminal(
            *("skill", "diff", "Writer", "v1", "v2", *more), TERM="xterm", NO_COLOR="1"
        )
        assert "\x1b[31m" not in plain.ended()[1]


def test_a_text_in_the_editor(shelf: Shelf) -> None:
    edit = ("skill", "edit", "Writer")
    same = shelf.terminal(*edit, EDITOR="true")
    code, said = same.ended()
    assert (code, "nothing changed" in said) == (0, True)
    blank = shelf.terminal(*edit, EDITOR=editor(shelf, 'printf " \\n" >> "$1"'))
    assert blank.ended()[0] == 0
    found = shelf.read("skill", "show", "Writer")
    assert (found["version"], found["content"][-3:]) == ("v2", "\n \n"), "a blank is a change"
    for wish, says in (("", "set EDITOR"), ("no-such-editor", "set EDITOR"), ("'", "no command")):
        code, said = shelf.terminal(*edit, EDITOR=wish).ended()
        assert code in (2, 3)
        assert says in said


def test_what_cannot_be_saved_is_kept(shelf: Shelf) -> None:
    broken = shelf.terminal("baseline", "edit", "Sums", EDITOR=editor(shelf, 'echo "[{" > "$1"'))
    code, said = broken.ended()
    assert code == 2
    kept = Path(said.partition("is kept in ")[2].split("\n")[0].strip())
    assert kept.read_text() == "[{\n"
    assert "broken JSON" in said
    crashed = shelf.terminal("skill", "edit", "Writer", EDITOR=editor(shelf, 'rm "$1"; exit 3'))
    code, said = crashed.ended()
    assert (code, "exit code 3" in said, "is kept" in said) == (3, True, False)
    assert shelf.read("baseline", "show", "Sums")["version"] == "v1"
    # Somebody else is quicker than the person in the editor.
    whet_edit = f"'{WHET}' skill edit Writer --workspace '{shelf.workspace}' --set author=Quick"
    slow = editor(shelf, f'{whet_edit} > /dev/null && echo mine >> "$1"')
    code, said = shelf.terminal("skill", "edit", "Writer", EDITOR=slow).ended()
    assert (code, "expected v1, found v2" in said, "is kept in" in said) == (2, True, True)


def test_cases_in_the_editor(shelf: Shelf) -> None:
    shelf.read("baseline", "edit", "Sums", "--rubric", "code")
    shelf.read("baseline", "case", "remove", "Sums", "case_002")
    script = shelf.file(
        "edit.py",
        "import json, sys\n"
        "path = sys.argv[1]\n"
        "data = json.load(open(path))\n"
        "assert data.pop('rubric') == 'code'\n"
        "data['cases'].append({'input': 'By hand.'})\n"
        "json.dump(data, open(path, 'w'))\n",
    )
    wish = f"'{sys.executable}' '{script}'"
    code, said = shelf.terminal("baseline", "edit", "Sums", EDITOR="true", VISUAL=wish).ended()
    assert code == 0, said
    found = shelf.read("baseline", "show", "Sums")
    assert [case["id"] for case in found["cases"]] == ["case_001", "case_003"]
    assert (found["version"], found["rubric"]) == ("v4", None)


def test_a_person_goes_through_proposed_tags(shelf: Shelf) -> None:
    folder = Path(shelf.read("skill", "show", "Writer")["path"])
    proposed: list[JsonValue] = [
        {"id": f"id-{at}", "value": value, "status": "pending", "log_ref": "", **AUTO}
        for at, value in enumerate((f"one{NASTY}", "two", "three", "four", "five"))
    ]
    mine: JsonValue = {"id": "m", "value": "mine", "created_at": "2024-01-01T00:00:00Z"}
    write(folder / "tags.json", {"manual": [mine], "auto": proposed})
    assert shelf.run("skill", "tag", "review", "Writer").returncode == 2
    terminal = shelf.terminal("skill", "tag", "review", "Writer")
    first = terminal.until("[q]uit: ")
    assert "1 of 5: one\\x1b]0;owned\\x07" in first
    assert "\x1b]0;" not in first
    terminal.type("x")
    terminal.until("[q]uit: ")
    terminal.type("r")
    assert "2 of 5: two" in terminal.until("[q]uit: ")
    terminal.type("a")
    terminal.until("[q]uit: ")
    kept = shelf.read("skill", "tag", "list", "Writer")
    assert [tag["status"] for tag in kept["auto"]][:3] == ["rejected", "approved", "pending"]
    terminal.type("m")
    terminal.until("go back): ")
    terminal.type("")
    terminal.until("[q]uit: ")
    terminal.type("m")
    terminal.until("go back): ")
    terminal.type("Mine")
    terminal.until("there already")
    terminal.until("[q]uit: ")
    terminal.type("m")
    terminal.until("go back): ")
    terminal.type("drei")
    terminal.until("[q]uit: ")
    terminal.type("s")
    terminal.until("[q]uit: ")
    terminal.type("q")
    code, said = terminal.ended()
    assert code == 0
    assert "Writer: mine, two, drei" in said
    assert "2 proposed tags wait" in said
    found = shelf.read("skill", "tag", "list", "Writer")["auto"]
    assert [(tag["value"], tag["status"]) for tag in found[1:]] == [
        ("two", "approved"),
        ("drei", "approved"),
        ("four", "pending"),
        ("five", "pending"),
    ]
