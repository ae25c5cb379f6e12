"""What the command line says, in the languages it speaks."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class RankingWords(Words):
    """The words around a ranking; names in braces are filled in."""

    code = Both("en", "zh")
    skill = Both("skill", "技能")
    score = Both("score", "得分")
    interval = Both("95 % interval", "95 % 区间")
    checks = Both("checks", "检查")
    gate_failed = Both(
        CountedText("[red]{count:case|cases} failed a critical check[/]"),
        "[red]{count} 个用例未通过关键检查[/]",
    )
    mixed = Both(
        "[yellow]The averages mix cases that are scored by different rubrics ({rubrics}); none is "
        "by checks alone.[/]",
        "[yellow]平均分混合了按不同量表评分的用例（{rubrics}）；none 表示只按检查评分。[/]",
    )
    like_these = Both("like these: {said}", "类似用例：{said}")
    on_these = Both("on these: {said}", "这些用例：{said}")
    on_these_too = Both("[dim]on these alone, too[/]", "[dim]仅就这些用例亦然[/]")
    too_few_cases = Both("[yellow]too few cases[/]", "[yellow]用例太少[/]")
    too_few_attempts = Both("[yellow]too few attempts[/]", "[yellow]尝试次数太少[/]")
    verdicts = Both(
        {
            "better": "[green]beats the next[/] by {delta:.1f}",
            "worse": "[red]behind the next[/] by {delta:.1f}",
            "no_difference": "equal to the next",
            "inconclusive": "[yellow]no clear lead[/] ({delta:.1f})",
        },
        {
            "better": "[green]领先下一名[/] {delta:.1f} 分",
            "worse": "[red]落后下一名[/] {delta:.1f} 分",
            "no_difference": "与下一名相当",
            "inconclusive": "[yellow]领先不明显[/]（{delta:.1f} 分）",
        },
    )
    failed = Both(CountedText("[red]{count:case|cases} failed[/]"), "[red]{count} 个用例失败[/]")
    unscored = Both(
        CountedText("[yellow]{count:case|cases} unscored[/]"), "[yellow]{count} 个用例未评分[/]"
    )
    failed_as_zero = Both(
        "[yellow]{score:.1f} with failed as zero[/]", "[yellow]失败按零分计为 {score:.1f}[/]"
    )
    no_scores = Both(
        "No ranking: not one trial has a score. The result files say why.",
        "没有排名：没有一次试验得到评分，原因见结果文件。",
    )
    no_winner = Both(
        "No clear winner: {first} leads, but the difference may be chance.",
        "没有明确的胜者：{first} 暂时领先，但差距可能只是偶然。",
    )
    tied = Both("No winner: {names} share the first place.", "没有胜者：{names} 并列第一。")
    alone = Both("{first} was the only one.", "只有 {first} 一个技能。")
    winner = Both(
        CountedText(
            "Winner: [bold]{first}[/], better than {second} by {delta:.1f} points over "
            "{cases:case|cases}."
        ),
        "胜者：[bold]{first}[/]，在 {cases} 个用例上比 {second} 高 {delta:.1f} 分。",
    )
    order_differs = Both(
        "[yellow]Failed attempts are not in the averages; counted as zero, they would change "
        "the order.[/]",
        "[yellow]失败的尝试不计入平均分；若按零分计，名次会改变。[/]",
    )
    on_baseline = Both(
        CountedText("On {name} ({cases:case|cases}): {places}"),
        "在 {name} 上（{cases} 个用例）：{places}",
    )
    simulated = Both(
        "Produced or graded by the built-in simulated agent or judge.",
        "由内置的模拟智能体或模拟评审产生。",
    )
    extent = Both(
        CountedText("{total:trial|trials}: {now} run now, {reused} reused; {seconds:.1f} s"),
        "共 {total} 次试验：本次运行 {now} 次，复用 {reused} 次；用时 {seconds:.1f} 秒",
    )
    files = Both("files", "文件")
    serve = Both("serve", "服务")
    look = Both("look ", "查看")
    offer = Both(
        "Look at it in the browser now? Ctrl-C ends the server.",
        "现在用浏览器查看吗？按 Ctrl-C 结束服务。",
    )
