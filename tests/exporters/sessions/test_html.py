"""The page of a session: one script runs, everything is there, and it stays small."""

import json
import re
from typing import cast

import pytest
from pydantic import JsonValue

from tests.exporters.sessions.drawn import BAD, call, calm, came, hostile, large, report, session
from tests.exporters.sessions.opened import Opened, assert_harmless
from whet.documents.session import Session
from whet.exporters.plain import line
from whet.exporters.sessions.html.data import BLOCK, LONGEST
from whet.exporters.sessions.html.page import HtmlExporter
from whet.exporters.sessions.html.script import SCRIPT
from whet.exporters.sessions.words import BY_LANGUAGE
from whet.ports.session_exporter import ExportWish

SESSIONS = {"calm": calm, "hostile": hostile, "empty": session}


def opened(given: Session | None = None, language: str = "en", *, full: bool = False) -> Opened:
    text = HtmlExporter().export(report(given), ExportWish(language, full=full))
    assert text.startswith("<!doctype html>\n<html lang=")
    assert text.endswith("</html>\n")
    return Opened(text)


def index(page: Opened) -> dict[str, dict[str, list[JsonValue]]]:
    return cast("dict[str, dict[str, list[JsonValue]]]", page.data("index"))


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", SESSIONS)
def test_a_page_runs_one_script_and_fetches_nothing(name: str, language: str) -> None:
    page = opened(SESSIONS[name](), language)
    assert_harmless(page)
    assert page.code == SCRIPT


def test_the_script_reads_text_as_text() -> None:
    for way in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "Function("):
        assert way not in SCRIPT
    for way in ("fetch(", "XMLHttp", "WebSocket", "import(", "sendBeacon", "localStorage"):
        assert way not in SCRIPT
    assert "</script" not in SCRIPT


def test_the_head_tells_what_matters() -> None:
    words = opened().words
    for text in (
        "Show where knowledge came from",
        "success",
        "2026-01-25-001-markers",
        "Model claude-opus-4-5",
        "Engine claude 2.1.4",
        "Duration 5 min 00 s",
        "Calls 16 2 failed",
        "Tokens 55,144 48,210 in, 6,934 out",
        "Cost $0.4127",
        "Files 3 1 created, 2 modified",
        "Put a dot for each source of knowledge",
        "Explore 1–7 0:04 43.0 s 1 the agent, high confidence Find the timeline components",
        "A component of its own, not a prop of the node",
        "docs/specs/SPEC-009.md",
        "Each node now has a dot for every source",
    ):
        assert text in words, text
    assert "simulated" not in words


def test_what_is_simulated_says_so() -> None:
    words = opened(session(call(1), simulated=True)).words
    assert "Simulated: the built-in agent produced this." in words


def test_tokens_and_times_are_told_as_they_are_known() -> None:
    given = session(
        call(1, at=1),
        input_tokens=4,
        output_tokens=120,
        cache_read_tokens=9_000,
        timing_quality="self_reported",
    )
    words = opened(given).words
    assert "Tokens 9,124 4 in, 120 out, 9,000 cached" in words
    assert "Times were written down afterwards, not measured." in words
    assert "Tokens about 70" in opened(session(estimated_tokens=70)).words


def test_every_call_is_there_with_its_texts() -> None:
    page = opened()
    calls = index(page)["calls"]
    assert len(calls["line"]) == len(page.details) == 16
    assert calls["line"][11] == "Run the tests of the markers"
    assert calls["phase"] == [0] * 7 + [1] * 2 + [2] * 5 + [3] * 2
    assert calls["parent"][3:8] == [None, 3, 3, 3, None]
    assert sum(cast("list[int]", calls["failed"])) == 2
    told = json.dumps(page.details[11])
    assert "$ npm test -- markers" in told
    assert "......F" in told, "colours of the terminal are gone"
    assert "\\u001b" not in told
    assert page.details[3]["subagent"] == {
        "type": "Explore",
        "uses": 3,
        "tokens": 18250,
        "counts": [["Grep", 2], ["Read", 1]],
    }
    said = cast("list[list[JsonValue]]", page.data("said"))
    assert [one[2] for one in said] == list(calm().messages or ())


