"""What the commands that import and export assets say, in the languages they speak."""

from dataclasses import dataclass

from whet.app.library.intake import Outcome


@dataclass(frozen=True)
class ImportWords:
    """Names in braces are filled in."""

    outcomes: dict[Outcome, str]
    failed: str
    joint: str
    """Between the counts of several outcomes."""

    taken: str
    note: str
    nothing: str
    exported: str


ENGLISH = ImportWords(
    outcomes={"created": "created", "updated": "updated", "unchanged": "unchanged"},
    failed="failed",
    joint=", ",
    taken="{outcome}  {name} {version}  {id}",
    note="note",
    nothing="No agent has a skill there.",
    exported="{path}: {name} {version}",
)

CHINESE = ImportWords(
    outcomes={"created": "已新建", "updated": "已更新", "unchanged": "无变化"},
    failed="失败",
    joint="，",
    taken="{outcome}  {name} {version}  {id}",
    note="注意",
    nothing="这些位置没有智能体安装的技能。",
    exported="{path}：{name} {version}",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
