"""The sample action fits the command line that there is."""

import re

import pytest
from typer.testing import CliRunner

from tests.repo.tree import ROOT
from whet.cli.main import app

FOLDER = ROOT / "examples/github-action"
ACTION = (FOLDER / "action.yml").read_text()
WORKFLOW = (FOLDER / "workflow.yml").read_text()


def block(text: str, name: str) -> str:
    """What is below a key that begins a line."""
    found = re.search(rf"^{name}:\n((?: .*\n|\n)*)", text, re.MULTILINE)
    assert found is not None, name
    return found[1]


def options() -> set[str]:
    """All options of ``whet eval run``."""
    shown = CliRunner().invoke(app, ["eval", "run", "--help"]).stdout
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", shown))


INPUTS = set(re.findall(r"^  ([\w-]+):$", block(ACTION, "inputs"), re.MULTILINE))


@pytest.mark.parametrize("text", [ACTION, WORKFLOW], ids=["action", "workflow"])
def test_the_files_have_the_shape_of_yaml(text: str) -> None:
    assert "\t" not in text
    for line in text.splitlines():
        depth = len(line) - len(line.lstrip())
        assert depth % 2 == 0, line
        assert line == line.rstrip()
        bare = re.sub(r"(@[0-9a-f]{40}) # v[0-9.]+$", r"\1", line)  # a comment that is meant
        plain = re.match(r"\s*(?:- )?[\w-]+: ([^\"'|\[{].*)", bare)
        # In a plain value a colon with a space, or a hash after one, would mean something else.
        assert plain is None or not re.search(r": |\s#", plain[1]), line
    assert text.count("${{") == text.count("}}")


def test_every_option_that_is_used_exists() -> None:
    used = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", block(ACTION, "runs")))
    assert {"--junit", "--html", "--summary", "--fail-under", "--fail-on-regression"} <= used
    assert used <= options()
    assert "whet eval run " in ACTION


def test_every_input_is_used_and_none_is_made_up() -> None:
    assert set(re.findall(r"inputs\.([\w-]+)", ACTION)) == INPUTS
    given = set(re.findall(r"^          ([\w-]+): ", WORKFLOW, re.MULTILINE))
    assert given - {"ANTHROPIC_API_KEY"} <= INPUTS
    assert "skill" in given
    readme = (FOLDER / "README.md").read_text()
    assert set(re.findall(r"^\| `([\w-]+)` ", readme, re.MULTILINE)) == INPUTS


def test_no_input_is_read_as_a_command() -> None:
    script = ACTION.partition("run: |\n")[2].partition("\n\n")[0]
    assert "whet eval" in script
    assert "${{" not in script
    variables = set(re.findall(r"^        ([A-Z_]+): \$", ACTION, re.MULTILINE))
    assert set(re.findall(r"\$([A-Z_]+)", script)) == variables | {"GITHUB_STEP_SUMMARY"}
    assert not re.findall(r'(?<!["\w/])\$[A-Z_]+', script), "every variable is quoted"


def test_nothing_that_is_printed_is_a_command_to_the_runner() -> None:
    script = ACTION.partition("run: |\n")[2].partition("\n\n")[0]
    before, _, _ = script.partition("whet eval run")
    assert 'echo "::stop-commands::$token"' in before
    assert "trap 'echo \"::$token::\"' EXIT" in before


def test_reports_are_kept_when_the_gate_is_closed() -> None:
    assert re.search(r"if: always\(\)\n      uses: actions/upload-artifact@", ACTION)
