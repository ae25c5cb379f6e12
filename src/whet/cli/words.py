"""What the command line says, in the languages it speaks."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class Words:
    """The words around a ranking; names in braces are filled in."""

    code: str
    skill: str
    score: str
    interval: str
    checks: str
    gate_failed: str
    mixed: str
    like_these: str
    on_these: str
    too_few_cases: str
    too_few_attempts: str
    verdicts: dict[str, str]
    failed: str
    unscored: str
    failed_as_zero: str
    no_scores: str
    no_winner: str
    tied: str
    alone: str
    winner: str
    order_differs: str
    on_baseline: str
    simulated: str
    extent: str
    files: str
    serve: str
    look: str
    offer: str


ENGLISH = Words(
    code="en",
    skill="skill",
    score="score",
    interval="95 % interval",
    checks="checks",
    gate_failed=CountedText("[red]{count:case|cases} failed a critical check[/]"),
    mixed=(
        "[yellow]The averages mix cases that are scored by different rubrics ({rubrics}); none is "
        "by checks alone.[/]"
    ),
    like_these="{said} [dim]· like these[/]",
    on_these="{said} [dim]· on these[/]",
    too_few_cases="[yellow]too few cases[/]",
    too_few_attempts="[yellow]too few attempts[/]",
    verdicts={
        "better": "[green]beats the next[/] by {delta:.1f}",
        "worse": "[red]behind the next[/] by {delta:.1f}",
        "no_difference": "equal to the next",
        "inconclusive": "[yellow]no clear lead[/] ({delta:.1f})",
    },
    failed=CountedText("[red]{count:case|cases} failed[/]"),
    unscored=CountedText("[yellow]{count:case|cases} unscored[/]"),
    failed_as_zero="[yellow]{score:.1f} with failed as zero[/]",
    no_scores="No ranking: not one trial has a score. The result files say why.",
    no_winner="No clear winner: {first} leads, but the difference may be chance.",
    tied="No winner: {names} share the first place.",
    alone="{first} was the only one.",
    winner=(
        CountedText(
            "Winner: [bold]{first}[/], better than {second} by {delta:.1f} points over "
            "{cases:case|cases}."
        )
    ),
    order_differs=(
        "[yellow]Failed attempts are not in the averages; counted as zero, they would change "
        "the order.[/]"
    ),
    on_baseline=CountedText("On {name} ({cases:case|cases}): {places}"),
    simulated="Produced or graded by the built-in simulated agent or judge.",
    extent=CountedText("{total:trial|trials}: {now} run now, {reused} reused; {seconds:.1f} s"),
    files="files",
    serve="serve",
    look="look ",
    offer="Look at it in the browser now? Ctrl-C ends the server.",
)

CHINESE = Words(
    code="zh",
    skill="技能",
    score="得分",
    interval="95 % 区间",
    checks="检查",
    gate_failed="[red]{count} 个用例未通过关键检查[/]",
    mixed="[yellow]平均分混合了按不同量表评分的用例（{rubrics}）；none 表示只按检查评分。[/]",
    like_these="{said} [dim]· 类似用例[/]",
    on_these="{said} [dim]· 这些用例[/]",
    too_few_cases="[yellow]用例太少[/]",
    too_few_attempts="[yellow]尝试次数太少[/]",
    verdicts={
        "better": "[green]领先下一名[/] {delta:.1f} 分",
        "worse": "[red]落后下一名[/] {delta:.1f} 分",
        "no_difference": "与下一名相当",
        "inconclusive": "[yellow]领先不明显[/]（{delta:.1f} 分）",
    },
    failed="[red]{count} 个用例失败[/]",
    unscored="[yellow]{count} 个用例未评分[/]",
    failed_as_zero="[yellow]失败按零分计为 {score:.1f}[/]",
    no_scores="没有排名：没有一次试验得到评分，原因见结果文件。",
    no_winner="没有明确的胜者：{first} 暂时领先，但差距可能只是偶然。",
    tied="没有胜者：{names} 并列第一。",
    alone="只有 {first} 一个技能。",
    winner="胜者：[bold]{first}[/]，在 {cases} 个用例上比 {second} 高 {delta:.1f} 分。",
    order_differs="[yellow]失败的尝试不计入平均分；若按零分计，名次会改变。[/]",
    on_baseline="在 {name} 上（{cases} 个用例）：{places}",
    simulated="由内置的模拟智能体或模拟评审产生。",
    extent="共 {total} 次试验：本次运行 {now} 次，复用 {reused} 次；用时 {seconds:.1f} 秒",
    files="文件",
    serve="服务",
    look="查看",
    offer="现在用浏览器查看吗？按 Ctrl-C 结束服务。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
