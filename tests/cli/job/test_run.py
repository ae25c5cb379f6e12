"""``whet job run``: from the options to the files."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest

from tests.cli.job.desk import ASKING, EXAMPLE, TEXT, WORDS, Desk

PROGRAM = ("--engine", "command", "--option", 'argv=["/bin/cat"]')
"""Of which nobody knows what it costs."""

SECRET = "a made-up value that nobody may see"


def test_a_folder_is_run_without_being_installed(desk: Desk) -> None:
    result = desk.call("run", EXAMPLE, *desk.given)
    assert result.exit_code == 0, result.stderr
    outcome = json.loads(result.stdout)
    assert outcome.keys() == {"request_id", "result"}
    assert outcome["result"]["data"]["words"] == WORDS
    folder = result.stderr.removeprefix("files: ").strip()
    assert (Path(folder) / "report.md").read_text().startswith("# Rivers\n")
    assert Path(folder).is_relative_to(desk.workspace / "runs")
    assert not (desk.workspace / "skills").exists()


@pytest.mark.parametrize("suffix", [".zip", ".skill"])
def test_a_package_in_a_zip_is_run(suffix: str, desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / f"any{suffix}"
    with zipfile.ZipFile(path, "w") as archive:
        for file in EXAMPLE.rglob("*"):
            if file.is_file():
                archive.write(file, f"text-report/{file.relative_to(EXAMPLE)}")
    assert desk.read("run", path, *desk.given)["result"]["data"]["words"] == WORDS


@pytest.mark.slow
def test_a_skill_of_the_library_goes_before_a_folder_of_its_name(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.install()
    shutil.copytree(EXAMPLE, desk.folder / "text-report")
    monkeypatch.chdir(desk.folder)
    by_name = desk.read("run", "text-report", *desk.given)["job"]
    assert by_name["skill_version"] == "v1"
    by_path = desk.read("run", "./text-report", *desk.given, "--no-cache")["job"]
    assert "skill_version" not in by_path
    for reference in ("text-report@v1", "text-report@1.0.0"):
        assert desk.read("run", reference, *desk.given)["job"]["cache_hit"]
    assert desk.read("run", "text-report", *desk.given, "--version", "v1")["job"]["cache_hit"]


def test_a_folder_is_found_by_its_plain_name_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(EXAMPLE, desk.folder / "text-report")
    monkeypatch.chdir(desk.folder)
    assert desk.read("run", "text-report", *desk.given)["job"]["status"] == "succeeded"


def test_the_same_again_is_not_done_again(desk: Desk) -> None:
    first = desk.reported()
    again = desk.call("run", EXAMPLE, *desk.given, "--json")
    assert "--no-cache does it anew" in again.stderr
    job = json.loads(again.stdout)["job"]
    assert (job["cache_hit"], job["run_id"]) == (True, first["job"]["run_id"])
    anew = desk.reported("--no-cache")
    assert anew["job"]["run_id"] != first["job"]["run_id"]


def test_files_go_where_they_are_wanted(desk: Desk) -> None:
    out = desk.folder / "new" / "out"
    found = desk.reported("--out", str(out))
    assert found["files"] == {"artifacts/report.md": str(out / "report.md")}
    assert (out / "report.md").read_text().startswith("# Rivers\n")


@pytest.mark.slow
def test_files_that_are_there_are_not_replaced_unless_somebody_says_so(desk: Desk) -> None:
    out = desk.folder / "out"
    out.mkdir()
    (out / "report.md").write_text("mine")
    said = desk.refused("run", EXAMPLE, *desk.given, "--out", out)
    assert "is not empty; choose another, or use --force" in said
    assert (out / "report.md").read_text() == "mine"
    assert desk.read("job", "list")["total"] == 0
    desk.reported("--out", str(out), "--force")
    assert (out / "report.md").read_text().startswith("# Rivers\n")
    assert "is no folder" in desk.refused("run", EXAMPLE, *desk.given, "--out", desk.document)


def test_a_link_in_the_folder_is_not_written_through(desk: Desk) -> None:
    """The names of the files are the agent's choice."""
    out, elsewhere = desk.folder / "out", desk.folder / "elsewhere"
    out.mkdir()
    elsewhere.write_text("not yours")
    (out / "report.md").symlink_to(elsewhere)
    desk.reported("--out", str(out), "--force")
    assert elsewhere.read_text() == "not yours"
    assert not (out / "report.md").is_symlink()


