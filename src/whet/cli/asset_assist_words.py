"""What the commands in which a model helps say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class AssistWords:
    """Names in braces are filled in."""

    # tag auto
    tagging: str
    answers: str
    all_tagged: str
    no_asset: str
    more_left: str
    proposed: str
    nothing_new: str
    failed: str
    waiting: str
    review: str
    tags_simulated: str
    spent: str
    unknown_cost: str
    # suggest-purpose
    same_purpose: str
    new_purpose: str
    reasons: dict[str, str]
    """Those of the rule, by what it says in English."""

    by_rule_alone: str
    # generate
    writing: str
    of_model: str
    cases_simulated: str
    missing: str
    left_out: str
    categories: dict[str, str]
    case: str
    description: str
    input: str
    expected: str
    keys: str
    unusable: str
    none_kept: str
    draft: str
    look: str
    written: str


ENGLISH = AssistWords(
    tagging="auto-tag",
    answers=CountedText("{count:answer|answers} of {who}, of unknown cost"),
    all_tagged="Nothing to do: every one has a tag, or one that waits.",
    no_asset="Nothing to do: the library is empty.",
    more_left="Without a tag there are {count} more: the same command goes on with them.",
    proposed="{name} ({id}): {tags}",
    nothing_new="{name} ({id}): nothing that is not there already",
    failed="{name} ({id}): failed: {error}",
    waiting="{name} ({id}): not done",
    review="  review them: {command}",
    tags_simulated="Simulated: the tags are words of the texts; no model was asked.",
    spent=CountedText("It took {tokens:token|tokens}, {cost}."),
    unknown_cost="of unknown cost",
    same_purpose="{purpose} is probably {found}: {reason}",
    new_purpose="No other purpose is meant by {purpose}: {reason}",
    reasons={},
    by_rule_alone="Names were compared by rule; with --engine a model compares meanings.",
    writing=CountedText("{who} writes {number:case|cases} …"),
    of_model=CountedText("A draft of {count:case|cases} by {who}"),
    cases_simulated="Simulated: the cases are made by a rule; no model was asked.",
    missing="Not written by the model: {missing}.",
    left_out="Left out, for they are no use or say the same as others: {count}.",
    categories={"standard": "standard", "boundary": "boundary", "exception": "exception"},
    case="Case {place} of {total}, {category}: {name}",
    description="What it tests",
    input="Input",
    expected="Expected",
    keys="[k]eep  [d]rop  [e]dit  keep [a]ll that follow  [q]uit: ",
    unusable="It cannot be a case so: {error}",
    none_kept="No case was kept; nothing was saved.",
    draft="The draft is {path}",
    look="Look at it, then take it in: {command}",
    written="Written: {path}",
)

CHINESE = AssistWords(
    tagging="自动打标签",
    answers="{who} 的 {count} 次回答，费用未知",
    all_tagged="无需处理：全部已有标签，或有待审标签。",
    no_asset="无需处理：库是空的。",
    more_left="还有 {count} 个没有标签：再次运行同一命令即可继续。",
    proposed="{name}（{id}）：{tags}",
    nothing_new="{name}（{id}）：没有新的标签",
    failed="{name}（{id}）：失败：{error}",
    waiting="{name}（{id}）：未处理",
    review="  审核：{command}",
    tags_simulated="模拟：标签取自文本中的词，没有询问任何模型。",
    spent="用去 {tokens} 个 token，{cost}。",
    unknown_cost="费用未知",
    same_purpose="{purpose} 很可能就是 {found}：{reason}",
    new_purpose="没有与 {purpose} 相同的用途：{reason}",
    reasons={
        "there is no other purpose yet": "还没有其他用途",
        "this purpose is there already": "这个用途已经存在",
        "the same words, written otherwise": "用词相同，写法不同",
        "spelt almost alike": "拼写几乎相同",
        "no name is alike; meanings take a model": "没有相近的名称；比较含义需要模型",
    },
    by_rule_alone="仅按规则比较名称；用 --engine 可让模型比较含义。",
    writing="{who} 正在编写 {number} 个用例 …",
    of_model="{who} 的草稿，共 {count} 个用例",
    cases_simulated="模拟：用例由规则生成，没有询问任何模型。",
    missing="模型没有写出：{missing}。",
    left_out="因无用或重复而略去：{count}。",
    categories={"standard": "标准", "boundary": "边界", "exception": "异常"},
    case="用例 {place}/{total}，{category}：{name}",
    description="测试内容",
    input="输入",
    expected="期望",
    keys="[k] 保留  [d] 丢弃  [e] 编辑  [a] 保留其余全部  [q] 退出：",
    unusable="这样不能成为用例：{error}",
    none_kept="没有保留任何用例，未保存。",
    draft="草稿：{path}",
    look="看过之后导入：{command}",
    written="已写入：{path}",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
