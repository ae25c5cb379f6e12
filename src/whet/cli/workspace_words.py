"""What ``whet workspace import`` and ``whet index`` say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class WorkspaceWords(Words):
    """Names in braces are filled in."""

    taken = Both(
        CountedText(
            "taken over: {skills:skill|skills}, {baselines:baseline|baselines} (versions: "
            "{versions}), "
            "{projects:project|projects}, {files:other file|other files}"
        ),
        "已接管：技能 {skills} 个，基线 {baselines} 个（版本 {versions} 个），"
        "项目 {projects} 个，其他文件 {files} 个",
    )
    kinds = Both(
        {
            "changed": "changed",
            "skipped": "here already",
            "left_out": "left out",
            "not_repaired": "not repaired",
        },
        {
            "changed": "已修改",
            "skipped": "已经存在",
            "left_out": "未接管",
            "not_repaired": "未能修复",
        },
    )
    change = Both("{before} → {after}", "{before} → {after}")
    more = Both(
        "… and {count} more; --json or --report has all",
        "… 还有 {count} 条，--json 或 --report 给出全部",
    )
    written = Both("report: {path}", "报告：{path}")
    indexed = Both(
        "read: {read}, of them new: {added}; gone: {removed}, broken: {broken}; {seconds:.1f} s",
        "已读取 {read}，其中新增 {added}；移除 {removed}，无法读取 {broken}；用时 {seconds:.1f} 秒",
    )
