"""Random projects, libraries and edits: results are what reading every file gives."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.stores.index.libraries import add, identity
from tests.stores.index.tested import add_project
from whet.documents.leaderboard import SkillTestSummary
from whet.ports.board import BoardQuery
from whet.stores.index import FileIndex

SCORES = st.dictionaries(
    st.sampled_from(["a", "a@v2", "b"]), st.none() | st.integers(0, 100), min_size=1, max_size=3
)
ON = st.lists(st.sampled_from(["t", "t@v2", "u"]), min_size=1, max_size=2, unique=True)
Step = Callable[[Path], object]
Key = tuple[str, str, str, str, str]


def ran(name: str, scores: dict[str, float | None], baselines: list[str]) -> Step:
    return lambda workspace: add_project(workspace, name, scores, baselines)


def shelved(name: str, version: int) -> Step:
    content = "text" if name in "ab" else ["case"]
    return lambda workspace: add(workspace, name, version, content)


def dropped(pattern: str) -> Step:
    return lambda workspace: [
        shutil.rmtree(folder) for folder in sorted(workspace.glob(pattern))[:1]
    ]


def broken(name: str) -> Step:
    return lambda workspace: [
        path.write_text("{") for path in sorted(workspace.glob(f"projects/*/{name}"))[:1]
    ]


STEPS = st.one_of(
    st.builds(ran, st.sampled_from("pqr"), SCORES, ON),
    st.builds(shelved, st.sampled_from("abtu"), st.integers(1, 3)),
    st.builds(dropped, st.sampled_from(["skills/*/*/*", "baselines/*/*/*", "projects/*"])),
    st.builds(broken, st.sampled_from(["config.json", "results/summary.json"])),
    st.none(),
)
"""None stands for a look."""


def newest(workspace: Path, shelf: str) -> dict[str, str]:
    metas = [json.loads(path.read_text()) for path in workspace.glob(f"{shelf}/*/*/*/meta.json")]
    metas.sort(key=lambda meta: int(meta["version"][1:]))
    return {meta["id"]: meta["version"] for meta in metas}


def naive(workspace: Path) -> Iterator[tuple[Key, float | None, tuple[str | None, str | None]]]:
    """Every result, and the newest versions of its skill and baseline."""
    skills, baselines = newest(workspace, "skills"), newest(workspace, "baselines")
    for folder in sorted(workspace.glob("projects/*")):
        try:
            config = json.loads((folder / "config.json").read_text())
            summary = json.loads((folder / "results/summary.json").read_text())
        except (FileNotFoundError, ValueError):
            continue
        only = config["baselines"][0]
        alone = {"baseline_id": only["ref_id"], "baseline_version": only["version"]}
        for part in summary.get("by_baseline") or [alone | {"ranking": summary["ranking"]}]:
            for place in part["ranking"]:
                skill, baseline = place["skill_id"], part["baseline_id"]
                key = (config["id"], skill, place["skill_version"], baseline)
                current = (skills.get(skill), baselines.get(baseline))
                yield (*key, part["baseline_version"]), place["avg_score"], current


def check(workspace: Path, index: FileIndex) -> None:
    records = [result.record for result in index.results(BoardQuery())]
    found = [
        (
            (
                record.project_id,
                record.skill_id,
                record.skill_version_tested,
                record.baseline_id,
                record.baseline_version_tested,
            ),
            record.avg_score,
            (record.skill_version_current, record.baseline_version_current),
        )
        for record in records
    ]
    assert sorted(found, key=lambda one: one[0]) == sorted(naive(workspace), key=lambda one: one[0])
    for record in records:
        is_updated = (
            record.skill_version_tested != record.skill_version_current,
            record.baseline_version_tested != record.baseline_version_current,
        )
        words = {(False, False): "current", (True, False): "skill_updated"}
        words |= {(False, True): "baseline_updated", (True, True): "both_updated"}
        assert record.staleness == words[is_updated]
    ids = [identity(name) for name in ("a", "b", "nobody")]
    by_skill = {one: [record for record in records if record.skill_id == one] for one in ids}
    assert index.test_summaries(ids) == {
        one: SkillTestSummary.of(mine) for one, mine in by_skill.items() if mine
    }


@pytest.mark.slow
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(STEPS, max_size=15))
def test_results_are_what_the_files_say(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step | None]
) -> None:
    workspace = tmp_path_factory.mktemp("projects")
    index = FileIndex(workspace)
    try:
        for step in (*steps, None):
            if step is not None:
                step(workspace)
                continue
            index.refresh()
            check(workspace, index)
    finally:
        index.close()
