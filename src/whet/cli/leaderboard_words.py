"""What ``whet leaderboard`` says, in the languages it speaks."""

from whet.core.bilingual import Both, Words


class BoardWords(Words):
    """Headings, marks and sentences; names in braces are filled in."""

    columns = Both(
        {
            "skill": "skill",
            "score": "score",
            "checks": "checks",
            "interval": "95 % interval",
            "cases": "cases",
            "tested_at": "tested",
            "project": "project",
            "baseline": "baseline",
            "version": "version",
            "on": "on",
        },
        {
            "skill": "技能",
            "score": "得分",
            "checks": "检查",
            "interval": "95 % 区间",
            "cases": "用例",
            "tested_at": "测试日期",
            "project": "项目",
            "baseline": "基线",
            "version": "版本",
            "on": "基线版本",
        },
    )
    title = Both(
        "{purpose} · cases: {cases} · skills: {skills}",
        "{purpose} · 用例：{cases} · 技能：{skills}",
    )
    gone = Both("gone from the library", "已不在库中")
    skill_newer = Both("skill is {version} now", "技能现为 {version}")
    skill_gone = Both("skill is gone", "技能已不在库中")
    baseline_newer = Both("baseline is {version} now", "基线现为 {version}")
    baseline_gone = Both("baseline is gone", "基线已不在库中")
    simulated = Both("simulated", "模拟")
    failed = Both("failed: {count}", "失败：{count}")
    gate_failed = Both("critical check failed: {count}", "关键检查未通过：{count}")
    mixed = Both("mixed rubrics: {rubrics}", "混合量表：{rubrics}")
    more = Both("… and {count} more; see {command}", "… 还有 {count} 条，见 {command}")
    earlier = Both(
        "… and {count} earlier ones; see {command}", "… 还有更早的 {count} 条，见 {command}"
    )
    extent_groups = Both(
        "baselines {first}–{last} of {total}", "基线第 {first}–{last} 个，共 {total} 个"
    )
    extent_records = Both(
        "records {first}–{last} of {total}", "记录第 {first}–{last} 条，共 {total} 条"
    )
    next_page = Both("the next page: --page {page}", "下一页：--page {page}")
    no_page = Both("There is no page {page}: {total} in all.", "没有第 {page} 页：共 {total} 项。")
    none_yet = Both(
        "No project has results yet. To see some: {command}", "还没有项目结果。先看示例：{command}"
    )
    none_fit = Both("Nothing fits.", "没有符合条件的记录。")
    untested = Both("{name} was in no project yet.", "{name} 还没有参加过任何项目。")
    written = Both("Written to {path}.", "已写入 {path}。")
