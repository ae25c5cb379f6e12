"""What the command line says where people draft, review and improve evals."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class PeopleWords(Words):
    """Names in braces are filled in."""

    drafted = Both(
        CountedText("A draft with {count:eval|evals}, made from the description of {name}:"),
        "根据 {name} 的描述写成的草稿，共 {count} 个评测项：",
    )
    drafted_by = Both(
        CountedText("A draft with {count:eval|evals}, written by {author} for {name}:"),
        "由 {author} 为 {name} 写的草稿，共 {count} 个评测项：",
    )
    no_model = Both(
        "The simulated engine writes nothing; the draft is made without a model.",
        "模拟引擎不会写作；草稿未使用模型生成。",
    )
    kept = Both("The older file is now {path}", "原文件现为 {path}")
    left = Both("{path} is there already and stays as it is", "{path} 已存在，保持不变")
    edit_it = Both(
        "It is a draft: put requests of your users in place of these, and say what only good work "
        "has. Then run: whet eval {folder} --engine claude --dry-run\n"
        "Without --engine the simulated agent does it, which only writes Python.",
        "这只是草稿：请换成用户的真实请求，并写明只有好的结果才具备什么。"
        "然后运行：whet eval {folder} --engine claude --dry-run\n"
        "不加 --engine 时由模拟智能体完成，它只会写 Python。",
    )
    how_many = Both(
        "For a verdict on evals in general at least 6 evals are needed, better 12: the evals are "
        "the sample. More runs of the same evals will not change that.",
        "要对一般的评测项下结论，至少需要 6 个评测项，最好 12 个：评测项就是样本。"
        "同样的评测项再多跑几次也无济于事。",
    )
    queries_only = Both(
        CountedText(
            "A draft of {count:query|queries} that should or should not trigger the skill:"
        ),
        "起草了 {count} 条查询，各自应当或不应当触发该技能：",
    )
    run_of = Both(
        "Run {number} ({place} of {total} to review): {name}",
        "运行 {number}（待评审 {total} 个中的第 {place} 个）：{name}",
    )
    prompt = Both("Prompt", "提示词")
    answer = Both("Answer", "回答")
    nothing = Both("(nothing was produced)", "（没有产出）")
    before = Both("Iteration {number}", "第 {number} 次迭代")
    keys = Both("[p]ass  [f]ail  [s]kip  [q]uit: ", "[p] 通过  [f] 不通过  [s] 跳过  [q] 退出：")
    feedback = Both("Why? (one line, may be empty) ", "原因？（一行，可留空）")
    score = Both("{name} ({low} to {high}, may be empty) ", "{name}（{low} 到 {high}，可留空）")
    not_a_score = Both(
        "A whole number from {low} to {high}, please.", "请输入 {low} 到 {high} 的整数。"
    )
    revealed = Both("It was {run_id}.", "这是 {run_id}。")
    graded = Both(
        CountedText(
            "Graders: {passed} of {total:expectation|expectations} met, rubric {rubric}, "
            "overall {overall}."
        ),
        "评分：{total} 项期望满足 {passed} 项，量表 {rubric}，总分 {overall}。",
    )
    not_graded = Both("Graders gave it no score.", "没有评分。")
    reviewed = Both(
        CountedText("{done} of {total:run|runs} reviewed: {path}"),
        "{total} 次运行已评审 {done} 次：{path}",
    )
    all_reviewed = Both(
        "Every run is reviewed. Do the judges agree? See: whet eval calibrate {folder}",
        "全部运行都已评审。查看评审模型与人的一致程度：whet eval calibrate {folder}",
    )
    list_heads = Both(("run", "eval", "said", "what it was"), ("运行", "评测项", "结论", "实际是"))
    hidden = Both("hidden until it is reviewed", "评审之后才显示")
    rule = Both(
        "A judge passes a run if all expectations that it decided are met and the rubric comes to "
        "{passing:.0%} or more. Runs without a judge's score are left out.",
        "评审模型判定的期望全部满足且量表得分达到 {passing:.0%}，即视为通过。"
        "没有评审得分的运行不计入。",
    )
    few = Both(
        CountedText(
            "Only {count:run has|runs have} both a label and a verdict; below {few} this means "
            "little."
        ),
        "只有 {count} 次运行同时有人工标签和评审结论；少于 {few} 次时意义不大。",
    )
    no_labels = Both(
        "No run has both a label and a judge's verdict. First: whet eval review {folder}",
        "没有同时具备人工标签和评审结论的运行。请先标注：whet eval review {folder}",
    )
    together = Both("All judges together", "所有评审模型合计")
    agree = Both(
        CountedText("agree with people on {share:.0%} of {n:run|runs} ({low:.0%} to {high:.0%})"),
        "在 {n} 次运行中与人一致 {share:.0%}（{low:.0%} 到 {high:.0%}）",
    )
    kappa = Both(
        "Cohen's kappa {kappa:.2f} ({low:.2f} to {high:.2f}): agreement beyond chance",
        "Cohen's kappa {kappa:.2f}（{low:.2f} 到 {high:.2f}）：超出偶然的一致程度",
    )
    no_kappa = Both(
        "Cohen's kappa is not defined: everybody used one and the same label",
        "Cohen's kappa 无定义：所有标签都相同",
    )
    empty_kappa = Both(
        "Cohen's kappa {kappa:.2f} says nothing: one side used a single label throughout",
        "Cohen's kappa {kappa:.2f} 没有意义：一方始终只用一种标签",
    )
    bare_kappa = Both(
        "Cohen's kappa {kappa:.2f}: agreement beyond chance",
        "Cohen's kappa {kappa:.2f}：超出偶然的一致程度",
    )
    cells = Both(
        (
            "both pass",
            "judge passes, person fails",
            "judge fails, person passes",
            "both fail",
        ),
        ("双方都通过", "评审通过、人不通过", "评审不通过、人通过", "双方都不通过"),
    )
    dimension = Both(
        CountedText("{name}: weighted kappa {kappa} over {n:run|runs}"),
        "{name}：{n} 次运行的加权 kappa {kappa}",
    )
    alpha = Both(
        "Krippendorff's alpha among the judges, rubric scores: {alpha}",
        "评审模型之间量表得分的 Krippendorff alpha：{alpha}",
    )
    alpha_passing = Both(
        "Krippendorff's alpha among the judges, pass or fail: {alpha}",
        "评审模型之间通过与否的 Krippendorff alpha：{alpha}",
    )
    rate = Both(
        CountedText("{name}: the judge passes {judged:.0%} of {n:run|runs}"),
        "{name}：评审通过 {n} 次运行中的 {judged:.0%}",
    )
    corrected = Both(
        "by people's labels it would be {rate:.0%} ({low:.0%} to {high:.0%})",
        "按人工标签校正为 {rate:.0%}（{low:.0%} 到 {high:.0%}）",
    )
    not_corrected = Both(
        "not corrected: it takes labels of both kinds, and a judge better than a coin",
        "未校正：需要两类标签，且评审要好于掷硬币",
    )
    independent = Both(
        "Intervals at 95 % take runs for independent; repeats of one eval are not quite that.",
        "95 % 区间把各次运行视为相互独立；同一评测项的重复运行并非完全如此。",
    )
    simulated = Both(
        "The agent or a judge is the built-in simulated one.", "智能体或评审是内置的模拟部件。"
    )
    suggested = Both(
        CountedText(
            "What judges say of the suite, from {total:run|runs} of iteration {iteration}:"
        ),
        "评审对评测套件的意见，来自第 {iteration} 次迭代的 {total} 次运行：",
    )
    no_suggestions = Both(
        CountedText("The judges had nothing to say about the suite ({total:run|runs})."),
        "评审对评测套件没有意见（{total} 次运行）。",
    )
    edits = Both("Edits that follow:", "由此得出的修改：")
    no_edits = Both("No edit follows from these runs.", "这些运行没有引出任何修改。")
    kinds = Both(
        {
            "add_expectation": "add an expectation to {evals}: {text}",
            "add_check": "add a check to {evals}: {text}",
            "replace_check": "replace check {target} of {evals} by: {text}",
            "remove_check": "remove check {target} from {evals}",
            "mark_critical": "make check {target} of {evals} critical",
        },
        {
            "add_expectation": "为 {evals} 增加期望：{text}",
            "add_check": "为 {evals} 增加检查：{text}",
            "replace_check": "将 {evals} 的检查 {target} 换成：{text}",
            "remove_check": "从 {evals} 中删除检查 {target}",
            "mark_critical": "将 {evals} 的检查 {target} 设为关键",
        },
    )
    done = Both("done already", "已完成")
    by_model = Both("by {author}", "由 {author} 提出")
    dropped = Both("Left out: {why}", "未采纳：{why}")
    how_to_apply = Both(
        "Accept one: whet eval feedback {folder} --apply 1",
        "采纳一项：whet eval feedback {folder} --apply 1",
    )
    accept = Both("Accept it? [y/n/q] ", "采纳吗？[y/n/q] ")
    applied = Both("Written: {path}", "已写入：{path}")
    nothing_to_do = Both("Nothing to change: it is done already.", "无需修改：已经完成。")
