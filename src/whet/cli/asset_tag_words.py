"""What ``whet skill tag`` says, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class TagWords:
    """Headings and questions; names in braces are filled in."""

    heads: tuple[str, str, str, str]
    """Tag, state, when, id."""

    states: dict[str, str]
    tags: str
    joint: str
    none: str
    waiting: str
    nothing_waits: str
    proposed: str
    keys: str
    wording: str


ENGLISH = TagWords(
    heads=("tag", "state", "since", "id"),
    states={
        "manual": "yours",
        "approved": "approved",
        "pending": "proposed",
        "rejected": "rejected",
    },
    tags="{name}: {tags}",
    joint=", ",
    none="no tags",
    waiting=CountedText("{count:proposed tag waits|proposed tags wait} for a review."),
    nothing_waits="No proposed tag waits for a review.",
    proposed="{place} of {total}: {tag}",
    keys="[a]pprove, [r]eject, [m]odify, [s]kip, [q]uit: ",
    wording="The better wording (empty to go back): ",
)

CHINESE = TagWords(
    heads=("标签", "状态", "时间", "编号"),
    states={
        "manual": "手动添加",
        "approved": "已采纳",
        "pending": "待审核",
        "rejected": "已拒绝",
    },
    tags="{name}：{tags}",
    joint="、",
    none="没有标签",
    waiting="有 {count} 个建议的标签待审核。",
    nothing_waits="没有待审核的标签。",
    proposed="第 {place} 个，共 {total} 个：{tag}",
    keys="[a] 采纳，[r] 拒绝，[m] 修改，[s] 跳过，[q] 退出：",
    wording="更好的写法（留空则返回）：",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
