"""Skills in a zip: a ``.skill`` file, or the download of a repository with several."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from whet.core.counts import counted
from whet.core.errors import InvalidImport
from whet.curate.archive import MOST_PACKED, Tree, read_archive, stripped
from whet.curate.draft import SkillDraft
from whet.curate.intake.given import Given, Imported, named, read_bytes
from whet.curate.intake.skill_folder import ENTRY, is_left_out, skill_from_tree

SUFFIXES = (".zip", ".skill")


def skills_from_zip(data: bytes, name: str, given: Given) -> tuple[Imported[SkillDraft], ...]:
    """Every skill in a zip, at least one; *name* is that of the file."""
    name = named(name) or "the zip"
    whole = read_archive(data, name)
    left_out = sorted(filter(is_left_out, whole.content))
    tree, top = stripped(_without(whole, left_out))
    roots = _roots(tree.content)
    if not roots:
        raise InvalidImport(name, [f"is no skill: it has no {ENTRY}"])
    notes = (f"left out: {counted(len(left_out), 'file', 'files')}",) if left_out else ()
    fallback = top or PurePosixPath(name).stem
    return tuple(
        skill_from_tree(
            _below(tree, root),
            given,
            PurePosixPath(root).name or fallback,
            f"{name}: {root.removesuffix('/')}" if root else name,
            notes,
        )
        for root in roots
    )


def package_from_zip(data: bytes, name: str, given: Given) -> tuple[Imported[SkillDraft], str]:
    """The one skill whose files a zip has at its top or in its one folder, and the name of that
    folder; *name* is that of the file."""
    name = named(name) or "the zip"
    whole = read_archive(data, name)
    left_out = sorted(filter(is_left_out, whole.content))
    tree, top = stripped(_without(whole, left_out))
    if ENTRY not in tree.content:
        tops = sorted({path.partition("/")[0] for path in tree.content})
        several = (
            f" and has {counted(len(tops), 'thing', 'things')} at its top"
            if len(tops) > 1 and not top
            else ""
        )
        problem = f"is no package: it has no {ENTRY} at its top or in its one folder{several}"
        raise InvalidImport(name, [problem])
    notes = (f"left out: {counted(len(left_out), 'file', 'files')}",) if left_out else ()
    return skill_from_tree(tree, given, top or PurePosixPath(name).stem, name, notes), top


def skills_from_zip_file(path: Path, given: Given) -> tuple[Imported[SkillDraft], ...]:
    """The same of a file on disk."""
    return skills_from_zip(read_bytes(path, MOST_PACKED), path.name, given)


def _without(tree: Tree, left_out: list[str]) -> Tree:
    gone = set(left_out)
    return Tree(
        {path: data for path, data in tree.content.items() if path not in gone},
        tree.executables - gone,
    )


def _roots(content: Mapping[str, bytes]) -> list[str]:
    """The folders with a SKILL.md, each with a slash at its end; those inside others are theirs."""
    found: list[str] = []
    entries = [path for path in content if path == ENTRY or path.endswith(f"/{ENTRY}")]
    for root in sorted(path.removesuffix(ENTRY) for path in entries):
        if not any(root.startswith(outer) for outer in found):
            found.append(root)
    return found


def _below(tree: Tree, root: str) -> Tree:
    cut = len(root)
    return Tree(
        {path[cut:]: data for path, data in tree.content.items() if path.startswith(root)},
        frozenset(path[cut:] for path in tree.executables if path.startswith(root)),
    )
