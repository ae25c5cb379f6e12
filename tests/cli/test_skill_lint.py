"""``whet skill lint`` and ``whet skill pack`` as people and machines use them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from tests.cli import calls
from tests.curate.lint.samples import GOOD, make, write
from tests.curate.shelves import add_skill


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    return tmp_path


def run(*arguments: str | Path) -> Result:
    return calls.run("skill", *arguments)


def read(*arguments: str | Path) -> dict[str, Any]:
    return json.loads(run(*arguments).stdout)


def test_a_good_skill_is_exit_code_0(here: Path) -> None:
    make(here)
    done = run("lint", "greet")
    assert (done.exit_code, done.stdout) == (0, "skills: 1, errors: 0, warnings: 0, infos: 0\n")


def test_errors_are_lines_and_exit_code_1(here: Path) -> None:
    make(here, a_md="[x](gone.md)\n")
    make(here / "more")
    done = run("lint", ".")
    assert done.exit_code == 1
    first, fix, *rest = done.stdout.splitlines()
    assert first == "greet/a.md:1: error SK301 'gone.md' leads to nothing"
    assert fix.startswith("  fix: ")
    assert rest == ["skills: 2, errors: 1, warnings: 0, infos: 0"]


def test_warnings_are_exit_code_0(here: Path) -> None:
    make(here, scripts__run_sh="ls\n")
    done = run("lint", "greet")
    assert (done.exit_code, "warning SK402" in done.stdout) == (0, True)


@pytest.mark.parametrize("path", ["gone", "."])
def test_no_skill_is_exit_code_2(here: Path, path: str) -> None:
    done = run("lint", path)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert run("lint", here, "--format", "xml").exit_code == 2


def test_json_is_one_object(here: Path) -> None:
    make(here, a_md="[x](gone.md)\n")
    assert run("lint", "greet", "--json").exit_code == 1
    data = read("lint", "greet", "--json")
    assert data == read("lint", "greet", "--format", "json")
    assert (data["errors"], data["skills"][0]["path"]) == (1, "greet")


def test_sarif_is_relative_to_where_one_is(here: Path) -> None:
    make(here / "skills", a_md="[x](gone.md)\n")
    log = read("lint", here / "skills", "--format", "sarif")
    (result,) = log["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "skills/greet/a.md"
    assert str(here) not in json.dumps(log)


def test_fix_says_what_it_changed_and_then_what_is_left(here: Path) -> None:
    skill = make(here, a_md="x\r\n", b_md="[x](gone.md)\n")
    done = run("lint", "greet", "--fix")
    assert done.exit_code == 1
    assert done.stdout.splitlines()[0] == "greet/a.md: fixed SK701 lines end with a line feed"
    assert "error SK301" in done.stdout
    assert "warning" not in done.stdout.splitlines()[1]
    assert (skill / "a.md").read_bytes() == b"x\n"
    assert read("lint", "greet", "--fix", "--json")["skills"][0]["fixed"] == []


def test_what_a_terminal_would_obey_is_not_printed(here: Path) -> None:
    write(here / "greet", {"SKILL.md": GOOD + "[x](a\x1b]0;gone.md)\n", "a\x1b[31m.md": ""})
    done = run("lint", "greet")
    assert done.exit_code == 1
    assert "\x1b" not in done.stdout


def test_chinese(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    make(here)
    assert run("lint", "greet").stdout == "技能：1，错误：0，警告：0，提示：0\n"
    assert "个文件" in run("pack", "greet").stdout


def test_pack_says_what_is_in_the_file(here: Path) -> None:
    make(here, evals__evals_json="{}", _env="A=1")
    data = read("pack", "greet", "--json")
    assert data["path"] == "greet.skill"
    assert len(data["digest"]) == 64
    assert (data["name"], data["files"], data["errors"]) == ("greet", ["SKILL.md"], [])
    assert data["left_out"] == [
        {"path": ".env", "reason": "secret_file"},
        {"path": "evals/evals.json", "reason": "evals"},
    ]
    told = run("pack", "greet", "--evals", "--output", here / "other.skill")
    assert told.stdout.splitlines()[0] == "left out: .env (secrets are kept under such a name)"
    assert f"{here / 'other.skill'}: 2 files, sha256 " in told.stdout


def test_a_skill_of_the_library_is_looked_at_and_packed_by_its_name(here: Path) -> None:
    text = "---\nname: Bad_Name\ndescription: Use when asked.\n---\nGo.\n"
    add_skill(here / "workspace", "My writer", text=text)
    folder = add_skill(here / "workspace", "kit", text=GOOD)
    write(folder / "package", {"SKILL.md": GOOD})
    done = run("lint", "My writer")
    assert (done.exit_code, done.stdout.count("SK102")) == (1, 1)
    assert "no folder gone, and no skill 'gone' in the library" in run("lint", "gone").stderr
    assert "edit it" in run("lint", "kit", "--fix").stderr
    assert read("pack", "kit", "--json")["path"] == "greet.skill"
    assert run("pack", "My writer").exit_code == 2
    assert run("pack", "gone").exit_code == 2


def test_pack_is_refused_in_one_line(here: Path) -> None:
    make(here, a_md="[x](gone.md)\n")
    done = run("pack", "greet")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "SK301" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (here / "greet.skill").exists()
    forced = run("pack", "greet", "--force")
    assert forced.exit_code == 0
    assert "in spite of errors: 1" in forced.stdout
