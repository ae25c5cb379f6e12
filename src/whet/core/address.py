"""Addresses: what a thing is, as a hash of everything that makes it so.

Two trials with one address are one trial. Whatever must not change an address (a rubric, a
display name, a path on this machine) must not reach these functions.
"""

import hashlib
import json
from collections.abc import Mapping

from pydantic import JsonValue

PROTOCOL = 1
"""Part of every trial address. Raised when the way a trial is run changes its meaning."""


def canonical(value: JsonValue) -> bytes:
    """Serialise *value* so that equal values give equal bytes."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode(errors="surrogatepass")


def digest(value: JsonValue) -> str:
    """Hash a JSON value; the order of keys does not matter."""
    return hashlib.sha256(canonical(value)).hexdigest()


def digest_bytes(data: bytes) -> str:
    """Hash file content."""
    return hashlib.sha256(data).hexdigest()


def digest_tree(files: Mapping[str, str]) -> str:
    """Hash a folder, given the content digest of each relative path."""
    return digest(dict(files))
