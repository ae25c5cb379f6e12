"""The sample workspace: well formed, and a demonstration that comes out as it should."""

import json
from pathlib import Path
from statistics import mean
from uuid import UUID

import pytest

import whet
from tests.engines.simulation import case, grades
from whet.core.case import Case
from whet.documents.assets import BaselineMeta, SkillMeta, Tags
from whet.documents.cases import BaselineCases
from whet.engines.simulated.kernels import ANYTHING, recognise
from whet.stats.paired import paired_difference, verdict

SAMPLES = Path(whet.__file__).parent / "app" / "sample_workspace"
REPEATS = 3
each_language = pytest.mark.parametrize("language", ["en", "zh"])


def skills(language: str) -> list[tuple[Path, SkillMeta]]:
    """In the order in which they were made: the careful, the decent and the bloated one."""
    folders = (SAMPLES / language).glob("skills/*/*/skill_*")
    found = [(folder, SkillMeta.load(folder / "meta.json")) for folder in folders]
    return sorted(found, key=lambda one: one[1].created_at)


def baseline(language: str) -> Path:
    (folder,) = (SAMPLES / language).glob("baselines/*/*/baseline_*")
    return folder


def cases(language: str) -> list[Case]:
    document = BaselineCases.load(baseline(language) / "cases.json")
    return [case(one.input, one.expected_output) for one in document.cases]


@each_language
def test_skills_lie_where_their_meta_says(language: str) -> None:
    found = skills(language)
    assert len(found) == 3
    for folder, meta in found:
        assert UUID(meta.id).version == 4
        assert folder.name == f"skill_{meta.id[:8]}_{meta.version}"
        assert folder.parts[-3:-1] == (meta.purpose, meta.provider)
        assert (folder / meta.content_file).read_text().endswith("\n")


@each_language
def test_the_baseline_is_whole(language: str) -> None:
    folder = baseline(language)
    meta = BaselineMeta.load(folder / "meta.json")
    document = BaselineCases.load(folder / "cases.json")
    assert folder.name == f"baseline_{meta.id[:8]}_{meta.version}"
    assert folder.parts[-3:-1] == (meta.purpose, meta.provider)
    assert (document.baseline_id, meta.case_count) == (meta.id, len(document.cases))
    assert [one.id for one in document.cases] == [f"case_{n:03d}" for n in range(1, 11)]
    categories = [one.category for one in document.cases]
    assert [categories.count(kind) for kind in ("standard", "boundary", "exception")] == [6, 2, 2]


def test_no_id_is_used_twice() -> None:
    ids: list[str] = []
    for path in SAMPLES.rglob("*.json"):
        if path.name == "meta.json":
            ids.append(json.loads(path.read_text())["id"])
        elif path.name == "tags.json":
            ids += [tag.id for tag in Tags.load(path).manual]
    assert len(ids) == len(set(ids))
    assert all(UUID(one).version == 4 for one in ids)


def test_documents_are_written_as_we_write_them() -> None:
    for path in SAMPLES.rglob("*.json"):
        text = path.read_text()
        assert text == json.dumps(json.loads(text), ensure_ascii=False, indent=2) + "\n"


@each_language
def test_the_agent_knows_every_task(language: str) -> None:
    known = [recognise(one.stimulus.prompt).name for one in cases(language)]
    assert ANYTHING.name not in known
    assert len(set(known)) == len(known)


def case_means(skill: str | None, language: str) -> list[float]:
    found = grades(skill, cases(language), REPEATS)
    return [mean(sum(one.values()) for one in of_case) for of_case in found]


@pytest.mark.slow
@each_language
def test_the_careful_skill_wins_and_the_bloated_one_loses(language: str) -> None:
    careful, decent, bloated = (
        case_means((folder / "content.txt").read_text(), language) for folder, _ in skills(language)
    )
    assert 82 < mean(careful) < 94
    assert 71 < mean(decent) < 83
    assert 58 < mean(bloated) < 72
    assert verdict(paired_difference(careful, bloated).interval) == "better"
    assert verdict(paired_difference(careful, decent).interval) == "better"
    assert mean(decent) > mean(bloated)
    assert mean(case_means(None, language)) < mean(careful)
