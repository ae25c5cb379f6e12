"""A plan for people, before anything is run."""

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from whet.app.eval_estimate import Estimate
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
    if expected.cost_usd is None:
        return words.unknown_cost.format(runs=expected.runs, calls=expected.judge_calls)
    return words.cost.format(runs=expected.runs, calls=expected.judge_calls, cost=expected.cost_usd)


def _print_power(console: Console, made: EvalPlan, words: PlanWords) -> None:
    console.print(f"\n{words.power}", highlight=False, markup=False)
    for row in made.power():
        effect = row.smallest_effect
        told = words.nothing if effect is None else words.scale.format(points=effect * 100)
        shape = f"{row.evals} × {row.runs}"
        console.print(f"  {shape:>8}  {told}", highlight=False, markup=False)
