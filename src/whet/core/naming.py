"""Names that become part of a path."""

import re
import unicodedata

LONGEST = 48


def slug(name: str, fallback: str, joint: str = "_") -> str:
    """*name* in lower case with only letters and digits of any script, the rest as *joint*."""
    plain = unicodedata.normalize("NFKC", name).lower()
    joined = re.sub(r"[\W_]+", joint, plain).strip(joint)
    return joined[:LONGEST].rstrip(joint) or fallback


def short(identity: str) -> str:
    """The first eight characters of an id, as folder names have it."""
    return identity[:8]
