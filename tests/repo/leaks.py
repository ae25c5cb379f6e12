"""What must never be committed: registry hosts, paths of one machine, secrets.

The patterns are put together from pieces, so that this file does not break its own rule.
"""

import re
from collections.abc import Iterator

from tests.repo.allowed import Finding


def _host(*labels: str) -> str:
    return r"\b" + re.escape(".".join(labels)) + r"\b"


PATTERNS = {
    "registry host": "|".join(
        (
            _host("pypi", "org"),
            _host("pypi", "python", "org"),
            _host("pythonhosted", "org"),
            _host("npmjs", "org"),
            _host("npmjs", "com"),
            _host("yarnpkg", "com"),
            _host("debian", "org"),
        )
    ),
    # Only where a path begins: `{root}/work/x` and `out/work/x` are relative to something.
    # Users of examples (alice, me, user, you) have no machine.
    "path of a machine": r"(?<![\w.})>*-])/(?:(?:work|root)/|(?:home|Users)/"
    r"(?!(?:alice|me|user|you)\b)[a-z])",
    "private key": "-----BEGIN" + r"(?: [A-Z0-9]+)* PRIVATE" + " KEY-----",
    "API key": r"\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}|\bAIza[A-Za-z0-9_-]{35}",
    "cloud key": r"\bAKIA[0-9A-Z]{16}\b",
    "repository token": r"\bgh[pousr]_[A-Za-z0-9]{36}\b|\bglpat-[A-Za-z0-9_-]{20}",
}


def leaks(path: str, text: str) -> Iterator[Finding]:
    """Every line that shows one of the patterns; the secret itself is not repeated."""
    for number, line in enumerate(text.splitlines(), 1):
        for kind, pattern in PATTERNS.items():
            if re.search(pattern, line):
                yield Finding(kind, path, f"line {number}")
