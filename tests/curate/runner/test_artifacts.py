"""Which files a job has to yield."""

from typing import Any

import pytest

from tests.curate.runner.making import changed, contract, mistakes
from whet.curate.manifest import ArtifactRule

DECLARED = {"role": "chart", "pattern": "charts/*.png", "required": False}
UNCLEAN = (
    "artifacts[0].pattern: '../x' is no clean path below artifacts/; "
    "give one without .., / at its beginning, or \\"
)


def output(**properties: Any) -> dict[str, Any]:
    return {"properties": properties, "required": ["report"]}


def test_what_runner_json_declares_goes_before_the_output_schema() -> None:
    found = contract(changed({"artifacts": [{**DECLARED, "mime": "image/png"}, DECLARED]}))
    assert found.artifacts == (
        ArtifactRule("charts/*.png", "chart", required=False, mime="image/png"),
        ArtifactRule("charts/*.png", "chart", required=False),
    )


@pytest.mark.parametrize("artifacts", [None, []])
def test_without_any_the_output_schema_tells(artifacts: list[Any] | None) -> None:
    schema = output(
        report={"x-type": "artifact", "x-filename": "out/report.md", "x-role": "main"},
        table={"x-type": "file"},
        index={"x-type": "artifact-manifest"},
        plain={"type": "string", "x-filename": "no.md"},
    )
    assert contract(changed({"artifacts": artifacts}, output=schema)).artifacts == (
        ArtifactRule("out/report.md", "main", required=True, field="report"),
        ArtifactRule("table", "output", required=False, field="table"),
        ArtifactRule("index", "output", required=False, field="index"),
    )


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ({"pattern": "x", "required": True}, "artifacts[0].role: is required but missing"),
        ({"role": "", "pattern": "x", "required": True}, "artifacts[0].role: must not be empty"),
        ({"role": "r", "pattern": "", "required": True}, "artifacts[0].pattern: must not be empty"),
        ({"role": "r", "pattern": "x"}, "artifacts[0].required: is required but missing"),
        (
            {"role": "r", "pattern": "x", "required": "yes"},
            'artifacts[0].required: must be true or false, found "yes"',
        ),
        ("x", 'artifacts[0]: must be an object, found "x"'),
        (
            {"role": "r", "pattern": "../x", "required": True},
            UNCLEAN,
        ),
    ],
)
def test_declarations_that_cannot_be(item: object, says: str) -> None:
    assert mistakes(changed({"artifacts": [item]})) == (says,)


def test_a_field_whose_name_becomes_a_path() -> None:
    [problem] = mistakes(changed(output=output(**{"../x": {"x-type": "file"}})))
    assert "properties.../x: '../x' is no clean path below artifacts/" in problem
