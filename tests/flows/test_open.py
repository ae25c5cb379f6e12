"""Who is shown the pages in a browser, and who is not."""

import time
from pathlib import Path

import pytest

from tests.flows.command import whet
from tests.flows.terminal import Terminal

pytestmark = pytest.mark.slow

OFFER = "Look at it in the browser now?"


def test_the_demo_offers_to_show_its_page(tmp_path: Path) -> None:
    terminal = Terminal("demo", "--workspace", tmp_path / "workspace")
    said = terminal.until(OFFER)
    assert "look   http://127.0.0.1:8642/#/experiments/projects/" in said
    terminal.type("n")
    assert terminal.ended()[0] == 0
    again = Terminal("demo", "--workspace", tmp_path / "workspace", CI="1")
    code, said = again.ended()
    assert code == 0
    assert "http://127.0.0.1:8642/#/experiments/projects/" in said
    assert OFFER not in said


def test_without_a_terminal_the_demo_asks_nothing(tmp_path: Path) -> None:
    done = whet("demo", "--workspace", tmp_path / "workspace")
    assert done.returncode == 0
    assert "http://127.0.0.1:8642/#/experiments/projects/" in done.stdout
    assert OFFER not in done.stdout + done.stderr


@pytest.fixture
def seen(tmp_path: Path) -> Path:
    """Where the browser of these tests writes what it is to show."""
    return tmp_path / "seen"


@pytest.fixture
def browser(tmp_path: Path, seen: Path) -> str:
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\necho "$1" > "{seen}.part" && mv "{seen}.part" "{seen}"\n')
    program.chmod(0o755)
    return f"{program} %s"


def test_open_shows_the_pages_to_somebody_with_a_screen(
    tmp_path: Path, browser: str, seen: Path
) -> None:
    serve = ("serve", "--open", "--port", "0", "--workspace", tmp_path / "workspace")
    terminal = Terminal(*serve, BROWSER=browser, DISPLAY=":0")
    url = terminal.until("\n").split()[-1]
    end = time.monotonic() + 60
    while not seen.exists():
        assert time.monotonic() < end
        time.sleep(0.05)
    assert seen.read_text() == f"{url}/\n"
    terminal.interrupt()
    terminal.ended()


@pytest.mark.parametrize("more", [{}, {"DISPLAY": ":0", "CI": "true"}])
def test_open_says_where_to_go_without_a_screen(
    tmp_path: Path, browser: str, seen: Path, more: dict[str, str]
) -> None:
    serve = ("serve", "--open", "--port", "0", "--workspace", tmp_path / "workspace")
    terminal = Terminal(*serve, BROWSER=browser, **more)
    terminal.until("no browser is opened")
    terminal.interrupt()
    terminal.ended()
    assert not seen.exists()
