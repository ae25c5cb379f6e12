"""Findings about case sets in SARIF 2.1.0, the format in which code hosts and editors take them."""

from collections import Counter
from urllib.parse import quote

from pydantic import JsonValue

from whet.core.address import digest
from whet.documents.capability_report import CaseFinding, CaseLint
from whet.evaluate.capability.rules import RULES, Rule

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INDEX = {rule.id: index for index, rule in enumerate(RULES)}


def as_sarif(found: CaseLint, version: str) -> dict[str, JsonValue]:
    """All findings as one run. A file has no lines here: a place is a path of keys, and is told as
    the logical location."""
    results: list[JsonValue] = []
    seen: Counter[str] = Counter()
    for one in found.findings:
        mark = digest([one.rule, one.source, one.case_id, one.place, one.message])
        seen[mark] += 1
        results.append(_result(one, _INDEX[one.rule], f"{mark[:32]}:{seen[mark]}"))
    told: list[JsonValue] = [_rule(one) for one in RULES]
    driver: JsonValue = {"name": "whet", "semanticVersion": version, "rules": told}
    run: JsonValue = {
        "tool": {"driver": driver},
        "invocations": [{"executionSuccessful": True}],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _result(one: CaseFinding, index: int, mark: str) -> JsonValue:
    case = f"case {one.case_id!r}: " if one.case_id else ""
    return {
        "ruleId": one.rule,
        "ruleIndex": index,
        "level": one.level,
        "message": {"text": f"{case}{one.message}. {one.fix}"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": quote(one.source, errors="surrogateescape")},
                    "region": {"startLine": 1},
                },
                "logicalLocations": [{"fullyQualifiedName": one.place or one.source}],
            }
        ],
        "partialFingerprints": {"whet/v1": mark},
    }


def _rule(rule: Rule) -> JsonValue:
    return {
        "id": rule.id,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "help": {"text": rule.fix},
        "defaultConfiguration": {"level": rule.level},
    }
