"""Assets come into the library and out of it."""

import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.calls import done, read, refused, run

SKILL = "---\nname: {name}\ndescription: It does {name}.\n---\nDo {name} well.\n"
CASES = '[{"id": "c1", "name": "Sum", "input": "1 + 1", "expected_output": "2"}]'


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("WHET_WORKSPACE", raising=False)
    return tmp_path


def package(folder: Path, name: str, *more: str) -> Path:
    """A skill in a folder; *more* are files beside its SKILL.md."""
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(SKILL.format(name=name))
    for path in more:
        (folder / path).write_text(f"this is {path}\n")
    return folder


def names(kind: str = "skill") -> list[str]:
    return sorted(one["name"] for one in read(kind, "list", "--status", "all")["items"])


def test_one_skill_is_told_flat_and_in_the_list(here: Path) -> None:
    package(here / "greet", "greet")
    told = read("skill", "import", "greet", "--purpose", "code", "--provider", "me")
    assert (told["name"], told["version"], told["outcome"]) == ("greet", "v1", "created")
    assert Path(told["path"]) == here / f"workspace/skills/code/me/skill_{told['id'][:8]}_v1"
    assert told["problems"] == []
    (only,) = told["assets"]
    assert {key: told[key] for key in only} == only
    again = done("skill", "import", "greet")
    assert again.startswith(f"unchanged  greet v1  {told['id']}\n")
    assert "note: it is in the library already" in again


def test_another_content_is_another_asset_or_the_next_version(here: Path) -> None:
    (here / "a.md").write_text("One.")
    first = read("skill", "import", "a.md", "--author", "A.")
    (here / "a.md").write_text("Two.")
    second = read("skill", "import", "a.md", "--update")
    assert (second["id"], second["version"]) == (first["id"], "v2")
    assert read("skill", "show", "a")["meta"]["author"] == "A.", "what nobody says stays"
    (here / "a.md").write_text("Three.")
    other = read("skill", "import", "a.md")
    assert other["id"] != first["id"]
    assert other["notes"] == [f"another of this name is there: {first['id']}"]


