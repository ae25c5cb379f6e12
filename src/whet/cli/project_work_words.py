"""What the commands that run projects say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.core.run import Wish


@dataclass(frozen=True)
class WorkWords:
    """Names in braces are filled in."""

    fields: dict[str, str]
    statuses: dict[str, str]
    controls: dict[str, str]
    trials: str
    completed: str
    failed: str
    skipped: str
    unscored: str
    no_answer: str
    run: str
    seconds: str
    took: str
    seconds_left: str
    long: str
    cost: str
    go_on: str
    run_it: str
    wanted: str
    stopped: str
    halted: dict[Wish, str]
    on_its_way: dict[Wish, str]
    extent: str
    spent: str
    unanswered: str
    files: str
    more: str


ENGLISH = WorkWords(
    fields={
        "name": "project",
        "status": "status",
        "error": "error",
        "trials": "trials",
        "run": "latest run",
        "time": "time",
        "context": "context",
        "cost": "cost",
    },
    statuses={
        "pending": "not run yet",
        "running": "running",
        "completed": "completed",
        "interrupted": "interrupted",
    },
    controls={
        "paused": "paused",
        "stopped": "stopped",
        "all": "every trial failed",
        "some": "some trials have no answer",
    },
    trials="{done} of {total}",
    completed="{count} completed",
    failed="{count} failed",
    skipped="{count} skipped",
    unscored="{count} without a score",
    no_answer="{count} without an answer",
    run="{settled} of {wanted} settled, {reused} reused",
    seconds="{span} so far",
    took="took {span}",
    seconds_left="about {span} to go",
    long=CountedText("{count:conversation|conversations} near or past the threshold of tokens"),
    cost="${cost:.2f} for agents",
    go_on="go on with: {command}",
    run_it="run it: {command}",
    wanted="trials to be tried again: {count}",
    stopped="stopped",
    halted={"paused": "{name} was paused", "stopped": "{name} was stopped"},
    on_its_way={
        "paused": "It pauses as soon as what is under way has ended.",
        "stopped": "It has not stopped yet.",
    },
    extent=(
        CountedText(
            "{total:trial|trials}: {now} run now, {graded} only graded anew, {reused} reused; "
            "{seconds:.1f} s"
        )
    ),
    spent="; ${cost:.2f}",
    unanswered="trials without an answer: {count}",
    files="files",
    more="more ",
)

CHINESE = WorkWords(
    fields={
        "name": "项目",
        "status": "状态",
        "error": "错误",
        "trials": "试验",
        "run": "最近一次运行",
        "time": "时间",
        "context": "上下文",
        "cost": "费用",
    },
    statuses={
        "pending": "尚未运行",
        "running": "运行中",
        "completed": "已完成",
        "interrupted": "已中断",
    },
    controls={
        "paused": "已暂停",
        "stopped": "已停止",
        "all": "全部试验失败",
        "some": "部分试验没有回答",
    },
    trials="{done} / {total}",
    completed="完成 {count}",
    failed="失败 {count}",
    skipped="跳过 {count}",
    unscored="未评分 {count}",
    no_answer="没有回答 {count}",
    run="{wanted} 次中已完成 {settled} 次，复用 {reused} 次",
    seconds="已用 {span}",
    took="用时 {span}",
    seconds_left="约剩 {span}",
    long="{count} 次对话接近或超过词元阈值",
    cost="智能体 ${cost:.2f}",
    go_on="继续：{command}",
    run_it="运行：{command}",
    wanted="将重新尝试 {count} 次试验",
    stopped="已停止",
    halted={"paused": "{name} 已暂停", "stopped": "{name} 已停止"},
    on_its_way={
        "paused": "正在进行的试验结束后即暂停。",
        "stopped": "尚未停止。",
    },
    extent=(
        "共 {total} 次试验：本次运行 {now} 次，仅重新评分 {graded} 次，复用 {reused} 次；"
        "用时 {seconds:.1f} 秒"
    ),
    spent="；${cost:.2f}",
    unanswered="{count} 次试验没有得到回答",
    files="文件",
    more="详情",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
