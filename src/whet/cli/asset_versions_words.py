"""What ``whet skill versions`` and ``whet skill diff`` say, in the languages they speak."""

from typing import Literal

from whet.core.bilingual import Both, Words

Change = Literal["added", "removed", "changed"]


class VersionsWords(Words):
    """Headings, marks and sentences; names in braces are filled in."""

    version = Both("version", "版本")
    updated = Both("when", "时间")
    changed = Both("changed", "改动")
    marks = Both("marks", "标记")
    first = Both("first version", "首个版本")
    edited_outside = Both("edited outside", "在外部被修改")
    problem = Both("not readable", "无法读取")
    no_difference = Both("no difference", "没有差异")
    between = Both("{name}: {left} → {right}", "{name}：{left} → {right}")
    groups = Both(
        {
            "meta": "metadata",
            "cases": "cases",
            "files": "files",
            "rubric": "rubric",
            "case_order": "order of cases",
            "executables": "files that may be executed",
        },
        {
            "meta": "元数据",
            "cases": "用例",
            "files": "文件",
            "rubric": "评分标准",
            "case_order": "用例顺序",
            "executables": "可执行文件",
        },
    )
    """What changed beside lines of text, by the group it belongs to."""

    changes = Both(
        {"added": "added", "removed": "removed", "changed": "changed"},
        {"added": "新增", "removed": "删除", "changed": "修改"},
    )
    equal_lines = Both("⋯ {count} equal lines", "⋯ {count} 行相同")
    cut = Both(
        "Not all of it is shown: long lines are shortened, and so is a long text.",
        "未全部显示：过长的行和过长的文本已被截短。",
    )
