"""What the commands that find projects and results say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class FindWords(Words):
    """Headings and sentences; names in braces are filled in."""

    columns = Both(
        {
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
        {
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
    )
    fields = Both(
        {
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
        {
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
    )
    values = Both(
        {
            "completed": "completed",
            "failed": "failed",
            "skipped": "skipped",
            "unscored": "no score",
            "ungraded": "judge failed",
            "gate_failed": "critical check failed",
            "imported": "imported",
            "simulated": "simulated",
        },
        {
            "completed": "完成",
            "failed": "失败",
            "skipped": "跳过",
            "unscored": "未评分",
            "ungraded": "评审失败",
            "gate_failed": "关键检查未通过",
            "imported": "导入",
            "simulated": "模拟",
        },
    )
    size = Both("skills: {skills}, baselines: {baselines}", "技能 {skills}，基线 {baselines}")
    version = Both("version", "版本")
    archived = Both("archived", "已归档")
    limits = Both(
        "{seconds} s for each attempt, {retries} retries",
        "每次尝试 {seconds} 秒，重试 {retries} 次",
    )
    judges = Both("{judges}, readings: {readings}", "{judges}，各读 {readings} 次")
    results = Both("results", "结果")
    note = Both("note", "注意")
    extent = Both("{first}–{last} of {total}", "第 {first}–{last} 个，共 {total} 个")
    next_page = Both("next: --page {page}", "下一页：--page {page}")
    no_page = Both("no page {page}; there are {total} in all", "没有第 {page} 页；共 {total} 个")
    none_fit = Both("nothing fits", "没有符合条件的")
    empty = Both("no projects yet; make one with: {command}", "还没有项目；创建：{command}")
    problem = Both("not readable", "无法读取")
    no_results = Both("no results yet", "还没有结果")
    of_attempts = Both("{attempt} of {count}", "{attempt} / {count}")
    long_conversation = Both(
        CountedText("about {tokens:token|tokens}, near or beyond the threshold"),
        "约 {tokens} 词元，接近或超过阈值",
    )
    more_text = Both(
        CountedText("… {characters:character|characters} in all; --json has them"),
        "……共 {characters} 个字符，--json 给出全部",
    )
    headings = Both(
        {
            "input": "input",
            "expected_output": "expected",
            "actual_output": "answer",
            "scores": "scores",
            "checks": "checks",
            "score_reasoning": "reasons",
            "error": "error",
        },
        {
            "input": "输入",
            "expected_output": "期望",
            "actual_output": "回答",
            "scores": "评分",
            "checks": "检查",
            "score_reasoning": "理由",
            "error": "错误",
        },
    )
    outcomes = Both(
        {"passed": "passed", "failed": "failed", "vacuous": "vacuous", "skipped": "skipped"},
        {"passed": "通过", "failed": "未通过", "vacuous": "无可检查", "skipped": "跳过"},
    )
