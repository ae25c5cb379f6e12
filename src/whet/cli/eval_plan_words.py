"""What the command line says about a plan, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class PlanWords:
    """Names in braces are filled in."""

    title: str
    shape: str
    judges: str
    no_judge: str
    agent: str
    run: str
    regrade: str
    reuse: str
    total: str
    cost: str
    rough_cost: str
    unknown_cost: str
    first: str
    stop: str
    free: str
    power: str
    nothing: str
    scale: str


ENGLISH = PlanWords(
    title="Plan for {skill}",
    shape=CountedText("{evals:eval|evals} × {sides:side|sides} ({arms}) × {runs:run|runs}"),
    judges="judged by {judges}",
    no_judge="no judge is needed: rules decide",
    agent="agent",
    run="to run",
    regrade="to grade",
    reuse="reused",
    total="total",
    cost=CountedText(
        "Estimate: {runs:agent run|agent runs} and {calls:judge call|judge calls}, about "
        "{cost:.2f} USD."
    ),
    rough_cost=CountedText(
        "Estimate: {runs:agent run|agent runs} and {calls:judge call|judge calls}, order of "
        "magnitude "
        "{cost} USD: a guess from list prices, as nothing is on record yet that tells their cost."
    ),
    unknown_cost=CountedText(
        "Estimate: {runs:agent run|agent runs} and {calls:judge call|judge calls}; what they "
        "cost nobody knows"
    ),
    first="; run 2 trials first: --max-trials 2",
    stop=".",
    free="It costs nothing: nobody is asked that charges for it.",
    power="The smallest effect that evals × runs find with a chance of 80 %, if scores\n"
    "vary as they usually do, on evals like these and on these evals alone:",
    nothing="none",
    scale="{points:.0f} points",
)

CHINESE = PlanWords(
    title="{skill} 的计划",
    shape="{evals} 个评测项 × {sides} 种配置（{arms}）× 各 {runs} 次",
    judges="评审：{judges}",
    no_judge="不需要评审：全部由规则判定",
    agent="智能体",
    run="待运行",
    regrade="待评分",
    reuse="可复用",
    total="合计",
    cost="估计：{runs} 次智能体运行，{calls} 次评审调用，约 {cost:.2f} 美元。",
    rough_cost="估计：{runs} 次智能体运行，{calls} 次评审调用，费用数量级约 {cost} 美元："
    "尚无记录可以推算，仅按公开标价粗估。",
    unknown_cost="估计：{runs} 次智能体运行，{calls} 次评审调用；费用无人知晓",
    first="；请先跑 2 次：--max-trials 2",
    stop="。",
    free="不产生费用：不会调用任何收费的模型。",
    power="若得分的波动与通常相当，各种“评测项 × 运行次数”以 80 % 的把握能看出的最小效果"
    "（就类似的评测项而言；仅就这些评测项而言）：",
    nothing="无",
    scale="{points:.0f} 分",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
