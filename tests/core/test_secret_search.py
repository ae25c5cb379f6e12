"""Secrets are told from text that only speaks of them."""

import pytest
from hypothesis import given

from tests.core.planted import BLOCK, HARMLESS, PLANTED, Planted
from whet.core.secret_search import is_random, is_secret, secrets_in

FOUND = {
    "export API_TOKEN=hunter2": ("token", "hunter2"),
    "DB_PASSWORD=simple": ("password", "simple"),
    "postgres://bob:p%40ss@host/db": ("password", "p%40ss"),
    "redis://:pw12@host": ("password", "pw12"),
    '"password": "letmein"': ("password", "letmein"),
    "password = 'correcthorse'": ("password", "correcthorse"),
    r"\"api_key\": \"abcd1234efgh5678\"": ("key", "abcd1234efgh5678"),
    "set-cookie: sid=abc123; Path=/": ("token", "sid=abc123; Path=/"),
    "--token abc123def": ("secret", "abc123def"),
    "<password>hunter22</password>": ("password", "hunter22"),
    "https://a8f3k2m9q1z7x5c4@example.com": ("password", "a8f3k2m9q1z7x5c4"),
    "AccountKey=a8f3k2m9q1z7x5c4==;": ("key", "a8f3k2m9q1z7x5c4=="),
    "token: a8f3k2m9q1z7.": ("token", "a8f3k2m9q1z7"),
    "GITHUB_TOKEN_PROD=a8f3k2m9q1z7": ("token", "a8f3k2m9q1z7"),
    "SECRET_KEY_BASE=a8f3k2m9q1z7": ("key", "a8f3k2m9q1z7"),
}
INNOCENT = (
    "token = lexer.next_token(1)",
    'key: "ArrowDown"',
    'sort_key="name2value"',
    "password: str | None = None",
    '"max_tokens": 4096, "token_type": "bearer"',
    "token=$SERVICE_TOKEN",
    "password: ${{ secrets.DB_PASSWORD }}",
    "api_key=os.environ['KEY']",
    "SSH_KEY=~/.ssh/id_rsa",
    "PWD=/srv/project",
    "secret = [redacted:secret-1]",
    'password="[redacted]"',
    "Bearer authentication is used",
    'type="password" name="password"',
    "http://localhost:8080/a@b",
    "docker run -u 1000:1000 image",
    "see Token: https://example.com/rfc6750",
    "primary_key: 5f2c9a1e8b7d4c3a",
    "TOKEN_COUNT=40960",
    "PASSWORD_FILE=/run/secrets/pw",
    'token_kind = "identifier"',
    "jina_embeddings_v2_base_code_for_retrieval",
    "the key-to-the-harbour-and-the-pul-sating-light",
)


@pytest.mark.parametrize("text", FOUND)
def test_a_secret_is_found(text: str) -> None:
    kind, value = FOUND[text]
    assert (kind, value.encode()) in [(one.kind, one.value) for one in secrets_in(text.encode())]


MARKS = ("dp.pt.", "figd_", "glsa_", "ntn_", "tvly-", "pplx-", "AKID", "pul-")


@pytest.mark.parametrize("mark", MARKS)
def test_a_token_is_known_by_how_its_service_marks_it(mark: str) -> None:
    value = mark + "q8Zr" * 10
    found = [one.value for one in secrets_in(f"I used {value} for it".encode())]
    assert found == [value.encode()]


@pytest.mark.parametrize("text", INNOCENT)
def test_what_only_speaks_of_one_is_none(text: str) -> None:
    assert list(secrets_in(text.encode())) == []


@given(HARMLESS)
def test_harmless_text_has_none(text: str) -> None:
    assert list(secrets_in(text.encode())) == []


@given(PLANTED)
def test_what_is_around_a_secret_is_told_with_it(planted: Planted) -> None:
    data = planted.text.encode()
    found = [one for one in secrets_in(data) if one.value == planted.secret.encode()]
    assert found
    for one in found:
        assert one.before + one.value + one.after in data


def test_a_private_key_ends_where_it_ends() -> None:
    lines = "MIIEpAIBAAKCAQEA7bq2\nZGVmZ2hpamtsbW5vcHFy"
    whole = f"-----BEGIN OPENSSH {BLOCK}-----\n{lines}\n-----END OPENSSH {BLOCK}-----"
    (found,) = secrets_in(f"before\n{whole}\nafter".encode())
    assert found.value == whole.encode()
    numbered = f"  1→-----BEGIN RSA {BLOCK}-----\n  2→{lines[:20]}\n  3→{lines[21:]}\n  4→x = 1"
    (found,) = secrets_in(numbered.encode())
    assert found.value.endswith(lines[21:].encode())
    (found,) = secrets_in(f"-----BEGIN {BLOCK}-----\x00other text".encode())
    assert b"other" not in found.value


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("password", "two words", True),
        ("apiKey", "abc1", True),
        ("access_token", "a1b2c3d4e5f6", True),
        ("Authorization", "Basic dXNlcjpwYXNz", True),
        ("token", "hello", False),
        ("key", "ArrowDown", False),
        ("password", "$PASSWORD", False),
        ("password", "", False),
        ("file_path", "a1b2c3d4e5f6a7b8", False),
    ],
)
def test_members_go_by_their_name(name: str, value: str, *, expected: bool) -> None:
    assert is_secret(name, value) is expected


def test_chance_is_told_from_words() -> None:
    assert is_random(b"a8f3k2m9")
    assert not is_random(b"password")
    assert not is_random(b"12345678")
    assert not is_random(b"aaaaaaa1")


@pytest.mark.parametrize("between", [" ", "\n", ", ", " | ", '", "', "\\n", ":"])
def test_an_aws_key_beside_its_id_is_found_with_it(between: str) -> None:
    """Nobody calls it a secret there, and it looks like a path or a digest."""
    identity, key = "AKIA" + "Q7ZPLM3NRTUVWXY2", "GTd7FguoV8FWnFbB0JxXujr4/qaaABvvLOz+xzXM"
    found = [one.value for one in secrets_in(f"use {identity}{between}{key} here".encode())]
    assert key in b" ".join(found).decode()
    longer = f"{identity} {'a' * 60}".encode()
    assert [one.value for one in secrets_in(longer)] == [identity.encode()]
