"""Prompts of packages: templates that strangers write, and that nobody has to trust.

A template can show values, choose and go through lists. It cannot call, define or load anything,
and neither its time nor its length grows beyond measure: what is not on the lists below is refused
when the package is read. The sandbox of the library stands behind that, as a second wall.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from jinja2 import Template, TemplateError, nodes
from jinja2.exceptions import SecurityError
from pydantic import JsonValue

from whet.core.effort import Exhausted, limited
from whet.core.errors import UsageError
from whet.core.sized_cache import sized_cache
from whet.run.job.template_values import (
    FILTERS,
    METHODS,
    SAME,
    TESTS,
    bagged,
    bounded,
    environment,
)

MOST_TEMPLATE = 64 * 1024
MOST_TURNS = 100_000
"""Of all loops of a template together."""

_STRUCTURE: tuple[type[nodes.Node], ...] = (
    *(nodes.Template, nodes.Output, nodes.TemplateData, nodes.If, nodes.For, nodes.CondExpr),
    *(nodes.Name, nodes.Const, nodes.List, nodes.Tuple, nodes.Dict, nodes.Pair, nodes.Keyword),
    *(nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Filter, nodes.Test, nodes.Call),
    *(nodes.Compare, nodes.Operand, nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos),
    *(nodes.Add, nodes.Sub, nodes.Mul, nodes.Div, nodes.FloorDiv, nodes.Mod),
)
_TICK = "_whet_turn"
_MISTAKES = (TypeError, ValueError, ArithmeticError, LookupError, AttributeError, AssertionError)
"""What filters raise for values that they are not meant for."""

_ENVIRONMENT = environment()


def check(source: str) -> None:
    """Raise ``UsageError`` unless *source* is a template that may be used."""
    _compiled(source)


def render(
    source: str, values: Mapping[str, JsonValue], known: Mapping[str, frozenset[str]]
) -> str:
    """The prompt; raises ``UsageError``. *known* are members of the values that may be absent."""
    template = _compiled(source)
    parts: list[str] = []
    length = 0
    try:
        context = {
            name: bagged(each, known.get(name, frozenset())) for name, each in values.items()
        }
        with limited():
            for part in template.generate({**context, _TICK: _turns()}):
                length += len(part)
                bounded(length)
                parts.append(part)
    except (TemplateError, Exhausted, *_MISTAKES) as error:
        raise UsageError(f"the prompt of the package cannot be made: {_told(error)}") from None
    except RecursionError:
        raise UsageError("the prompt of the package cannot be made: nested too deeply") from None
    return "".join(parts)


@sized_cache(16 * 1024 * 1024, per_character=60)
def _compiled(source: str) -> Template:
    if len(source) > MOST_TEMPLATE:
        raise UsageError(f"a prompt of the package has more than {MOST_TEMPLATE // 1024} KiB")
    try:
        tree = _ENVIRONMENT.parse(source)
        for node in _below(tree):
            _refuse(node)
        _bind(tree)
        code = _ENVIRONMENT.compile(tree)
        return Template.from_code(_ENVIRONMENT, code, _ENVIRONMENT.make_globals(None))
    except (TemplateError, SyntaxError, ValueError) as error:
        raise UsageError(f"a prompt of the package is no template: {_told(error)}") from None
    except (RecursionError, MemoryError):
        raise UsageError("a prompt of the package is no template: nested too deeply") from None


def _bind(tree: nodes.Node) -> None:
    """Let loops count their turns, and whatever may take long look at the clock."""
    for loop in list(tree.find_all(nodes.For)):
        turn = nodes.Call(nodes.Name(_TICK, "load"), [], [], None, None)
        loop.body.insert(0, nodes.Output([turn]).set_lineno(loop.lineno, override=True))
        turn.set_lineno(loop.lineno)
        loop.iter = _clocked(loop.iter)
        loop.test = _clocked(loop.test) if loop.test is not None else None
    for comparison in list(tree.find_all(nodes.Compare)):
        comparison.expr = _clocked(comparison.expr)


def _clocked(node: nodes.Node) -> Any:
    return nodes.Filter(node, SAME, [], [], None, None).set_lineno(node.lineno)


def _below(tree: nodes.Node) -> Iterator[nodes.Node]:
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        waiting += node.iter_child_nodes()


def _refuse(node: nodes.Node) -> None:
    """Raise ``UsageError`` for what a template here cannot have."""
    if not isinstance(node, _STRUCTURE):
        raise _unfit(node, type(node).__name__.lower())
    if isinstance(node, nodes.Name) and (node.name.startswith("_") or node.name == "self"):
        raise _unfit(node, f"the name {node.name}")
    if isinstance(node, nodes.For) and node.recursive:
        raise _unfit(node, "a recursive loop")
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        raise _unfit(node, f"the filter {node.name}")
    if isinstance(node, nodes.Test) and node.name not in TESTS:
        raise _unfit(node, f"the test {node.name}")
    if isinstance(node, nodes.Call) and not _is_harmless(node):
        raise _unfit(node, "a call")


def _is_harmless(call: nodes.Call) -> bool:
    if call.dyn_args is not None or call.dyn_kwargs is not None or call.kwargs:
        return False
    target = call.node
    if isinstance(target, nodes.Name):
        return target.name == "range"
    return isinstance(target, nodes.Getattr) and target.attr in METHODS


def _unfit(node: nodes.Node, what: str) -> UsageError:
    return UsageError(
        f"a prompt of the package has {what} in line {node.lineno}, which it must not"
    )


def _turns() -> Callable[[], str]:
    left = MOST_TURNS

    def turn() -> str:
        nonlocal left
        left -= 1
        if left < 0:
            raise SecurityError(f"its loops take more than {MOST_TURNS:,} turns")
        return ""

    return turn


def _told(error: BaseException) -> str:
    line = getattr(error, "lineno", None)
    message = " ".join(str(error).split())[:300] or type(error).__name__
    return f"line {line}: {message}" if isinstance(line, int) else message
