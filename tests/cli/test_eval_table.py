"""The report in the terminal: it fits, it is whole, and nothing in it steers."""

import io
import re
from dataclasses import replace

import pytest
from rich.cells import cell_len
from rich.console import Console

from tests.exporters.reports import (
    alone,
    benchmark,
    broken,
    difference,
    hostile,
    metadata,
    report,
    statistics,
    verdict,
)
from whet.cli.eval_table import EVALS, print_report
from whet.documents.benchmark import MissingRun
from whet.documents.eval_statistics import EvalFinding
from whet.ports.exporter import EvalReport


def text(given: EvalReport, language: str = "en", width: int = 80, *, colour: bool = False) -> str:
    console = Console(file=io.StringIO(), width=width, force_terminal=colour)
    print_report(console, given, language)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def rows(shown: str) -> list[list[str]]:
    """The cells of every line."""
    return [re.split(r"\s{2,}", line.strip()) for line in shown.splitlines()]


def test_the_verdict_comes_first_and_then_the_tables() -> None:
    shown = text(report())
    lines = [line for line in shown.splitlines() if line.strip()]
    assert lines[0] == "testing · claude · sonnet"
    assert lines[1].startswith("Better  The skill helps: +12.0 points (95 % interval +4.0 … +20.0)")
    assert ["score", "80.0 ± 3.0", "68.0 ± 3.0", "+12.0"] in rows(shown)
    assert ["cost", "$0.0123 ± 0.0010", "$0.0123 ± 0.0010", "$0.0000"] in rows(shown)


def test_evals_come_with_the_worst_first() -> None:
    found = rows(text(report()))
    assert found.index(["Fix a test", "70.0", "66.0", "+4.0", "2"]) < found.index(
        ["Create a test", "90.0", "70.0", "+20.0", "2"]
    )


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("made", [report(), report(broken()), report(alone()), hostile()])
def test_it_fits_into_80_columns_whole(made: EvalReport, language: str) -> None:
    shown = text(made, language)
    assert max(map(cell_len, shown.splitlines())) <= 80
    assert "…" not in re.sub(r" … |[^ ]…", "", shown.replace("\n", " "))


def test_two_legs_fit_too_and_say_how_they_are_judged() -> None:
    large = "a-model-with-a-long-name-2026-01-01"
    two = report(
        benchmark(metadata=metadata("opencode", executor_model=large)),
        benchmark(metadata=metadata("codex"), verdict=verdict("worse", -0.1, None)),
    )
    second = replace(two.legs[1], label="inconclusive")
    shown = text(replace(two, legs=(two.legs[0], second)))
    assert max(map(cell_len, shown.splitlines())) <= 80
    assert ["codex", "sonnet", "Inconclusive", "−10.0", "−18.0 … −2.0"] in rows(shown)
    assert "Holm" in shown


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("Simulated:", "Partial:", "rate limit")), ("zh", ("模拟结果", "结果不完整", "rate"))],
)
def test_what_is_simulated_and_missing_is_said(language: str, words: tuple[str, ...]) -> None:
    shown = text(report(broken()), language)
    for word in words:
        assert word in shown
    assert words[0] not in text(report(), language)


def test_more_than_a_screen_is_counted() -> None:
    many = tuple(difference(number, number / 100, 0.5) for number in range(40))
    missing = tuple(
        MissingRun(eval_id=1, configuration="with_skill", run_number=n, reason=f"reason {n}")
        for n in range(30)
    )
    findings = tuple(
        EvalFinding(kind=kind, eval_id=1, text=f"{kind} {n}")
        for n in range(9)
        for kind in ("flaky", "vacuous")
    )
    made = report(
        benchmark(
            metadata=metadata(evals_run=tuple(range(40))),
            statistics=statistics(by_eval=many, findings=findings),
            missing=missing,
        )
    )
    shown = text(made)
    assert f"… and {40 - EVALS} more evals" in shown
    assert ["eval 0", "0.0", "50.0", "−50.0", "2"] in rows(shown)
    assert f"eval {EVALS} " not in shown
    assert "… and 22 more." in shown
    assert shown.count("… and 6 more.") == 2
    assert len(shown.splitlines()) < 70


def test_nothing_from_outside_steers_the_terminal_or_the_markup() -> None:
    shown = text(hostile(), width=200)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)
    assert "[bold]rich[/] [/]" in shown


def test_brackets_in_a_name_are_only_brackets() -> None:
    names = {"1": "[bold]x[/]", "2": "[/]"}
    made = benchmark(
        runs=tuple(
            run.model_copy(update={"eval_name": names[str(run.eval_id)]})
            for run in benchmark().runs
        )
    )
    found = rows(text(report(made)))
    assert ["[bold]x[/]", "90.0", "70.0", "+20.0", "2"] in found
    assert ["[/]", "70.0", "66.0", "+4.0", "2"] in found


def test_colour_says_nothing_that_words_do_not() -> None:
    worse = report(benchmark(verdict=verdict("worse", -0.1, None)))
    plain, coloured = text(worse), text(worse, colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain
    assert "Worse" in plain


@pytest.mark.parametrize("width", [1, 10, 30, 200])
def test_an_absurd_width_is_survived(width: int) -> None:
    for made in (report(), report(broken()), hostile()):
        assert text(made, "zh", width)
