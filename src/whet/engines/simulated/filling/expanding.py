"""A schema without its references and alternatives: one plain schema for each way to fit it."""

from collections.abc import Iterator
from itertools import islice

from pydantic import JsonValue

from whet.engines.simulated.filling.merging import merged
from whet.engines.simulated.filling.rules import Rules, Schema, items_of

_MOST_WAYS = 24
_DEEPEST = 16


def expanded(node: Schema, rules: Rules) -> Iterator[dict[str, JsonValue]]:
    """The first few ways to fit *node*; a value for one of them is worth a try, no more."""
    return islice(_ways(node, rules, 0), _MOST_WAYS)


def _ways(node: Schema, rules: Rules, depth: int) -> Iterator[dict[str, JsonValue]]:
    rules.spend()
    if node is False or depth > _DEEPEST:
        return
    if not isinstance(node, dict):
        yield {}
        return
    rest = dict(node)
    if "$ref" in rest:
        reference = rest.pop("$ref")
        yield from _ways(merged(rest, rules.referred(reference)), rules, depth + 1)
    elif "allOf" in rest:
        whole: Schema = rest
        for part in items_of(rest.pop("allOf")):
            whole = merged(whole, _plain(part, rules, depth))
        yield from _ways(whole, rules, depth + 1)
    elif "anyOf" in rest or "oneOf" in rest:
        name = "anyOf" if "anyOf" in rest else "oneOf"
        for branch in items_of(rest.pop(name)):
            yield from _ways(merged(rest, _plain(branch, rules, depth)), rules, depth + 1)
    elif "if" in rest:
        test, then, other = (rest.pop(name, True) for name in ("if", "then", "else"))
        yield from _ways(merged(merged(rest, test), then), rules, depth + 1)
        yield from _ways(merged(rest, other), rules, depth + 1)
    else:
        yield rest


def _plain(part: Schema, rules: Rules, depth: int) -> Schema:
    """A part that is to be merged with others, in the first of its own ways."""
    return next(_ways(part, rules, depth + 1), False)
