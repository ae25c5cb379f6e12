"""What reports of projects say; names in braces are filled in. The rest is as in other reports."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.exporters.words import CHINESE as CHINESE_BASE
from whet.exporters.words import ENGLISH as ENGLISH_BASE
from whet.exporters.words import ReportWords


@dataclass(frozen=True)
class ProjectWords:
    """Headings, labels and sentences."""

    base: ReportWords
    title: str
    headline: dict[str, str]
    versus: dict[str, str]
    incomparable: str
    statuses: dict[str, str]
    headings: dict[str, str]
    columns: dict[str, str]
    facts: dict[str, str]
    states: dict[str, str]
    details: dict[str, str]
    notes: dict[str, str]
    cut: str

    @property
    def code(self) -> str:
        """Of the language."""
        return self.base.code


ENGLISH = ProjectWords(
    base=ENGLISH_BASE,
    title="Project report",
    headline={
        "winner": "{skill} is the best",
        "open": "No skill is clearly the best",
        "alone": "{skill} was tried alone",
        "unscored": "No skill has a score",
        "unranked": "No ranking yet",
    },
    versus={
        "better": "{first} is better than {second}: {numbers}.",
        "worse": "{first} is worse than {second} on the cases that both have: {numbers}.",
        "no_difference": "{first} and {second} do not differ by anything that matters: {numbers}.",
        "inconclusive": "It is not clear whether {first} or {second} is better: {numbers}.",
        "numbers": CountedText(
            "{delta} points ({level} interval {interval}) over {cases:case|cases}"
        ),
    },
    incomparable="{first} and {second} cannot be compared: no case has a score for both.",
    statuses={
        "pending": "Not run yet: nothing here is complete.",
        "running": "Still running: the numbers are those of now.",
        "interrupted": "Interrupted: results are missing.",
        "failed_all": "Every trial failed: nothing here was measured.",
        "failed_some": "Some trials came to no answer.",
    },
    headings={
        "ranking": "Ranking",
        "baseline": "Ranking on {baseline}",
        "dimensions": "Dimensions",
        "resources": "Time, tokens and cost",
        "matrix": "Cases by skills",
        "troubles": "Failed, unscored and skipped",
        "environment": "How it was measured",
        "warnings": "Warnings",
        "details": "Answers in detail",
    },
    columns={
        "rank": "rank",
        "skill": "skill",
        "score": "score",
        "checks": "checks",
        "interval": "interval",
        "failed_as_zero": "failed as zero",
        "completed": "completed",
        "failed": "failed",
        "unscored": "unscored",
        "versus": "against the next",
        "case": "case",
        "time": "time",
        "tokens": "tokens",
        "cost": "cost",
        "dimension": "dimension",
    },
    facts={
        "engine": "Engine",
        "model": "Model",
        "options": "Options",
        "flags": "Flags",
        "sandbox": "Sandbox",
        "timeout": "Seconds for an attempt",
        "retries": "Retries after passing troubles",
        "repeats": "Attempts at each case",
        "judges": "Judges",
        "readings": "Readings by each judge",
        "rubrics": "Rubrics",
        "skills": "Skills",
        "baselines": "Baselines",
        "project": "Project",
        "created": "Created",
        "summarised": "Summed up",
        "whet": "whet",
    },
    states={
        "completed": "completed",
        "failed": "failed",
        "skipped": "skipped",
        "unscored": "no usable score",
        "judge_failed": "the judge failed",
        "missing": "not run",
        "passed": "passed",
        "vacuous": "passed, nothing to look at",
    },
    details={
        "prompt": "Task",
        "expected": "Expected result",
        "answer": "Answer",
        "reasoning": "Reasoning of the judge",
        "error": "Error",
        "checks": "Checks",
        "attempt": "attempt {number}",
        "weight": "weight {weight}",
    },
    notes={
        "points": "Scores are points of 100, averaged over attempts first and then over cases.",
        "interval": (
            "The interval says how far a score might move with other cases of the same kind."
        ),
        "alone": "Each comparison stands alone; nothing is corrected for making many of them.",
        "checks": (
            CountedText(
                "Checks are no part of the score: the share of them that passed. "
                "{count:time|times} a case "
                "failed a critical check, which scores 0 unless judges were asked all the same."
            )
        ),
        "mixed": (
            "Cases are scored by different rubrics ({rubrics}; none is by checks alone): the "
            "averages mix their scales and have no common dimensions."
        ),
        "moved": "* Counting failed attempts as zero would change the order.",
        "legend": "✗ failed · ? no usable score · ∅ not run or skipped; numbers count attempts.",
        "resources": "Averages over the attempts of a case and then over cases, failed ones too.",
        "dimensions": "Each dimension is on its own scale, as its rubric has it.",
        "left_out": "{count} further cases are left out; the JSON report has all.",
        "skills": "{count} further skills are left out; the JSON report has all.",
        "cut": "Long texts are cut; the JSON report has them whole.",
        "warnings": "Warnings: {count}. Something does not count, see below.",
    },
    cut="The report was cut off here: it is too long. The JSON report has the rest.",
)

CHINESE = ProjectWords(
    base=CHINESE_BASE,
    title="项目报告",
    headline={
        "winner": "{skill} 最好",
        "open": "没有哪个技能明显最好",
        "alone": "只测试了 {skill}",
        "unscored": "没有任何技能得分",
        "unranked": "尚无排名",
    },
    versus={
        "better": "{first} 优于 {second}：{numbers}。",
        "worse": "在双方共有的用例上，{first} 不如 {second}：{numbers}。",
        "no_difference": "{first} 与 {second} 没有值得一提的差别：{numbers}。",
        "inconclusive": "尚不清楚 {first} 与 {second} 哪个更好：{numbers}。",
        "numbers": "{delta} 分（{level} 区间 {interval}），共 {cases} 个用例",
    },
    incomparable="{first} 与 {second} 无法比较：没有双方都有得分的用例。",
    statuses={
        "pending": "尚未运行：结果不完整。",
        "running": "仍在运行：数字为当前状态。",
        "interrupted": "已中断：缺少部分结果。",
        "failed_all": "全部试验失败：没有测到任何结果。",
        "failed_some": "部分试验没有回答。",
    },
    headings={
        "ranking": "排名",
        "baseline": "在 {baseline} 上的排名",
        "dimensions": "维度",
        "resources": "用时、词元与费用",
        "matrix": "用例与技能",
        "troubles": "失败、未评分与跳过",
        "environment": "测量方式",
        "warnings": "警告",
        "details": "回答详情",
    },
    columns={
        "rank": "名次",
        "skill": "技能",
        "score": "得分",
        "checks": "检查",
        "interval": "区间",
        "failed_as_zero": "失败计零",
        "completed": "完成",
        "failed": "失败",
        "unscored": "未评分",
        "versus": "与下一名相比",
        "case": "用例",
        "time": "用时",
        "tokens": "词元",
        "cost": "费用",
        "dimension": "维度",
    },
    facts={
        "engine": "引擎",
        "model": "模型",
        "options": "选项",
        "flags": "参数",
        "sandbox": "沙箱",
        "timeout": "每次尝试的秒数",
        "retries": "临时故障后的重试次数",
        "repeats": "每个用例的尝试次数",
        "judges": "评审",
        "readings": "每位评审的阅读次数",
        "rubrics": "量表",
        "skills": "技能",
        "baselines": "基线",
        "project": "项目",
        "created": "创建时间",
        "summarised": "汇总时间",
        "whet": "whet",
    },
    states={
        "completed": "完成",
        "failed": "失败",
        "skipped": "跳过",
        "unscored": "没有可用的得分",
        "judge_failed": "评审失败",
        "missing": "未运行",
        "passed": "通过",
        "vacuous": "通过（没有可检查的内容）",
    },
    details={
        "prompt": "任务",
        "expected": "期望结果",
        "answer": "回答",
        "reasoning": "评审理由",
        "error": "错误",
        "checks": "检查",
        "attempt": "第 {number} 次",
        "weight": "权重 {weight}",
    },
    notes={
        "points": "得分以 100 分计，先对每个用例的各次尝试取平均，再对用例取平均。",
        "interval": "区间表示换成同类的其他用例时得分可能的变动范围。",
        "alone": "每个比较各自成立；未对多重比较作校正。",
        "checks": (
            "检查不计入得分，此列为通过的比例。有 {count} 次用例未通过关键检查，"
            "除非仍请评审评分，否则计零分。"
        ),
        "mixed": (
            "用例按不同量表评分（{rubrics}；none 表示只按检查评分）：平均分混合了不同的分值，"
            "没有共同的维度。"
        ),
        "moved": "* 若失败计为零，名次会改变。",
        "legend": "✗ 失败 · ? 没有可用的得分 · ∅ 未运行或跳过；其后的数字为尝试次数。",
        "resources": "先对用例的各次尝试取平均，再对用例取平均，失败的也计入。",
        "dimensions": "每个维度按其量表自身的分值。",
        "left_out": "另有 {count} 个用例从略，完整内容见 JSON 报告。",
        "skills": "另有 {count} 个技能从略，完整内容见 JSON 报告。",
        "cut": "较长的文本已截断，完整内容见 JSON 报告。",
        "warnings": "警告 {count} 条：有内容未计入，见下文。",
    },
    cut="报告过长，在此截断。其余内容见 JSON 报告。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
