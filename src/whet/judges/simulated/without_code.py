"""Looks at a submission that has no code that can be parsed."""

from whet.judges.simulated.expectation import coverage
from whet.judges.simulated.look import Look
from whet.judges.simulated.material import Material

_FOR_NOTHING = {"correctness": 0.0, "conciseness": 0.1, "complexity": 0.1}
_FOR_BROKEN_CODE = {
    "correctness": 0.1,
    "robustness": 0.1,
    "readability": 0.4,
    "conciseness": 0.6,
    "complexity": 0.4,
    "form": 0.2,
}


def look_without_code(aspect: str, material: Material, expected: str) -> Look:
    """Score what little there is: nothing, code that does not parse, or words."""
    look = Look(material, 1)
    if material.is_empty:
        look.add(_FOR_NOTHING.get(aspect, 0.05), "no file was produced", "没有产出任何文件")
        return look
    if material.source:
        fault = material.fault[:120]
        points = _FOR_BROKEN_CODE[aspect]
        look.add(points, f"the code does not parse: {fault}", f"代码无法解析：{fault}")
        return look
    share, _ = coverage(expected, material)
    percent = round(100 * share)
    look.add(
        0.1 + 0.6 * share,
        f"no code was produced; {percent} % of the expected words occur in the text",
        f"没有产出代码；文本中出现了 {percent}% 的期望用词",
    )
    return look
