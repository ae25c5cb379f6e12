"""Result files are somebody's word: what does not fit is named and left alone."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.app.opening import app_on
from tests.app.originals import Original
from tests.app.test_takeover import run, told
from tests.curate.original.desktop import Fields, image, read, scores, write
from whet.app.projects import results
from whet.app.takeover.takeover import MOST_NOTES, take_over, taken_over
from whet.core.errors import UsageError
from whet.core.result import Counts
from whet.evaluate.project import opened
from whet.ports.results import ResultQuery

BEYOND = 10**400


@pytest.fixture
def original(tmp_path: Path) -> Original:
    made = Original(tmp_path)
    made.add(0, 0)
    return made


MISFITS: dict[str, tuple[Fields, str]] = {
    "skill": ({"skill_id": "somebody"}, "another skill"),
    "version": ({"skill_version": "v2"}, "another version"),
    "baseline": ({"baseline_id": "another"}, "a baseline"),
    "baseline version": ({"baseline_version": "v9"}, "a version of it"),
    "case": ({"case_id": "case_009"}, "called otherwise"),
    "unknown case": ({"case_id": "case_009", "file": "case_009.json"}, "does not have"),
    "forgotten case": ({"case_id": "undefined", "input": "?"}, "cannot be told"),
    "input": ({"input": "another question"}, "another input"),
    "attempt": ({"file": "case_002.run-2.json"}, "attempt 2 of 1"),
    "attempt one": ({"file": "case_002.run-1.json"}, "attempt 1 of 1"),
    "other attempt": ({"attempt": 2}, "called otherwise"),
    "name": ({"file": "other.json"}, "called otherwise"),
    "no name": ({"file": "case_002.txt"}, "not called as a result"),
    "trial": ({"trial_address": "0" * 64}, "another trial"),
    "status": ({"status": "great"}, "status"),
    "output": ({"actual_output": ["x"]}, "actual_output"),
    "negative time": ({"duration_ms": -1}, "duration_ms cannot be right"),
    "endless": ({"duration_ms": BEYOND}, "duration_ms cannot be right"),
    "tokens": ({"input_tokens": -5}, "input_tokens cannot be right"),
    "money": ({"cost_usd": 1e300}, "cost_usd cannot be right"),
    "no time": ({"executed_at": "yesterday"}, "executed_at is no time"),
    "never": ({"executed_at": None}, "executed_at is no time"),
    "far away": ({"executed_at": "0001-01-01T00:00:00+14:00"}, "executed_at is no time"),
    "long": ({"model_version": "m" * 10_000}, "longer than"),
    "folder": ({"folder": "skill_iter_v2"}, "no skill of the project"),
}


@pytest.mark.parametrize("name", MISFITS)
def test_what_does_not_fit_a_place_is_left(original: Original, name: str) -> None:
    changes, reason = MISFITS[name]
    path = original.add(0, 1, **changes)
    project = original.copied()
    before = image(project.folder / "results")
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=1)
        (what,) = told(app, project).values()
        assert reason in what
        assert len(what.splitlines()) == 1
    assert image(project.folder / "results") == before
    assert path.name in {Path(name).name for name in before}


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "NaN": (lambda p: p.write_text('{"duration_ms": NaN}'), "broken JSON"),
    "half": (lambda p: p.write_text(p.read_text()[:99]), "broken JSON"),
    "empty": (lambda p: p.write_text("{}"), "cannot be told"),
    "list": (lambda p: p.write_text("[]"), "must be an object"),
    "bytes": (lambda p: p.write_bytes(b"\xff\xfe"), "broken JSON"),
    "deep": (lambda p: p.write_text('{"x":' + "[" * 5000 + "]" * 5000 + "}"), ""),
    "huge": (lambda p: os.truncate(p, 65 * 1024 * 1024), "is larger than 64 MB"),
    "pipe": (lambda p: (p.unlink(), os.mkfifo(p)), "is no file"),
    "link": (
        lambda p: (p.rename(p.with_suffix(".old")), p.symlink_to("case_002.old")),
        "is a link",
    ),
    "folder": (lambda p: (p.unlink(), p.mkdir(), write(p / "case_002.json", {})), "told"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_left(original: Original, name: str) -> None:
    spoil, reason = BROKEN[name]
    path = original.add(0, 1)
    project = original.copied()
    spoil(project.folder / path.relative_to(original.source))
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=1)
        what = [w for p, w in told(app, project).items() if "case_002.json" in p]
        assert len(what) == 1
        assert reason in what[0]


def test_scores_beyond_all_numbers_are_no_scores(original: Original) -> None:
    original.add(0, 1, scores={**scores(), "robustness": BEYOND})
    original.add(0, 2, scores=scores(total=BEYOND))
    project = original.copied()
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=3, unscored=2)
        assert set(told(app, project).values()) == {"has no score: a score is far out of its scale"}


def test_a_place_has_one_result(original: Original) -> None:
    """The file where we would write goes first, and one that says its case by its name."""
    original.add(0, 0, folder=original.arm(0), actual_output="ours")
    original.add(0, 0, folder=f"skill_{original.arm(0)}", actual_output="third")
    original.add(0, 0, file="undefined.json", folder=original.arm(0), actual_output="second")
    project = original.copied()
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=1)
        assert results.one(app, project, original.arm(0), "case_001").actual_output == "ours"
        assert [*told(app, project).values()] == [
            "is a result of the same place as another file"
        ] * 3


@pytest.mark.parametrize("place", ["results", "folder"])
def test_results_behind_links_are_not_read_and_not_written(
    original: Original, tmp_path: Path, place: str
) -> None:
    original.add(1, 0)
    original.set_up(engine="simulated")
    project = original.copied()
    outside = tmp_path / "outside"
    inner = project.folder / "results"
    if place == "folder":
        inner = inner / original.arm(0)
        shutil.move(project.folder / "results" / original.first, outside)
    else:
        shutil.move(inner, outside)
    inner.symlink_to(outside)
    before = image(outside)
    with app_on(original.workspace) as app:
        assert results.counts(app, project).completed == (place == "folder")
        with pytest.raises(UsageError, match="is a link, or behind one; nothing is written"):
            run(app, project)
    assert image(outside) == before


def test_a_link_in_place_of_a_result_is_replaced_and_not_followed(
    original: Original, tmp_path: Path
) -> None:
    original.set_up(engine="simulated")
    project = original.copied()
    secret = tmp_path / "secret.json"
    write(secret, {"secret": True})
    path = project.folder / f"results/{original.arm(1)}/case_001.json"
    path.parent.mkdir()
    path.symlink_to(secret)
    pipe = path.with_name("case_002.json")
    os.mkfifo(pipe)
    with app_on(original.workspace) as app:
        run(app, project)
    assert read(secret) == {"secret": True}
    assert not path.is_symlink()
    assert pipe.is_file()
    assert read(path)["case_id"] == "case_001"
    assert not list(project.folder.glob(f"results/original/{original.arm(1)}/*"))


def test_text_that_is_none_is_kept_as_well_as_it_can_be(original: Original) -> None:
    path = original.add(0, 1)
    said = {"actual_output": "half an emoji: \ud83d", "score_reasoning": "\ud83d"}
    write_raw(path, read(path), said, {})
    project = original.copied()
    odd = project.folder / "results" / original.first / os.fsdecode(b"\xff.json")
    odd.write_text("{}")
    with app_on(original.workspace) as app:
        assert results.counts(app, project) == Counts(completed=2)
        found = results.one(app, project, original.arm(0), "case_002")
        assert (found.actual_output, found.score_reasoning) == ("half an emoji: ?", "?")
        assert len(told(app, project)) == 1


@pytest.mark.slow
def test_a_report_has_an_end(original: Original) -> None:
    folder = original.source / "results" / original.first
    for number in range(MOST_NOTES + 5):
        (folder / f"x{number}.json").touch()
    project = original.copied()
    with app_on(original.workspace) as app:
        taken = take_over(app, project)
        assert taken is not None
        assert (len(taken.notes), taken.more_notes) == (MOST_NOTES, 5)


anything = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
FIELDS = ["case_id", "skill_id", "status", "input", "executed_at", "duration_ms", "scores", "error"]
MORE = ["expected_output", "actual_output", "cost_usd", "attempt", "generation", "simulated"]


@pytest.mark.slow
@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    st.dictionaries(st.sampled_from([*FIELDS, *MORE]), anything, max_size=3),
    st.dictionaries(st.sampled_from(sorted(scores())), anything, max_size=2),
)
def test_whatever_a_file_says_numbers_stay_right(
    tmp_path_factory: pytest.TempPathFactory, changes: Fields, points: Fields
) -> None:
    original = Original(tmp_path_factory.mktemp("any"))
    made = read(original.add(0, 1))
    write_raw(original.source / f"results/{original.first}/case_002.json", made, changes, points)
    project = original.copied()
    with app_on(original.workspace) as app:
        take_over(app, project)
        before = image(project.folder)
        for one in results.page(app, project, ResultQuery("")).items:
            assert one.result.score is None or 0 <= one.result.score <= 1
            assert one.result.duration_ms >= 0
        again = taken_over(app, project.config.id)
        if again is not None and again.results:
            assert take_over(app, opened(project.folder)) is None
            assert image(project.folder) == before


def write_raw(path: Path, made: Fields, changes: Fields, points: Fields) -> None:
    text = json.dumps({**made, "scores": {**made["scores"], **points}, **changes})
    path.write_text(text)