def test_every_mistake_is_listed_and_what_the_skill_takes(desk: Desk) -> None:
    arguments = (
        "--input",
        "titel=x",
        "--param",
        "max_words=many",
        "--file",
        f"doc={desk.document}",
    )
    result = desk.call("run", EXAMPLE, *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    lines = [line.rstrip() for line in result.stderr.splitlines()]
    assert lines[0] == "whet: the inputs of text-report have 5 mistakes:"
    assert lines[6] == "text-report takes:"
    told = "\n".join(lines)
    for part in (
        "  input.titel: the skill has no such input; it has title, document",
        "  input: 'title' is a required property",
        "  parameter.max_words: 'many' is not of type 'integer'",
        "  input.document: the file is missing",
        "  input.doc: the skill takes no such file; it takes document",
        "  --file document=PATH     file     required  The text to report on.",
        "  --input title=VALUE      string   required  The title of the report.",
        "  --param max_words=VALUE  integer            How many words the summary may",
        "Default: 100.",
    ):
        assert part in told
    assert desk.read("job", "list")["total"] == 0


def test_one_mistake_is_one_line_and_the_rest_is_help(desk: Desk) -> None:
    result = desk.call("run", EXAMPLE, "--input", "title=x")
    first, *rest = result.stderr.splitlines()
    assert first.startswith("whet: job of text-report has a mistake: input.document: the file is")
    assert rest[0] == "text-report takes:"


def test_a_value_for_a_file_is_told_to_be_one(desk: Desk) -> None:
    result = desk.call("run", EXAMPLE, "--input", "title=x", "--input", "document=x")
    assert "input.document: it is a file; leave it out here and give the file" in result.stderr


def test_inputs_can_come_in_a_file_and_from_stdin(desk: Desk) -> None:
    (desk.folder / "in.json").write_text('{"title": "2024"}')
    given = ("--input", f"@{desk.folder}/in.json", "--file", f"document={desk.document}")
    assert desk.read("run", EXAMPLE, *given)["job"]["status"] == "succeeded"
    assert desk.read("run", EXAMPLE, *desk.given, "--input", "title=2024")["job"]["cache_hit"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nosuch",), "no skill 'nosuch'"),
        (("./nosuch",), "and no folder or file is called so here"),
        ((str(EXAMPLE), "--engine", "nosuch"), "unknown engine 'nosuch'; known: "),
        ((str(EXAMPLE), "--version", "v1"), "--version is for skills of the library"),
        ((str(EXAMPLE), "--env", "NOT_SET_ANYWHERE"), "NOT_SET_ANYWHERE: it is not set here"),
        ((str(EXAMPLE), "--env", "bad name=x"), "'bad name' is no name of a variable"),
        ((str(EXAMPLE), "--option", "x"), "write NAME=VALUE"),
        ((str(EXAMPLE), "--file", "document=/nosuch/file"), "there is no /nosuch/file"),
        ((str(EXAMPLE), "--model", "opus"), "the simulated agent has no model 'opus'"),
        ((str(EXAMPLE), "--timeout", "1e9"), "hard_timeout_seconds: must be above 0, to 86400"),
    ],
)
def test_what_cannot_be_is_one_line(arguments: tuple[str, ...], told: str, desk: Desk) -> None:
    title = () if "--file" in arguments else ("--file", f"document={desk.document}")
    said = desk.refused("run", *arguments, "--input", "title=x", *title)
    assert told in said
    assert said.count("\n") == 1


