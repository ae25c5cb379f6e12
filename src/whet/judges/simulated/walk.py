"""One walk over a syntax tree that gathers the facts.

It keeps its own stack and so stands any depth. Scopes are not told apart: a name bound anywhere
in the file is taken as known everywhere.
"""

import ast
from collections.abc import Callable
from typing import cast

from whet.judges.simulated.facts import Facts, Function

_LOOPS = frozenset({ast.For, ast.While, ast.AsyncFor})
_NESTING = _LOOPS | {ast.If, ast.With, ast.AsyncWith, ast.Try}
Definition = ast.FunctionDef | ast.AsyncFunctionDef
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef})
_WITHOUT_NODES = frozenset(
    {"ctx", "op", "ops", "type_comment", "kind", "attr", "arg", "name", "asname", "module"}
)
_LEAVES = frozenset({ast.Name, ast.Constant})


def gather(tree: ast.Module) -> Facts:
    """Gather what there is to see in *tree*."""
    facts = Facts()
    for item in tree.body:
        if isinstance(item, Definition | ast.ClassDef):
            if _has_docstring(item):
                facts.documented += 1
            else:
                facts.undocumented.append((item.lineno, item.name))
    stack: list[tuple[ast.AST, int, int, str]] = [(tree, 0, 0, "")]
    while stack:
        node, depth, loops, owner = stack.pop()
        kind = type(node)
        see = _SEE.get(kind)
        if see is not None:
            see(facts, node, owner)
        if kind in _LEAVES:
            continue
        if kind in _NESTING:
            depth, loops = _go_deeper(facts, node, depth, loops)
        elif kind in _DEFINITIONS:
            depth, loops, owner = 0, 0, cast("ast.FunctionDef", node).name
        for child in _children(node, kind):
            stack.append((child, depth, loops, owner))  # noqa: PERF401 (four values, in place)
    return facts


_fields: dict[type[ast.AST], tuple[str, ...]] = {}


def _children(node: ast.AST, kind: type[ast.AST]) -> list[ast.AST]:
    names = _fields.get(kind)
    if names is None:
        names = _fields[kind] = tuple(n for n in kind._fields if n not in _WITHOUT_NODES)
    children: list[ast.AST] = []
    for name in names:
        value: object = getattr(node, name, None)
        if isinstance(value, ast.AST):
            children.append(value)
        elif isinstance(value, list):
            items = cast("list[object]", value)
            children += [item for item in items if isinstance(item, ast.AST)]
    return children


def _go_deeper(facts: Facts, node: ast.AST, depth: int, loops: int) -> tuple[int, int]:
    line = cast("ast.stmt", node).lineno
    depth += 1
    if depth > facts.deepest[0]:
        facts.deepest = (depth, line)
    if type(node) in _LOOPS:
        loops += 1
        if loops > 1:
            facts.loops_in_loops[line] = loops
    return depth, loops


def _has_docstring(item: Definition | ast.ClassDef) -> bool:
    first = item.body[0]
    return (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )


def _see_name(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.Name)
    if isinstance(node.ctx, ast.Load):
        known = facts.used.get(node.id, node.lineno)
        facts.used[node.id] = min(known, node.lineno)
    else:
        _bind(facts, node.id, node.lineno)


def _see_argument(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.arg)
    _bind(facts, node.arg, node.lineno)


def _bind(facts: Facts, name: str, line: int) -> None:
    facts.bound.add(name)
    facts.variables.setdefault(name, line)


def _see_definition(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, Definition)
    facts.bound.add(node.name)
    facts.functions.append(Function(node.lineno, node.name, node.returns is not None))


def _see_class(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.ClassDef)
    facts.bound.add(node.name)


def _see_import(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.alias)
    if node.name == "*":
        facts.imports_everything = True
    facts.bound.add(node.asname or node.name.partition(".")[0])
    facts.mentions.update(node.name.split("."))


def _see_attribute(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.Attribute)
    facts.mentions.add(node.attr)


def _see_keyword(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.keyword)
    if node.arg is not None:
        facts.mentions.add(node.arg)


def _see_pattern(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping)
    name = node.rest if isinstance(node, ast.MatchMapping) else node.name
    if name is not None:
        facts.bound.add(name)


def _see_handler(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.ExceptHandler)
    if node.name is not None:
        facts.bound.add(node.name)
    if node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "BaseException"):
        facts.bare_handlers.append(node.lineno)
        return
    caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    facts.handlers += [
        (node.lineno, kind.attr if isinstance(kind, ast.Attribute) else kind.id)
        for kind in caught
        if isinstance(kind, ast.Attribute | ast.Name)
    ]


def _see_condition(facts: Facts, node: ast.AST, owner: str) -> None:
    assert isinstance(node, ast.If)
    first = node.body[0]
    if not owner:
        return
    if isinstance(first, ast.Raise):
        facts.refusals.append(node.lineno)
    elif isinstance(first, ast.Continue) or (
        isinstance(first, ast.Return) and _is_plain(first.value)
    ):
        facts.shortcuts.append(node.lineno)


def _is_plain(value: ast.expr | None) -> bool:
    if isinstance(value, ast.List | ast.Tuple):
        return not value.elts
    if isinstance(value, ast.Dict):
        return not value.keys
    return value is None or isinstance(value, ast.Constant | ast.UnaryOp)


def _see_raise(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.Raise)
    if isinstance(node.exc, ast.Call) and node.exc.args:
        facts.messages.append(node.lineno)


def _see_comparison(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.Compare)
    if any(isinstance(item, ast.Constant) and item.value is None for item in node.comparators):
        facts.none_checks.append(node.lineno)


def _see_call(facts: Facts, node: ast.AST, owner: str) -> None:
    assert isinstance(node, ast.Call)
    if owner and isinstance(node.func, ast.Name) and node.func.id == owner:
        facts.self_calls.setdefault(owner, []).append(node.lineno)


def _see_assignment(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.Assign)
    target = node.targets[-1]
    facts.assignments.append((target.end_lineno or 0, target.end_col_offset or 0))


def _see_return(facts: Facts, node: ast.AST, _owner: str) -> None:
    assert isinstance(node, ast.Return | ast.Yield)
    facts.returns += node.value is not None


_SEE: dict[type[ast.AST], Callable[[Facts, ast.AST, str], None]] = {
    ast.Name: _see_name,
    ast.arg: _see_argument,
    ast.FunctionDef: _see_definition,
    ast.AsyncFunctionDef: _see_definition,
    ast.ClassDef: _see_class,
    ast.alias: _see_import,
    ast.Attribute: _see_attribute,
    ast.keyword: _see_keyword,
    ast.MatchAs: _see_pattern,
    ast.MatchStar: _see_pattern,
    ast.MatchMapping: _see_pattern,
    ast.ExceptHandler: _see_handler,
    ast.If: _see_condition,
    ast.Raise: _see_raise,
    ast.Compare: _see_comparison,
    ast.Call: _see_call,
    ast.Assign: _see_assignment,
    ast.Return: _see_return,
    ast.Yield: _see_return,
}
