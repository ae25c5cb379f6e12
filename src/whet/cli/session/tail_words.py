"""What ``whet session tail`` says, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class TailWords:
    """Names in braces are filled in."""

    nothing: str
    columns: tuple[str, ...]
    hint: str
    started: str
    called: str
    returned: str
    failed: str
    skill: str
    usage: str
    cut: str
    ended: dict[str, str]
    unanswered: str
    session: str
    finished: str


BY_LANGUAGE = {
    "en": TailWords(
        nothing="nothing runs now",
        columns=("execution", "since", "engine", "for", "task"),
        hint="follow one with: {command}",
        started="begins: {who}, {task}",
        called="calls {call}",
        returned="{tool}, {ms} ms",
        failed="{tool} failed, {ms} ms",
        skill="takes up the skill {name}",
        usage=CountedText("{tokens:token|tokens} so far"),
        cut="there is more than can be followed; the session will have all of it",
        ended={
            "answered": "has answered",
            "failed": "failed: {error}",
            "cancelled": "was cancelled",
            "abandoned": "was left: the process behind it is gone",
        },
        unanswered="calls that never came back: {count}",
        session="see it with: {command}",
        finished="the job is over: {state}",
    ),
    "zh": TailWords(
        nothing="现在没有正在运行的任务",
        columns=("执行", "开始时间", "引擎", "用途", "任务"),
        hint="跟踪其中一个: {command}",
        started="开始: {who}，{task}",
        called="调用 {call}",
        returned="{tool}，{ms} 毫秒",
        failed="{tool} 失败，{ms} 毫秒",
        skill="启用技能 {name}",
        usage="至今 {tokens} 个 token",
        cut="内容过多，无法全部跟踪；会话中将有全部内容",
        ended={
            "answered": "已回答",
            "failed": "失败: {error}",
            "cancelled": "已取消",
            "abandoned": "已中断: 背后的进程已不存在",
        },
        unanswered="没有返回的调用: {count}",
        session="查看: {command}",
        finished="作业结束: {state}",
    ),
}
