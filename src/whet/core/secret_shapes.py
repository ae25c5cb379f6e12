"""Secrets that can be told by how they look."""

import re
from typing import NamedTuple


class Shape(NamedTuple):
    """One kind of secret."""

    name: str
    anchor: bytes
    """What is in every one of them: looked for first, as that is quick."""

    pattern: re.Pattern[bytes]
    lead: int = 0
    """How far into it the anchor is."""


def shape(name: str, anchor: bytes, pattern: bytes, lead: int = 0) -> Shape:
    """A shape that begins where a word does."""
    return Shape(name, anchor, re.compile(rb"(?<![A-Za-z0-9_])(?:" + pattern + rb")"), lead)


SHAPES = (
    shape(
        "a private key",
        b"PRIVATE KEY",
        rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY[A-Z ]{0,9}-----(?:\s|\\[nr]){0,8}"
        rb"(?:[A-Za-z-]{1,30}: ?[^\n]{0,100}\n|\s){0,10}[A-Za-z0-9+/=]{40}",
    ),
    shape("an Anthropic key", b"sk-ant-", rb"sk-ant-[A-Za-z0-9_-]{20,}"),
    shape("an API key", b"sk-", rb"sk-(?!ant-)(?=[A-Za-z_-]{0,60}[0-9])[A-Za-z0-9_-]{20,}"),
    shape("a Google key", b"AIza", rb"AIza[A-Za-z0-9_-]{35}"),
    shape("an AWS key", b"AKIA", rb"AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    shape("an AWS key", b"ASIA", rb"ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    shape("a GitHub token", b"gh", rb"gh[pousr]_[A-Za-z0-9]{36}"),
    shape("a GitHub token", b"github_pat_", rb"github_pat_[A-Za-z0-9_]{50,}"),
    shape("a GitLab token", b"glpat-", rb"glpat-[A-Za-z0-9_-]{20}"),
    shape("a Slack token", b"xox", rb"xox[abeoprs]-[A-Za-z0-9-]{20,}"),
    shape(
        "a Slack webhook",
        b"hooks.slack.com",
        rb"https://hooks\.slack\.com/services/T[A-Z0-9]{6,}/B[A-Z0-9]{6,}/[A-Za-z0-9]{20,}",
        len("https://"),
    ),
    shape("a Stripe key", b"k_live_", rb"[rs]k_live_[A-Za-z0-9]{20,}", 1),
    shape("a Hugging Face token", b"hf_", rb"hf_[A-Za-z0-9]{30,}"),
    shape("an npm token", b"npm_", rb"npm_[A-Za-z0-9]{36}"),
    shape("a PyPI token", b"pypi-", rb"pypi-[A-Za-z0-9_-]{50,}"),
)
