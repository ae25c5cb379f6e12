"""Findings for machines: JSON, and SARIF as its standard wants it."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from tests.curate.lint.samples import GOOD, make, with_front, write
from tests.repo.tree import ROOT
from whet.curate.lint.registry import RULES, lint
from whet.curate.lint.report import Repair, Report, as_json
from whet.curate.lint.sarif import as_sarif


def sarif(reports: list[Report], root: Path) -> dict[str, Any]:
    """As somebody else gets it."""
    return json.loads(json.dumps(as_sarif(reports, root, "1.2.3")))


def test_json_says_all_there_is_to_say(tmp_path: Path) -> None:
    skill = with_front(tmp_path, "name: greet\ndescription: Use when <x>.")
    repair = Repair("a.md", "SK701", "done")
    report = lint(skill)
    data = as_json([Report(report.folder, report.name, report.findings, (repair,))])
    assert data == {
        "skills": [
            {
                "name": "greet",
                "path": str(skill),
                "findings": [
                    {
                        "rule": "SK113",
                        "name": "description-brackets",
                        "level": "error",
                        "path": "SKILL.md",
                        "line": 3,
                        "column": 1,
                        "message": "the description has < or > in it",
                        "fix": "Write it without angle brackets.",
                        "fixable": False,
                    }
                ],
                "fixed": [{"path": "a.md", "rule": "SK701", "message": "done"}],
            }
        ],
        "errors": 1,
        "warnings": 0,
        "infos": 0,
    }


def test_sarif_has_the_structure_of_its_standard(tmp_path: Path) -> None:
    skill = make(tmp_path, scripts__run_sh="ls", evals__a_json="{}")
    write(skill, {"ü b.md": "[x](gone.md) [x](gone.md)"})
    log = sarif([lint(skill)], tmp_path)
    assert (log["version"], log["$schema"].rpartition("/")[2]) == ("2.1.0", "sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["semanticVersion"]) == ("whet", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == [rule.id for rule in RULES]
    for rule in driver["rules"]:
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
        assert rule["shortDescription"]["text"]
        assert rule["help"]["text"]
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert (
            driver["rules"][result["ruleIndex"]]["defaultConfiguration"]["level"] == result["level"]
        )
        assert result["message"]["text"]
    marks = [result["partialFingerprints"]["whet/v1"] for result in run["results"]]
    assert len(set(marks)) == len(marks) == 4


def test_addresses_are_relative_and_encoded(tmp_path: Path) -> None:
    skill = write(tmp_path / "a b/greet", {"SKILL.md": GOOD, "ü#.md": "\ufeffx"})

    def addresses(root: Path) -> list[str]:
        results = sarif([lint(skill)], root)["runs"][0]["results"]
        places = [result["locations"][0]["physicalLocation"] for result in results]
        assert all(place["region"] == {"startLine": 1, "startColumn": 1} for place in places)
        return [place["artifactLocation"]["uri"] for place in places]

    assert addresses(tmp_path) == ["a%20b/greet/%C3%BC%23.md"]
    assert unquote(addresses(skill)[0]) == "ü#.md"
    assert unquote(addresses(tmp_path / "elsewhere")[0]) == "greet/ü#.md"


def test_the_page_about_rules_has_every_rule() -> None:
    page = (ROOT / "docs/lint.md").read_text()
    for rule in RULES:
        marks = [rule.id, f"`{rule.name}`", rule.level, rule.what, rule.why, rule.fix]
        row = f"| {' | '.join(marks)} |"
        assert row in page
    assert page.count("\n| SK") == len(RULES)
    fixed = [rule.id for rule in RULES if rule.is_mechanical]
    assert f"`--fix` puts right {', '.join(fixed[:-1])} and {fixed[-1]}" in " ".join(page.split())
