"""What ``whet baseline case`` says, in the languages it speaks."""

from dataclasses import dataclass
from typing import Literal

Change = Literal["added", "edited", "removed"]


@dataclass(frozen=True)
class CaseWords:
    """Headings and sentences; names in braces are filled in."""

    heads: tuple[str, str, str, str]
    """Id, name, category, input."""

    categories: dict[str, str]
    none: str
    done: dict[Change, str]


ENGLISH = CaseWords(
    heads=("id", "name", "category", "input"),
    categories={"standard": "standard", "boundary": "boundary", "exception": "exception"},
    none="no cases yet",
    done={"added": "added: {ids}", "edited": "edited: {ids}", "removed": "removed: {ids}"},
)

CHINESE = CaseWords(
    heads=("编号", "名称", "类别", "输入"),
    categories={"standard": "标准", "boundary": "边界", "exception": "异常"},
    none="还没有用例",
    done={"added": "已添加：{ids}", "edited": "已修改：{ids}", "removed": "已删除：{ids}"},
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
