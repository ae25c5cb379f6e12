import importlib
import re
from pathlib import Path

import pytest
from typer import Typer

import whet
from tests.repo.prose import broken_links, commands, commands_shown, settings, unmentioned
from tests.repo.tree import ROOT, repository, texts


def test_links_stay_inside_and_lead_somewhere() -> None:
    pages = [(path, text) for path, text in texts() if path.endswith(".md")]
    assert [broken for path, text in pages for broken in broken_links(path, text, ROOT)] == []


@pytest.mark.parametrize("name", ["README.md", "README.zh-CN.md"])
def test_a_reader_first_sees_the_two_commands(name: str) -> None:
    assert commands_shown((ROOT / name).read_text())[:2] == ["make demo", "make test"]


def test_the_changelog_knows_this_version() -> None:
    headings = re.findall(r"^## \[?([^\]\s]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert whet.__version__ in headings


def test_every_command_is_documented() -> None:
    app = importlib.import_module("whet.cli.main").app
    names = commands(app)
    assert names
    assert unmentioned(names, (ROOT / "docs/commands.md").read_text()) == []


def test_every_setting_is_documented() -> None:
    names = settings((ROOT / "src/whet/app/settings.py").read_text())
    assert names
    assert unmentioned(names, (ROOT / "docs/settings.md").read_text()) == []


def test_the_licence_is_the_one_declared() -> None:
    assert "LICENSE" in repository()
    assert "Apache License" in (ROOT / "LICENSE").read_text()
    assert 'license = "Apache-2.0"' in (ROOT / "pyproject.toml").read_text()


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a b.md").touch()
    text = (
        "[ok](a%20b.md#part) [web](https://example.invalid/x) [here](#there) ![gone](gone.png)\n"
        "[out](../../out.md) [absolute](/docs)\n[ref]: lost.md\n"
        '<img src="no.svg"> `[code](none)`\n```\n[code](none)\n```\n'
    )
    found = [finding.detail for finding in broken_links("docs/page.md", text, tmp_path)]
    assert sorted(found) == ["../../out.md", "/docs", "gone.png", "lost.md", "no.svg"]


def test_commands_are_read_from_code_blocks_only() -> None:
    text = "make other\n\n```sh\n# first\n$ make demo  # a minute\n```\n\n~~~\nmake test\n~~~\n"
    assert commands_shown(text) == ["make demo", "make test"]


def test_public_commands_are_collected() -> None:
    app, group = Typer(), Typer()
    app.add_typer(group, name="skill")

    @app.command()
    def demo() -> None: ...

    @group.command("list")
    def show() -> None: ...

    @app.command(hidden=True)
    def secret() -> None: ...

    assert [demo.__name__, show.__name__, secret.__name__] == ["demo", "show", "secret"]
    assert commands(app) == ["whet demo", "whet skill list"]


def test_what_is_not_mentioned_is_found() -> None:
    names = settings('env["WHET_TOKEN"], env["WHET_TOKEN_FILE"]')
    assert names == ["WHET_TOKEN", "WHET_TOKEN_FILE"]
    assert unmentioned(names, "Set `WHET_TOKEN_FILE`.") == ["WHET_TOKEN"]
