"""What the terminal says of evals beyond what every report says, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.exporters.words import CHINESE as REPORT_IN_CHINESE
from whet.exporters.words import ENGLISH as REPORT_IN_ENGLISH
from whet.exporters.words import ReportWords


@dataclass(frozen=True)
class EvalWords:
    """Remarks for where the screen ends; names in braces are filled in."""

    report: ReportWords
    more_evals: str
    extent: str
    unanswered: str
    files: str


ENGLISH = EvalWords(
    report=REPORT_IN_ENGLISH,
    more_evals=CountedText("… and {count:more eval|more evals}; the worst come first"),
    extent=CountedText(
        "{total:run|runs}: {now} run now, {graded} only graded anew, {reused} reused"
    ),
    unanswered="runs without an answer: {count}; the same command tries them again",
    files="files",
)

CHINESE = EvalWords(
    report=REPORT_IN_CHINESE,
    more_evals="……另有 {count} 个评测项；最差的在前",
    extent="共 {total} 次运行：本次运行 {now} 次，仅重新评分 {graded} 次，复用 {reused} 次",
    unanswered="{count} 次运行没有得到回答；再次执行同一命令会重试",
    files="文件",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
