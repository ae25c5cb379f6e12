"""Zips that nobody should take for a package, and what is said of each."""

from collections.abc import Callable

from tests.app.packages.making import content, packed
from tests.curate.intake.zips import LINK, encrypted, many, with_claimed_size, zipped

FILES = content()

HOSTILE: list[tuple[Callable[[], bytes], str]] = [
    (lambda: b"", "no zip"),
    (lambda: b"PK\x03\x04", "no zip"),
    (lambda: packed({**FILES, "zeros": b"\0" * 20_000_000}), "larger than 16 MB"),
    (lambda: packed({**FILES, "zeros": b"\0" * 9_000_000}), "unfolds to more than 100 times"),
    (lambda: with_claimed_size(packed(FILES), 3), "no zip|not as long"),
    (lambda: encrypted(packed(FILES)), "is encrypted"),
    (lambda: packed({**FILES, "../../out": b"x"}), "leaves its folder"),
    (lambda: packed({**FILES, "/etc/passwd": b"x"}, None), "not a relative path"),
    (lambda: packed({**FILES, "..\\out": b"x"}), "not a relative path"),
    (lambda: packed({**FILES, "C:/x": b"x"}, None), "has : in it"),
    (lambda: packed({**FILES, "skill.MD": b"x"}), "2 files have this name"),
    (lambda: packed({**FILES, "SKILL.md/x": b"x"}), "both a file and a folder"),
    (lambda: zipped(("a/x", b"/etc/passwd"), modes={"a/x": LINK}), "is a link"),
    (lambda: many([f"text-report/{n}" for n in range(2_001)]), "more than 2,000"),
    (lambda: packed({"README.md": b"x"}), "has no SKILL.md at its top or in its one folder"),
    (lambda: packed({"a/SKILL.md": b"x", "b/SKILL.md": b"x"}, None), "and has 2 things at its top"),
    (lambda: packed({"deep/SKILL.md": b"x"}), "has no SKILL.md at its top"),
]