@pytest.mark.slow
def test_one_that_fails_hides_no_other(here: Path) -> None:
    package(here / "greet", "greet")
    (here / "empty.md").write_text("")
    result = run("skill", "import", "empty.md", "gone.md", "greet", "gone/SKILL.md")
    assert result.exit_code == 1
    assert "created  greet v1" in result.stdout
    assert result.stdout.endswith("created 1, failed 3\n")
    lines = result.stderr.splitlines()
    assert [line.startswith("whet: ") for line in lines] == [True] * 3
    assert all(name in line for name, line in zip(("empty", "gone", "gone"), lines, strict=True))
    result = run("skill", "import", "empty.md", "gone.md", "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (1, "")
    assert (told["id"], told["version"], told["path"], told["assets"]) == (None, None, None, [])
    assert len(told["problems"]) == 2


def test_one_broken_skill_of_many_is_named(here: Path) -> None:
    package(here / "all/good", "good")
    package(here / "all/bad", "bad")
    (here / "all/bad/SKILL.md").write_bytes(b"\xff\xfe\x00")
    result = run("skill", "import", "all", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert [one["name"] for one in told["assets"]] == ["good"]
    assert "bad" in told["problems"][0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["skill", "import"], "name a PATH"),
        (["baseline", "import"], "--empty"),
        (["skill", "import", "gone.md"], "gone.md"),
        (["skill", "import", "gone"], "gone"),
        (["baseline", "import", "gone.csv"], "gone.csv"),
        (["baseline", "import", "a.md"], "one of .json"),
        (["skill", "import", "a.exe"], "a.exe is no skill"),
        (["skill", "import", "a.md", "b.md", "--name", "x"], "2 were given"),
        (["skill", "import", "-", "-"], "once only"),
        (["skill", "import", "-"], "--name"),
        (["skill", "import", "--installed", "--name", "x"], "--installed"),
        (["skill", "import", "--installed", "-"], "stdin"),
        (["baseline", "import", "--empty"], "--name"),
        (["baseline", "import", "--empty", "--name", "x", "a.json"], "leave PATH"),
        (["baseline", "import", "--empty", "--name", "x", "--update"], "--update"),
        (["skill", "import", "a.md", "--purpose", "../out"], "'../out'"),
        (["skill", "import", "a.md", "--provider", "a/b"], "'a/b'"),
        (["skill", "import", "a.md", "--type", "robot"], "--type"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(
    here: Path, arguments: list[str], says: str
) -> None:
    for name in ("a.md", "b.md", "a.exe"):
        (here / name).write_text("Do it.")
    result = run(*arguments, given="Say hello.")
    assert (result.exit_code, result.stdout) == (2, "")
    if "--type" not in arguments:  # the program's own words come from elsewhere
        assert result.stderr.count("\n") == 1
    assert says in result.stderr
    assert names() + names("baseline") == []


def test_a_text_comes_from_stdin(here: Path) -> None:
    assert read("skill", "import", "-", "--name", "问候", given="说你好。")["name"] == "问候"
    told = read("skill", "import", "-", given=SKILL.format(name="greet"))
    assert told["name"] == "greet"
    assert read("skill", "show", "问候")["content"] == "说你好。"
    assert "UTF-8" in refused("skill", "import", "-", "--name", "x", given=b"\xff\xfe\xff\x00\x01")
    assert (here / "workspace").is_dir()


@pytest.mark.slow
def test_cases_come_from_stdin(here: Path) -> None:
    told = read("baseline", "import", "-", "--name", "Sums", given=CASES)
    table = "input,expected_output\n1 + 1,2\n2 + 2,4\n"
    read("baseline", "import", "-", "--name", "Table", given=table)
    assert names("baseline") == ["Sums", "Table"]
    assert len(read("baseline", "show", "Table")["cases"]) == 2
    assert Path(told["path"]).is_relative_to(here)
    assert "broken JSON" in refused("baseline", "import", "-", "--name", "x", given="[{")


def test_a_baseline_begins_empty(here: Path) -> None:
    made = read("baseline", "import", "--empty", "--name", "Mine", "--purpose", "code")
    assert made["outcome"] == "created"
    assert Path(made["path"]).is_relative_to(here)
    assert read("baseline", "list")["items"][0]["case_count"] == 0
    assert read("baseline", "import", "--empty", "--name", "Mine")["outcome"] == "unchanged"


def test_what_agents_have_is_taken(here: Path) -> None:
    assert done("skill", "import", "--installed") == "No agent has a skill there.\n"
    package(here / "home/.claude/skills/greet", "greet")
    package(here / ".agents/skills/wave", "wave")
    package(here / "elsewhere/.gemini/skills/nod", "nod")
    said = done("skill", "import", "--installed")
    assert said.endswith("created 2\n")
    assert names() == ["greet", "wave"]
    assert read("skill", "import", "--installed", "elsewhere")["assets"][-1]["name"] == "nod"


def test_a_purpose_like_one_that_is_there_is_told(here: Path) -> None:
    (here / "a.md").write_text("One.")
    (here / "b.md").write_text("Two.")
    assert read("skill", "import", "a.md", "--purpose", "code_review")["notes"] == []
    made = read("baseline", "import", "--empty", "--name", "B", "--purpose", "Code Review")
    assert made["notes"] == ["a similar purpose exists: code_review"]
    assert read("skill", "import", "b.md", "--purpose", "poetry")["notes"] == []


def test_a_strangers_words_do_not_steer_the_terminal(here: Path) -> None:
    (here / "a.json").write_text(
        json.dumps({"name": "x\x1b[31m", "content": "Do it.", "\x1b]0;k\x07": 1})
    )
    (here / "b\x1b[31m.md").write_text("")
    result = run("skill", "import", "a.json", "b\x1b[31m.md")
    assert result.exit_code == 1
    assert "\x1b" not in result.output + result.stderr


def test_a_text_goes_out_as_it_came_in(here: Path) -> None:
    (here / "a.md").write_text("Do it.\n")
    read("skill", "import", "a.md", "--name", "My Skill")
    sent = run("skill", "export", "My Skill")
    assert (sent.exit_code, sent.stdout) == (0, "my-skill.md: My Skill v1\n")
    assert sent.stderr == "whet: left out: name\n"
    assert (here / "my-skill.md").read_bytes() == b"Do it.\n"
    assert run("skill", "export", "My Skill", "--output", "-").stdout == "Do it.\n"
    assert "want stdout" in refused("skill", "export", "My Skill", "--output", "-", "--json")
    (here / "out").mkdir()
    told = read("skill", "export", "My Skill", "--format", "json", "--output", "out")
    assert (told["path"], told["format"], told["version"]) == ("out/my-skill.json", "json", "v1")
    assert json.loads((here / told["path"]).read_text())["content"] == "Do it.\n"


def test_nothing_is_overwritten_unless_it_is_wanted(here: Path) -> None:
    (here / "a.md").write_text("New.")
    read("skill", "import", "a.md")
    (here / "mine.txt").write_text("mine")
    (here / "dangling").symlink_to(here / "nowhere")
    for place in ("mine.txt", "dangling"):
        assert "is there already" in refused("skill", "export", "a", "--output", place)
    assert (here / "mine.txt").read_text() == "mine"
    done("skill", "export", "a", "--output", "mine.txt", "--force")
    assert (here / "mine.txt").read_text() == "New."
    assert not (here / "nowhere").exists()
    result = run("skill", "export", "a", "--output", "no/such/folder.md")
    assert (result.exit_code, result.stderr.count("\n")) == (3, 1)


@pytest.mark.slow
def test_a_package_goes_out_whole(here: Path) -> None:
    package(here / "kit", "kit", "more.txt")
    (here / "kit/more.txt").chmod(0o755)
    made = read("skill", "import", "kit", "--purpose", "code")
    assert read("skill", "export", "kit")["path"] == "kit.zip"
    with zipfile.ZipFile("kit.zip") as archive:
        assert sorted(archive.namelist()) == ["kit/SKILL.md", "kit/more.txt"]
    result = run("skill", "export", "kit", "--format", "text", "--output", "-")
    assert result.stdout == SKILL.format(name="kit")
    assert (
        result.stderr == "whet: left out: 1 other files of the package\nwhet: left out: purpose\n"
    )
    folder = read("skill", "export", "kit", "--format", "folder", "--output", "new/")
    assert folder["notes"] == ["left out: purpose"]
    assert (here / "new/kit/more.txt").stat().st_mode & 0o100
    assert "never replaced" in refused(
        "skill", "export", "kit", "--format", "folder", "--output", "new", "--force"
    )
    assert "stdout" in refused("skill", "export", "kit", "--format", "folder", "--output", "-")
    again = read("skill", "import", "new/kit")
    assert (again["outcome"], again["id"]) == ("unchanged", made["id"])


def test_an_older_version_goes_out_in_its_own_form(here: Path) -> None:
    (here / "kit.md").write_text(SKILL.format(name="kit"))
    read("skill", "import", "kit.md")
    package(here / "kit", "kit", "more.txt")
    assert read("skill", "import", "kit", "--update")["version"] == "v2"
    assert read("skill", "export", "kit")["format"] == "zip"
    told = read("skill", "export", "kit", "--version", "v1", "--output", "old.md")
    assert (told["format"], told["version"]) == ("text", "v1")
    assert "v3" in refused("skill", "export", "kit", "--version", "v3")


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "csv", "evals"])
def test_a_baseline_goes_out_and_comes_in_again(here: Path, form: str) -> None:
    read("baseline", "import", "-", "--name", "Sums", given=CASES)
    told = read("baseline", "export", "Sums", "--format", form)
    assert told["notes"] == ([] if form == "json" else ["left out: name"])
    again = read("baseline", "import", told["path"], "--name", "Other")
    (before,), (after,) = (read("baseline", "show", one)["cases"] for one in ("Sums", again["id"]))
    for field in ("name", "input", "expected_output"):
        assert after[field] == before[field]
    assert (here / told["path"]).is_file()


def test_only_forms_of_the_kind_are_taken(here: Path) -> None:
    (here / "a.md").write_text("One.")
    read("skill", "import", "a.md")
    assert run("skill", "export", "a", "--format", "csv").exit_code == 2
    assert run("baseline", "export", "a", "--format", "zip").exit_code == 2
    assert "no baseline 'a'" in refused("baseline", "export", "a")


def test_chinese(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    (here / "a.md").write_text("One.")
    assert done("skill", "import", "a.md").startswith("已新建  a v1")
    assert "注意" in done("skill", "import", "a.md")
