"""``whet session``: what it prints, for people and for machines."""

import json
from pathlib import Path

import pytest
from pydantic import JsonValue

from tests.app.sessions.logs import session, work, write_log, write_session
from tests.cli.calls import done, read, refused, run
from tests.readers.claude_log import SESSION

NAME = "2026-01-25-001-sharpen-the-knife"
HOSTILE = "\x1b[31mred\x1b]0;title\x07 \u202ereversed <script>alert(1)</script>\r\nnext [bold]x[/]"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """With one session of nine calls."""
    folder = tmp_path / "ws"
    done("session", "import", write_log(tmp_path / "log.jsonl", work(9)), "--workspace", folder)
    return folder


def test_an_empty_workspace_says_how_to_begin(tmp_path: Path) -> None:
    said = done("session", "list", "--workspace", tmp_path / "ws")
    assert "whet session import --history all" in said
    assert read("session", "list", "--workspace", tmp_path / "ws")["sessions"] == []


@pytest.mark.slow
def test_import_tells_of_each_file_and_ends_with_1_if_one_was_refused(tmp_path: Path) -> None:
    good = write_log(tmp_path / "log.jsonl", work(2))
    bad = tmp_path / "bad.json"
    bad.write_text('{"a": 1,\n  "b": tru}')
    at = ("--workspace", tmp_path / "ws")
    result = run("session", "import", bad, good, *at, "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert [one["status"] for one in told["files"]] == ["refused", "imported"]
    assert "line 2, column 11" in told["files"][0]["error"]
    assert told["files"][1]["sessions"][0]["name"] == NAME
    assert (told["imported"], told["refused"]) == (1, 1)
    again = run("session", "import", good, *at)
    assert (again.exit_code, again.stdout.splitlines()[0][:9]) == (0, "unchanged")
    assert "name a file or a folder" in refused("session", "import", *at)
    assert "no such file" in run("session", "import", tmp_path / "none", *at).stderr


@pytest.mark.slow
def test_lists_are_pages_that_can_be_narrowed(workspace: Path) -> None:
    at = ("--workspace", workspace)
    [one] = read("session", "list", *at)["sessions"]
    assert (one["name"], one["kind"], one["calls"], one["failed"]) == (NAME, "import", 9, 3)
    assert NAME in done("session", "list", *at)
    assert read("session", "list", "--engine", "codex", *at)["total"] == 0
    assert "No session fits" in done("session", "list", "--kind", "job", *at)
    assert read("session", "list", "--since", "2026-01-25", *at)["total"] == 1
    assert read("session", "list", "--until", "2026-01-24", *at)["total"] == 0
    assert "is no date" in refused("session", "list", "--since", "soon", *at)


def test_search_shows_the_calls_that_fit(workspace: Path) -> None:
    at = ("--workspace", workspace)
    [hit] = read("session", "search", "tool:Bash", "status:failed", *at)["hits"]
    assert [one["index"] for one in hit["calls"]] == [2, 5, 8]
    said = done("session", "search", "f3.py", *at)
    assert "f3.py" in said
    assert "status:odd" in refused("session", "search", "status:odd", *at)


@pytest.mark.slow
def test_show_lists_the_calls_with_their_phases(workspace: Path) -> None:
    at = ("--workspace", workspace)
    done("session", "annotate", NAME, *at)
    said = done("session", "show", "latest", *at)
    assert "execute" in said
    assert "pytest -q tests/t2.py" in said
    told = read("session", "show", "latest", "--from", "3", "--limit", "2", *at)
    assert [one["index"] for one in told["calls"]["calls"]] == [2, 3]
    assert told["annotations"][0]["annotator"] == "signals"
    call = read("session", "show", NAME, "--call", "3", *at)
    assert call["call"]["input"]["params"]["command"] == "pytest -q tests/t2.py"
    assert "pytest -q" in done("session", "show", NAME, "--call", "3", *at)
    assert "has no call at place" in refused("session", "show", NAME, "--call", "99", *at)
    assert "nobody called" in refused("session", "show", NAME, "--annotator", "human:eve", *at)


def test_a_log_can_be_looked_at_without_importing_it(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(3))
    at = ("--workspace", tmp_path / "ws")
    assert "pytest -q" in done("session", "show", log, *at)
    assert read("session", "stats", log, *at)["calls"] == 3
    assert read("session", "list", *at)["total"] == 0


@pytest.mark.slow
def test_annotators_by_command(tmp_path: Path, workspace: Path) -> None:
    at = ("--workspace", workspace)
    one = read(
        "session", "annotate", NAME, "--by", "hand", "--phase", "plan", "--calls", "1..3",
        "--name", "anna", "--description", "looked around", *at,
    )  # fmt: skip
    assert one["annotations"][0]["tool_call_range"] == {"start_call_id": "c0", "end_call_id": "c2"}
    rows: JsonValue = [
        {"phase_type": "verify", "tool_call_range": ["c0", "c8"], "confidence": "low"}
    ]
    file = write_session(tmp_path / "phases.json", rows)
    told = read("session", "annotate", NAME, "--by", "hand", "--file", file, "--name", "anna", *at)
    assert [each["phase_type"] for each in told["annotations"]] == ["verify"]
    engine = read("session", "annotate", NAME, "--by", "engine", "--engine", "simulated", *at)
    assert engine["annotators"] == ["human:anna", "agent:simulated"]
    left = read("session", "annotate", NAME, "--remove", "human:anna", *at)
    assert left["annotators"] == ["agent:simulated"]
    assert "give --phase and --calls" in refused("session", "annotate", NAME, "--by", "hand", *at)
    assert "is no call" in refused(
        "session", "annotate", NAME, "--by", "hand", "--phase", "plan", "--calls", "1..77", *at
    )
    assert "are for --by hand" in refused("session", "annotate", NAME, "--phase", "plan", *at)


@pytest.mark.slow
def test_stats_and_comparison(tmp_path: Path, workspace: Path) -> None:
    at = ("--workspace", workspace)
    rows = work(9, identity="f" * 8)
    changed = json.loads(json.dumps(rows).replace("/w/src/f6.py", "/w/src/another.py"))
    done("session", "import", write_log(tmp_path / "other.jsonl", changed), *at)
    figures = read("session", "stats", NAME, *at)
    assert (figures["calls"], figures["failed"]) == (9, 3)
    assert "pytest" not in done("session", "stats", NAME, *at).partition("files")[0]
    found = read("session", "compare", NAME, "ffff", *at)
    assert found["divergence"]["shared"] == 6
    said = done("session", "compare", NAME, "ffff", *at)
    assert "another.py" in said.splitlines()[0]


@pytest.mark.slow
def test_export_writes_and_says_what_was_taken_out(tmp_path: Path, workspace: Path) -> None:
    at = ("--workspace", workspace)
    for form, begins in (("html", "<!doctype html>"), ("md", "#"), ("json", "{"), ("otlp", "{")):
        path = tmp_path / f"out.{form}"
        told = read("session", "export", NAME, "--format", form, "--out", path, *at)
        assert told["path"] == str(path)
        assert path.read_text().lower().startswith(begins)
    assert "is there already" in refused("session", "export", NAME, "--out", path, *at)
    assert json.loads(done("session", "export", NAME, "--format", "json", "--out", "-", *at))
    assert "--endpoint takes spans" in refused(
        "session", "export", NAME, "--endpoint", "http://localhost:1", *at
    )
    assert "not both" in refused(
        "session", "export", NAME, "--format", "otlp", "--endpoint", "x", "--out", "y", *at
    )


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_in_a_session_steers_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", language)
    data = session("x", 6, task_title=HOSTILE, user_prompt=HOSTILE, engine=HOSTILE, error=HOSTILE)
    data = json.loads(json.dumps(data).replace("/w/f", json.dumps(HOSTILE)[1:-1] + "/f"))
    for call in data["tool_calls"]:
        call["output"] = {"status": "failed", "error": HOSTILE, "result": {"display": HOSTILE}}
        call["tool_name"] = HOSTILE
    file = write_session(tmp_path / f"{language}.json", data)
    at = ("--workspace", tmp_path / "ws")
    said = [run("session", "import", file, *at)]
    name = json.loads(run("session", "list", "--json", *at).stdout)["sessions"][0]["name"]
    for command in (
        ("list",),
        ("show", name),
        ("show", name, "--call", "1"),
        ("search", "red"),
        ("stats", name),
        ("compare", name, name),
        ("annotate", name),
        ("export", name, "--format", "md", "--out", tmp_path / f"{language}.md"),
    ):
        said.append(run("session", *command, *at))
        if command[0] != "export":
            said.append(run("session", *command, *at, "--json"))
    for one in said:
        assert one.exit_code == 0, one.output
        for text in (one.stdout, one.stderr):
            assert "\x1b" not in text
            assert "\u202e" not in text
            assert "\x07" not in text
    assert "\x1b" not in (tmp_path / f"{language}.md").read_text()


def test_both_languages_have_all_words(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WHET_LANGUAGE", "zh")
    at = ("--workspace", workspace)
    assert "会话" in done("session", "list", *at)
    assert "失败" in done("session", "stats", NAME, *at)
    assert "相似度" in done("session", "compare", NAME, NAME, *at)


def test_files_that_are_no_logs_are_named_and_secrets_counted(tmp_path: Path) -> None:
    folder, at = tmp_path / "logs", ("--workspace", tmp_path / "ws")
    secret = "ghp_" + "a1B2c3D4e5" * 4
    write_log(folder / f"{SESSION}.jsonl", work(2, prompt=f"Use {secret}."))
    inner = [{**row, "isSidechain": True, "agentId": "7"} for row in work(1, call="inner")]
    write_log(folder / f"{SESSION}/subagents/agent-7.jsonl", inner)
    (folder / f"{SESSION}/subagents/agent-7.meta.json").write_text('{"agentType": "Explore"}')
    (folder / "deep").mkdir()
    (folder / "deep/notes.txt").write_text("nothing")
    (folder / "deep/package.json").write_text('{"name": "x"}')
    said = done("session", "import", folder, *at)
    assert f"not a session log: {folder}/deep/notes.txt" in said
    assert f"not a session log: {folder}/deep/package.json" in said
    assert "agent-7" not in said
    assert "secrets replaced: 1" in said
    told = json.loads(done("session", "import", folder, *at, "--json", "--keep-secrets"))
    names = [Path(one).name for one in told["unrecognised"]]
    assert names == ["notes.txt", "package.json"]
    assert (told["updated"], told["files"][0]["redactions"]) == (1, None)
    assert secret in done("session", "show", "latest", *at, "--json")
    result = run("session", "import", folder / "deep", *at)
    assert "no session log in it; these are none: notes.txt, package.json" in result.stderr
