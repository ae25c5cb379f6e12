"""Prompts that strangers write: they show values, and can do nothing else."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from whet.core.errors import UsageError
from whet.run.job import template
from whet.run.job.template import check, render

VALUES: dict[str, JsonValue] = {
    "input": {"x": "hi", "items": [1, 2], "deep": {"a": [True, None]}, "keys": "mine", "no": False},
    "parameter": {"n": 3},
}
KNOWN = {"input": frozenset({"x", "absent"}), "parameter": frozenset({"n"})}


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("{{ parameter }}", '{"n": 3}'),
        ("{{ input.x }} {{ input['x'] }}", "hi hi"),
        ("{{ input.deep }} {{ input.deep.a }}", '{"a": [true, null]} [true, null]'),
        ("{{ input.items }} {{ input.keys }}", "[1, 2] mine"),
        ("{{ input.no }}", "false"),
        ("[{{ input.absent }}]{% if input.absent %}a{% else %}b{% endif %}", "[]b"),
        ("{% for i in input.items %}{{ loop.index }}={{ i }};{% endfor %}", "1=1;2=2;"),
        ("{% for k, v in parameter.items() %}{{ k }}{{ v }}{% endfor %}", "n3"),
        ("{{ parameter.n + 1 }} {{ 7 // 2 }} {{ 7 % 2 }} {{ 2 * 3 }}", "4 3 1 6"),
        ("{{ input.x | upper | replace('H', 'B') }}", "BI"),
        ("{{ input.items | join(', ') }} {{ input.items | sum }}", "1, 2 3"),
        ("{{ input.deep | tojson }}", '{"a": [true, null]}'),
        ("{{ input.other | default('-') }}", "-"),
        ("{% raw %}{{ kept }}{% endraw %}\n", "{{ kept }}\n"),
        ("{{ '<b>' }}", "<b>"),
    ],
)
def test_values_are_shown(source: str, shown: str) -> None:
    assert render(source, VALUES, KNOWN) == shown


@pytest.mark.parametrize(
    "source",
    [
        "{{ cycler.__init__.__globals__.os.getpid() }}",
        "{{ ''.__class__.__mro__ }}",
        "{{ input.__class__ }}",
        "{{ input['__class__'] }}",
        "{{ input.items.__init__ }}",
        "{{ self }}",
        "{{ self._TemplateReference__context }}",
        "{{ lipsum() }}",
        "{{ namespace() }}",
        "{{ 'a'.format() }}",
        "{{ 'x'.join(['a']) }}",
        "{{ [input] | map(attribute='x') | list }}",
        "{{ input | attr('x') }}",
        "{{ input | xmlattr }}",
        "{{ input.items | batch(2) }}",
        "{% set x = 1 %}",
        "{% macro m() %}{% endmacro %}",
        "{% include 'x' %}",
        "{% import 'x' as y %}",
        "{% extends 'x' %}",
        "{% block b %}{% endblock %}",
        "{% call x() %}{% endcall %}",
        "{% filter upper %}{% endfilter %}",
        "{% for x in input.items recursive %}{% endfor %}",
        "{% autoescape true %}{% endautoescape %}",
        "{% with x = 1 %}{% endwith %}",
        "{{ 9 ** 9 ** 9 }}",
        "{{ 'x' * 1000000000 }}",
        "{{ [0] * 1000000000 }}",
        "{{ '%1000000000d' % 1 }}",
        "{{ input.x ~ input.x }}",
        "{{ range(1000000000) }}",
        "{{ range(1000000000) | list }}",
        "{{ input.nobody }}",
        "{{ nobody }}",
        "{{ _whet_turn() }}",
        "{{ range(*input.items) }}",
        "{{ input.get(**parameter) }}",
        "{{",
        "{% if %}",
        "{{ input.x | truncate(0) }}",
        "{{ 1 / 0 }}",
        "{{ '7' * 3 }}",
        "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
        "x" * (template.MOST_TEMPLATE + 1),
    ],
)
def test_what_does_more_is_refused(source: str) -> None:
    with pytest.raises(UsageError) as refused:
        render(source, VALUES, KNOWN)
    assert len(str(refused.value)) < 500
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "source",
    [
        "{% for a in range(999) %}" * 3 + "{% endfor %}" * 3,
        "{% for a in range(999) %}" * 2 + "{{ input.long }}" + "{% endfor %}" * 2,
        "{{ input.long | replace('x', input.long) }}",
        "{{ input.many | join(input.long) }}",
        "{{ input.long + input.long + input.long }}" * 100,
    ],
)
def test_time_and_length_have_an_end(source: str) -> None:
    many: list[JsonValue] = ["a"] * 10_000
    values: dict[str, JsonValue] = {"input": {"long": "x" * 500_000, "many": many}}
    begun = time.process_time()
    with pytest.raises(UsageError):
        render(source, values, {})
    assert time.process_time() - begun < 2


def test_a_template_that_never_renders_is_found_before() -> None:
    check("{{ input.whatever }}")
    with pytest.raises(UsageError, match="line 2"):
        check("fine\n{% set x = 1 %}")


@given(st.text(max_size=200))
def test_values_are_never_templates(text: str) -> None:
    """What stands in an input is shown as it is, however it looks."""
    hostile = f"{{{{ 7 * 7 }}}}{text}{{% for x in y %}}"
    assert render("{{ input.x }}", {"input": {"x": hostile}}, {}) == hostile
