"""What ``whet baseline case`` says, in the languages it speaks."""

from typing import Literal

from whet.core.bilingual import Both, Words

Change = Literal["added", "edited", "removed"]


class CaseWords(Words):
    """Headings and sentences; names in braces are filled in."""

    heads = Both(("id", "name", "category", "input"), ("编号", "名称", "类别", "输入"))
    """Id, name, category, input."""

    categories = Both(
        {"standard": "standard", "boundary": "boundary", "exception": "exception"},
        {"standard": "标准", "boundary": "边界", "exception": "异常"},
    )
    none = Both("no cases yet", "还没有用例")
    done = Both(
        {"added": "added: {ids}", "edited": "edited: {ids}", "removed": "removed: {ids}"},
        {"added": "已添加：{ids}", "edited": "已修改：{ids}", "removed": "已删除：{ids}"},
    )
