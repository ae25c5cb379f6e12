"""The command in this process, on a workspace of its own."""

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from whet.cli.main import app


def run(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    """Run it; *given* is on its stdin."""
    return CliRunner().invoke(app, [str(one) for one in arguments], input=given)


def done(*arguments: str | Path, given: str | bytes | None = None) -> str:
    """What it prints when all goes well."""
    result = run(*arguments, given=given)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def read(*arguments: str | Path, given: str | bytes | None = None) -> dict[str, Any]:
    """The value that it prints for machines."""
    return json.loads(done(*arguments, "--json", given=given))


def refused(*arguments: str | Path, given: str | bytes | None = None) -> str:
    """The one line that it says where it cannot be done."""
    result = run(*arguments, given=given)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    assert result.stderr.count("\n") == 1
    return result.stderr
