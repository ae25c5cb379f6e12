"""What the commands that import and export assets say, in the languages they speak."""

from whet.core.bilingual import Both, Words


class ImportWords(Words):
    """Names in braces are filled in."""

    outcomes = Both(
        {"created": "created", "updated": "updated", "unchanged": "unchanged"},
        {"created": "已新建", "updated": "已更新", "unchanged": "无变化"},
    )
    failed = Both("failed", "失败")
    joint = Both(", ", "，")
    """Between the counts of several outcomes."""

    taken = Both("{outcome}  {name} {version}  {id}", "{outcome}  {name} {version}  {id}")
    note = Both("note", "注意")
    nothing = Both("No agent has a skill there.", "这些位置没有智能体安装的技能。")
    exported = Both("{path}: {name} {version}", "{path}：{name} {version}")
