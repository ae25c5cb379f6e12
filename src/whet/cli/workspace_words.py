"""What ``whet workspace import`` and ``whet index`` say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.curate.original.report import Kind


@dataclass(frozen=True)
class WorkspaceWords:
    """Names in braces are filled in."""

    taken: str
    kinds: dict[Kind, str]
    change: str
    more: str
    written: str
    indexed: str


ENGLISH = WorkspaceWords(
    taken=(
        CountedText(
            "taken over: {skills:skill|skills}, {baselines:baseline|baselines} (versions: "
            "{versions}), "
            "{projects:project|projects}, {files:other file|other files}"
        )
    ),
    kinds={
        "changed": "changed",
        "skipped": "here already",
        "left_out": "left out",
        "not_repaired": "not repaired",
    },
    change="{before} → {after}",
    more="… and {count} more; --json or --report has all",
    written="report: {path}",
    indexed=(
        "read: {read}, of them new: {added}; gone: {removed}, broken: {broken}; {seconds:.1f} s"
    ),
)

CHINESE = WorkspaceWords(
    taken=(
        "已接管：技能 {skills} 个，基线 {baselines} 个（版本 {versions} 个），"
        "项目 {projects} 个，其他文件 {files} 个"
    ),
    kinds={
        "changed": "已修改",
        "skipped": "已经存在",
        "left_out": "未接管",
        "not_repaired": "未能修复",
    },
    change="{before} → {after}",
    more="… 还有 {count} 条，--json 或 --report 给出全部",
    written="报告：{path}",
    indexed=(
        "已读取 {read}，其中新增 {added}；移除 {removed}，无法读取 {broken}；用时 {seconds:.1f} 秒"
    ),
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
