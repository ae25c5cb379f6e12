"""Skills as small as a test needs them."""

from pathlib import Path

from whet.curate.lint.registry import lint

GOOD = "---\nname: greet\ndescription: Says hello. Use when somebody comes in.\n---\n\nSay hello.\n"


def make(folder: Path, **files: str | bytes) -> Path:
    """A good skill called greet, with other files; a double underscore is a slash, a single one a
    dot."""
    return write(
        folder / "greet",
        {"SKILL.md": GOOD}
        | {name.replace("__", "/").replace("_", "."): content for name, content in files.items()},
    )


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    """A folder with these files."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


def with_front(folder: Path, front: str, body: str = "Say hello.\n") -> Path:
    """A skill called greet with that front matter."""
    return write(folder / "greet", {"SKILL.md": f"---\n{front}\n---\n{body}"})


def found(folder: Path) -> set[tuple[str, str, int]]:
    """Rule, path and line of everything that is found."""
    return {(one.rule.id, one.path, one.line) for one in lint(folder).findings}


def rules(folder: Path) -> set[str]:
    """The ids of the rules that found something."""
    return {one.rule.id for one in lint(folder).findings}
