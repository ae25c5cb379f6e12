"""What ``whet project export`` and ``import`` say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class FileWords(Words):
    """Names in braces are filled in."""

    written = Both("{project_name}: {path}", "{project_name}：{path}")
    taken_in = Both(
        CountedText("taken in: {name}  {id} ({trials:record|records} came along)"),
        "已导入：{name}  {id}（附带 {trials} 条记录）",
    )
