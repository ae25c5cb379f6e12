"""What the library itself writes is never taken for an edit from outside."""

from datetime import UTC, datetime
from pathlib import Path

from tests.stores.index.libraries import counts
from whet.core.asset_query import AssetQuery
from whet.curate import versions
from whet.curate.change import BaselineChange, SkillChange
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.documents.cases import BaselineCase
from whet.stores.index import FileIndex

NOW = datetime(2024, 1, 1, 12, tzinfo=UTC)
ABOUT = About(name="Writer", purpose="code", provider="me")


def flags(index: FileIndex, kind: str) -> list[tuple[str, bool]]:
    entry = index.get("skill" if kind == "skill" else "baseline", "Writer")
    assert entry.edited_outside == entry.versions[-1].edited_outside
    return [(one.version, one.edited_outside) for one in entry.versions]


def anew(workspace: Path) -> FileIndex:
    """An index that remembers nothing."""
    (workspace / "index.db").unlink(missing_ok=True)
    return FileIndex(workspace)


def test_edits_of_a_skill(tmp_path: Path, index: FileIndex) -> None:
    files = {"SKILL.md": b"one", "run.py": b"one", "old.py": b"one"}
    draft = SkillDraft(ABOUT, content="one", package=files)
    asset = versions.create(tmp_path, draft, NOW)
    steps = (
        SkillChange(content="two \u4e2d"),
        SkillChange(package={"SKILL.md": b"\r\nthree", "run.py": b"two", "new.py": b""}),
        SkillChange(purpose="review"),
    )
    for step in steps:
        index.refresh()
        asset = versions.edit(tmp_path, asset.meta.id, asset.meta.version, step, NOW)
    versions.rollback(tmp_path, asset.meta.id, "v1", "v4", NOW)
    versions.archive(tmp_path, asset.meta.id)
    assert counts(index.refresh()) == (2, 0, 0, 0)
    expected = [(f"v{number}", False) for number in range(1, 6)]
    assert flags(index, "skill") == expected
    assert index.skills(AssetQuery(status="archived", purpose="code")).total == 1
    fresh = anew(tmp_path)
    assert flags(fresh, "skill") == expected
    fresh.close()


def test_edits_of_a_baseline(tmp_path: Path, index: FileIndex) -> None:
    first, second = case("case_001", "one"), case("case_002", "two")
    asset = versions.create(tmp_path, BaselineDraft(ABOUT, (first, second)), NOW)
    index.refresh()
    changed = BaselineChange(cases=(case("case_002", "three"), case("", "four")))
    versions.edit(tmp_path, asset.meta.id, "v1", changed, NOW)
    index.refresh()
    assert flags(index, "baseline") == [("v1", False), ("v2", False)]
    fresh = anew(tmp_path)
    assert flags(fresh, "baseline") == [("v1", False), ("v2", False)]
    fresh.close()


def test_what_is_adopted_is_no_longer_marked(tmp_path: Path, index: FileIndex) -> None:
    asset = versions.create(tmp_path, SkillDraft(ABOUT, content="one"), NOW)
    change = SkillChange(content="two")
    asset = versions.edit(tmp_path, asset.meta.id, "v1", change, NOW)
    index.refresh()
    (asset.folder / "content.txt").write_text("by hand")
    index.refresh()
    assert flags(index, "skill") == [("v1", False), ("v2", True)]
    fresh = anew(tmp_path)
    assert flags(fresh, "skill") == [("v1", False), ("v2", True)]
    versions.adopt(tmp_path, asset.meta.id, "v2", NOW)
    fresh.refresh()
    assert flags(fresh, "skill") == [("v1", False), ("v2", True), ("v3", False)]
    fresh.close()


def case(identity: str, text: str) -> BaselineCase:
    return BaselineCase(
        id=identity,
        name=text,
        category="standard",
        input=text,
        expected_output="",
        created_at="",
        updated_at="",
    )
