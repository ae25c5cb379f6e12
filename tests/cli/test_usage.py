"""What the command says to those who use it wrongly: one line, and exit code 2."""

import sys

import pytest

from whet import __version__
from whet.cli.main import main


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> "Run":
    return Run(monkeypatch, capsys)


class Run:
    """The command in this process; its real streams are in the flows."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capsys = capsys

    def __call__(self, *arguments: str) -> tuple[int, str, str]:
        self._monkeypatch.setattr(sys, "argv", ["whet", *arguments])
        with pytest.raises(SystemExit) as end:
            main()
        code = end.value.code or 0
        assert isinstance(code, int)
        streams = self._capsys.readouterr()
        return code, streams.out, streams.err


USAGE: dict[tuple[str, ...], tuple[str, str]] = {
    ("nosuch",): ("'nosuch'", "whet --help"),
    ("dem",): ("'demo'", "whet --help"),
    ("--nosuch",): ("--nosuch", "whet --help"),
    ("demo", "--nosuch"): ("--nosuch", "whet demo --help"),
    ("demo", "extra"): ("extra", "whet demo --help"),
    ("demo", "--workspace"): ("--workspace", "whet"),
    ("demo", "--language", "xx"): ("'--language'", "whet demo --help"),
    ("eval",): ("Missing command", "whet eval --help"),
    ("serve", "--port", "abc"): ("'--port'", "whet serve --help"),
    ("serve", "--port", "65536"): ("65535", "whet serve --help"),
    ("serve", "--port", "-1"): ("'--port'", "whet serve --help"),
    ("serve", "--host", "0.0.0.0", "--port", "0"): ("0.0.0.0", "WHET_TOKEN"),
    ("serve", "--host", "", "--port", "0"): ("", "WHET_TOKEN"),
    ("serve", "--host", "example.org", "--port", "0"): ("example.org", "WHET_TOKEN"),
    ("serve", "--host", "::", "--port", "0"): ("::", "WHET_TOKEN"),
}


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_use_is_one_line_that_names_it(run: Run, arguments: tuple[str, ...]) -> None:
    what, where_to_look = USAGE[arguments]
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("whet: ")
    assert err.count("\n") == 1
    assert what in err
    assert where_to_look in err


def test_the_version_is_one_line(run: Run) -> None:
    assert run("--version") == (0, f"whet {__version__}\n", "")


def test_help_is_a_result(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert "demo" in out
    assert "serve" in out


def test_without_a_command_the_help_is_an_answer_to_a_mistake(run: Run) -> None:
    code, out, err = run()
    assert (code, out) == (2, "")
    assert err == run("--help")[1]
