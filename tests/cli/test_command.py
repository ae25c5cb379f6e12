"""How functions become commands: options, requests, choices, languages, errors."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
import typer
from pydantic import BaseModel, Field, JsonValue
from typer.main import get_command_from_info
from typer.models import CommandInfo
from typer.testing import CliRunner

from whet.cli.command import Call, command_function, when_stopped
from whet.cli.command_table import COMMANDS, Command
from whet.cli.main import app as program
from whet.cli.request_options import Spelling
from whet.core.errors import UsageError


class Wanted(BaseModel):
    """A request."""

    skill: str = Field(min_length=1, description="Which one.")
    engines: tuple[str, ...] | None = None
    runs: int | None = Field(default=None, ge=1, le=100, description="How often.")
    margin: float = Field(default=0.0, ge=0, lt=1)
    baseline: bool | None = None
    fresh: bool = False
    sort: Literal["name", "date"] = "date"
    kinds: tuple[Literal["a", "b"], ...] = ()
    options: dict[str, JsonValue] = {}
    internal: int = 7


@dataclass(frozen=True)
class Extra:
    yes: Annotated[bool, typer.Option("--yes", "-y")] = False


Request = Annotated[
    Wanted,
    Spelling(
        {"engines": "--engine", "options": "--option"},
        arguments={"skill": "SKILL"},
        without=("internal",),
    ),
]


def called(function: Any, *arguments: str, **fixed: Any) -> Any:
    info = CommandInfo(name="it", callback=command_function(function, fixed))
    made = get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)
    app = typer.Typer()
    app.command("it")(info.callback)  # pyright: ignore[reportArgumentType]
    assert made.name == "it"
    return CliRunner().invoke(app, list(arguments))


def test_each_field_of_a_request_is_an_option() -> None:
    seen: list[Any] = []

    def it(call: Call, request: Request, extra: Extra, kind: str) -> None:
        seen.extend([call, request, extra, kind])

    result = called(
        it, "demo", "--engine", "a", "--engine", "b", "--runs", "3", "--no-baseline", "--fresh",
        "--sort", "name", "--kinds", "a", "--kinds", "b", "--option", "x=1", "--option", "y=z",
        "--margin", "0.5", "-y", "--json", "--lang", "zh", "--workspace", "w", kind="skill",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    call, request, extra, kind = seen
    assert request == Wanted(
        skill="demo",
        engines=("a", "b"),
        runs=3,
        baseline=False,
        fresh=True,
        sort="name",
        kinds=("a", "b"),
        options={"x": 1, "y": "z"},
        margin=0.5,
    )
    assert (call.json, call.language, call.workspace) == (True, "zh", Path("w"))
    assert (extra.yes, kind) == (True, "skill")


def test_what_is_not_given_is_as_the_request_says() -> None:
    seen: list[Wanted] = []

    def it(request: Request) -> None:
        seen.append(request)

    assert called(it, "demo").exit_code == 0
    assert seen == [Wanted(skill="demo")]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("demo", "--margin", "1"), "--margin: "),
        (("",), "SKILL: "),
        (("demo", "--option", "x"), "NAME=VALUE"),
    ],
)
def test_a_value_that_cannot_be_is_one_line_that_names_its_option(
    arguments: tuple[str, ...], named: str
) -> None:
    def it(request: Request) -> None:
        raise AssertionError(request)

    result = called(it, *arguments)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert named in result.stderr


@pytest.mark.parametrize(
    "arguments", [("demo", "--runs", "101"), ("demo", "--sort", "no"), ("demo", "--kinds", "c")]
)
def test_bounds_and_choices_are_those_of_the_request(arguments: tuple[str, ...]) -> None:
    def it(request: Request) -> None:
        raise AssertionError(request)

    assert called(it, *arguments).exit_code == 2


def test_an_expected_error_is_one_line_and_its_exit_code() -> None:
    def it() -> None:
        raise UsageError("no\nsuch thing")

    result = called(it)
    assert (result.exit_code, result.stderr) == (2, "whet: no such thing\n")


def test_a_command_says_what_ctrl_c_leaves() -> None:
    @when_stopped("stopped; nothing was written")
    def it() -> None:
        raise KeyboardInterrupt

    result = called(it)
    assert (result.exit_code, result.stderr) == (130, "whet: stopped; nothing was written\n")


def test_the_old_name_of_job_run_still_runs_jobs() -> None:
    runner = CliRunner()
    old, new = (runner.invoke(program, [*words, "--help"]) for words in (["run"], ["job", "run"]))
    assert old.exit_code == new.exit_code == 0
    assert old.stdout.partition("Options:")[2] == new.stdout.partition("Options:")[2] != ""
    assert "\n  run " not in runner.invoke(program, ["--help"]).stdout


@pytest.mark.parametrize(
    "name", [name for name, one in COMMANDS.items() if isinstance(one, Command)]
)
def test_every_command_of_the_table_is_there_and_says_what_it_does(name: str) -> None:
    result = CliRunner().invoke(program, [*name.split(), "--help"])
    assert result.exit_code == 0, result.output
    assert COMMANDS[name].help.split()[-1] in result.stdout
    assert "--workspace" in result.stdout or name in ("index", "model-server", "serve")
