"""What ``whet capability`` says, in the languages it speaks; reports lend it their words."""

from dataclasses import dataclass

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


@dataclass(frozen=True)
class WorkWords:
    """Of running, resuming, cancelling and deleting; names in braces are filled in."""

    plan: str
    skips: str
    resume: str
    stopped: str
    cancelled: str
    ended: str
    on_its_way: str
    below: str
    unmeasured: str
    errors: str
    deleted: str
    more: str
    report: str


@dataclass(frozen=True)
class FindWords:
    """Of lists, and of one run."""

    columns: dict[str, str]
    fields: dict[str, str]
    gone: str
    extent: str
    next_page: str
    no_page: str
    none_fit: str
    none_yet: str
    more_items: str
    more: str
    no_case: str
    problem: str


@dataclass(frozen=True)
class CompareWords:
    """Of comparisons and of stability."""

    title: str
    verdicts: dict[str, str]
    incomparable: str
    columns: dict[str, str]
    total: str
    changes: dict[str, str]
    no_flips: str
    flips: str
    more: str
    warning: str
    differs: str
    simulated: str
    stable: str
    unstable: str
    nothing: str
    left_out: str
    totals: str


@dataclass(frozen=True)
class SetWords:
    """Of lint and coverage."""

    lint: str
    fix: str
    coverage: str
    kinds: dict[str, str]
    columns: dict[str, str]
    uncovered: str
    none: str
    written: str