def test_whoever_is_charged_agrees_first(desk: Desk) -> None:
    said = desk.refused("run", EXAMPLE, *desk.given, *PROGRAM)
    assert "1 agent run and 0 judge calls, of unknown cost: confirm with --yes" in said
    assert desk.read("job", "list")["total"] == 0


def test_mistakes_are_told_before_anybody_is_asked_for_money(desk: Desk) -> None:
    result = desk.call("run", EXAMPLE, *PROGRAM)
    assert "confirm" not in result.stderr
    assert "input.document: the file is missing" in result.stderr


def test_a_job_that_fails_has_a_result_and_exit_code_1(desk: Desk) -> None:
    trouble = ("--option", 'simulate={"missing_artifact": 9}')
    result = desk.call("run", EXAMPLE, *desk.given, *trouble)
    assert result.exit_code == 1
    outcome = json.loads(result.stdout)["result"]
    assert outcome["status"] == "failed"
    assert outcome["error"]["code"] in result.stderr
    assert result.stderr.startswith("whet: job ")


def test_a_variable_reaches_the_agent_and_nothing_else(desk: Desk) -> None:
    desk.reported("--env", f"MY_SETTING={SECRET}", "--no-cache")
    for folder, _, names in os.walk(desk.workspace):
        for name in names:
            assert SECRET.encode() not in (Path(folder) / name).read_bytes(), name


def test_a_question_without_a_terminal_is_left_for_later(desk: Desk) -> None:
    package = desk.package("asking", ASKING)
    result = desk.call("run", package, *desk.given, "--mode", "interactive")
    assert (result.exit_code, result.stdout) == (1, "")
    first, second = result.stderr.splitlines()
    assert "waits for an answer: Please give me the audience." in first
    assert second.startswith("answer with: whet job reply ")
    told = json.loads(
        desk.call("run", package, *desk.given, "--mode", "interactive", "--json").stdout
    )
    assert told["result"] is None
    assert told["pending"]["kind"] == "open_text"
    assert told["pending"]["interaction_id"] == told["pending"]["id"] == 1


def test_a_skill_that_says_nothing_takes_anything(desk: Desk) -> None:
    folder = desk.folder / "plain"
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\nname: plain\ndescription: Sums up.\n---\nSum it up.\n")
    done = desk.read("run", folder, "--input", "n=3", "--file", f"text={desk.document}")
    assert done["job"]["status"] == "succeeded"
    assert desk.document.read_text() == TEXT


def test_a_result_is_printed_even_if_its_files_cannot_be_put_there(desk: Desk) -> None:
    out = desk.folder / "out"
    (out / "report.md").mkdir(parents=True)
    result = desk.call("run", EXAMPLE, *desk.given, "--out", out, "--force", "--json")
    assert result.exit_code == 3
    told = json.loads(result.stdout)
    assert told["result"]["data"]["words"] == WORDS
    assert Path(told["files"]["artifacts/report.md"]).is_relative_to(desk.workspace)
    assert "whet: cannot write" in result.stderr


def test_a_folder_that_cannot_be_made_is_told_before_the_work(desk: Desk) -> None:
    result = desk.call("run", EXAMPLE, *desk.given, "--out", desk.document / "below")
    assert result.exit_code == 3
    assert "cannot use" in result.stderr
    assert desk.read("job", "list")["total"] == 0


def test_the_text_of_a_skill_means_its_folder(desk: Desk) -> None:
    assert desk.read("run", EXAMPLE / "SKILL.md", *desk.given)["job"]["status"] == "succeeded"


@pytest.mark.parametrize("option", ["--input", "--param", "--option"])
def test_bytes_that_are_no_text_are_no_crash(option: str, desk: Desk) -> None:
    result = desk.call("run", EXAMPLE, *desk.given, option, "title=\udcff")
    assert result.exit_code == 2, result.output
    assert "has characters that are no text in UTF-8" in result.stderr
