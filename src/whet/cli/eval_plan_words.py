"""What the command line says about a plan, in the languages it speaks."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class PlanWords(Words):
    """Names in braces are filled in."""

    title = Both("Plan for {skill}", "{skill} 的计划")
    shape = Both(
        CountedText("{evals:eval|evals} × {sides:side|sides} ({arms}) × {runs:run|runs}"),
        "{evals} 个评测项 × {sides} 种配置（{arms}）× 各 {runs} 次",
    )
    judges = Both("judged by {judges}", "评审：{judges}")
    no_judge = Both("no judge is needed: rules decide", "不需要评审：全部由规则判定")
    agent = Both("agent", "智能体")
    run = Both("to run", "待运行")
    regrade = Both("to grade", "待评分")
    reuse = Both("reused", "可复用")
    total = Both("total", "合计")
    cost = Both(
        CountedText(
            "Estimate: {runs:agent run|agent runs} and {calls:judge call|judge calls}, about "
            "{cost:.2f} USD."
        ),
        "估计：{runs} 次智能体运行，{calls} 次评审调用，约 {cost:.2f} 美元。",
    )
    rough_cost = Both(
        CountedText(
            "Estimate: {runs:agent run|agent runs} and {calls:judge call|judge calls}, order of "
            "magnitude "
            "{cost} USD: a guess from list prices, as nothing is on record yet that tells their "
            "cost."
        ),
        "估计：{runs} 次智能体运行，{calls} 次评审调用，费用数量级约 {cost} 美元："
        "尚无记录可以推算，仅按公开标价粗估。",
    )
    unknown_cost = Both(
        CountedText(
            "Estimate: {runs:agent run|agent runs} and {calls:judge call|judge calls}; what "
            "they cost nobody knows"
        ),
        "估计：{runs} 次智能体运行，{calls} 次评审调用；费用无人知晓",
    )
    first = Both("; run 2 trials first: --max-trials 2", "；请先跑 2 次：--max-trials 2")
    stop = Both(".", "。")
    free = Both(
        "It costs nothing: nobody is asked that charges for it.",
        "不产生费用：不会调用任何收费的模型。",
    )
    power = Both(
        "The smallest effect that evals × runs find with a chance of 80 %, if scores\n"
        "vary as they usually do, on evals like these and on these evals alone:",
        "若得分的波动与通常相当，各种“评测项 × 运行次数”以 80 % 的把握能看出的最小效果"
        "（就类似的评测项而言；仅就这些评测项而言）：",
    )
    nothing = Both("none", "无")
    scale = Both("{points:.0f} points", "{points:.0f} 分")
