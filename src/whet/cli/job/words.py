"""What ``whet job run`` and ``whet job`` say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


@dataclass(frozen=True)
class TakesWords:
    """Of what a skill takes; names in braces are filled in."""

    mistakes: str
    takes: str
    anything: str
    nothing: str
    required: str
    optional: str
    file: str
    any: str
    one_of: str
    default: str


@dataclass(frozen=True)
class WorkWords:
    """Of running, waiting and asking for jobs."""

    seconds: str
    turn: str
    kinds: dict[str, str]
    cached: str
    files: str
    failed: str
    cancelled: str
    stopped: str
    still: str
    still_batch: str
    not_yet: str
    needs_upload: str
    asks: str
    reply: str
    queued: str
    served: str
    unserved: str
    done_before: str
    batch: str
    refused: str
    batch_ended: str


@dataclass(frozen=True)
class AskWords:
    """Of questions on a terminal."""

    question: str
    answer: str
    choose: str
    confirm: str
    yes: tuple[str, ...]
    no: tuple[str, ...]
    upload: str
    needed: str
    may: str
    no_file: str
    again: str
    later: str


@dataclass(frozen=True)
class FindWords:
    """Of lists, and of one job."""

    columns: dict[str, str]
    fields: dict[str, str]
    states: dict[str, str]
    gone: str
    extent: str
    none_fit: str
    none_yet: str
    no_files: str
    wrote: str
    replied: str
    ended: str
    on_its_way: str
    deleted: str
    case: str
    counts: str
    more: str
    yes: str


class JobWords(Words):
    """All of them."""

    takes = Both(
        TakesWords(
            mistakes=CountedText("the inputs of {name} have {count:mistake|mistakes}:"),
            takes="{name} takes:",
            anything="{name} takes any --input NAME=VALUE and --file NAME=PATH.",
            nothing="{name} takes no inputs.",
            required="required",
            optional="",
            file="file",
            any="any value",
            one_of="one of {choices}",
            default="Default: {value}.",
        ),
        TakesWords(
            mistakes="{name} 的输入有 {count} 处错误：",
            takes="{name} 接受：",
            anything="{name} 接受任意的 --input NAME=VALUE 和 --file NAME=PATH。",
            nothing="{name} 不接受任何输入。",
            required="必需",
            optional="",
            file="文件",
            any="任意值",
            one_of="可选：{choices}",
            default="默认：{value}。",
        ),
    )
    work = Both(
        WorkWords(
            seconds="{seconds:.0f} s",
            turn="turn {number}",
            kinds={
                "said": "says",
                "called": "calls",
                "returned": "got",
                "failed": "failed",
                "skill": "uses the skill",
                "ended": "ended",
            },
            cached="Just the same was done before, and this is what it came to; --no-cache does it "
            "anew.",
            files="files: {path}",
            failed="job {job} failed: {code}: {message}",
            cancelled="job {job} was cancelled",
            stopped="stopped; job {job} is cancelled",
            still="no longer waiting; job {job} is {state}: {command}",
            still_batch="no longer waiting; go on with: {command}",
            not_yet="job {job} is {state} after {seconds:g} s",
            needs_upload="job {job} waits for files that a client of the HTTP API uploads",
            asks="job {job} waits for an answer: {question}",
            reply="answer with: {command}",
            queued="job {job} of {skill} is queued.",
            served="A running whet serve does it. Wait for it with: {command}",
            unserved="Nobody does it yet: start whet serve, or do it here with: {command}",
            done_before="job {job} of {skill}: just the same was done before; see: {command}",
            batch=CountedText("batch {batch}: {count:job|jobs} of {skill}."),
            refused="{count} of them cannot be done:",
            batch_ended=CountedText("{done} of {total:job|jobs} did not succeed"),
        ),
        WorkWords(
            seconds="{seconds:.0f} 秒",
            turn="第 {number} 轮",
            kinds={
                "said": "说",
                "called": "调用",
                "returned": "得到",
                "failed": "失败",
                "skill": "使用技能",
                "ended": "结束",
            },
            cached="之前做过完全相同的作业，这里给出其结果；--no-cache 重新执行。",
            files="文件：{path}",
            failed="作业 {job} 失败：{code}：{message}",
            cancelled="作业 {job} 已取消",
            stopped="已停止；作业 {job} 已取消",
            still="不再等待；作业 {job} {state}：{command}",
            still_batch="不再等待；继续：{command}",
            not_yet="{seconds:g} 秒后作业 {job} 仍为：{state}",
            needs_upload="作业 {job} 在等待文件，由 HTTP API 的客户端上传",
            asks="作业 {job} 在等待回答：{question}",
            reply="回答：{command}",
            queued="{skill} 的作业 {job} 已排队。",
            served="正在运行的 whet serve 会执行它。等待结果：{command}",
            unserved="目前没有进程执行它：启动 whet serve，或在此执行：{command}",
            done_before="{skill} 的作业 {job}：之前做过完全相同的作业，查看：{command}",
            batch="批次 {batch}：{skill} 的 {count} 个作业。",
            refused="其中 {count} 个无法执行：",
            batch_ended="{total} 个作业中有 {done} 个未成功",
        ),
    )
    ask = Both(
        AskWords(
            question="The agent asks:",
            answer="your answer",
            choose="number",
            confirm="y/n",
            yes=("y", "yes"),
            no=("n", "no"),
            upload="path of {name} ({need})",
            needed="required",
            may="may be left out",
            no_file="There is no file {path}.",
            again="That is no answer to it.",
            later="not answered; do it later with: {command}",
        ),
        AskWords(
            question="智能体提问：",
            answer="你的回答",
            choose="编号",
            confirm="是/否",
            yes=("是", "y", "yes"),
            no=("否", "n", "no"),
            upload="{name} 的路径（{need}）",
            needed="必需",
            may="可省略",
            no_file="没有文件 {path}。",
            again="这不是有效的回答。",
            later="未回答；稍后回答：{command}",
        ),
    )
    find = Both(
        FindWords(
            columns={
                "job": "job",
                "skill": "skill",
                "engine": "engine",
                "status": "status",
                "created": "asked for",
                "took": "worked",
                "cost": "cost",
                "path": "path",
                "size": "bytes",
                "role": "role",
                "row": "#",
                "data": "result",
            },
            fields={
                "job": "job",
                "skill": "skill",
                "engine": "engine",
                "status": "status",
                "mode": "mode",
                "created": "asked for",
                "started": "started",
                "ended": "ended",
                "took": "worked",
                "turns": "turns",
                "cost": "cost",
                "cached": "done before",
                "simulated": "simulated",
                "session": "session",
                "batch": "batch",
                "folder": "folder",
                "error": "error",
                "warning": "mind",
                "asks": "asks",
                "next": "next",
            },
            states={
                "waiting_upload": "waits for files",
                "queued": "queued",
                "running": "running",
                "waiting_user": "waits for an answer",
                "succeeded": "succeeded",
                "failed": "failed",
                "cancelled": "cancelled",
                "refused": "refused",
            },
            gone="interrupted",
            extent="{first} to {last} of {total}",
            none_fit="No job fits.",
            none_yet="No jobs yet. Begin with: {command}",
            no_files="Job {job} delivered no files.",
            wrote="files in {path}: {count}",
            replied="Job {job} has its answer.",
            ended="job {job}: {state}",
            on_its_way="Job {job} has not ended yet; it does as soon as it can.",
            deleted="deleted: {job}",
            case="case {case} in {name} {version}",
            counts=CountedText("{total:job|jobs}: {parts}"),
            more="… and {count} more; --json has all",
            yes="yes",
        ),
        FindWords(
            columns={
                "job": "作业",
                "skill": "技能",
                "engine": "引擎",
                "status": "状态",
                "created": "提交",
                "took": "用时",
                "cost": "费用",
                "path": "路径",
                "size": "字节",
                "role": "用途",
                "row": "#",
                "data": "结果",
            },
            fields={
                "job": "作业",
                "skill": "技能",
                "engine": "引擎",
                "status": "状态",
                "mode": "模式",
                "created": "提交",
                "started": "开始",
                "ended": "结束",
                "took": "用时",
                "turns": "轮次",
                "cost": "费用",
                "cached": "取自先前作业",
                "simulated": "模拟",
                "session": "会话",
                "batch": "批次",
                "folder": "目录",
                "error": "错误",
                "warning": "注意",
                "asks": "提问",
                "next": "下一步",
            },
            states={
                "waiting_upload": "等待文件",
                "queued": "排队中",
                "running": "运行中",
                "waiting_user": "等待回答",
                "succeeded": "成功",
                "failed": "失败",
                "cancelled": "已取消",
                "refused": "被拒绝",
            },
            gone="已中断",
            extent="第 {first} 至 {last} 个，共 {total} 个",
            none_fit="没有符合条件的作业。",
            none_yet="尚无作业。开始：{command}",
            no_files="作业 {job} 没有交付文件。",
            wrote="{path} 中的文件：{count}",
            replied="作业 {job} 已得到回答。",
            ended="作业 {job}：{state}",
            on_its_way="作业 {job} 尚未结束，会尽快结束。",
            deleted="已删除：{job}",
            case="用例 {case}，位于 {name} {version}",
            counts="共 {total} 个作业：{parts}",
            more="……另有 {count} 个，--json 给出全部",
            yes="是",
        ),
    )
