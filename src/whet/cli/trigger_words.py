"""What ``whet trigger`` says, in the languages it speaks."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class TriggerWords(Words):
    """Labels and sentences; names in braces are filled in."""

    query = Both("query", "请求")
    wanted = Both("should", "应当")
    rate = Both("did", "实际")
    outcome = Both("", "")
    yes = Both("trigger", "触发")
    no = Both("not", "不触发")
    right = Both("[green]✓ right[/]", "[green]✓ 正确[/]")
    wrong = Both("[red]✗ wrong[/]", "[red]✗ 错误[/]")
    title = Both("{skill} on {leg}", "{skill}，{leg}")
    neighbours = Both("Offered beside it: {names}", "同时提供的技能：{names}")
    accuracy = Both("accuracy", "准确率")
    precision = Both("precision", "精确率")
    recall = Both("recall", "召回率")
    no_queries = Both("–", "–")
    interval = Both("95 % interval {low:.0f} … {high:.0f}", "95 % 区间 {low:.0f} … {high:.0f}")
    unknown = Both(
        CountedText(
            "{count:run tells nothing and counts|runs tell nothing and count} nowhere; the "
            "first: {first}"
        ),
        "有 {count} 次运行无法判断，不计入结果；第一条：{first}",
    )
    alarm = Both(
        "Not one query that should trigger the skill did, in any run. The harness probably did "
        "not offer the skill to the agent: look at a session before you change the description.",
        "所有应当触发的请求在任何一次运行中都没有触发技能。很可能测试环境根本没有把技能提供给"
        "智能体：修改描述之前，请先查看一次会话。",
    )
    warning = Both("note", "提示")
    simulated = Both(
        "By the built-in simulated agent: no model was asked.",
        "以上由内置的模拟智能体产生，没有询问任何模型。",
    )
    extent = Both(
        CountedText("{total:run|runs}: {now} run now, {reused} reused"),
        "共 {total} 次运行：本次运行 {now} 次，复用 {reused} 次",
    )
    below = Both(
        "{leg}: accuracy {accuracy:.2f} is below {limit:g}",
        "{leg}：准确率 {accuracy:.2f} 低于 {limit:g}",
    )
    unmeasured = Both(
        "{leg}: too little was measured to say that it is {limit:g} or more",
        "{leg}：测得的结果太少，不能说明达到 {limit:g}",
    )
    nothing = Both(
        "{leg}: nothing was measured: no run tells whether the skill was taken up",
        "{leg}：没有测得任何结果：没有一次运行能说明技能是否被采用",
    )
    old = Both("old description", "旧描述")
    new = Both("new description", "新描述")
    same = Both(
        "No better description was found; the old one stays.", "没有找到更好的描述，保留旧描述。"
    )
    train = Both(
        "training queries: {old} right with the old one, {new} with the new one",
        "训练请求：旧描述正确 {old}，新描述正确 {new}",
    )
    held_out = Both(
        "held-out queries: {old} right with the old one, {new} with the new one",
        "保留请求：旧描述正确 {old}，新描述正确 {new}",
    )
    verdicts = Both(
        {
            "better": "[green]Better on queries that nobody has learnt from[/]: {points}.",
            "worse": (
                "[red]Worse on queries that nobody has learnt from[/]: {points}. The old stays."
            ),
            "no_difference": "No difference on queries that nobody has learnt from: {points}.",
            "inconclusive": (
                "Better on the training queries. [yellow]The held-out ones "
                "are too few to show it[/]: "
                "{points}."
            ),
        },
        {
            "better": "[green]在未参与训练的请求上更好[/]：{points}。",
            "worse": "[red]在未参与训练的请求上更差[/]：{points}。保留旧描述。",
            "no_difference": "在未参与训练的请求上没有差别：{points}。",
            "inconclusive": "在训练请求上更好。[yellow]保留请求太少，还看不出来[/]：{points}。",
        },
    )
    on_these = Both(
        {
            "better": CountedText(
                "On {count:this # query|these # queries} alone it is better: {points}."
            ),
            "worse": CountedText(
                "On {count:this # query|these # queries} alone it is worse: {points}."
            ),
            "no_difference": CountedText(
                "On {count:this # query|these # queries} alone there is no difference: {points}."
            ),
            "inconclusive": CountedText(
                "On {count:this # query|these # queries} alone it is open: {points}."
            ),
        },
        {
            "better": "仅就这 {count} 个请求而言更好：{points}。",
            "worse": "仅就这 {count} 个请求而言更差：{points}。",
            "no_difference": "仅就这 {count} 个请求而言没有差别：{points}。",
            "inconclusive": "仅就这 {count} 个请求而言尚无定论：{points}。",
        },
    )
    too_few_runs = Both(
        CountedText("Nothing is said of these queries alone: each needs {count:run|runs} or more."),
        "对这些请求本身无法下结论：每个至少要运行 {count} 次。",
    )
    too_few_queries = Both(
        CountedText(
            "{count:held-out query is|held-out queries are} too few to speak of others: at "
            "least {least} are needed, and "
            "more runs will not change that."
        ),
        "{count} 个保留请求太少，不能推及其他请求：至少要 {least} 个；增加运行次数无济于事。",
    )
    nothing_held_out = Both("No held-out query could be compared.", "没有可以比较的保留请求。")
    not_applied = Both(
        "SKILL.md is unchanged; write it there with --apply.",
        "SKILL.md 没有改动；用 --apply 写入。",
    )
    applied = Both("Written into {path}.", "已写入 {path}。")
    files = Both("files", "文件")
    none = Both("(none)", "（无）")
