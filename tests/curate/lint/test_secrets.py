"""Secrets are found and never repeated; what only looks like one is not one.

They are put together from pieces: whoever looks for secrets here finds none.
"""

from pathlib import Path

import pytest

from tests.curate.lint.samples import make, rules
from whet.curate.lint.registry import lint
from whet.curate.lint.secrets import is_secret_file, secrets_in

RANDOM = "Zx7Qv2Lm9Rt4Wk1Pn8Bc5Yd3Hg6Jf0SaTuVeXiOp"
UPPER = "Q7XZ2LM9RT4WK1PN"
BEGIN = "-----BEGIN {}PRI" + "VATE KEY-----"
LINE = "MIIEowIBAAKCAQEAx7Qv2Lm9Rt4Wk1Pn8Bc5Yd3Hg6Jf0SaTuVeXiOp"

SECRETS = [
    "sk-" + "ant-api03-" + RANDOM,
    "sk-" + RANDOM,
    "sk-" + "proj-" + RANDOM,
    "AI" + "za" + RANDOM[:35],
    "AK" + "IA" + UPPER,
    "AS" + "IA" + UPPER,
    "gh" + "p_" + RANDOM[:36],
    "github" + "_pat_" + RANDOM + RANDOM[:20],
    "gl" + "pat-" + RANDOM[:20],
    "xo" + "xb-" + "7392048156-" + RANDOM[:24],
    "https://hooks.sl" + "ack.com/services/T8K2M4Q6Z/B1N3V5X7W/" + RANDOM[:24],
    "sk" + "_live_" + RANDOM[:24],
    "hf" + "_" + RANDOM[:34],
    "np" + "m_" + RANDOM[:36],
    "py" + "pi-" + RANDOM + RANDOM[:20],
    BEGIN.format("") + "\n" + LINE,
    BEGIN.format("RSA ") + "\r\n" + LINE,
    BEGIN.format("OPENSSH ") + "\\n" + LINE,
    BEGIN.format("RSA ") + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,1F\n\n" + LINE,
]

HARMLESS = [
    "sk-" + "ant-" + "x" * 30,
    "sk-" + "ant-api03-your-key-goes-here-please",
    "sk-" + "learn-pipelines-and-models-in-production",
    "AK" + "IAIOSFODNN7EXAMPLE",
    "a ri" + "sk-" + RANDOM,
    "gh" + "p_" + "x" * 36,
    BEGIN.format("RSA "),
    BEGIN.format("") + "\n...\n",
    "ghp" + "_short",
]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("around", ["{}", 'key = "{}"\n', "é {} é", "(`{}`)"])
def test_a_secret_is_found(secret: str, around: str) -> None:
    data = around.format(secret).encode()
    assert [start for _, start in secrets_in(data)] == [data.index(secret.encode())]


@pytest.mark.parametrize("text", HARMLESS)
def test_what_looks_alike_is_none(text: str) -> None:
    assert secrets_in(text.encode()) == []


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_not_repeated(tmp_path: Path, secret: str) -> None:
    text = f"one\nüx {secret}\n".replace("\r", "")
    findings = lint(make(tmp_path, a_md=text)).findings
    assert [(one.rule.id, one.path, one.line, one.column) for one in findings] == [
        ("SK601", "a.md", 2, 4)
    ]
    assert not [one for one in findings if secret[-20:] in one.message]


def test_a_secret_in_a_binary_file_is_found(tmp_path: Path) -> None:
    assert "SK601" in rules(make(tmp_path, a_png=b"\xff\0" + SECRETS[0].encode()))


@pytest.mark.parametrize(
    "line",
    [
        f"api_key: '{RANDOM[:24]}'",
        f'"clientSecret": "{RANDOM[:24]}"',
        f'AUTH_TOKEN="{RANDOM}"',
        "postgres://app:" + RANDOM[:16] + "@db.invalid/x",
    ],
)
def test_a_random_text_given_to_a_key_may_be_one(tmp_path: Path, line: str) -> None:
    assert rules(make(tmp_path, a_md=line)) == {"SK603"}


@pytest.mark.parametrize(
    "line",
    [
        "api_key: 'YOUR_API_KEY_GOES_HERE_2'",
        "token: 'the-name-of-some-token-2'",
        "postgres://postgres:postgres@localhost/x",
        "password = os.environ['DATABASE_PASSWORD_1']",
        f"checksum: '{RANDOM}'",
    ],
)
def test_a_stand_in_is_none(tmp_path: Path, line: str) -> None:
    assert rules(make(tmp_path, a_md=line)) == set()


@pytest.mark.parametrize(
    ("path", "is_secret"),
    [
        (".env", True),
        ("a/.env.production", True),
        (".ENV", True),
        ("deploy/server.key", True),
        ("id_ed25519", True),
        (".env.example", False),
        (".env.sample", False),
        ("id_rsa.pub", False),
        ("environment.md", False),
        ("keys.md", False),
    ],
)
def test_names_under_which_secrets_are_kept(path: str, *, is_secret: bool) -> None:
    assert is_secret_file(path) is is_secret
