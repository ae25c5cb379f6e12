"""The layout: which packages there are and where entry points lead."""

import ast
import configparser
import re
import tomllib
from pathlib import Path
from typing import cast

NOT_OF_A_PACKAGE = {"e2e", "flows", "repo", "security"}
"""Test folders that look at the whole."""


def layers(config: Path) -> set[str]:
    """The packages that the import contracts give a place."""
    parser = configparser.ConfigParser()
    parser.read_string(config.read_text())
    return set(re.findall(r"\w+", parser["importlinter:contract:layers"]["layers"]))


def packages_without_docstring(source: Path, names: set[str]) -> list[str]:
    """Those of *names* below *source* that do not exist or do not say what they are for."""
    return [name for name in sorted(names) if not _docstring(source / name / "__init__.py")]


def _docstring(path: Path) -> str | None:
    return ast.get_docstring(ast.parse(path.read_text())) if path.is_file() else None


def orphaned_test_folders(tests: Path, source: Path) -> list[str]:
    """Test folders that mirror no package."""
    return [
        folder.name
        for folder in sorted(tests.iterdir())
        if folder.is_dir()
        and any(folder.rglob("*.py"))
        and folder.name not in NOT_OF_A_PACKAGE
        and not (source / folder.name / "__init__.py").is_file()
    ]


def entry_points(pyproject: Path) -> list[str]:
    """Every ``module:name`` that the package declares."""
    project = tomllib.loads(pyproject.read_text())["project"]
    groups = cast("dict[str, dict[str, str]]", project.get("entry-points", {}))
    scripts = cast("dict[str, str]", project.get("scripts", {}))
    return sorted(
        [*scripts.values(), *(one for group in groups.values() for one in group.values())]
    )


def leads_nowhere(target: str, source: Path) -> bool:
    """Whether the module of an entry point is missing or does not have the name."""
    module, _, name = target.partition(":")
    path = source.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return name not in _top_level_names(candidate.read_text())
    return True


def _top_level_names(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names
