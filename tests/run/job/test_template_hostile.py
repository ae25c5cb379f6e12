"""Templates and values that are made to take long, or to show what nobody should see."""

import contextlib
import time

import pytest
from pydantic import JsonValue

from whet.core import effort
from whet.core.errors import UsageError
from whet.run.job.template import check, render

SIZE = 60_000
NUMBERS: list[JsonValue] = [*range(SIZE)]
TURNS = "{{% for a in range(999) %}}{{% for b in range(99) %}}{}{{% endfor %}}{{% endfor %}}"


def values() -> dict[str, JsonValue]:
    deep: JsonValue = [*range(2_000)]
    for _ in range(100):
        deep = [deep]
    members: dict[str, JsonValue] = {str(number): number for number in range(SIZE)}
    given: dict[str, JsonValue] = {
        "big": NUMBERS,
        "same": [*NUMBERS],
        "members": members,
        "text": "x " * SIZE,
        "deep": deep,
    }
    return {"input": given}


@pytest.mark.parametrize(
    "source",
    [
        TURNS.format("{% if input.big | sort | length %}{% endif %}"),
        TURNS.format("{% if input.members | dictsort | length %}{% endif %}"),
        TURNS.format("{% if input.members | string | length %}{% endif %}"),
        TURNS.format("{% if input.big | unique | list | length %}{% endif %}"),
        TURNS.format("{% if input.text | title | length %}{% endif %}"),
        TURNS.format("{% if input.big == input.same %}{% endif %}"),
        TURNS.format("{% if -1 in input.big %}{% endif %}"),
        TURNS.format("{% if -1 is in input.big %}{% endif %}"),
        TURNS.format("{% if input.text[::-1] %}{% endif %}"),
        TURNS.format("{% if input.text + input.text %}{% endif %}"),
        TURNS.format("{% for x in input.big if false %}{% endfor %}"),
        TURNS.format("{% if input.big | sum %}{% endif %}"),
        "{{ input.big | sort | length }}" * 2_000,
    ],
)
def test_work_without_end_is_ended(source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops are counted, but a single turn may sort a million things."""
    monkeypatch.setattr(effort, "MOST_SECONDS", 0.02)
    given = values()
    begun = time.thread_time()
    with pytest.raises(UsageError, match=r"takes more than 0\.02 seconds"):
        render(source, given, {})
    assert time.thread_time() - begun < 2


def test_a_short_value_that_would_be_a_long_text_is_not_written() -> None:
    """Each of the numbers would stand behind eight hundred spaces."""
    with pytest.raises(UsageError, match="more than 1,000,000 characters"):
        render("{{ input.deep | tojson(8) }}", values(), {})


@pytest.mark.parametrize(
    "source",
    [
        "{{ 5 | round(-1000000000) }}",
        "{{ 5 | round(1000000000, 'ceil') }}",
        "{{ 1.5 | round(1000000000, 'floor') }}",
    ],
)
def test_no_power_of_ten_is_worked_out(source: str) -> None:
    """It would have a thousand million digits."""
    begun = time.thread_time()
    with contextlib.suppress(UsageError):
        assert render(source, {}, {}) in ("0", "5", "1.5")
    assert time.thread_time() - begun < 1


@pytest.mark.parametrize(
    "source",
    [
        "{{ " + "9" * 5_000 + " }}",
        "{{ 1" + "+1" * 20_000 + " }}",
        "{{ " + "not " * 15_000 + "1 }}",
        "{{ input" + ".a" * 20_000 + " }}",
        "{{ input" + "|d" * 20_000 + " }}",
        "{{ " + "[" * 5_000 + "]" * 5_000 + " }}",
        "{% if 1 %}" * 3_000 + "{% endif %}" * 3_000,
        "{% for a in [1] %}" * 300 + "{% endfor %}" * 300,
        "{% if 0 %}" + "{% elif 0 %}" * 5_000 + "{% endif %}",
    ],
)
def test_what_no_compiler_takes_is_a_mistake_of_the_package(source: str) -> None:
    with pytest.raises(UsageError, match="is no template"):
        check(source)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{{ input.get }}", "get()"),
        ("{{ input.values | string }}", "values()"),
        ("{{ 'a'.upper | default('-') }}", "-"),
        ("{{ input.big.append | default('-') }}", "-"),
        ("{{ input.big['append'] | default('-') }}", "-"),
        ("{{ (1).real | default('-') }}", "-"),
        ("{% for x in [1] %}{{ loop.__class__ | default('-') }}{% endfor %}", "-"),
    ],
)
def test_nothing_of_python_is_shown(source: str, shown: str) -> None:
    """Not even where in the memory of the server it lies."""
    assert render(source, {"input": {"big": [1]}}, {}) == shown


def test_values_may_be_nested_deeply_or_have_odd_names() -> None:
    deep: JsonValue = 1
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(UsageError, match="nested too deeply"):
        render("{{ input.x }}", {"input": {"x": deep}}, {})
    odd: dict[str, JsonValue] = {"__class__": "mine", "items": 1, "get": 2, "": 3}
    source = "{{ input.__class__ }} {{ input.items }} {{ input['get'] }} {{ input[''] }}"
    assert render(source, {"input": odd}, {}) == "mine 1 2 3"