class CapabilityWords(Words):
    """All of them."""

    work = Both(
        WorkWords(
            plan=CountedText("{cases:case|cases} of {case_set} in {language} on {model}"),
            skips="{count} of them will be skipped, for want of: {tools}",
            resume="go on with: {command}",
            stopped="stopped",
            cancelled="run {run} was cancelled; what it has is kept: {command}",
            ended="{run}: {status}",
            on_its_way="{run} has not ended yet; it does as soon as it can.",
            below="the total of {total} is below {least}",
            unmeasured="nothing was measured, and --fail-under wants {least}",
            errors="cases that ended in an error: {count}",
            deleted="deleted: {run}",
            more="more  ",
            report="report",
        ),
        WorkWords(
            plan="{case_set} 的 {cases} 个用例（{language}），引擎 {model}",
            skips="其中 {count} 个将跳过，因为缺少：{tools}",
            resume="继续：{command}",
            stopped="已停止",
            cancelled="运行 {run} 已取消，已有结果保留：{command}",
            ended="{run}：{status}",
            on_its_way="{run} 尚未结束，会尽快结束。",
            below="总分 {total} 低于 {least}",
            unmeasured="没有任何测量结果，而 --fail-under 要求 {least}",
            errors="出错的用例：{count}",
            deleted="已删除：{run}",
            more="详情",
            report="报告",
        ),
    )
    find = Both(
        FindWords(
            columns={
                "run": "run",
                "model": "measured",
                "case_set": "case set",
                "status": "status",
                "total": "total",
                "cases": "cases",
                "started": "started",
                "language": "language",
                "version": "version",
                "source": "source",
                "dimension": "dimension",
                "score": "score",
                "weight": "weight",
                "measured": "measured",
                "passed": "passed",
                "failed": "failed",
                "error": "error",
                "skipped": "skipped",
            },
            fields={
                "case": "case",
                "dimension": "dimension",
                "status": "status",
                "score": "score",
                "weight": "weight",
                "tags": "tags",
                "time": "time",
                "cost": "cost",
                "session": "session",
                "folder": "files",
                "reason": "reason",
                "error": "error",
            },
            gone="interrupted",
            extent="{first} to {last} of {total}",
            next_page="next: --page {page}",
            no_page=CountedText("There is no page {page}: there are {total:run|runs}."),
            none_fit="No run fits.",
            none_yet="No runs yet. Begin with: {command}",
            more_items="… and {count} more; --json has all",
            more="one of them in full: {command}",
            no_case="run {run} has no case {case!r}",
            problem="problem",
        ),
        FindWords(
            columns={
                "run": "运行",
                "model": "被测",
                "case_set": "用例集",
                "status": "状态",
                "total": "总分",
                "cases": "用例",
                "started": "开始",
                "language": "语言",
                "version": "版本",
                "source": "来源",
                "dimension": "维度",
                "score": "得分",
                "weight": "权重",
                "measured": "已测",
                "passed": "通过",
                "failed": "失败",
                "error": "出错",
                "skipped": "跳过",
            },
            fields={
                "case": "用例",
                "dimension": "维度",
                "status": "状态",
                "score": "得分",
                "weight": "权重",
                "tags": "标签",
                "time": "用时",
                "cost": "费用",
                "session": "会话",
                "folder": "文件",
                "reason": "原因",
                "error": "错误",
            },
            gone="已中断",
            extent="第 {first} 至 {last} 个，共 {total} 个",
            next_page="下一页：--page {page}",
            no_page="没有第 {page} 页：共 {total} 次运行。",
            none_fit="没有符合条件的运行。",
            none_yet="尚无运行。开始：{command}",
            more_items="……另有 {count} 个，--json 给出全部",
            more="查看其中一个的全部内容：{command}",
            no_case="运行 {run} 没有用例 {case!r}",
            problem="问题",
        ),
    )
    compare = Both(
        CompareWords(
            title="{run}  against  {reference}",
            verdicts={
                "better": CountedText(
                    "Better: {delta:+.1f} points ({interval}) over {cases:case|cases}."
                ),
                "worse": CountedText(
                    "Worse: {delta:+.1f} points ({interval}) over {cases:case|cases}."
                ),
                "no_difference": (
                    CountedText(
                        "No difference to mind: {delta:+.1f} ({interval}) over {cases:case|cases}."
                    )
                ),
                "inconclusive": CountedText(
                    "Not clear: {delta:+.1f} points ({interval}) over {cases:case|cases}."
                ),
            },
            incomparable="Nothing can be compared: no case was measured in both.",
            columns={
                "dimension": "",
                "reference": "reference",
                "run": "run",
                "difference": "difference",
                "interval": "95 % interval",
                "verdict": "verdict",
                "case": "case",
                "change": "change",
                "runs": "runs",
                "cases": "cases",
                "flips": "flips",
                "agreement": "agreement",
                "range": "scores",
                "statuses": "in each run",
            },
            total="total",
            changes={
                "newly_passed": "passes now",
                "newly_failed": "fails now",
                "still_passed": "still passes",
                "still_failed": "still fails",
                "not_measured": "not measured in both",
                "other_prompt": "another prompt",
                "only_reference": "only in the reference",
                "only_run": "only in the run",
            },
            no_flips="No case flipped.",
            flips="cases: {parts}",
            more="… and {count} more; --json has all",
            warning="Mind",
            differs="They differ in: {fields}",
            simulated="Produced by the built-in simulated agent.",
            stable=CountedText("{runs:run|runs} came to the same in all of {cases:case|cases}."),
            unstable=(
                CountedText(
                    "{flips} of {cases:case|cases} flip over {runs:run|runs}; {scores} differ "
                    "in their score."
                )
            ),
            nothing="Nothing can be compared: no case was measured in all runs.",
            left_out="Left out, because not every run measured them alike: {count}",
            totals="total: {low} to {high}, on average {mean}",
        ),
        CompareWords(
            title="{run}  对比  {reference}",
            verdicts={
                "better": "更好：{delta:+.1f} 分（{interval}），{cases} 个用例。",
                "worse": "更差：{delta:+.1f} 分（{interval}），{cases} 个用例。",
                "no_difference": "没有值得注意的差别：{delta:+.1f}（{interval}），{cases} 个用例。",
                "inconclusive": "尚无定论：{delta:+.1f} 分（{interval}），{cases} 个用例。",
            },
            incomparable="无法比较：没有双方都测量过的用例。",
            columns={
                "dimension": "",
                "reference": "参照",
                "run": "运行",
                "difference": "差",
                "interval": "95 % 区间",
                "verdict": "结论",
                "case": "用例",
                "change": "变化",
                "runs": "运行",
                "cases": "用例数",
                "flips": "翻转",
                "agreement": "一致",
                "range": "得分",
                "statuses": "各次运行",
            },
            total="总分",
            changes={
                "newly_passed": "转为通过",
                "newly_failed": "转为失败",
                "still_passed": "仍通过",
                "still_failed": "仍失败",
                "not_measured": "并非双方都测量",
                "other_prompt": "提示不同",
                "only_reference": "仅参照有",
                "only_run": "仅本次有",
            },
            no_flips="没有用例翻转。",
            flips="用例：{parts}",
            more="……另有 {count} 个，--json 给出全部",
            warning="注意",
            differs="不同之处：{fields}",
            simulated="由内置的模拟智能体产生。",
            stable="{runs} 次运行在全部 {cases} 个用例上结果相同。",
            unstable="{runs} 次运行中 {cases} 个用例有 {flips} 个翻转，{scores} 个得分不同。",
            nothing="无法比较：没有每次运行都测量过的用例。",
            left_out="未计入（并非每次运行都以同样方式测量）：{count}",
            totals="总分：{low} 至 {high}，平均 {mean}",
        ),
    )
    sets = Both(
        SetWords(
            lint="cases: {cases}, errors: {errors}, warnings: {warnings}",
            fix="fix",
            coverage=CountedText("{name}: {cases:case|cases}, weight {weight}"),
            kinds={
                "dimensions": "dimension",
                "languages": "language",
                "tags": "tag",
                "checkers": "checker",
                "tools": "tool",
            },
            columns={
                "kind": "what",
                "name": "",
                "cases": "cases",
                "weight": "weight",
                "skippable": "may be skipped",
                "checked": "checked",
            },
            uncovered="Not covered: {names}",
            none="none",
            written="{run}: {path}",
        ),
        SetWords(
            lint="用例：{cases}，错误：{errors}，警告：{warnings}",
            fix="解决办法",
            coverage="{name}：{cases} 个用例，权重 {weight}",
            kinds={
                "dimensions": "维度",
                "languages": "语言",
                "tags": "标签",
                "checkers": "判定规则",
                "tools": "工具",
            },
            columns={
                "kind": "类别",
                "name": "",
                "cases": "用例数",
                "weight": "权重",
                "skippable": "可能跳过",
                "checked": "检查使用",
            },
            uncovered="未覆盖：{names}",
            none="无",
            written="{run}：{path}",
        ),
    )
