"""What the commands that change assets say, in the languages they speak."""

from dataclasses import dataclass


@dataclass(frozen=True)
class EditWords:
    """Names in braces are filled in."""

    nothing_changed: str
    archived: str
    restored: str
    already: str
    kept: str


ENGLISH = EditWords(
    nothing_changed="nothing changed",
    archived="archived: {name}  {id}",
    restored="restored: {name}  {id}",
    already="nothing changed: {name}  {id}",
    kept="what you wrote is kept in {path}",
)

CHINESE = EditWords(
    nothing_changed="没有变化",
    archived="已归档：{name}  {id}",
    restored="已恢复：{name}  {id}",
    already="没有变化：{name}  {id}",
    kept="你写的内容保存在 {path}",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
