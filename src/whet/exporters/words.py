"""What reports say, in the languages they speak; names in braces are filled in."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class ReportWords:
    """Headings, labels and sentences."""

    code: str
    title: str
    labels: dict[str, str]
    on_these: str
    no_verdict: str
    no_delta: str
    sentence: str
    could_miss: str
    simulated: str
    partial: str
    family: str
    configurations: dict[str, str]
    measures: dict[str, str]
    headings: dict[str, str]
    columns: dict[str, str]
    findings: dict[str, str]
    bands: dict[str, str]
    none_found: str
    pooled: str
    not_paired: str
    unscored: str
    more: str
    run: str
    pairwise: str
    uncompared: str
    power: str
    parts: dict[str, str]
    """What the score is made of."""

    facts: dict[str, str]
    states: dict[str, str]
    details: dict[str, str]
    cut: str


ENGLISH = ReportWords(
    code="en",
    title="Skill eval",
    labels={
        "better": "Better",
        "worse": "Worse",
        "no_difference": "No difference",
        "inconclusive": "Inconclusive",
        "none": "Not compared",
    },
    on_these="{label} on these evals",
    no_verdict="Nothing was compared: the suite was run in one configuration only.",
    no_delta="Nothing could be compared: no eval has a whole pair of scored runs.",
    sentence=CountedText("{delta} points ({level} interval {interval}) over {cases:eval|evals}."),
    could_miss="An effect below {effect} points could easily have been missed.",
    simulated=(
        "Simulated: the built-in agent or judge produced this. It says nothing about a real model."
    ),
    partial="Partial: runs are missing, see below.",
    family=(
        "Several engines or models are one family of comparisons: a label is what still stands"
        " after Holm's correction, an interval is that of the comparison by itself."
    ),
    configurations={
        "with_skill": "with skill",
        "without_skill": "without skill",
        "old_skill": "old skill",
        "new_skill": "new skill",
    },
    measures={
        "overall_efficiency": "score",
        "pass_rate": "expectations met",
        "rubric_normalized": "rubric",
        "consistency": "consistency",
        "time_seconds": "time",
        "tokens": "tokens",
        "cost_usd": "cost",
    },
    headings={
        "legs": "Engines and models",
        "configurations": "Configurations",
        "evals": "Evals",
        "reliability": "Reliability",
        "findings": "Findings",
        "missing": "Missing and left out",
        "power": "What more runs would show",
        "method": "How it was measured",
        "warnings": "Warnings",
        "details": "Runs in detail",
    },
    columns={
        "eval": "eval",
        "delta": "difference",
        "interval": "interval",
        "pairs": "pairs",
        "engine": "engine",
        "model": "model",
        "verdict": "verdict",
        "configuration": "configuration",
        "run": "run",
        "reason": "reason",
        "evals": "evals",
        "runs": "runs",
        "trials": "trials",
        "effect": "smallest effect on evals like these",
        "effect_on_these": "on these evals alone",
        "spread": "spread",
        "expectation": "expectation",
        "dimension": "dimension",
        "score": "score",
        "evidence": "evidence",
    },
    findings={
        "non_discriminating": "tells nothing apart",
        "flaky": "flaky",
        "always_failing": "always fails",
        "vacuous": "passes on nothing",
        "unstable_judge": "unstable judge",
        "harness": "harness",
    },
    bands={
        "very reliable": "very reliable",
        "reliable": "reliable",
        "inconsistent": "inconsistent",
        "unreliable": "unreliable",
        "broken": "broken",
    },
    none_found="Nothing stands out.",
    pooled="Scores are points of 100; mean ± standard deviation over all runs.",
    not_paired=(
        "The verdict compares whole pairs of runs, eval by eval, so its difference may be another."
    ),
    unscored=CountedText("{configuration}: {count:run|runs} without a rubric score."),
    more="… and {count} more.",
    run="run {number}",
    pairwise=(
        "Blind comparison of outputs: {wins} won, {losses} lost, {ties} ties, {failed} failed;"
        " share won {interval}."
    ),
    uncompared="Not compared blind: {pair}",
    power="The smallest true difference, in points, that is called with a chance of 80 %.",
    parts={"pass_rate": "pass rate over all expectations", "rubric_normalized": "rubric"},
    facts={
        "engine": "Engine",
        "model": "Model",
        "judge": "Judge",
        "sandbox": "Sandbox",
        "runs": "Runs of each eval and configuration",
        "adaptive": "Adaptive: runs were added until the answer was clear",
        "weights": "Weights in the score",
        "method": "Interval",
        "p_value": "p-value",
        "cost": "Cost",
        "folder": "Folder",
        "time": "Time",
    },
    states={
        "passed": "met",
        "failed": "not met",
        "undecided": "not decided",
        "run_failed": "the agent failed",
        "gate_failed": "a critical check failed",
        "not_graded": "not graded",
        "missing": "not measured",
    },
    details={
        "prompt": "Task",
        "expected": "Expected result",
        "expectations": "Expectations",
        "evidence": "Evidence",
        "rubric": "Rubric",
        "claims": "Claims",
        "answer": "Answer",
        "files": "Files",
        "critical": "critical",
        "left_out": "Further contents are left out: the page is large enough.",
        "worse_side": "worse",
        "better_side": "better",
    },
    cut="The report was cut off here: it is too long. {name} has the rest.",
)

CHINESE = ReportWords(
    code="zh",
    title="技能评测",
    labels={
        "better": "更好",
        "worse": "更差",
        "no_difference": "没有差别",
        "inconclusive": "尚无定论",
        "none": "未作比较",
    },
    on_these="就这些评测项：{label}",
    no_verdict="没有可比较的对象：评测只在一种配置下运行。",
    no_delta="无法比较：没有任何评测项具备完整的成对评分。",
    sentence="差异 {delta} 分（{level} 区间 {interval}），共 {cases} 个评测项。",
    could_miss="小于 {effect} 分的效果很可能看不出来。",
    simulated="模拟结果：由内置的模拟智能体或模拟评审产生，不代表任何真实模型。",
    partial="结果不完整：缺少部分运行，见下文。",
    family=(
        "多个引擎或模型构成一组比较：结论为经 Holm 校正后仍成立的结论，区间则为各自单独比较的区间。"
    ),
    configurations={
        "with_skill": "有技能",
        "without_skill": "无技能",
        "old_skill": "旧版技能",
        "new_skill": "新版技能",
    },
    measures={
        "overall_efficiency": "得分",
        "pass_rate": "期望达成",
        "rubric_normalized": "量表评分",
        "consistency": "一致性",
        "time_seconds": "用时",
        "tokens": "词元",
        "cost_usd": "费用",
    },
    headings={
        "legs": "引擎与模型",
        "configurations": "配置",
        "evals": "评测项",
        "reliability": "可靠性",
        "findings": "发现",
        "missing": "缺失与排除",
        "power": "更多运行能看出什么",
        "method": "测量方式",
        "warnings": "警告",
        "details": "运行详情",
    },
    columns={
        "eval": "评测项",
        "delta": "差异",
        "interval": "区间",
        "pairs": "成对数",
        "engine": "引擎",
        "model": "模型",
        "verdict": "结论",
        "configuration": "配置",
        "run": "运行",
        "reason": "原因",
        "evals": "评测项数",
        "runs": "运行次数",
        "trials": "试验次数",
        "effect": "在类似评测项上可看出的最小效果",
        "effect_on_these": "仅就这些评测项",
        "spread": "离散程度",
        "expectation": "期望",
        "dimension": "维度",
        "score": "得分",
        "evidence": "依据",
    },
    findings={
        "non_discriminating": "没有区分度",
        "flaky": "不稳定",
        "always_failing": "总是失败",
        "vacuous": "空洞通过",
        "unstable_judge": "评审不稳定",
        "harness": "评测环境",
    },
    bands={
        "very reliable": "非常可靠",
        "reliable": "可靠",
        "inconsistent": "不一致",
        "unreliable": "不可靠",
        "broken": "失常",
    },
    none_found="没有值得注意之处。",
    pooled="得分以 100 分计；所有运行的均值 ± 标准差。",
    not_paired="结论按评测项比较完整的成对运行，因此其差异可能与此处不同。",
    unscored="{configuration}：{count} 次运行没有量表评分。",
    more="……另有 {count} 项。",
    run="第 {number} 次",
    pairwise=("输出盲比：胜 {wins}，负 {losses}，平 {ties}，失败 {failed}；胜出比例 {interval}。"),
    uncompared="未能盲比：{pair}",
    power="以 80 % 的把握能判定的最小真实差异（分）。",
    parts={"pass_rate": "全部期望的通过率", "rubric_normalized": "量表评分"},
    facts={
        "engine": "引擎",
        "model": "模型",
        "judge": "评审",
        "sandbox": "沙箱",
        "runs": "每个评测项与配置的运行次数",
        "adaptive": "自适应：持续增加运行，直到结论明确",
        "weights": "得分中的权重",
        "method": "区间",
        "p_value": "p 值",
        "cost": "费用",
        "folder": "文件夹",
        "time": "时间",
    },
    states={
        "passed": "达成",
        "failed": "未达成",
        "undecided": "未判定",
        "run_failed": "智能体失败",
        "gate_failed": "关键检查未通过",
        "not_graded": "未评分",
        "missing": "未测量",
    },
    details={
        "prompt": "任务",
        "expected": "期望结果",
        "expectations": "期望",
        "evidence": "依据",
        "rubric": "量表",
        "claims": "声明",
        "answer": "回答",
        "files": "文件",
        "critical": "关键",
        "left_out": "其余内容从略：页面已足够大。",
        "worse_side": "更差",
        "better_side": "更好",
    },
    cut="报告过长，在此截断。其余内容见 {name}。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
