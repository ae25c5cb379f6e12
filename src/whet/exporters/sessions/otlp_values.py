"""Values as OTLP writes them in JSON."""

from collections.abc import Mapping

from pydantic import JsonValue

Json = dict[str, JsonValue]


def attributes(values: Mapping[str, JsonValue]) -> list[JsonValue]:
    """Attributes with a value; what is not known is left out."""
    return [
        {"key": key, "value": any_value(value)}
        for key, value in values.items()
        if value is not None and value != ""
    ]


def any_value(value: JsonValue) -> Json:
    """One value. Whole numbers are texts, as they may have 64 bits."""
    match value:
        case bool():
            return {"boolValue": value}
        case int():
            # What does not fit is not a count of anything; a float says about how much it was.
            if -(2**63) <= value < 2**63:
                return {"intValue": str(value)}
            return {"stringValue": str(value)}
        case float():
            return {"doubleValue": value}
        case str():
            return {"stringValue": readable(value)}
        case list():
            return {"arrayValue": {"values": [any_value(each) for each in value]}}
        case dict():
            values: list[JsonValue] = [
                {"key": key, "value": any_value(each)} for key, each in value.items()
            ]
            return {"kvlistValue": {"values": values}}
        case None:
            return {}


def readable(text: str) -> str:
    """*text* as UTF-8 can have it."""
    return text.encode(errors="replace").decode()


def trimmed(value: JsonValue, most: int | None) -> JsonValue:
    """The same value with every text of it at most so long."""
    match value:
        case str():
            return readable(value[:most])
        case list():
            return [trimmed(each, most) for each in value]
        case dict():
            return {readable(key): trimmed(each, most) for key, each in value.items()}
        case _:
            return value
