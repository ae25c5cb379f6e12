"""The base of every value that whet stores or ships."""

from collections.abc import Mapping
from typing import Any, Self

from pydantic import BaseModel, ConfigDict

LARGEST_NUMBER = 2**53 - 1
"""Whole numbers up to it are the same in JSON, JavaScript and every database."""


class Value(BaseModel):
    """An immutable value; an unknown field is a mistake, not data."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A changed copy. What was worked out of the original, its address above all, is not
        taken over."""
        copied = super().model_copy(update=update, deep=deep)
        content = vars(copied)
        for name in content.keys() - type(self).model_fields.keys():
            del content[name]
        return copied


class RequestModel(Value):
    """What a person asks for, over HTTP or on the command line.

    It is built with its class, not when it is first used: FastAPI hides pydantic's remark that
    the name of a body is no field only while it makes a route.
    """

    model_config = ConfigDict(defer_build=False)
