"""Secrets in options: found by their names, and not shown."""

import pytest
from pydantic import JsonValue

from whet.core.confidential import is_secret_name, secrets_in, without_secrets
from whet.core.redaction import MARK


@pytest.mark.parametrize(
    ("name", "secret"),
    [
        ("NOTES_TOKEN", True),
        ("x-api-key", True),
        ("Authorization", True),
        ("compact_tokens", False),
    ],
)
def test_a_secret_is_known_by_its_name(name: str, secret: bool) -> None:  # noqa: FBT001
    assert is_secret_name(name) is secret


def test_options_are_shown_without_what_a_server_is_given() -> None:
    options: dict[str, JsonValue] = {
        "max_turns": 3,
        "mcp_servers": {
            "notes": {
                "command": "notes",
                "args": ["--verbose", "--token", "t0ken-one", "--api-key=k3y-two", "plain"],
                "env": {"NOTES_SECRET": "s3cret-three", "MODE": "loud"},
            },
            "far": {
                "url": "https://me:passw0rd@far.example/mcp",
                "headers": {"Authorization": "Bearer b3arer-four"},
            },
        },
    }
    assert without_secrets(options) == {
        "max_turns": 3,
        "mcp_servers": {
            "notes": {
                "command": "notes",
                "args": ["--verbose", "--token", MARK, f"--api-key={MARK}", "plain"],
                "env": {"NOTES_SECRET": MARK, "MODE": MARK},
            },
            "far": {
                "url": f"https://me:{MARK}@far.example/mcp",
                "headers": {"Authorization": MARK},
            },
        },
    }
    assert {*secrets_in(options)} == {
        "t0ken-one",
        "k3y-two",
        "s3cret-three",
        "passw0rd",
        "Bearer b3arer-four",
        "b3arer-four",
    }


def test_what_has_no_secret_stays_as_it_is() -> None:
    options: dict[str, JsonValue] = {"argv": ["sh", "-c", "echo token"], "simulate": {"seed": 1}}
    assert without_secrets(options) == options
    assert secrets_in(options) == []
