"""The page in a real browser, where there is one."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.exporters.sessions.drawn import call, came, hostile, large, report, session
from whet.documents.session import Session
from whet.exporters.sessions.html.page import HtmlExporter
from whet.ports.session_exporter import ExportWish

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium to open pages with"),
]


def drawn(given: Session | None, folder: Path, place: str = "") -> str:
    """What the browser has made of a page when its script is done."""
    page = folder / "page.html"
    page.write_text(HtmlExporter().export(report(given), ExportWish()), encoding="utf-8")
    command = [str(CHROMIUM), *OPTIONS, f"--user-data-dir={folder / 'profile'}"]
    done = subprocess.run(
        [*command, "--dump-dom", page.as_uri() + place],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return re.sub("<script.*?</script>|<style.*?</style>", "", done.stdout, flags=re.DOTALL)


def test_calls_are_listed_and_one_is_shown(tmp_path: Path) -> None:
    text = drawn(None, tmp_path, "#12")
    assert text.count('role="option"') == 16
    assert text.count('class="row group"') == 4
    assert "<h3><span>Bash</span></h3>" in text
    assert "1 failed, 6 passed in 2.31s</pre>" in text
    assert re.search(r'id="row-11"[^>]*aria-selected="true"', text)
    assert "12 / 16 · 1:41" in text


def test_an_attack_runs_nothing(tmp_path: Path) -> None:
    deed = "document.documentElement.dataset.attacked=1"
    attack = f"</script><img src=x onerror='{deed}'><script>{deed}</script><svg onload='{deed}'>"
    given = session(
        call(1, attack, params={attack: attack}, output=came(attack, attack)),
        task_title=attack,
        user_prompt=attack,
        messages=[attack],
        final_answer=attack,
    )
    for one, place in ((given, "#1"), (hostile(), "#2")):
        text = drawn(one, tmp_path, place)
        assert "data-attacked" not in text
        assert "<img" not in text
        assert 'class="head"' in text, "the script itself ran"


def test_of_many_calls_few_are_drawn(tmp_path: Path) -> None:
    text = drawn(large(3_000, "long output " * 200), tmp_path, "#1500")
    assert text.count('role="option"') < 60
    assert "3,000 of 3,000 calls" in text
    assert "1,500 / 3,000" in text
    assert "long output" in text, "packed texts are read"
