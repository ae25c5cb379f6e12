"""What ``whet skill tag`` says, in the languages it speaks."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class TagWords(Words):
    """Headings and questions; names in braces are filled in."""

    heads = Both(("tag", "state", "since", "id"), ("标签", "状态", "时间", "编号"))
    """Tag, state, when, id."""

    states = Both(
        {
            "manual": "yours",
            "approved": "approved",
            "pending": "proposed",
            "rejected": "rejected",
        },
        {
            "manual": "手动添加",
            "approved": "已采纳",
            "pending": "待审核",
            "rejected": "已拒绝",
        },
    )
    tags = Both("{name}: {tags}", "{name}：{tags}")
    joint = Both(", ", "、")
    none = Both("no tags", "没有标签")
    waiting = Both(
        CountedText("{count:proposed tag waits|proposed tags wait} for a review."),
        "有 {count} 个建议的标签待审核。",
    )
    nothing_waits = Both("No proposed tag waits for a review.", "没有待审核的标签。")
    proposed = Both("{place} of {total}: {tag}", "第 {place} 个，共 {total} 个：{tag}")
    keys = Both(
        "[a]pprove, [r]eject, [m]odify, [s]kip, [q]uit: ",
        "[a] 采纳，[r] 拒绝，[m] 修改，[s] 跳过，[q] 退出：",
    )
    wording = Both("The better wording (empty to go back): ", "更好的写法（留空则返回）：")
