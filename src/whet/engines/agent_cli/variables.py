"""Variables that a trial gives its agent, with their values."""

import re
from collections.abc import Iterable, Mapping

from pydantic import JsonValue

from whet.core.errors import UsageError

MOST = 64
LONGEST = 8192
"""Characters of a value."""

_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,127}")
_SHOWN = 80
_SYSTEM = (
    *("PATH", "HOME", "TMPDIR", "SHELL", "PWD", "IFS", "ENV", "BASH_ENV", "XDG_*"),
    # Where the sandbox is built, these would load code into it before it holds.
    *("LD_*", "DYLD_*", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "PYTHON*", "BUN_*"),
    *("NODE_OPTIONS", "NODE_PATH", "NODE_EXTRA_CA_CERTS", "NODE_TLS_REJECT_UNAUTHORIZED"),
    # The way to the model is the machine's.
    *("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR"),
)


def refuse(given: Mapping[str, str], engine: str, own: Iterable[str]) -> None:
    """Raise ``UsageError`` for what a trial cannot set, without telling any value.

    *own* are the names that mean something to the engine's program: credentials, addresses,
    configuration. A star at the end stands for all that begin so.
    """
    told = f"option environment of engine {engine}"
    if len(given) > MOST:
        raise UsageError(f"{told}: {len(given)} variables; an agent is given {MOST} at most")
    reserved = (*_SYSTEM, *own)
    for name, value in given.items():
        if not _NAME.fullmatch(name):
            shown = repr(name[:_SHOWN])
            raise UsageError(f"{told}: {shown} is no name; use capital letters, digits and _")
        if any(_covers(each, name) for each in reserved):
            raise UsageError(f"{told}: {name} is set by whet or by the system; take another name")
        if len(value) > LONGEST:
            raise UsageError(f"{told}: the value of {name} has more than {LONGEST} characters")
        if not _can_be_value(value):
            raise UsageError(f"{told}: the value of {name} is no text that a variable can have")


def values(options: Mapping[str, JsonValue]) -> list[str]:
    """What the option holds, checked or not: all of it is secret."""
    given = options.get("environment")
    found = given.values() if isinstance(given, dict) else ()
    return [value for value in found if isinstance(value, str)]


def _covers(reserved: str, name: str) -> bool:
    if reserved.endswith("*"):
        return name.startswith(reserved[:-1])
    return name == reserved


def _can_be_value(value: str) -> bool:
    try:
        return b"\0" not in value.encode()
    except UnicodeEncodeError:  # half an emoji
        return False
