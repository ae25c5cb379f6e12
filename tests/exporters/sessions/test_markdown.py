"""A session to read in a pull request: folded, fenced, and never more than fits."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.sessions.drawn import BAD, call, calm, came, hostile, large, report, session
from whet.documents.session import Session
from whet.exporters.sessions.markdown import MarkdownExporter, fenced, quoted
from whet.ports.session_exporter import ExportWish

LIMIT = 1_000_000


def exported(given: Session | None = None, language: str = "en", *, full: bool = False) -> str:
    return MarkdownExporter().export(report(given), ExportWish(language, full=full))


def outside(text: str) -> str:
    """What is left without fenced blocks and code within lines."""
    kept: list[str] = []
    fence = ""
    for row in text.split("\n"):
        found = re.match("`{3,}", row)
        if fence:
            fence = "" if row.strip() == fence else fence
        elif found:
            fence = found[0]
        else:
            kept.append(re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)|<code>.*?</code>", "", row))
    assert not fence, "a block is not closed"
    return "\n".join(kept)


def test_it_tells_what_matters() -> None:
    text = exported()
    for part in (
        "# Show where knowledge came from\n",
        "| **success** | claude-opus-4-5 | claude (2.1.4) | 5 min 00 s | 16 (2 failed) |",
        "## Explore · 4 calls\n\nFind the timeline components",
        "## Execute · 5 calls",
        "❌ 12. <b><code>Bash</code></b> <code>Run the tests of the markers</code>",
        "**Command**\n\n- `$ npm test -- markers`",
        "- file\\_path: `src/Markers.tsx`",
        "......F\n=====",
        "## Answer\n\n```\nEach node now has a dot",
        "## What the agent said on the way",
    ):
        assert part in text, part
    assert "## 探索 · 4 次调用" in exported(language="zh")


def test_inner_calls_are_within_their_subagent() -> None:
    text = exported()
    task = text.index("4. <b><code>Task")
    after = text.index("## Plan")
    assert text.count("<details>") == text.count("</details>") == 16
    inside = text[task:after]
    assert inside.count("<details>") == 3
    assert inside.rstrip().endswith("</details>\n\n</details>")


def test_hostile_text_is_text() -> None:
    rest = outside(exported(hostile()))
    assert "<script" not in rest
    assert "<img" not in rest
    assert not re.search(r"(?<!\\)\]\(", rest)
    assert not re.search(r"(?<!\w)@\w", rest)
    tags = set(re.findall(r"<(/?\w+)", rest))
    assert tags <= {"details", "/details", "summary", "/summary", "b", "/b", "br"}


@given(st.text("`~\n a<", max_size=60))
def test_no_text_can_leave_its_fence(text: str) -> None:
    block = fenced(text)
    assert outside(f"before\n\n{block}\n\nafter") == "before\n\n\nafter"


@given(st.text("`a b", min_size=1, max_size=20))
def test_no_text_can_leave_its_quotes(text: str) -> None:
    ticks = re.match("`+", quoted(text))
    assert ticks is not None
    inner = quoted(text)[len(ticks[0]) : -len(ticks[0])]
    assert ticks[0] not in re.findall("`+", inner)
    assert inner.strip() == text.strip()


@pytest.mark.slow
def test_a_large_session_still_fits() -> None:
    text = exported(large(3_000, "word " * 1_000))
    assert len(text.encode()) < LIMIT
    assert re.search(r"\d[\d,]* further calls are left out; the JSON export has all\.", text)
    assert text.count("<details>") == text.count("</details>")
    outside(text)


def test_long_texts_are_cut_unless_all_is_wished_for() -> None:
    given = session(call(1, output=came("x" * 50_000)))
    assert "*46,000 characters left out of this file*" in exported(given)
    assert "x" * 50_000 in exported(given, full=True)


def test_an_empty_session_is_one() -> None:
    text = exported(session())
    assert text.startswith("# Show where knowledge came from\n")
    assert "<details>" not in text
    assert exported(session(task_title="", session_id=BAD)).startswith("# &lt;/script")


def test_every_call_has_one_line() -> None:
    text = exported()
    numbers = re.findall(r"<summary>\S+ (\d+)\.", text)
    assert numbers == [str(n) for n in range(1, len(calm().tool_calls) + 1)]
