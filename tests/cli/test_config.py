"""``whet config``, as a person uses it."""

import json
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from whet.cli.main import app, main


class Told:
    """The command in this process, on one workspace."""

    def __init__(
        self,
        workspace: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self.workspace = workspace
        self.monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[object, str, str]:
        where = ("--workspace", str(self.workspace))
        self.monkeypatch.setattr(sys, "argv", ["whet", "config", *arguments, *where])
        with pytest.raises(SystemExit) as end:
            main()
        streams = self._capsys.readouterr()
        return end.value.code or 0, streams.out, streams.err


@pytest.fixture
def config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Told:
    monkeypatch.setenv("WHET_SCRATCH", str(tmp_path / "scratch"))
    monkeypatch.setenv("WHET_LANGUAGE", "en")
    monkeypatch.setenv("COLUMNS", "100")
    return Told(tmp_path / "workspace", monkeypatch, capsys)


def row(text: str, key: str) -> list[str]:
    return next(line.split() for line in text.splitlines() if key in line)


@pytest.mark.slow
def test_every_value_is_shown_with_its_source(config: Told) -> None:
    code, out, err = config("show")
    assert (code, err) == (0, "")
    assert row(out, "default_engine") == ["default_engine", "simulated", "built", "in"]
    assert "is not there yet" in out
    assert not config.workspace.exists()
    assert config("set", "default_engine=codex", "default_model=gpt-5")[0] == 0
    config.monkeypatch.setenv("WHET_DEFAULT_RETRY_COUNT", "9")
    _, out, _ = config("show")
    assert row(out, "default_engine") == ["default_engine", "codex", "file"]
    assert row(out, "default_retry_count") == ["default_retry_count", "9", "environment"]
    assert "is not there yet" not in out
    config.monkeypatch.setenv("WHET_LANGUAGE", "zh")
    assert row(config("show")[1], "default_engine") == ["default_engine", "codex", "文件"]


def test_a_machine_gets_one_value(config: Told) -> None:
    code, out, _ = config("set", "default_timeout_seconds=90", "cli_path=[x](y)", "--json")
    assert code == 0
    told = json.loads(out)
    assert told["values"]["default_timeout_seconds"] == {"value": 90, "source": "file"}
    assert json.loads(config("show", "--json")[1]) == told
    assert "[x](y)" in config("show")[1], "no markup of a value is obeyed"


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("nope=1", "known: cli_path"),
        ("default_engine", "NAME=VALUE"),
        ("default_engine=nope", "known:"),
        ("default_retry_count=lots", "default_retry_count"),
    ],
)
def test_what_cannot_be_set_is_one_line(config: Told, given: str, words: str) -> None:
    code, out, err = config("set", "default_model=m", given)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert words in err
    assert not config.workspace.exists()


def test_a_broken_file_is_named(config: Told) -> None:
    path = config.workspace / "cli/config.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"default_retry_count": "x"}')
    code, _, err = config("show")
    assert code == 2
    assert f"{path}: default_retry_count" in err


def test_doctor_shows_the_program_that_was_set(config: Told, tmp_path: Path) -> None:
    program = tmp_path / "my-claude"
    program.write_text("#!/bin/sh\necho 7.8.9\n")
    program.chmod(0o755)
    config.monkeypatch.setenv("COLUMNS", "300")
    config("set", f"cli_path={program}")
    for arguments in (["doctor"], ["engine", "list"]):
        found = CliRunner().invoke(app, [*arguments, "--workspace", str(config.workspace)])
        [row] = (line for line in found.stdout.splitlines() if "7.8.9" in line)
        assert "claude" in row
        assert f"cli_path: {program}" in found.stdout
