"""What ``whet project export`` and ``import`` say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class FileWords:
    """Names in braces are filled in."""

    written: str
    taken_in: str


ENGLISH = FileWords(
    written="{project_name}: {path}",
    taken_in=CountedText("taken in: {name}  {id} ({trials:record|records} came along)"),
)

CHINESE = FileWords(
    written="{project_name}：{path}",
    taken_in="已导入：{name}  {id}（附带 {trials} 条记录）",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
