"""What two sessions did unlike, in sentences for people."""

from collections.abc import Iterator
from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.documents.session_comparison import (
    AmountDifference,
    ComparedCall,
    CountDifference,
    Divergence,
    SessionComparison,
)

_MOST_NAMED = 3
_SECOND = 1000
_NAMED = ("wall_ms", "thinking_ms", "input_tokens", "output_tokens", "cost_usd")


@dataclass(frozen=True)
class _Words:
    """The sentences of one language; names in braces are filled in."""

    alike: str
    call: str
    status: str
    ended: dict[str, str]
    failed: str
    succeeded: str
    more_tools: str
    one_more: str
    errors: str
    files: str
    amounts: dict[str, str]
    more: str
    less: str
    outcome: str
    answer: str
    statuses: dict[str, str]
    comma: str


_ENGLISH = _Words(
    alike=CountedText("Both made the same {shared:call|calls}, which ended alike."),
    call="Calls alike at the beginning: {shared}. Then the left calls {left}, the right {right}.",
    status="Calls alike at the beginning: {shared}. Then both call {left}, which {left_end} on the "
    "left and {right_end} on the right.",
    ended={
        "left": "Calls alike at the beginning: {shared}. Then the left goes on with {left}; the "
        "right has no more calls.",
        "right": "Calls alike at the beginning: {shared}. Then the right goes on with {right}; the "
        "left has no more calls.",
    },
    failed="fails",
    succeeded="succeeds",
    more_tools="Tools: {tools}.",
    one_more="{name} {left} to {right}",
    errors="Errors: {errors}.",
    files="Files that were not used alike: {files}.",
    amounts={
        "wall_ms": "{amount} s {more} from beginning to end",
        "thinking_ms": "{amount} s {more} without any call running",
        "input_tokens": CountedText("{amount:input token|input tokens} {more}"),
        "output_tokens": CountedText("{amount:output token|output tokens} {more}"),
        "cost_usd": "${amount} {more}",
    },
    more="more on the left",
    less="less on the left",
    outcome="The left ended as {left}, the right as {right}.",
    answer="The answers differ.",
    statuses={"success": "success", "failed": "failed", "in_progress": "in progress"},
    comma=", ",
)

_CHINESE = _Words(
    alike="两边的 {shared} 次调用相同，结果也相同。",
    call="前 {shared} 次调用相同。之后左边调用 {left}，右边调用 {right}。",
    status="前 {shared} 次调用相同。之后两边都调用 {left}，左边{left_end}，右边{right_end}。",
    ended={
        "left": "前 {shared} 次调用相同。之后左边继续调用 {left}，右边不再有调用。",
        "right": "前 {shared} 次调用相同。之后右边继续调用 {right}，左边不再有调用。",
    },
    failed="失败",
    succeeded="成功",
    more_tools="工具：{tools}。",
    one_more="{name} {left} 对 {right}",
    errors="错误：{errors}。",
    files="使用情况不同的文件：{files}。",
    amounts={
        "wall_ms": "从开始到结束左边{more} {amount} 秒",
        "thinking_ms": "没有调用在运行的时间左边{more} {amount} 秒",
        "input_tokens": "输入 token 左边{more} {amount}",
        "output_tokens": "输出 token 左边{more} {amount}",
        "cost_usd": "费用左边{more} ${amount}",
    },
    more="多",
    less="少",
    outcome="左边的结果是{left}，右边是{right}。",
    answer="两边的回答不同。",
    statuses={"success": "成功", "failed": "失败", "in_progress": "进行中"},
    comma="，",
)


def in_words(comparison: SessionComparison, language: str) -> tuple[str, ...]:
    """The comparison in a few sentences, in English or Chinese (``zh``); where they part first."""
    words = _CHINESE if language == "zh" else _ENGLISH
    return (_parted(comparison, words), *_told(comparison, words))


def parted_in_words(divergence: Divergence, language: str) -> str:
    """Where two sessions part."""
    return _divergence(divergence, _CHINESE if language == "zh" else _ENGLISH)


def _parted(comparison: SessionComparison, words: _Words) -> str:
    if comparison.divergence is None:
        return words.alike.format(shared=comparison.same)
    return _divergence(comparison.divergence, words)


def _divergence(found: Divergence, words: _Words) -> str:
    left, right = _call(found.left), _call(found.right)
    if found.kind == "ended":
        side = "left" if found.left is not None else "right"
        return words.ended[side].format(shared=found.shared, left=left, right=right)
    sentence = words.status if found.kind == "status" else words.call
    return sentence.format(
        shared=found.shared,
        left=left,
        right=right,
        left_end=_end(found.left, words),
        right_end=_end(found.right, words),
    )


def _call(call: ComparedCall | None) -> str:
    return "" if call is None else f"{call.tool} {call.subject}".strip()


def _end(call: ComparedCall | None, words: _Words) -> str:
    return words.failed if call is not None and call.failed else words.succeeded


def _told(comparison: SessionComparison, words: _Words) -> Iterator[str]:
    if comparison.tools:
        yield words.more_tools.format(tools=_counts(comparison.tools, words))
    if comparison.errors:
        yield words.errors.format(errors=_counts(comparison.errors, words))
    if comparison.files:
        named = [file.path for file in comparison.files[:_MOST_NAMED]]
        more = len(comparison.files) + comparison.left_out.get("files", 0) - len(named)
        yield words.files.format(files=words.comma.join(named) + (f" (+{more})" if more else ""))
    amounts = [
        _amount(one, words) for one in comparison.amounts if one.name in _NAMED and one.delta
    ]
    if amounts:
        yield words.comma.join(amounts) + ("。" if words is _CHINESE else ".")
    outcome = comparison.outcome
    if outcome.left != outcome.right:
        left, right = words.statuses[outcome.left], words.statuses[outcome.right]
        yield words.outcome.format(left=left, right=right)
    elif outcome.same_answer is False:
        yield words.answer


def _counts(found: tuple[CountDifference, ...], words: _Words) -> str:
    told = (
        words.one_more.format(name=one.name, left=one.left, right=one.right)
        for one in found[:_MOST_NAMED]
    )
    return words.comma.join(told)


def _amount(one: AmountDifference, words: _Words) -> str:
    delta = one.delta or 0
    size = round(abs(delta) / _SECOND, 1) if one.name.endswith("_ms") else abs(delta)
    told = f"{size:.4g}" if one.name == "cost_usd" else f"{size:,}"
    more = words.more if delta > 0 else words.less
    return words.amounts[one.name].format(amount=told, more=more)
