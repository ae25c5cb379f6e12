"""Skills wherever they lie: in a file, a zip, a checkout, or where agents keep theirs."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whet.core.address import digest_bytes, digest_tree
from whet.core.errors import EnvironmentProblem, NotFound, UsageError, WhetError
from whet.core.front_matter import entries
from whet.curate.draft import SkillDraft
from whet.curate.intake import skill_text, skill_zip
from whet.curate.intake.given import Given, Imported, decoded, read_bytes
from whet.curate.intake.skill_folder import ENTRY, skill_folders, skill_from_folder

KEPT_BY_AGENTS = (
    ".claude/skills",
    ".agents/skills",
    ".codex/skills",
    ".gemini/skills",
    ".gemini/extensions/*/skills",
    ".opencode/skills",
    ".opencode/skill",
    ".config/opencode/skills",
    ".config/opencode/skill",
    "/etc/codex/skills",
)
"""Below a project or a home; each is where some agent looks for skills."""

AGENT_TEXTS = (
    ".claude/agents",
    ".gemini/agents",
    ".opencode/agents",
    ".opencode/agent",
    ".config/opencode/agents",
    ".config/opencode/agent",
)
"""Where agents look for subagents: files with a front matter and instructions."""

ADMINISTRATORS = Path("/etc/codex")
"""Where Codex looks for skills that whoever runs the machine has put there."""

HOMES = {
    "CLAUDE_CONFIG_DIR": (".claude", "."),
    "CODEX_HOME": (".codex", "."),
    "GEMINI_CLI_HOME": (".gemini", ".gemini"),
    "OPENCODE_CONFIG_DIR": (".config/opencode", "."),
    "XDG_CONFIG_HOME": (".config", "."),
}
"""Variables that put such a folder elsewhere, and where it lies below what they say."""


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


def installed_skills(
    roots: Iterable[Path], given: Given, environment: Mapping[str, str] | None = None
) -> Harvest:
    """Every skill and subagent that agents find in these folders, homes or projects, and where
    their own variables in *environment* lead; equal ones once."""
    links: list[Path] = []
    given, roots = replace(given, name=None), tuple(roots)
    moved = {
        name: Path(environment[variable]) / inner
        for variable, (name, inner) in HOMES.items()
        if environment and environment.get(variable)
    }
    if environment is not None:
        moved["/etc/codex"] = ADMINISTRATORS
    folders = {path.resolve(): (path, name) for path, name in _installed(roots, moved, links)}
    skills = _gathered(list(folders.values()), links, given)
    agents = _agents(roots, moved, given)
    return _without_twins(
        Harvest((*skills.skills, *agents.skills), (*skills.problems, *agents.problems))
    )


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


def _places(
    roots: Iterable[Path], moved: Mapping[str, Path], wanted: Iterable[str]
) -> Iterator[tuple[Path, Path, str]]:
    """The folders that there are, each with the root that it lies in and what it is called there;
    *moved* are those that lie elsewhere, by their usual name."""
    wanted = tuple(wanted)
    for root in roots:
        for place in (one for one in wanted if not one.startswith("/")):
            for folder in sorted(root.glob(place)):
                yield root, folder, folder.relative_to(root).as_posix()
    for name, home in moved.items():
        for place in wanted:
            if place.startswith(f"{name}/"):
                rest = place.removeprefix(f"{name}/")
                yield from ((home, found, place) for found in sorted(home.glob(rest)))


def _installed(
    roots: Iterable[Path], moved: Mapping[str, Path], links: list[Path]
) -> Iterator[tuple[Path, str]]:
    """Where skills lie, and under which name; *links* are those that are not followed."""
    for root, place, name in _places(roots, moved, KEPT_BY_AGENTS):
        if _is_linked(root, place):
            links += (entry.parent for entry in sorted(place.glob(f"*/{ENTRY}")))
            continue
        for folder in skill_folders(place, links):
            yield folder, f"{name}/{folder.relative_to(place).as_posix()}".removesuffix("/.")


def _is_linked(root: Path, place: Path) -> bool:
    """Whether the way from a root to a folder in it leads over a link."""
    inner = place.relative_to(root).parts
    return any(root.joinpath(*inner[:depth]).is_symlink() for depth in range(1, len(inner) + 1))


def _agents(roots: Iterable[Path], moved: Mapping[str, Path], given: Given) -> Harvest:
    """Every subagent: a text that has a front matter."""
    skills: list[Imported[SkillDraft]] = []
    problems: list[str] = []
    seen: set[Path] = set()
    given = replace(given, type=given.type or "agent")
    for root, place, name in _places(roots, moved, AGENT_TEXTS):
        for path in sorted(place.glob("*.md")):
            if path.resolve() in seen:
                continue
            seen.add(path.resolve())
            if path.is_symlink() or _is_linked(root, place):
                problems.append(_behind_link(path))
                continue
            try:
                text = decoded(read_bytes(path), str(path))
                if entries(text):
                    source = f"{name}/{path.name}"
                    found = skill_text.skill_from_text
                    skills.append(found(text, given, fallback=path.stem, source=source))
            except WhetError as error:
                problems.append(str(error))
    return Harvest(tuple(skills), tuple(problems))


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
        content = found.draft.package or {"": found.draft.content.encode()}
        files = {path: digest_bytes(data) for path, data in content.items()}
        identity = f"{found.draft.about.name} {digest_tree(files)}"
        if first := kept.get(identity):
            twin = f"{found.draft.about.source} is the same skill"
            kept[identity] = Imported(first.draft, (*first.notes, twin))
        else:
            kept[identity] = found
    return Harvest(tuple(kept.values()), harvest.problems)
