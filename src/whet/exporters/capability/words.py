"""What reports of capability runs say; names in braces are filled in. The rest is as elsewhere."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.exporters.words import CHINESE as CHINESE_BASE
from whet.exporters.words import ENGLISH as ENGLISH_BASE
from whet.exporters.words import ReportWords


@dataclass(frozen=True)
class CapabilityWords:
    """Headings, labels and sentences."""

    base: ReportWords
    title: str
    name: str
    total: str
    partial_total: str
    partial_cell: str
    nothing: str
    sentence: str
    uncounted: str
    measured_total: str
    run_statuses: dict[str, str]
    banners: dict[str, str]
    statuses: dict[str, str]
    outcomes: dict[str, str]
    dimensions: dict[str, str]
    kinds: dict[str, str]
    reasons: dict[str, str]
    headings: dict[str, str]
    columns: dict[str, str]
    facts: dict[str, str]
    details: dict[str, str]
    notes: dict[str, str]
    cut: str

    @property
    def code(self) -> str:
        """Of the language."""
        return self.base.code


ENGLISH = CapabilityWords(
    base=ENGLISH_BASE,
    title="Capability report",
    name="{model} on {case_set}",
    total="{score} of 100",
    partial_total=CountedText("{score} of 100, on {measured} of {total:case|cases} only"),
    partial_cell="{score} ({measured} of {total})",
    nothing="Nothing was measured",
    sentence=CountedText(
        "{measured} of {total:case|cases} measured: {passed} passed, {failed} failed."
    ),
    uncounted="Not in the score: {parts}.",
    measured_total="Without the cases that ended in an error it is {score}.",
    run_statuses={
        "running": "running",
        "finished": "finished",
        "failed": "failed",
        "cancelled": "cancelled",
    },
    banners={
        "running": "Still running: the numbers are those of now.",
        "reclaimable": "Interrupted: its process is gone. It can be resumed.",
        "failed": "The run failed before its end: {error}",
        "cancelled": "Cancelled before its end: only what was done by then is measured.",
        "error": "Ended in an error: {count}. They count as 0 in the score, see below.",
    },
    statuses={
        "passed": "passed",
        "failed": "failed",
        "error": "error",
        "skipped": "skipped",
        "cancelled": "cancelled",
        "active": "open",
    },
    outcomes={
        "passed": "passed",
        "failed": "failed",
        "vacuous": "passed, nothing to look at",
        "skipped": "skipped",
    },
    dimensions={
        "tool": "Tool calling",
        "logic": "Logical reasoning",
        "common": "Common knowledge",
        "complex": "Complex tasks",
    },
    kinds={
        "dimension": "Dimensions",
        "language": "Languages",
        "tag": "Tags",
        "checker": "Checkers",
        "tool": "Tools",
    },
    reasons={
        "missing_tools": "the agent lacks {tools}",
        "cancelled": "the run ended before it",
        "unknown": "no reason is known",
    },
    headings={
        "dimensions": "Dimensions",
        "troubles": "Failed, skipped and in error",
        "cases": "Cases",
        "coverage": "What the cases cover",
        "environment": "How it was measured",
        "details": "Cases in detail",
    },
    columns={
        "dimension": "dimension",
        "score": "score",
        "weight": "weight",
        "cases": "cases",
        "case": "case",
        "status": "status",
        "time": "time",
        "calls": "tool calls",
        "answer": "answer",
        "kind": "what",
        "covered": "covered",
        "uncovered": "by none",
        "check": "check",
        "outcome": "outcome",
        "expected": "expected",
        "evidence": "found",
    },
    facts={
        "engine": "Engine",
        "model": "Model",
        "language": "Language",
        "case_set": "Case set",
        "digest": "Digest of the set",
        "status": "Status",
        "started": "Started",
        "finished": "Finished",
        "elapsed": "Took",
        "seconds": "All cases together",
        "cost": "Cost",
        "weights": "Weights",
        "tools": "Tools of the agent",
        "configured": "Brought along",
        "options": "Options",
        "sandbox": "Sandbox",
        "timeout": "Seconds for a case",
        "concurrency": "Cases at once",
        "user": "User",
        "run": "Run",
    },
    details={
        "prompt": "Task",
        "answer": "Answer",
        "calls": "Tool calls",
        "checks": "Checks",
        "reason": "Reason",
        "error": "Error",
        "weight": "weight {weight}",
        "score": "score {score}",
    },
    notes={
        "score": (
            "Scores are points of 100, weighted inside a dimension by case. The total weighs the "
            "dimensions that were measured."
        ),
        "skipped": "Skipped and cancelled cases say nothing about the agent and do not count.",
        "left_out": "{count} further cases are left out; the JSON report has all.",
        "cut": "Long texts are cut; the JSON report has them whole.",
        "coverage": "How many of the cases touch each; a case may touch several.",
        "uncovered": "Touched by none: {names}",
        "no_tools": "not known",
    },
    cut="The report was cut off here: it is too long. The JSON report has the rest.",
)

CHINESE = CapabilityWords(
    base=CHINESE_BASE,
    title="能力评估报告",
    name="{model}，用例集 {case_set}",
    total="{score} 分（满分 100）",
    partial_total="{score} 分（满分 100），仅测量了 {total} 个用例中的 {measured} 个",
    partial_cell="{score}（{total} 个中的 {measured} 个）",
    nothing="没有任何测量结果",
    sentence="共 {total} 个用例，测量 {measured} 个：通过 {passed} 个，失败 {failed} 个。",
    uncounted="未计入得分：{parts}。",
    measured_total="不计出错的用例则为 {score} 分。",
    run_statuses={
        "running": "运行中",
        "finished": "已完成",
        "failed": "失败",
        "cancelled": "已取消",
    },
    banners={
        "running": "仍在运行：数字为当前状态。",
        "reclaimable": "已中断：其进程已不在。可以继续运行。",
        "failed": "运行中途失败：{error}",
        "cancelled": "已中途取消：只测量了此前完成的部分。",
        "error": "出错 {count} 个，按 0 分计入得分，见下文。",
    },
    statuses={
        "passed": "通过",
        "failed": "失败",
        "error": "出错",
        "skipped": "跳过",
        "cancelled": "已取消",
        "active": "未完成",
    },
    outcomes={
        "passed": "通过",
        "failed": "未通过",
        "vacuous": "通过（无可检查内容）",
        "skipped": "跳过",
    },
    dimensions={
        "tool": "工具调用",
        "logic": "逻辑推理",
        "common": "常识问答",
        "complex": "复杂任务",
    },
    kinds={
        "dimension": "维度",
        "language": "语言",
        "tag": "标签",
        "checker": "判定规则",
        "tool": "工具",
    },
    reasons={
        "missing_tools": "智能体缺少 {tools}",
        "cancelled": "运行在此之前已结束",
        "unknown": "原因不明",
    },
    headings={
        "dimensions": "维度",
        "troubles": "失败、跳过与出错",
        "cases": "用例",
        "coverage": "用例覆盖",
        "environment": "测量方式",
        "details": "用例详情",
    },
    columns={
        "dimension": "维度",
        "score": "得分",
        "weight": "权重",
        "cases": "用例数",
        "case": "用例",
        "status": "状态",
        "time": "用时",
        "calls": "工具调用",
        "answer": "回答",
        "kind": "类别",
        "covered": "覆盖",
        "uncovered": "未触及",
        "check": "规则",
        "outcome": "结论",
        "expected": "期望",
        "evidence": "实际",
    },
    facts={
        "engine": "引擎",
        "model": "模型",
        "language": "语言",
        "case_set": "用例集",
        "digest": "用例集摘要",
        "status": "状态",
        "started": "开始",
        "finished": "结束",
        "elapsed": "用时",
        "seconds": "所有用例合计",
        "cost": "费用",
        "weights": "权重",
        "tools": "智能体的工具",
        "configured": "额外提供",
        "options": "选项",
        "sandbox": "沙箱",
        "timeout": "每个用例的秒数",
        "concurrency": "同时进行的用例",
        "user": "用户",
        "run": "运行",
    },
    details={
        "prompt": "任务",
        "answer": "回答",
        "calls": "工具调用",
        "checks": "判定",
        "reason": "原因",
        "error": "错误",
        "weight": "权重 {weight}",
        "score": "得分 {score}",
    },
    notes={
        "score": "得分以 100 分计，维度内按用例权重平均；总分只对测量过的维度加权。",
        "skipped": "跳过和取消的用例不说明智能体的能力，不计入得分。",
        "left_out": "另有 {count} 个用例从略，完整内容见 JSON 报告。",
        "cut": "较长的文本已截断，完整内容见 JSON 报告。",
        "coverage": "触及各项的用例数；一个用例可触及多项。",
        "uncovered": "未触及：{names}",
        "no_tools": "未知",
    },
    cut="报告过长，在此截断。其余内容见 JSON 报告。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
