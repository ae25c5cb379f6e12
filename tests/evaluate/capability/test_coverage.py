"""What a set touches."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.evaluate.capability.cases import case, case_set
from whet.documents.capability import CapabilityCase
from whet.evaluate.capability.coverage import coverage


def tool(identity: str, name: str, **more: Any) -> CapabilityCase:
    return case(identity, dimension="tool", checker="tool_called", expected=name, **more)


EN = case_set(
    tool("a", "read_file", weight=2, tags=["builtin"]),
    tool("b", "notes@add", tags=["mcp"]),
    case("c", prerequisites=["replace"]),
    case("d", checker=[{"type": "exact", "expected": "1"}, {"type": "exact", "expected": "2"}]),
    language="en-US",
)
ZH = case_set(case("c", prerequisites=["编辑文件"], weight=0.5), language="zh-CN")


def test_counts_and_weights() -> None:
    found = coverage([EN, ZH])
    assert (found.case_set, found.cases, found.weight) == ("mine", 5, 5.5)
    assert found.languages["en-US"].cases == 4
    assert found.dimensions["tool"].weight == 3
    assert found.dimensions["tool"].skippable == 1
    assert found.dimensions["common"].cases == 0
    assert found.checkers["exact"].cases == 3
    assert found.tags["builtin"].weight == 2
    assert found.matrix["zh-CN"] == {"tool": 0, "logic": 1, "common": 0, "complex": 0}


def test_tools() -> None:
    found = coverage([EN, ZH])
    assert [(one.tool, one.cases, one.checked) for one in found.tools] == [
        ("Edit", 2, 0),
        ("Read", 1, 1),
        ("notes@add", 1, 1),
    ]
    assert (found.planned["read"], found.planned["replace"], found.planned["edit"]) == (1, 1, 1)
    assert "read" not in found.uncovered_tools
    assert {"write", "ptc", "final_response"} <= set(found.uncovered_tools)
    assert found.uncovered_tags == ("skill", "knowledge", "user", "shared")
    assert "regex" in found.uncovered_checkers


@given(st.lists(st.sampled_from(["tool", "logic", "common", "complex"]), max_size=12))
def test_dimensions_add_up(dimensions: list[str]) -> None:
    cases = [case(f"c{number}", dimension=one) for number, one in enumerate(dimensions)]
    found = coverage([case_set(*cases)])
    assert sum(share.cases for share in found.dimensions.values()) == found.cases == len(cases)
