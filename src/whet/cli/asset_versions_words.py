"""What ``whet skill versions`` and ``whet skill diff`` say, in the languages they speak."""

from dataclasses import dataclass
from typing import Literal

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True)
class VersionsWords:
    """Headings, marks and sentences; names in braces are filled in."""

    version: str
    updated: str
    changed: str
    marks: str
    first: str
    edited_outside: str
    problem: str
    no_difference: str
    between: str
    groups: dict[str, str]
    """What changed beside lines of text, by the group it belongs to."""

    changes: dict[Change, str]
    equal_lines: str
    cut: str


ENGLISH = VersionsWords(
    version="version",
    updated="when",
    changed="changed",
    marks="marks",
    first="first version",
    edited_outside="edited outside",
    problem="not readable",
    no_difference="no difference",
    between="{name}: {left} → {right}",
    groups={
        "meta": "metadata",
        "cases": "cases",
        "files": "files",
        "rubric": "rubric",
        "case_order": "order of cases",
        "executables": "files that may be executed",
    },
    changes={"added": "added", "removed": "removed", "changed": "changed"},
    equal_lines="⋯ {count} equal lines",
    cut="Not all of it is shown: long lines are shortened, and so is a long text.",
)

CHINESE = VersionsWords(
    version="版本",
    updated="时间",
    changed="改动",
    marks="标记",
    first="首个版本",
    edited_outside="在外部被修改",
    problem="无法读取",
    no_difference="没有差异",
    between="{name}：{left} → {right}",
    groups={
        "meta": "元数据",
        "cases": "用例",
        "files": "文件",
        "rubric": "评分标准",
        "case_order": "用例顺序",
        "executables": "可执行文件",
    },
    changes={"added": "新增", "removed": "删除", "changed": "修改"},
    equal_lines="⋯ {count} 行相同",
    cut="未全部显示：过长的行和过长的文本已被截短。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
