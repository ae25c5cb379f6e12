"""Size and shape rules that ruff does not have. Each takes a path and its source."""

import ast
import io
import tokenize
from collections.abc import Iterator
from pathlib import PurePosixPath

from tests.repo.allowed import Finding

FILE_LINES = 400
FUNCTION_LINES = 50
PORT_LINES = 40
NAMES_THAT_SAY_NOTHING = {"util", "utils", "helper", "helpers", "common", "misc"}


def file_lines(path: str, source: str) -> Iterator[Finding]:
    """A file fits on a few screens."""
    if (count := len(source.splitlines())) > FILE_LINES:
        yield Finding("file-lines", path, f"{count} lines, at most {FILE_LINES}")


def function_lines(path: str, source: str) -> Iterator[Finding]:
    """A function fits on one screen, nested ones included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            count = (node.end_lineno or node.lineno) - node.lineno + 1
            if count > FUNCTION_LINES:
                yield Finding(
                    "function-lines", path, f"{node.name}: {count} lines, at most {FUNCTION_LINES}"
                )


def module_name(path: str, source: str) -> Iterator[Finding]:  # noqa: ARG001 - one shape for all
    """A module or folder is named for what it holds."""
    parts = PurePosixPath(path).with_suffix("").parts
    for part in parts:
        if part.strip("_") in NAMES_THAT_SAY_NOTHING:
            yield Finding("module-name", path, f"{part!r} says nothing about the content")


def broad_except(path: str, source: str) -> Iterator[Finding]:
    """Nothing swallows errors it does not know; catching to clean up and raise again is fine."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ExceptHandler) and _is_broad(node.type) and not _reraises(node):
            yield Finding("broad-except", path, f"line {node.lineno} catches everything")


def _is_broad(caught: ast.expr | None) -> bool:
    if isinstance(caught, ast.Tuple):
        return any(_is_broad(one) for one in caught.elts)
    return caught is None or (
        isinstance(caught, ast.Name) and caught.id in {"Exception", "BaseException"}
    )


def _reraises(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def module_docstring(path: str, source: str) -> Iterator[Finding]:
    """Every module of the product says what it is for, private ones too."""
    if path.startswith("src/") and not ast.get_docstring(ast.parse(source)):
        yield Finding("module-docstring", path, "no docstring")


def port_shape(path: str, source: str) -> Iterator[Finding]:
    """A port is one small Protocol."""
    if not path.startswith("src/whet/ports/"):
        return
    tree = ast.parse(source)
    names = [node.name for node in tree.body if isinstance(node, ast.ClassDef) and _is_port(node)]
    if len(names) > 1:
        yield Finding("port-shape", path, f"more than one Protocol: {', '.join(names)}")
    if (count := len(_code_lines(source, tree))) > PORT_LINES:
        yield Finding("port-shape", path, f"{count} lines of code, at most {PORT_LINES}")


def _is_port(node: ast.ClassDef) -> bool:
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in node.bases)
    return any(ast.unparse(base).split(".")[-1] == "Protocol" for base in bases)


def _code_lines(source: str, tree: ast.Module) -> set[int]:
    """Lines that are neither blank nor comment nor docstring."""
    silent = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type not in silent and token.string
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Expr(value=ast.Constant(value=str()), lineno=first, end_lineno=last):
                lines -= set(range(first, (last or first) + 1))
            case _:
                pass
    return lines


RULES = (file_lines, function_lines, module_name, broad_except, module_docstring, port_shape)
