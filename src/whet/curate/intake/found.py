"""Skills wherever they lie: in a file, a zip, a checkout, or where agents keep theirs."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whet.core.address import digest_bytes, digest_tree
from whet.core.errors import EnvironmentProblem, NotFound, UsageError, WhetError
from whet.curate.draft import SkillDraft
from whet.curate.intake import skill_text, skill_zip
from whet.curate.intake.given import Given, Imported
from whet.curate.intake.skill_folder import ENTRY, skill_folders, skill_from_folder

KEPT_BY_AGENTS = (
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".gemini/skills",
    ".opencode/skills",
)
"""Below a project or a home."""


@dataclass(frozen=True)
class Harvest:
    """What was found, and what could not be read and why: one broken skill hides no other."""

    skills: tuple[Imported[SkillDraft], ...]
    problems: tuple[str, ...] = ()


def skills_from(path: Path, given: Given) -> Harvest:
    """Every skill at *path*: a folder, a zip or a file with a text.

    Raises a ``UsageError`` where there is none; a name that is *given* is for one skill only.
    """
    try:
        harvest = _harvest(path, given)
    except OSError as error:
        raise EnvironmentProblem(f"cannot read {path}: {error.strerror}") from error
    if given.name is not None and len(harvest.skills) > 1:
        raise UsageError(f"{path} has {len(harvest.skills)} skills; they cannot have one name")
    return harvest


def installed_skills(roots: Iterable[Path], given: Given) -> Harvest:
    """Every skill that agents find in these folders, homes or projects; equal ones once."""
    links: list[Path] = []
    folders = list(_installed(roots, links))
    return _without_twins(_gathered(folders, links, replace(given, name=None)))


def _harvest(path: Path, given: Given) -> Harvest:
    if path.is_dir():
        return _from_folder(path, given)
    if path.suffix.lower() in skill_zip.SUFFIXES:
        return Harvest(skill_zip.skills_from_zip_file(path, given))
    if path.suffix.lower() in skill_text.SUFFIXES or not path.exists():
        return Harvest((skill_text.skill_from_text_file(path, given),))
    known = ", ".join((*skill_text.SUFFIXES, *skill_zip.SUFFIXES))
    raise UsageError(f"{path} is no skill: a folder or one of {known} is")


def _from_folder(path: Path, given: Given) -> Harvest:
    if (path / ENTRY).is_file():
        return Harvest((skill_from_folder(path, given),))
    links: list[Path] = []
    found = skill_folders(path, links)
    folders = [(folder, folder.relative_to(path).as_posix()) for folder in found]
    if not folders:
        seen = f"; {_behind_link(links[0])}" if links else ""
        raise NotFound(f"no skill in {path}: no folder in it has a {ENTRY}{seen}")
    return _without_twins(_gathered(folders, links, given))


def _installed(roots: Iterable[Path], links: list[Path]) -> Iterator[tuple[Path, str]]:
    """Where skills lie, and under which name; *links* are those that are not followed."""
    for root in roots:
        for place in KEPT_BY_AGENTS:
            if any((root / part).is_symlink() for part in (place, place.partition("/")[0])):
                links += (entry.parent for entry in sorted((root / place).glob(f"*/{ENTRY}")))
                continue
            for folder in skill_folders(root / place, links):
                yield folder, folder.relative_to(root).as_posix()


def _gathered(folders: Sequence[tuple[Path, str]], links: Iterable[Path], given: Given) -> Harvest:
    skills: list[Imported[SkillDraft]] = []
    problems: list[str] = []
    for folder, source in folders:
        try:
            skills.append(skill_from_folder(folder, given, source))
        except WhetError as error:
            problems.append(str(error))
    known = {folder.resolve() for folder, _ in folders}
    others = {link.resolve(): link for link in links}
    problems += (_behind_link(link) for place, link in others.items() if place not in known)
    return Harvest(tuple(skills), tuple(problems))


def _behind_link(skill: Path) -> str:
    return f"links are not followed, and {skill} lies behind one; import it by its own path"


def _without_twins(harvest: Harvest) -> Harvest:
    """Each skill once: what several agents are given is often the same."""
    kept: dict[str, Imported[SkillDraft]] = {}
    for found in harvest.skills:
        files = {path: digest_bytes(data) for path, data in (found.draft.package or {}).items()}
        identity = f"{found.draft.about.name} {digest_tree(files)}"
        if first := kept.get(identity):
            twin = f"{found.draft.about.source} is the same skill"
            kept[identity] = Imported(first.draft, (*first.notes, twin))
        else:
            kept[identity] = found
    return Harvest(tuple(kept.values()), harvest.problems)
