"""One page that needs nothing, and runs nothing but what was built into it."""

import hashlib
import json
import re
from base64 import b64encode
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.exporters.reports import HOSTILE, report, verdict
from whet.app.ui import report_template
from whet.core.errors import EnvironmentProblem, UsageError
from whet.documents.experiment_view import CostView, ExperimentView
from whet.documents.trial_view import ReportView
from whet.exporters.html import PLACE, HtmlExporter
from whet.exporters.html.drawing import interval
from whet.exporters.html.tags import Html, joined, tag
from whet.exporters.words import ENGLISH
from whet.ports.exporter import ReportPage

TEMPLATE = f"<!doctype html><html><body>{PLACE}</body></html>"


def shown(name: str) -> ReportView:
    view = ExperimentView(
        kind="eval",
        id="eval_1",
        name=name,
        description="",
        status="completed",
        control=None,
        error=None,
        simulated=True,
        partial=False,
        started_at=None,
        ended_at=None,
        judges=(),
        repeats=None,
        progress=None,
        cost=CostView(usd=None, unknown=0),
        legs=(),
        warnings=(name,),
        page=1,
        page_size=0,
    )
    return ReportView(
        language="en",
        version="1",
        generated_at="2026-01-01T00:00:00Z",
        view=view,
        trials=(),
        left_out=0,
    )


def exported(name: str, language: str = "en", template: str = TEMPLATE) -> str:
    page = ReportPage(template, shown(name))
    return HtmlExporter().export(replace(report(), page=page), language)


def data(text: str) -> dict[str, object]:
    """What a browser finds in the element."""
    found = re.search(r'id="report">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_data_stands_in_the_page_in_the_language_that_is_asked_for(language: str) -> None:
    found = data(exported("knives", language))
    wanted = shown("knives").model_copy(update={"language": language})
    assert found == wanted.model_dump(mode="json")


@pytest.mark.parametrize(
    "name", [HOSTILE, "</script><script>alert(1)</script>", "<!--", "]]>", "\u2028", "{{7*7}}"]
)
def test_hostile_text_is_data_and_nothing_else(name: str) -> None:
    text = exported(name)
    assert text.count("<") == TEMPLATE.count("<"), "not one element more"
    assert data(text) == shown(name).model_dump(mode="json")


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=80))
def test_any_text_comes_out_as_it_went_in(name: str) -> None:
    text = exported(name)
    assert text.count("<") == TEMPLATE.count("<")
    view = data(text)["view"]
    assert isinstance(view, dict)
    assert view["name"] == name


def test_half_a_character_does_not_keep_a_page_from_being_written() -> None:
    assert rb"\ud83d blade" in exported("\ud83d blade").encode()


def test_without_details_or_without_a_place_there_is_no_page() -> None:
    with pytest.raises(UsageError, match="detailed"):
        HtmlExporter().export(report(), "en")
    for wrong in ("<html></html>", TEMPLATE + TEMPLATE):
        with pytest.raises(EnvironmentProblem, match="build it again"):
            exported("x", template=wrong)


def test_the_page_that_is_built_fetches_nothing_and_runs_only_its_own_script() -> None:
    text = exported("knives", template=report_template())
    assert data(text)["left_out"] == 0
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    [script] = re.findall(r'<script type="module"[^>]*>(.*?)</script>', text, re.DOTALL)
    digest = b64encode(hashlib.sha256(script.encode()).digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in policy[1].split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert rules.keys() == {
        *("default-src", "script-src", "style-src", "img-src", "base-uri", "form-action")
    }
    outside = text.replace(script, "")
    assert not re.findall(
        r"<(?:img|iframe|link|object|base|form)\b", outside.partition("</head>")[0]
    )
    assert not re.findall(r'\b(?:src|href)="(?!data:)[^"]', outside)
    style = "".join(re.findall(r"<style[^>]*>(.*?)</style>", text, re.DOTALL))
    assert style
    assert not re.findall(r"@import|url\((?!['\"]?data:)", style)


def test_text_is_escaped_unless_it_is_html() -> None:
    assert (
        tag("p", "<b>", Html("<i></i>"), title='"<') == '<p title="&quot;&lt;">&lt;b&gt;<i></i></p>'
    )
    assert joined(["a", None, Html("&amp;"), "&"]) == "a&amp;&amp;"
    assert isinstance(joined(["a"]), Html)
    assert tag("td", cls="x", open=True, hidden=False) == '<td class="x" open></td>'


def places(found: Html | None) -> tuple[float, float, float, float]:
    """Where zero, the point and the ends of the range are drawn."""
    text = str(found)

    def number(pattern: str) -> float:
        match = re.search(pattern, text)
        assert match is not None
        return float(match[1])

    left, wide = number(r'class="range" x="([\d.]+)"'), number(r'width="([\d.]+)"')
    return number(r'class="zero" x1="([\d.]+)"'), number(r'cx="([\d.]+)"'), left, left + wide


def test_the_interval_is_drawn_around_zero() -> None:
    # +12 (+4 … +20) on a line that ends at ±20: the ends are 280 from the middle at 320.
    zero, point, low, high = places(interval(verdict(), "better", ENGLISH))
    assert (zero, point, low, high) == pytest.approx((320, 320 + 168, 320 + 56, 320 + 280))


@given(st.floats(-1, 1), st.floats(0.01, 0.5))
def test_the_interval_holds_its_point_and_lies_on_the_right_side(delta: float, half: float) -> None:
    low, high = max(-1.0, delta - half), min(1.0, delta + half)
    found = verdict("inconclusive", delta, None)
    around = found.interval
    assert around is not None
    around = around.model_copy(update={"low": low, "high": high})
    found = found.model_copy(update={"interval": around})
    zero, point, left, right = places(interval(found, "inconclusive", ENGLISH))
    assert 40 - 0.1 <= left <= point + 0.1
    assert point - 0.1 <= right <= 600 + 2
    if low > 0.01:
        assert left > zero
    if high < -0.01:
        assert right < zero + 2


def test_without_a_difference_nothing_is_drawn() -> None:
    assert interval(verdict("inconclusive", None, None), "inconclusive", ENGLISH) is None
