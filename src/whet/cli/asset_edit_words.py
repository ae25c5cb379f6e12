"""What the commands that change assets say, in the languages they speak."""

from whet.core.bilingual import Both, Words


class EditWords(Words):
    """Names in braces are filled in."""

    nothing_changed = Both("nothing changed", "没有变化")
    archived = Both("archived: {name}  {id}", "已归档：{name}  {id}")
    restored = Both("restored: {name}  {id}", "已恢复：{name}  {id}")
    already = Both("nothing changed: {name}  {id}", "没有变化：{name}  {id}")
    kept = Both("what you wrote is kept in {path}", "你写的内容保存在 {path}")
