"""What ``whet project compare`` and ``environment`` say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.documents.comparison import LeftOutReason
from whet.documents.verdict import Label


@dataclass(frozen=True)
class CompareWords:
    """Headings and sentences; names in braces are filled in."""

    title: str
    verdicts: dict[Label, str]
    incomparable: str
    counts: str
    figure: str
    left: str
    right: str
    difference: str
    interval: str
    score: str
    failed_as_zero: str
    seconds: str
    tokens: str
    cost: str
    case: str
    outcome: str
    outcomes: dict[str, str]
    troubles: dict[str, str]
    more_cases: str
    same_trials: str
    left_out: str
    more_left_out: str
    reasons: dict[LeftOutReason, str]
    simulated: str
    problem: str
    environment: str
    field: str
    identical: str
    attempt: str
    statuses: dict[str, str]
    no_score: str
    same_answer: str


ENGLISH = CompareWords(
    title="{left}  against  {right}",
    verdicts={
        "better": CountedText(
            "{left} is better than {right} by {delta:.1f} points over {cases:case|cases}."
        ),
        "worse": CountedText(
            "{left} is worse than {right} by {delta:.1f} points over {cases:case|cases}."
        ),
        "no_difference": CountedText(
            "They do not differ by anything that matters over {cases:case|cases}."
        ),
        "inconclusive": CountedText(
            "Not clear: {delta:.1f} points apart over {cases:case|cases} may be chance."
        ),
    },
    incomparable="They cannot be compared: no case has a score for both.",
    counts="cases won: {wins}, lost: {losses}, equal: {ties}, without a pair: {unpaired}",
    figure="",
    left="left",
    right="right",
    difference="left − right",
    interval="95 % interval",
    score="score",
    failed_as_zero="failed as zero",
    seconds="seconds a case",
    tokens="tokens a case",
    cost="USD a case",
    case="case",
    outcome="left",
    outcomes={"win": "wins", "loss": "loses", "tie": "equal", "unpaired": "no pair"},
    troubles={
        "failed": "{count} failed",
        "unscored": "{count} unscored",
        "missing": "{count} missing",
    },
    more_cases=CountedText("… and {count:more case|more cases}; --json has all"),
    same_trials=CountedText(
        "In {count:case|cases} both sides are the very same trials: nothing was compared there."
    ),
    left_out="Left out: {case}: {reason}",
    more_left_out="… and {count} more left out; --json has all",
    reasons={
        "only_left": "only the left side has it",
        "only_right": "only the right side has it",
        "other_input": "the input is another one",
        "other_expected_output": "the expected output is another one",
        "other_grading": "it is graded otherwise",
        "no_weight": "it counts for nothing",
    },
    simulated="Produced or graded by the built-in simulated agent or judge.",
    problem="not counted",
    environment="The two projects differ in more than the skill:",
    field="what",
    identical="Both projects are carried out with the same.",
    attempt="{case}, attempt {attempt}",
    statuses={"completed": "completed", "failed": "failed", "skipped": "skipped"},
    no_score="no score",
    same_answer="Both answers are the same.",
)

CHINESE = CompareWords(
    title="{left}  对比  {right}",
    verdicts={
        "better": "{left} 优于 {right}：{cases} 个用例上高 {delta:.1f} 分。",
        "worse": "{left} 不如 {right}：{cases} 个用例上低 {delta:.1f} 分。",
        "no_difference": "在 {cases} 个用例上没有值得注意的差别。",
        "inconclusive": "尚无定论：{cases} 个用例上相差 {delta:.1f} 分，可能只是偶然。",
    },
    incomparable="无法比较：没有一个用例双方都有评分。",
    counts="用例：胜 {wins}，负 {losses}，平 {ties}，不成对 {unpaired}",
    figure="",
    left="左",
    right="右",
    difference="左 − 右",
    interval="95 % 区间",
    score="得分",
    failed_as_zero="失败按零分",
    seconds="每个用例秒数",
    tokens="每个用例词元",
    cost="每个用例美元",
    case="用例",
    outcome="左方",
    outcomes={"win": "胜", "loss": "负", "tie": "平", "unpaired": "不成对"},
    troubles={"failed": "失败 {count}", "unscored": "未评分 {count}", "missing": "缺少 {count}"},
    more_cases="……另有 {count} 个用例，--json 给出全部",
    same_trials="{count} 个用例中双方是同一批试验：没有可比较的。",
    left_out="未计入：{case}：{reason}",
    more_left_out="……另有 {count} 个未计入，--json 给出全部",
    reasons={
        "only_left": "只有左方有",
        "only_right": "只有右方有",
        "other_input": "输入不同",
        "other_expected_output": "期望输出不同",
        "other_grading": "评分方式不同",
        "no_weight": "权重为零",
    },
    simulated="由内置的模拟智能体或模拟评审产生。",
    problem="未计入",
    environment="两个项目的差别不只在技能：",
    field="项",
    identical="两个项目的环境相同。",
    attempt="{case}，第 {attempt} 次尝试",
    statuses={"completed": "完成", "failed": "失败", "skipped": "跳过"},
    no_score="没有评分",
    same_answer="两个回答相同。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