def test_both_languages_are_in_one_file() -> None:
    english, chinese = opened(), opened(language="zh")
    assert english.tags[0] == ("html", {"lang": "en"})
    assert chinese.tags[0] == ("html", {"lang": "zh-CN"})
    assert "时间线" in chinese.words
    assert "时间线" not in english.words
    marked = [given for _, given in english.tags if "data-en" in given]
    assert ("Timeline", "时间线") in [(one["data-en"], one["data-zh"]) for one in marked]
    assert index(english)["words"] == json.loads(json.dumps(BY_LANGUAGE))


def test_hostile_text_is_shown_and_does_nothing() -> None:
    page, plain = opened(hostile()), opened()
    assert line(BAD, 80).removesuffix("…") in page.words
    assert {tag for tag, _ in page.tags} <= {tag for tag, _ in plain.tags}
    steering = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
    assert not steering.search(page.everything)


def test_the_timeline_stands_for_all_calls() -> None:
    text = HtmlExporter().export(report(), ExportWish())
    picture = text[text.index("<svg width") : text.index("</section>", text.index("<svg width"))]
    assert picture.count('class="call c-failed"') == 2
    assert picture.count("data-band=") == 4
    assert 'aria-label="16 calls in 2 lanes over 5 min 00 s; 2 failed."' in picture
    assert "a pause of 1 min 50 s, drawn shorter" in picture


@pytest.mark.slow
def test_a_crowded_timeline_is_drawn_with_few_marks() -> None:
    text = HtmlExporter().export(report(large(2_000, "x")), ExportWish())
    assert text.count("<rect") < 2_500


def test_long_texts_are_cut_and_say_so() -> None:
    page = opened(session(call(1, output=came("x" * 100_000))))
    (part,) = [one for one in cast("list[list[JsonValue]]", page.details[0]["parts"]) if one[3]]
    assert part[2:] == ["x" * LONGEST, 100_000 - LONGEST]
    whole = opened(session(call(1, output=came("x" * 100_000))), full=True)
    assert "x" * 100_000 in whole.everything


@pytest.mark.slow
def test_many_long_texts_share_the_room_and_short_ones_are_whole() -> None:
    page = opened(large(1_000, "word " * 4_000))
    texts = [
        str(part[2]) for one in page.details for part in cast("list[list[JsonValue]]", one["parts"])
    ]
    assert sum(map(len, texts)) <= 12_000_000
    assert texts[0] == "src/file_0.py"
    assert len(page.details) == 1_000
    assert page.scripts[2][0]["type"] == "application/zlib"


def test_blocks_hold_so_many_calls() -> None:
    page = opened(large(BLOCK * 2 + 1, "x"))
    names = [given.get("id") for given, _ in page.scripts]
    assert names == ["index", "said", "block-0", "block-1", "block-2", None]


@pytest.mark.slow
def test_ten_megabytes_of_attack_make_a_small_page() -> None:
    attack = (BAD + "</script><script>alert(1)</script>\x1b]8;;https://x\x07" * 20) * 12_000
    given = session(call(1, output=came(attack[:10_000_000])), user_prompt=attack[:10_000_000])
    text = HtmlExporter().export(report(given), ExportWish())
    assert len(text) < 300_000
    assert_harmless(Opened(text))
    whole = HtmlExporter().export(report(given), ExportWish(full=True))
    assert_harmless(Opened(whole))


def test_odd_times_and_families_are_drawn() -> None:
    odd = session(
        call(1, started_at="yesterday", ended_at="never", duration_ms=-5),
        call(2, started_at="0001-01-01T00:00:00+14:00", ended_at="9999-12-31T23:59:59-14:00"),
        call(3, parent_call_id="tool-003"),
        call(4, parent_call_id="tool-005"),
        call(5, parent_call_id="tool-004", duration_ms=1e300),
        call(1, parent_call_id="nowhere"),
        created_at="",
        completed_at="2026-13-45",
    )
    page = opened(odd)
    assert index(page)["calls"]["parent"] == [None, None, None, None, 3, None]
    shares = cast("list[float]", index(page)["calls"]["from"] + index(page)["calls"]["to"])
    assert all(0 <= share <= 1 for share in shares)


def test_calls_without_times_stand_in_a_row() -> None:
    same = [call(n, at=0, took=0) for n in range(1, 5)]
    when = "2026-01-25T12:00:00Z"
    page = opened(session(*same, created_at=when, completed_at=when))
    assert index(page)["calls"]["from"] == [0, 0.25, 0.5, 0.75]
    assert "The calls have no usable times" in page.words
