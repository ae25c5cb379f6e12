"""The base of everything in a script."""

from pydantic import ConfigDict, JsonValue, model_validator

from whet.core.value import Value


def refuse_unknown(what: str, given: set[str], known: set[str]) -> None:
    """Complain about the first of *given* that is not *known*."""
    if unknown := sorted(given - known):
        raise ValueError(f"unknown {what} {unknown[0]!r}; known: {', '.join(sorted(known))}")


class Part(Value):
    """A piece of a script. Types are exact, and a key nobody knows is a mistake."""

    model_config = ConfigDict(strict=True, allow_inf_nan=False)

    @model_validator(mode="before")
    @classmethod
    def _has_known_keys(cls, data: JsonValue) -> JsonValue:
        if isinstance(data, dict):
            refuse_unknown("key", set(data), set(cls.model_fields))
        return data
