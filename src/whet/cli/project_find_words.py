"""What the commands that find projects and results say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class FindWords:
    """Headings and sentences; names in braces are filled in."""

    columns: dict[str, str]
    fields: dict[str, str]
    values: dict[str, str]
    size: str
    version: str
    archived: str
    limits: str
    judges: str
    results: str
    note: str
    extent: str
    next_page: str
    no_page: str
    none_fit: str
    empty: str
    problem: str
    no_results: str
    of_attempts: str
    long_conversation: str
    more_text: str
    headings: dict[str, str]
    outcomes: dict[str, str]


ENGLISH = FindWords(
    columns={
        "id": "id",
        "name": "name",
        "status": "status",
        "trials": "trials",
        "created_at": "created",
        "skill": "skill",
        "case": "case",
        "attempt": "try",
        "result": "result",
        "score": "score",
        "checks": "checks",
        "seconds": "time",
        "cost": "cost",
    },
    fields={
        "name": "name",
        "id": "id",
        "description": "description",
        "status": "status",
        "error": "error",
        "trials": "trials",
        "skills": "skills",
        "baselines": "baselines",
        "engine": "engine",
        "options": "options",
        "flags": "flags",
        "sandbox": "sandbox",
        "limits": "limits",
        "repeats": "repeats",
        "judges": "judges",
        "context": "context",
        "created_at": "created",
        "updated_at": "updated",
        "path": "folder",
        "skill": "skill",
        "baseline": "baseline",
        "case": "case",
        "attempt": "attempt",
        "result": "result",
        "score": "score",
        "checks": "checks",
        "executed_at": "when",
        "seconds": "time",
        "tokens": "tokens",
        "cost": "cost",
        "model": "model",
    },
    values={
        "completed": "completed",
        "failed": "failed",
        "skipped": "skipped",
        "unscored": "no score",
        "ungraded": "judge failed",
        "gate_failed": "critical check failed",
        "imported": "imported",
        "simulated": "simulated",
    },
    size="skills: {skills}, baselines: {baselines}",
    version="version",
    archived="archived",
    limits="{seconds} s for each attempt, {retries} retries",
    judges="{judges}, readings: {readings}",
    results="results",
    note="note",
    extent="{first}–{last} of {total}",
    next_page="next: --page {page}",
    no_page="no page {page}; there are {total} in all",
    none_fit="nothing fits",
    empty="no projects yet; make one with: {command}",
    problem="not readable",
    no_results="no results yet",
    of_attempts="{attempt} of {count}",
    long_conversation=CountedText("about {tokens:token|tokens}, near or beyond the threshold"),
    more_text=CountedText("… {characters:character|characters} in all; --json has them"),
    headings={
        "input": "input",
        "expected_output": "expected",
        "actual_output": "answer",
        "scores": "scores",
        "checks": "checks",
        "score_reasoning": "reasons",
        "error": "error",
    },
    outcomes={"passed": "passed", "failed": "failed", "vacuous": "vacuous", "skipped": "skipped"},
)

CHINESE = FindWords(
    columns={
        "id": "编号",
        "name": "名称",
        "status": "状态",
        "trials": "试验",
        "created_at": "创建",
        "skill": "技能",
        "case": "用例",
        "attempt": "次序",
        "result": "结果",
        "score": "得分",
        "checks": "检查",
        "seconds": "用时",
        "cost": "费用",
    },
    fields={
        "name": "名称",
        "id": "编号",
        "description": "说明",
        "status": "状态",
        "error": "错误",
        "trials": "试验",
        "skills": "技能",
        "baselines": "基线",
        "engine": "引擎",
        "options": "选项",
        "flags": "参数",
        "sandbox": "沙箱",
        "limits": "限制",
        "repeats": "重复",
        "judges": "评审",
        "context": "上下文",
        "created_at": "创建",
        "updated_at": "更新",
        "path": "文件夹",
        "skill": "技能",
        "baseline": "基线",
        "case": "用例",
        "attempt": "次序",
        "result": "结果",
        "score": "得分",
        "checks": "检查",
        "executed_at": "时间",
        "seconds": "用时",
        "tokens": "词元",
        "cost": "费用",
        "model": "模型",
    },
    values={
        "completed": "完成",
        "failed": "失败",
        "skipped": "跳过",
        "unscored": "未评分",
        "ungraded": "评审失败",
        "gate_failed": "关键检查未通过",
        "imported": "导入",
        "simulated": "模拟",
    },
    size="技能 {skills}，基线 {baselines}",
    version="版本",
    archived="已归档",
    limits="每次尝试 {seconds} 秒，重试 {retries} 次",
    judges="{judges}，各读 {readings} 次",
    results="结果",
    note="注意",
    extent="第 {first}–{last} 个，共 {total} 个",
    next_page="下一页：--page {page}",
    no_page="没有第 {page} 页；共 {total} 个",
    none_fit="没有符合条件的",
    empty="还没有项目；创建：{command}",
    problem="无法读取",
    no_results="还没有结果",
    of_attempts="{attempt} / {count}",
    long_conversation="约 {tokens} 词元，接近或超过阈值",
    more_text="……共 {characters} 个字符，--json 给出全部",
    headings={
        "input": "输入",
        "expected_output": "期望",
        "actual_output": "回答",
        "scores": "评分",
        "checks": "检查",
        "score_reasoning": "理由",
        "error": "错误",
    },
    outcomes={"passed": "通过", "failed": "未通过", "vacuous": "无可检查", "skipped": "跳过"},
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
