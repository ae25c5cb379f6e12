"""What ``whet session`` says, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


@dataclass(frozen=True)
class ImportWords:
    """Of importing; names in braces are filled in."""

    statuses: dict[str, str]
    line: str
    sessions: str
    repairs: str
    more: str
    finding: str
    summary: str
    report: str
    title: str
    unit: str
    redacted: str
    unrecognised: str
    unrecognised_more: str


@dataclass(frozen=True)
class FindWords:
    """Of lists and of one session."""

    columns: dict[str, str]
    fields: dict[str, str]
    kinds: dict[str, str]
    statuses: dict[str, str]
    extent: str
    none_fit: str
    none_yet: str
    broken: str
    more_calls: str
    phases: dict[str, str]
    confidences: dict[str, str]
    no_calls: str
    further: str
    simulated: str
    verdicts: str
    passed: str
    failed: str


@dataclass(frozen=True)
class StatsWords:
    """Of figures."""

    times: dict[str, str]
    tables: dict[str, str]
    columns: dict[str, str]
    lists: dict[str, str]
    left_out: str
    guessed: str


@dataclass(frozen=True)
class DoWords:
    """Of annotating, comparing and exporting."""

    annotated: str
    removed: str
    nobody: str
    asks: str
    written: str
    redacted: str
    nothing_private: str
    not_redacted: str
    sent: str
    rejected: str
    same: str
    measures: dict[str, str]
    columns: dict[str, str]
    alike: str


class SessionWords(Words):
    """All of them."""

    imports = Both(
        ImportWords(
            statuses={
                "imported": "imported",
                "updated": "updated",
                "unchanged": "unchanged",
                "refused": "refused",
            },
            line="{status}  {source}",
            sessions=CountedText("  {name}  {calls:call|calls}"),
            repairs="  repairs: {count} ({kinds})",
            redacted="  secrets replaced: {count}; with --keep-secrets they stay",
            unrecognised="not a session log: {source}",
            unrecognised_more="not session logs: {count} more; --json lists all",
            more=CountedText("  … and {count:more session|more sessions}; --json has all of them"),
            finding="{code} ×{count}",
            summary=(
                "{imported} imported, {updated} updated, {unchanged} unchanged, {refused} refused"
            ),
            report="  report: {path}",
            title="import",
            unit="logs",
        ),
        ImportWords(
            statuses={
                "imported": "已导入",
                "updated": "已更新",
                "unchanged": "无变化",
                "refused": "被拒绝",
            },
            line="{status}  {source}",
            sessions="  {name}  {calls} 次调用",
            repairs="  修补 {count} 处：{kinds}",
            redacted="  已隐去 {count} 处密钥；用 --keep-secrets 可以保留",
            unrecognised="不是会话日志：{source}",
            unrecognised_more="另有 {count} 个文件不是会话日志；--json 列出全部",
            more="  ……另有 {count} 个会话，--json 给出全部",
            finding="{code} ×{count}",
            summary=(
                "导入 {imported} 个，更新 {updated} 个，无变化 {unchanged} 个，拒绝 {refused} 个"
            ),
            report="  报告：{path}",
            title="导入",
            unit="个日志",
        ),
    )
    find = Both(
        FindWords(
            columns={
                "name": "session",
                "kind": "from",
                "engine": "engine",
                "status": "status",
                "created": "begun",
                "took": "took",
                "calls": "calls",
                "cost": "cost",
                "title": "task",
            },
            fields={
                "name": "session",
                "title": "task",
                "kind": "from",
                "status": "status",
                "engine": "engine",
                "model": "model",
                "created": "begun",
                "took": "took",
                "calls": "calls",
                "tokens": "tokens",
                "cost": "cost",
                "skills": "skills",
                "trial": "trial",
                "source": "log",
                "annotators": "phases by",
                "error": "error",
            },
            kinds={
                "job": "job",
                "import": "import",
                "file": "file",
                "trial": "trial",
                "ask": "question",
            },
            statuses={"success": "success", "failed": "failed", "in_progress": "open"},
            extent="{first} to {last} of {total}",
            none_fit="No session fits.",
            none_yet="No session yet. Run something, or read in what your agents did: {command}",
            broken=CountedText("{count:file|files} in sessions/ cannot be read, {path}: {reason}"),
            more_calls=CountedText("… and {count:more call|more calls}"),
            phases={
                "understand": "understand",
                "explore": "explore",
                "plan": "plan",
                "execute": "execute",
                "verify": "verify",
                "mixed": "mixed",
                "unclassified": "unclassified",
            },
            confidences={"high": "high", "medium": "medium", "low": "low"},
            no_calls="No calls.",
            further="calls {first} to {last} of {total}; go on: {command}",
            simulated="by the built-in simulated agent",
            verdicts="verdicts",
            passed="passed",
            failed="failed",
        ),
        FindWords(
            columns={
                "name": "会话",
                "kind": "来源",
                "engine": "引擎",
                "status": "状态",
                "created": "开始",
                "took": "用时",
                "calls": "调用",
                "cost": "费用",
                "title": "任务",
            },
            fields={
                "name": "会话",
                "title": "任务",
                "kind": "来源",
                "status": "状态",
                "engine": "引擎",
                "model": "模型",
                "created": "开始",
                "took": "用时",
                "calls": "调用",
                "tokens": "令牌",
                "cost": "费用",
                "skills": "技能",
                "trial": "试验",
                "source": "日志",
                "annotators": "阶段标注者",
                "error": "错误",
            },
            kinds={
                "job": "作业",
                "import": "导入",
                "file": "文件",
                "trial": "试验",
                "ask": "提问",
            },
            statuses={"success": "成功", "failed": "失败", "in_progress": "未结束"},
            extent="第 {first} 至 {last} 个，共 {total} 个",
            none_fit="没有符合条件的会话。",
            none_yet="尚无会话。运行任务，或导入智能体的日志：{command}",
            broken="sessions/ 中有 {count} 个文件无法读取，{path}：{reason}",
            more_calls="……另有 {count} 次调用",
            phases={
                "understand": "理解",
                "explore": "探索",
                "plan": "规划",
                "execute": "执行",
                "verify": "验证",
                "mixed": "混合",
                "unclassified": "未标注",
            },
            confidences={"high": "高", "medium": "中", "low": "低"},
            no_calls="没有调用。",
            further="第 {first} 至 {last} 次调用，共 {total} 次；继续：{command}",
            simulated="由内置的模拟智能体产生",
            verdicts="判定",
            passed="通过",
            failed="未通过",
        ),
    )
    stats = Both(
        StatsWords(
            times={
                "wall_ms": "in all",
                "busy_ms": "calls running",
                "thinking_ms": "thinking",
                "idle_ms": "waiting for the user",
                "most_at_once": "most at once",
                "mean_at_once": "on average at once",
            },
            tables={
                "phases": "by phase, {annotator}",
                "categories": "by category",
                "tools": "by tool",
            },
            columns={
                "name": "",
                "calls": "calls",
                "failed": "failed",
                "summed_ms": "time",
                "thinking_ms": "thinking before",
            },
            lists={
                "errors": "errors",
                "retries": "tried again",
                "circles": "in circles",
                "cycles": "change and check",
                "files": "files",
                "skills": "skills",
                "subagents": "subagents",
            },
            left_out="… and {count} more",
            guessed="Times were not measured: {quality}.",
        ),
        StatsWords(
            times={
                "wall_ms": "总时长",
                "busy_ms": "调用运行",
                "thinking_ms": "思考",
                "idle_ms": "等待用户",
                "most_at_once": "最多同时",
                "mean_at_once": "平均同时",
            },
            tables={
                "phases": "按阶段，{annotator}",
                "categories": "按类别",
                "tools": "按工具",
            },
            columns={
                "name": "",
                "calls": "调用",
                "failed": "失败",
                "summed_ms": "时间",
                "thinking_ms": "此前思考",
            },
            lists={
                "errors": "错误",
                "retries": "重试",
                "circles": "原地打转",
                "cycles": "修改与检查",
                "files": "文件",
                "skills": "技能",
                "subagents": "子代理",
            },
            left_out="……另有 {count} 项",
            guessed="时间并非测得：{quality}。",
        ),
    )
    do = Both(
        DoWords(
            annotated="{name}: phases by {annotator}: {count}",
            removed="{name}: phases are left by {annotators}",
            nobody="nobody",
            asks="1 answer of {who}",
            written="{path}",
            redacted="taken out: {kinds}",
            nothing_private="nothing private was found; look at what you share all the same",
            not_redacted="nothing was taken out: secrets and paths are in it as they were",
            sent=CountedText("{spans:span|spans} sent to {endpoint}"),
            rejected="{count} were rejected: {message}",
            same=(
                CountedText(
                    "{same:call is|calls are} the same, {changed} changed, {left} only left, "
                    "{right} only right"
                )
            ),
            measures={
                "calls": "calls",
                "failed": "failed",
                "wall_ms": "in all",
                "busy_ms": "calls running",
                "thinking_ms": "thinking",
                "idle_ms": "waiting",
                "input_tokens": "tokens in",
                "output_tokens": "tokens out",
                "estimated_tokens": "tokens, estimated",
                "cost_usd": "cost",
            },
            columns={"name": "", "left": "left", "right": "right", "delta": "left − right"},
            alike="similarity {share} of 100",
        ),
        DoWords(
            annotated="{name}：{annotator} 标注了 {count} 个阶段",
            removed="{name}：仍有标注者 {annotators}",
            nobody="无",
            asks="{who} 的 1 次回答",
            written="{path}",
            redacted="已隐去：{kinds}",
            nothing_private="没有发现私密内容；分享前仍请自行查看",
            not_redacted="未隐去任何内容：密钥与路径原样保留",
            sent="已向 {endpoint} 发送 {spans} 个 span",
            rejected="{count} 个被拒收：{message}",
            same="相同调用 {same} 次，改变 {changed} 次，仅左 {left} 次，仅右 {right} 次",
            measures={
                "calls": "调用",
                "failed": "失败",
                "wall_ms": "总时长",
                "busy_ms": "调用运行",
                "thinking_ms": "思考",
                "idle_ms": "等待",
                "input_tokens": "输入令牌",
                "output_tokens": "输出令牌",
                "estimated_tokens": "估计令牌",
                "cost_usd": "费用",
            },
            columns={"name": "", "left": "左", "right": "右", "delta": "左 − 右"},
            alike="相似度 {share}（满分 100）",
        ),
    )
