from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.repo import budgets
from tests.repo.allowed import Exemption, Finding, exemptions, stale, unexcused
from tests.repo.tree import CODE, ROOT, modules

ALLOWED = exemptions(ROOT / "tests/repo/allowed.toml")
HOW_MANY_ALLOWED = 3
"""Lower it when an exception goes; it never rises."""

LONG = "def f():\n" + "    pass\n" * budgets.FUNCTION_LINES
SWALLOW = "try:\n    pass\nexcept {}:\n    pass\n"
TWO_PORTS = "class A(Protocol): ...\nclass B(Protocol[T]): ...\n"


@pytest.fixture(scope="module")
def findings() -> list[Finding]:
    return [
        finding
        for path, source in modules(*CODE)
        for rule in budgets.RULES
        for finding in rule(path, source)
    ]


def test_the_house_rules_are_kept(findings: list[Finding]) -> None:
    broken = unexcused(findings, ALLOWED)
    assert not broken, "\n".join(map(str, broken))


def test_every_exception_is_still_needed(findings: list[Finding]) -> None:
    assert stale(findings, ALLOWED) == []


def test_the_list_of_exceptions_only_shrinks() -> None:
    assert len(ALLOWED) == HOW_MANY_ALLOWED, "set HOW_MANY_ALLOWED to the new, lower number"


@pytest.mark.parametrize(
    ("rule", "path", "source"),
    [
        (budgets.file_lines, "src/a.py", "x = 1\n" * (budgets.FILE_LINES + 1)),
        (budgets.function_lines, "src/a.py", LONG),
        (budgets.function_lines, "src/a.py", "async " + LONG),
        (budgets.function_lines, "src/a.py", "class A:\n    " + LONG.replace("\n", "\n    ")),
        (budgets.module_name, "src/whet/utils.py", ""),
        (budgets.module_name, "tests/_helpers/a.py", ""),
        (budgets.broad_except, "src/a.py", SWALLOW.format("Exception")),
        (budgets.broad_except, "src/a.py", SWALLOW.format("(OSError, BaseException) as e")),
        (budgets.broad_except, "src/a.py", SWALLOW.format("")),
        (budgets.module_docstring, "src/_a.py", "x = 1\n"),
        (
            budgets.port_shape,
            "src/whet/ports/a.py",
            TWO_PORTS,
        ),
        (budgets.port_shape, "src/whet/ports/a.py", "x = 1\n" * (budgets.PORT_LINES + 1)),
    ],
)
def test_a_violation_is_found(
    rule: Callable[[str, str], Iterator[Finding]], path: str, source: str
) -> None:
    assert [finding.path for finding in rule(path, source)] == [path]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("src/a.py", '"""Doc."""\n' + "x = 1\n" * (budgets.FILE_LINES - 1)),
        ("tests/a.py", LONG.removesuffix("    pass\n")),
        ("tests/a.py", SWALLOW.format("OSError")),
        ("tests/a.py", SWALLOW.format("BaseException").removesuffix("pass\n") + "raise\n"),
        ("src/whet/ports/a.py", '"""Doc.\n' + "long\n" * 50 + '"""\n\n# why\n' + "x = 1\n" * 40),
    ],
)
def test_what_is_within_the_rules_is_not_found(path: str, source: str) -> None:
    assert [finding for rule in budgets.RULES for finding in rule(path, source)] == []


def test_an_exception_excuses_one_rule_in_one_file() -> None:
    finding = Finding("file-lines", "src/a.py", "401 lines")
    fits = Exemption("file-lines", "src/a.py", "a table")
    other = Exemption("file-lines", "src/b.py", "a table")
    assert unexcused([finding], [fits]) == []
    assert unexcused([finding], [other]) == [finding]
    assert stale([finding], [fits, other]) == [other]


def test_an_exception_needs_a_reason(tmp_path: Path) -> None:
    source = tmp_path / "allowed.toml"
    source.write_text('[[exception]]\nrule = "file-lines"\npath = "src/a.py"\nreason = " "\n')
    with pytest.raises(ValueError, match="no reason"):
        exemptions(source)
