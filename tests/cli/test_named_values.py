"""Options of engines, as people write them."""

import pytest

from whet.cli.options import named_values
from whet.core.errors import UsageError


def test_values_are_json_and_else_text() -> None:
    given = ['a={"b": [1]}', "n=3", "yes=true", "word=plain text", "empty=", "two=a=b"]
    assert named_values(given) == {
        "a": {"b": [1]},
        "n": 3,
        "yes": True,
        "word": "plain text",
        "empty": "",
        "two": "a=b",
    }


@pytest.mark.parametrize("given", ["name", "=value", ""])
def test_what_is_no_option_is_refused(given: str) -> None:
    with pytest.raises(UsageError, match="NAME=VALUE"):
        named_values([given])
