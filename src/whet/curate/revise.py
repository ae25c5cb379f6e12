"""Drafts and changes become snapshots: everything is checked here, before anything is written."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from whet.core.errors import UsageError
from whet.core.instant import iso_seconds
from whet.curate.archive import clashes
from whet.curate.case_ids import checked, dated, numbered
from whet.curate.change import KEEP, AboutChange, BaselineChange, SkillChange
from whet.curate.draft import About, BaselineDraft, SkillDraft
from whet.curate.library import DEEPEST, MOST_BYTES, MOST_FILES
from whet.curate.segments import asset_name, package_path, segment, shown, storable
from whet.curate.snapshot import ENTRY, BaselineSnapshot, SkillSnapshot
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.cases import BaselineCases

MOST_TEXT = 16 * 1024 * 1024
"""Bytes of a text, and of a SKILL.md: history keeps it before and after."""

MOST_CASES = 10_000
MOST_CASE_BYTES = 64 * 1024 * 1024
LONGEST_REMARK = 100_000
"""Characters of a description, an author or a source."""


def new_skill(draft: SkillDraft, identity: str, now: datetime) -> SkillSnapshot:
    """The first version of a skill. Of a package its SKILL.md is the content."""
    moment = iso_seconds(now)
    about = _about(draft.about)
    meta = SkillMeta(
        id=identity,
        name=about.name,
        description=about.description,
        author=about.author,
        source=about.source,
        purpose=about.purpose,
        provider=about.provider,
        type=draft.type,
        version="v1",
        version_count=1,
        content_file="content.txt",
        status="active",
        created_at=moment,
        updated_at=moment,
    ).model_copy(update=_installed(draft))
    if draft.package is None:
        if draft.executables:
            raise UsageError("a text has no files that may be executed")
        return SkillSnapshot(meta, _encoded(draft.content))
    package = _package(draft.package)
    return SkillSnapshot(meta, package[ENTRY], package, _executables(draft.executables, package))


def new_baseline(draft: BaselineDraft, identity: str, now: datetime) -> BaselineSnapshot:
    """The first version of a baseline."""
    moment = iso_seconds(now)
    about = _about(draft.about)
    cases = dated(numbered(draft.cases, ()), (), moment)
    checked(cases, frozenset())
    document = BaselineCases(baseline_id=identity, version="v1", cases=cases, rubric=draft.rubric)
    meta = BaselineMeta(
        id=identity,
        name=about.name,
        description=about.description,
        author=about.author,
        source=about.source,
        purpose=about.purpose,
        provider=about.provider,
        version="v1",
        version_count=1,
        case_count=len(cases),
        status="active",
        created_at=moment,
        updated_at=moment,
    )
    return BaselineSnapshot(meta, _bounded(document.lean()))


def revised_skill(before: SkillSnapshot, change: SkillChange) -> SkillSnapshot:
    """The skill with the change in it, its version not yet counted up."""
    meta = before.meta.model_copy(update=_fields(change))
    if change.type and change.type != meta.type:
        meta = meta.model_copy(update={"type": change.type})
    meta = meta.model_copy(update=_installed(change))
    package = _revised_package(before, change)
    if package is None:
        if change.executables:
            raise UsageError("a text has no files that may be executed")
        content = before.content if change.content is None else _encoded(change.content)
        return SkillSnapshot(meta, content)
    chosen = change.executables
    if chosen is None:
        chosen = before.executables & package.keys()
    return SkillSnapshot(meta, package[ENTRY], package, _executables(chosen, package))


def revised_baseline(
    before: BaselineSnapshot, change: BaselineChange, used: Iterable[str], now: datetime
) -> BaselineSnapshot:
    """The baseline with the change in it; *used* are the case ids it ever had."""
    meta = before.meta.model_copy(update=_fields(change))
    document = before.document
    if change.cases is not None:
        cases = dated(numbered(change.cases, used), before.cases, iso_seconds(now))
        checked(cases, frozenset(case.id for case in before.cases))
        document = document.model_copy(update={"cases": cases})
    if change.rubric is not KEEP:
        document = document.model_copy(update={"rubric": change.rubric}).lean()
    return replace(before, meta=meta, document=_bounded(document))


def _about(about: About) -> About:
    return About(
        name=asset_name(about.name),
        purpose=segment(about.purpose, "purpose"),
        provider=segment(about.provider, "provider"),
        description=storable(about.description, "description", LONGEST_REMARK),
        author=storable(about.author, "author", LONGEST_REMARK),
        source=storable(about.source, "source", LONGEST_REMARK),
    )


def _fields(change: AboutChange) -> dict[str, str]:
    """What the change sets, checked."""
    fields: dict[str, str] = {}
    if change.name is not None:
        fields["name"] = asset_name(change.name)
    for what, text in (("purpose", change.purpose), ("provider", change.provider)):
        if text is not None:
            fields[what] = segment(text, what)
    remarks = (
        ("description", change.description),
        ("author", change.author),
        ("source", change.source),
    )
    for what, text in remarks:
        if text is not None:
            fields[what] = storable(text, what, LONGEST_REMARK)
    return fields


def _installed(skill: SkillDraft | SkillChange) -> dict[str, str]:
    """What a job package says of itself, if it is one."""
    said = {"package_id": skill.package_id, "package_version": skill.package_version}
    return {
        name: storable(text, name, LONGEST_REMARK)
        for name, text in said.items()
        if text is not None
    }


def _revised_package(before: SkillSnapshot, change: SkillChange) -> Mapping[str, bytes] | None:
    if change.package is None:
        if before.package is None or change.content is None:
            return before.package
        return {**before.package, ENTRY: _encoded(change.content)}
    package = _package(change.package)
    if change.content is not None and _encoded(change.content) != package[ENTRY]:
        raise UsageError(f"the content and the {ENTRY} of the package differ; give one of them")
    return package


def _package(files: Mapping[str, bytes]) -> dict[str, bytes]:
    if ENTRY not in files:
        raise UsageError(f"a package needs a {ENTRY}")
    if len(files) > MOST_FILES or sum(map(len, files.values())) > MOST_BYTES:
        raise UsageError(
            f"a package has at most {MOST_FILES} files and {MOST_BYTES // 1024 // 1024} MB"
        )
    for path in files:
        package_path(path)
        if path.count("/") > DEEPEST:
            raise UsageError(f"a package has at most {DEEPEST} levels of folders: {shown(path)}")
    for problem in clashes(list(files)):
        raise UsageError(f"the package cannot be: {problem}")
    _text(files[ENTRY])
    return {path: files[path] for path in sorted(files)}


def _executables(chosen: frozenset[str], package: Mapping[str, bytes]) -> frozenset[str]:
    if unknown := chosen - package.keys():
        raise UsageError(f"{shown(min(unknown))} is no file of the package")
    return chosen


def _encoded(content: str) -> bytes:
    try:
        return _text(content.encode())
    except UnicodeEncodeError:
        raise UsageError("the content has half a character in it") from None


def _text(data: bytes) -> bytes:
    if len(data) > MOST_TEXT:
        raise UsageError(f"the content is longer than {MOST_TEXT // 1024 // 1024} MB")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise UsageError(f"the content is not UTF-8 at byte {error.start}") from None
    if "\0" in text:
        raise UsageError("the content has a NUL in it")
    return data


def _bounded(document: BaselineCases) -> BaselineCases:
    if len(document.cases) > MOST_CASES or len(document.to_json()) > MOST_CASE_BYTES:
        raise UsageError(
            f"a baseline has at most {MOST_CASES} cases and {MOST_CASE_BYTES // 1024 // 1024} MB"
        )
    return document
