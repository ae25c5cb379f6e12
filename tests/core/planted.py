"""Secrets as they turn up in logs, each with what is around it. Put together from pieces, so that
nobody takes this file for a leak."""

from collections.abc import Callable
from dataclasses import dataclass
from string import ascii_letters, ascii_uppercase, digits

from hypothesis import strategies as st

from whet.core.secret_search import is_random

ALNUM = ascii_letters + digits
BLOCK = "PRIVATE " + "KEY"

_lines = st.text(ALNUM + "+/", min_size=64, max_size=64)


@dataclass(frozen=True)
class Planted:
    """A secret in its place."""

    before: str
    secret: str
    after: str = ""

    @property
    def text(self) -> str:
        return self.before + self.secret + self.after


def _run(start: str, signs: str, size: int, most: int | None = None) -> st.SearchStrategy[str]:
    """Chance, with at least one digit and one letter, as whoever gives out keys makes it."""
    text = st.text(signs, min_size=size, max_size=most or size)
    return text.filter(lambda found: is_random(found.encode(), 8, 3.0)).map(
        lambda rest: start + rest
    )


SHAPED = st.one_of(
    _run("sk-" + "ant-api03-", ALNUM + "-_", 40, 90),
    _run("sk-" + "proj-", ALNUM, 40, 60),
    _run("AK" + "IA", ascii_uppercase + digits, 16),
    _run("gh" + "p_", ALNUM, 36),
    _run("github" + "_pat_", ALNUM, 60, 80),
    _run("gl" + "pat-", ALNUM, 20),
    _run("xo" + "xb-", digits + ascii_letters, 30),
    _run("AI" + "za", ALNUM, 35),
    _run("hf" + "_", ALNUM, 34),
    _run("np" + "m_", ALNUM, 36),
    _run("ya" + "29.", ALNUM, 40),
    st.tuples(_run("eyJ", ALNUM, 30), _run(".eyJ", ALNUM, 40), _run(".", ALNUM, 43)).map("".join),
)
VALUES = _run("", ALNUM + "_-", 12, 40).filter(lambda text: text[0] in ALNUM and text[-1] in ALNUM)
KEYS = st.lists(_lines, min_size=2, max_size=8).map(
    lambda lines: (
        f"-----BEGIN RSA {BLOCK}-----\n" + "\n".join(lines) + f"\n-----END RSA {BLOCK}-----"
    )
)
_AROUND: list[Callable[[str], Planted]] = [
    lambda value: Planted("export SERVICE_TOKEN=", value),
    lambda value: Planted("AWS_SECRET_ACCESS_KEY=", value),
    lambda value: Planted('DB_PASSWORD="', value, '"'),
    lambda value: Planted('{"api_key": "', value, '"}'),
    lambda value: Planted('{\\"password\\": \\"', value, '\\"}'),
    lambda value: Planted("client_secret: '", value, "'"),
    lambda value: Planted("postgresql://app:", value, "@db.internal/main"),
    lambda value: Planted("Authorization: Bearer ", value),
    lambda value: Planted('-H "Authorization: Bearer ', value, '"'),
    lambda value: Planted("curl -u deploy:", value, " https://example.com"),
    lambda value: Planted("login --password ", value, " --yes"),
    lambda value: Planted("https://example.com/x?access_token=", value, "&page=2"),
    lambda value: Planted("<password>", value, "</password>"),
    lambda value: Planted("x-api-key: ", value),
    lambda value: Planted("private_token: ", value),
]

PLANTED = st.one_of(
    SHAPED.map(lambda secret: Planted("found ", secret, " there")),
    st.tuples(VALUES, st.sampled_from(_AROUND)).map(lambda both: both[1](both[0])),
    KEYS.map(lambda key: Planted("cat id\n", key, "\ndone")),
)

HARMLESS = st.lists(
    st.sampled_from(
        [
            "the tests pass",
            "def tokenize(text): return text.split()",
            "key: value pairs, one token each",
            "max_tokens = 4096",
            "src/whet/core/secret_shapes.py:12",
            "password reset form",
            "if token is None:",
            'type="password"',
            "git commit 1f3870be274f6c49b3e31a0c6728957f",
            "https://example.com:8080/path?page=2#top",
            "λ → 报告 ✓",
            "{}[]()<>\"'`~!@#$%^&*",
            "sk-learn and task-lists",
            "\ttab\r\nnew line",
            "",
        ]
    ),
    max_size=4,
).map("\n".join)
