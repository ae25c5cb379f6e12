"""A plan for people, before anything is run."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.eval_estimate import Estimate, usd
from whet.app.eval_plan import EvalPlan
from whet.cli.eval_plan_words import PlanWords
from whet.exporters.plain import line


def plan_text(console: Console, made: EvalPlan, expected: Estimate, words: PlanWords) -> None:
    """The plan as a table, what it may cost and what it can see."""
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
