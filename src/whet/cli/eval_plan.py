"""The plan of an eval for people, before anything is run."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.eval_estimate import Estimate, usd
from whet.app.eval_plan import EvalPlan
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.exporters.plain import line


class PlanWords(Words):
    """What is said of a plan."""

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


def print_plan(console: Console, made: EvalPlan, expected: Estimate, language: str) -> None:
    """Print the plan as a table, what it may cost and what it can see."""
    words = PlanWords(language)
    design = made.legs[0].design
    arms = " + ".join(arm.id for arm in design.arms)
    title = words.title.format(skill=escape(line(made.suite.document.skill_name, 60)))
    table = Table(box=SIMPLE_HEAD, title=title, title_justify="left")
    table.add_column(words.agent)
    for name in (words.run, words.regrade, words.reuse, words.total):
        table.add_column(name, justify="right")
    for leg in made.legs:
        extent = leg.extent
        counts = (extent.missing, extent.ungraded, extent.reused, extent.total)
        table.add_row(escape(line(leg.name, 120)), *map(str, counts))
    judges = words.judges.format(judges=line(", ".join(made.judge_names)))
    shape = words.shape.format(
        evals=len(design.cases), sides=len(design.arms), arms=arms, runs=design.repeats
    )
    lines = [shape, judges if made.judge_names else words.no_judge, _cost(expected, words)]
    console.print(table)
    console.print("\n".join(lines), highlight=False, markup=False, soft_wrap=True)
    if len(design.arms) > 1:
        _print_power(console, made, words)
    for warning in made.warnings:
        console.print(f"! {line(warning)}", highlight=False, markup=False, soft_wrap=True)


def _cost(expected: Estimate, words: PlanWords) -> str:
    if not expected.is_paid:
        return words.free
    about = {"runs": expected.runs, "calls": expected.judge_calls}
    if expected.cost_usd is not None:
        return words.cost.format(**about, cost=expected.cost_usd)
    if expected.rough_cost_usd is not None:
        return words.rough_cost.format(**about, cost=usd(expected.rough_cost_usd))
    told = words.unknown_cost.format(**about)
    return f"{told}{words.first}" if expected.advice() else f"{told}{words.stop}"


def _print_power(console: Console, made: EvalPlan, words: PlanWords) -> None:
    console.print(f"\n{words.power}", highlight=False, markup=False)
    for row in made.power():
        shape = f"{row.evals} × {row.runs}"
        like, these = (
            words.nothing if effect is None else words.scale.format(points=effect * 100)
            for effect in (row.smallest_effect, row.smallest_effect_on_these)
        )
        console.print(f"  {shape:>8}  {like:>10}  {these:>10}", highlight=False, markup=False)
