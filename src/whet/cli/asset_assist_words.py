"""What the commands in which a model helps say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class AssistWords(Words):
    """Names in braces are filled in."""

    tagging = Both("auto-tag", "自动打标签")
    answers = Both(
        CountedText("{count:answer|answers} of {who}, of unknown cost"),
        "{who} 的 {count} 次回答，费用未知",
    )
    all_tagged = Both(
        "Nothing to do: every one has a tag, or one that waits.",
        "无需处理：全部已有标签，或有待审标签。",
    )
    no_asset = Both("Nothing to do: the library is empty.", "无需处理：库是空的。")
    more_left = Both(
        "Without a tag there are {count} more: the same command goes on with them.",
        "还有 {count} 个没有标签：再次运行同一命令即可继续。",
    )
    proposed = Both("{name} ({id}): {tags}", "{name}（{id}）：{tags}")
    nothing_new = Both(
        "{name} ({id}): nothing that is not there already", "{name}（{id}）：没有新的标签"
    )
    failed = Both("{name} ({id}): failed: {error}", "{name}（{id}）：失败：{error}")
    waiting = Both("{name} ({id}): not done", "{name}（{id}）：未处理")
    review = Both("  review them: {command}", "  审核：{command}")
    tags_simulated = Both(
        "Simulated: the tags are words of the texts; no model was asked.",
        "模拟：标签取自文本中的词，没有询问任何模型。",
    )
    spent = Both(
        CountedText("It took {tokens:token|tokens}, {cost}."), "用去 {tokens} 个 token，{cost}。"
    )
    unknown_cost = Both("of unknown cost", "费用未知")
    same_purpose = Both(
        "{purpose} is probably {found}: {reason}", "{purpose} 很可能就是 {found}：{reason}"
    )
    new_purpose = Both(
        "No other purpose is meant by {purpose}: {reason}", "没有与 {purpose} 相同的用途：{reason}"
    )
    reasons = Both(
        {
            "there is no other purpose yet": "there is no other purpose yet",
            "this purpose is there already": "this purpose is there already",
            "the same words, written otherwise": "the same words, written otherwise",
            "spelt almost alike": "spelt almost alike",
            "no name is alike; meanings take a model": "no name is alike; meanings take a model",
        },
        {
            "there is no other purpose yet": "还没有其他用途",
            "this purpose is there already": "这个用途已经存在",
            "the same words, written otherwise": "用词相同，写法不同",
            "spelt almost alike": "拼写几乎相同",
            "no name is alike; meanings take a model": "没有相近的名称；比较含义需要模型",
        },
    )
    """Those of the rule, by what it says in English."""

    by_rule_alone = Both(
        "Names were compared by rule; with --engine a model compares meanings.",
        "仅按规则比较名称；用 --engine 可让模型比较含义。",
    )
    writing = Both(
        CountedText("{who} writes {number:case|cases} …"), "{who} 正在编写 {number} 个用例 …"
    )
    of_model = Both(
        CountedText("A draft of {count:case|cases} by {who}"), "{who} 的草稿，共 {count} 个用例"
    )
    cases_simulated = Both(
        "Simulated: the cases are made by a rule; no model was asked.",
        "模拟：用例由规则生成，没有询问任何模型。",
    )
    missing = Both("Not written by the model: {missing}.", "模型没有写出：{missing}。")
    left_out = Both(
        "Left out, for they are no use or say the same as others: {count}.",
        "因无用或重复而略去：{count}。",
    )
    categories = Both(
        {"standard": "standard", "boundary": "boundary", "exception": "exception"},
        {"standard": "标准", "boundary": "边界", "exception": "异常"},
    )
    case = Both(
        "Case {place} of {total}, {category}: {name}", "用例 {place}/{total}，{category}：{name}"
    )
    description = Both("What it tests", "测试内容")
    input = Both("Input", "输入")
    expected = Both("Expected", "期望")
    keys = Both(
        "[k]eep  [d]rop  [e]dit  keep [a]ll that follow  [q]uit: ",
        "[k] 保留  [d] 丢弃  [e] 编辑  [a] 保留其余全部  [q] 退出：",
    )
    unusable = Both("It cannot be a case so: {error}", "这样不能成为用例：{error}")
    none_kept = Both("No case was kept; nothing was saved.", "没有保留任何用例，未保存。")
    draft = Both("The draft is {path}", "草稿：{path}")
    look = Both("Look at it, then take it in: {command}", "看过之后导入：{command}")
    written = Both("Written: {path}", "已写入：{path}")
