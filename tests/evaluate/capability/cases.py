"""Capability cases and sets, made by hand."""

from typing import Any

from pydantic import JsonValue

from whet.documents.capability import CapabilityCase, CapabilityCaseSet


def case(identity: str = "one", **changes: Any) -> CapabilityCase:
    data: dict[str, JsonValue] = {
        "id": identity,
        "dimension": "logic",
        "prompt": "What is it?",
        "checker": "exact",
        "expected": "42",
    }
    return CapabilityCase.parse({**data, **changes}, "case")


def case_set(*cases: CapabilityCase, **changes: Any) -> CapabilityCaseSet:
    data: dict[str, JsonValue] = {"case_set": "mine", "cases": [one.to_data() for one in cases]}
    return CapabilityCaseSet.parse({**data, **changes}, "set")
