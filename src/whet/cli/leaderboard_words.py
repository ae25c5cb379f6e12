"""What ``whet leaderboard`` says, in the languages it speaks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class BoardWords:
    """Headings, marks and sentences; names in braces are filled in."""

    columns: dict[str, str]
    title: str
    gone: str
    skill_newer: str
    skill_gone: str
    baseline_newer: str
    baseline_gone: str
    simulated: str
    failed: str
    gate_failed: str
    mixed: str
    more: str
    earlier: str
    extent_groups: str
    extent_records: str
    next_page: str
    no_page: str
    none_yet: str
    none_fit: str
    untested: str
    written: str


ENGLISH = BoardWords(
    columns={
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
    title="{purpose} · cases: {cases} · skills: {skills}",
    gone="gone from the library",
    skill_newer="skill is {version} now",
    skill_gone="skill is gone",
    baseline_newer="baseline is {version} now",
    baseline_gone="baseline is gone",
    simulated="simulated",
    failed="failed: {count}",
    gate_failed="critical check failed: {count}",
    mixed="mixed rubrics: {rubrics}",
    more="… and {count} more; see {command}",
    earlier="… and {count} earlier ones; see {command}",
    extent_groups="baselines {first}–{last} of {total}",
    extent_records="records {first}–{last} of {total}",
    next_page="the next page: --page {page}",
    no_page="There is no page {page}: {total} in all.",
    none_yet="No project has results yet. To see some: {command}",
    none_fit="Nothing fits.",
    untested="{name} was in no project yet.",
    written="Written to {path}.",
)

CHINESE = BoardWords(
    columns={
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
    title="{purpose} · 用例：{cases} · 技能：{skills}",
    gone="已不在库中",
    skill_newer="技能现为 {version}",
    skill_gone="技能已不在库中",
    baseline_newer="基线现为 {version}",
    baseline_gone="基线已不在库中",
    simulated="模拟",
    failed="失败：{count}",
    gate_failed="关键检查未通过：{count}",
    mixed="混合量表：{rubrics}",
    more="… 还有 {count} 条，见 {command}",
    earlier="… 还有更早的 {count} 条，见 {command}",
    extent_groups="基线第 {first}–{last} 个，共 {total} 个",
    extent_records="记录第 {first}–{last} 条，共 {total} 条",
    next_page="下一页：--page {page}",
    no_page="没有第 {page} 页：共 {total} 项。",
    none_yet="还没有项目结果。先看示例：{command}",
    none_fit="没有符合条件的记录。",
    untested="{name} 还没有参加过任何项目。",
    written="已写入 {path}。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
