"""Assets for the tests of the library."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.library import Asset
from whet.curate.versions import create
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.cases import BaselineCase

NOW = datetime(2024, 1, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(hours=1)
ABOUT = About("Writer", "code", "me", "Writes.", "Zhang", "here")


def text_skill(workspace: Path, content: str = "Be careful.\n") -> Asset[SkillMeta]:
    """A skill of one text."""
    return create(workspace, SkillDraft(ABOUT, content=content), NOW)


def package_skill(workspace: Path) -> Asset[SkillMeta]:
    """A skill with a script that may be executed."""
    files = {
        "SKILL.md": b"---\nname: writer\n---\nBe careful.\n",
        "scripts/run.sh": b"#!/bin/sh\necho\n",
        "evals/evals.json": b"{}",
        "data.bin": bytes(range(256)),
    }
    draft = SkillDraft(ABOUT, package=files, executables=frozenset({"scripts/run.sh"}))
    return create(workspace, draft, NOW)


def case(identity: str = "", prompt: str = "Sort a list.", moment: str = "") -> BaselineCase:
    """A small case; without an id it is to get one."""
    return BaselineCase(
        id=identity,
        name="Sorting",
        category="standard",
        input=prompt,
        expected_output="A sorted list.",
        created_at=moment,
        updated_at=moment,
    )


def baseline(workspace: Path, *cases: BaselineCase) -> Asset[BaselineMeta]:
    """A baseline of these cases, or of two."""
    about = About("Tests", "code_test", "me")
    return create(workspace, BaselineDraft(about, cases or (case(), case())), NOW)


def tree(folder: Path) -> dict[str, bytes]:
    """Every file below a folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
