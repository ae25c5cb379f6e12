"""What the commands that run projects say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class WorkWords(Words):
    """Names in braces are filled in."""

    fields = Both(
        {
            "name": "project",
            "status": "status",
            "error": "error",
            "trials": "trials",
            "run": "latest run",
            "time": "time",
            "context": "context",
            "cost": "cost",
        },
        {
            "name": "项目",
            "status": "状态",
            "error": "错误",
            "trials": "试验",
            "run": "最近一次运行",
            "time": "时间",
            "context": "上下文",
            "cost": "费用",
        },
    )
    statuses = Both(
        {
            "pending": "not run yet",
            "running": "running",
            "completed": "completed",
            "interrupted": "interrupted",
        },
        {
            "pending": "尚未运行",
            "running": "运行中",
            "completed": "已完成",
            "interrupted": "已中断",
        },
    )
    controls = Both(
        {
            "paused": "paused",
            "stopped": "stopped",
            "all": "every trial failed",
            "some": "some trials have no answer",
        },
        {
            "paused": "已暂停",
            "stopped": "已停止",
            "all": "全部试验失败",
            "some": "部分试验没有回答",
        },
    )
    trials = Both("{done} of {total}", "{done} / {total}")
    completed = Both("{count} completed", "完成 {count}")
    failed = Both("{count} failed", "失败 {count}")
    skipped = Both("{count} skipped", "跳过 {count}")
    unscored = Both("{count} without a score", "未评分 {count}")
    no_answer = Both("{count} without an answer", "没有回答 {count}")
    run = Both(
        "{settled} of {wanted} settled, {reused} reused",
        "{wanted} 次中已完成 {settled} 次，复用 {reused} 次",
    )
    seconds = Both("{span} so far", "已用 {span}")
    took = Both("took {span}", "用时 {span}")
    seconds_left = Both("about {span} to go", "约剩 {span}")
    long = Both(
        CountedText("{count:conversation|conversations} near or past the threshold of tokens"),
        "{count} 次对话接近或超过词元阈值",
    )
    cost = Both("${cost:.2f} for agents", "智能体 ${cost:.2f}")
    go_on = Both("go on with: {command}", "继续：{command}")
    run_it = Both("run it: {command}", "运行：{command}")
    wanted = Both("trials to be tried again: {count}", "将重新尝试 {count} 次试验")
    stopped = Both("stopped", "已停止")
    halted = Both(
        {"paused": "{name} was paused", "stopped": "{name} was stopped"},
        {"paused": "{name} 已暂停", "stopped": "{name} 已停止"},
    )
    on_its_way = Both(
        {
            "paused": "It pauses as soon as what is under way has ended.",
            "stopped": "It has not stopped yet.",
        },
        {
            "paused": "正在进行的试验结束后即暂停。",
            "stopped": "尚未停止。",
        },
    )
    extent = Both(
        CountedText(
            "{total:trial|trials}: {now} run now, {graded} only graded anew, "
            "{reused} reused; {seconds:.1f} s"
        ),
        "共 {total} 次试验：本次运行 {now} 次，仅重新评分 {graded} 次，复用 {reused} 次；"
        "用时 {seconds:.1f} 秒",
    )
    spent = Both("; ${cost:.2f}", "；${cost:.2f}")
    unanswered = Both("trials without an answer: {count}", "{count} 次试验没有得到回答")
    files = Both("files", "文件")
    more = Both("more ", "详情")
