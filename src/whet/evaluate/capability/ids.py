"""Ids of cases: they become names of folders and parts of addresses."""

import re

LONGEST = 100

_SAFE = re.compile(r"[\w][\w.\-]*")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?", re.IGNORECASE)


def mistake(identity: str) -> str | None:
    """Why *identity* cannot be the id of a case; None if it can."""
    if not identity:
        return "must not be empty"
    if len(identity.encode(errors="replace")) > LONGEST:
        return f"is longer than {LONGEST} bytes"
    if not _SAFE.fullmatch(identity) or identity.endswith(".") or _RESERVED.fullmatch(identity):
        return (
            f"{identity!r} is not fit for a folder; letters, digits, '_', '-' and '.' are, "
            "and it begins with a letter, a digit or '_'"
        )
    return None
