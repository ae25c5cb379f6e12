"""What the command line says where people draft, review and improve evals."""

from dataclasses import dataclass

from whet.core.counts import CountedText


@dataclass(frozen=True)
class PeopleWords:
    """Names in braces are filled in."""

    # init
    drafted: str
    drafted_by: str
    no_model: str
    kept: str
    left: str
    edit_it: str
    how_many: str
    queries_only: str
    # review
    run_of: str
    prompt: str
    answer: str
    nothing: str
    before: str
    keys: str
    feedback: str
    score: str
    not_a_score: str
    revealed: str
    graded: str
    not_graded: str
    reviewed: str
    all_reviewed: str
    list_heads: tuple[str, ...]
    hidden: str
    # calibrate
    rule: str
    few: str
    no_labels: str
    together: str
    agree: str
    kappa: str
    no_kappa: str
    empty_kappa: str
    bare_kappa: str
    cells: tuple[str, str, str, str]
    dimension: str
    alpha: str
    alpha_passing: str
    rate: str
    corrected: str
    not_corrected: str
    independent: str
    simulated: str
    # feedback
    suggested: str
    no_suggestions: str
    edits: str
    no_edits: str
    kinds: dict[str, str]
    done: str
    by_model: str
    dropped: str
    how_to_apply: str
    accept: str
    applied: str
    nothing_to_do: str


ENGLISH = PeopleWords(
    drafted=CountedText("A draft with {count:eval|evals}, made from the description of {name}:"),
    drafted_by=CountedText("A draft with {count:eval|evals}, written by {author} for {name}:"),
    no_model="The simulated engine writes nothing; the draft is made without a model.",
    kept="The older file is now {path}",
    left="{path} is there already and stays as it is",
    how_many=(
        "For a verdict on evals in general at least 6 evals are needed, better 12: the evals are "
        "the sample. More runs of the same evals will not change that."
    ),
    queries_only=CountedText(
        "A draft of {count:query|queries} that should or should not trigger the skill:"
    ),
    edit_it=(
        "It is a draft: put requests of your users in place of these, and say what only good work "
        "has. Then run: whet eval {folder} --engine claude --dry-run\n"
        "Without --engine the simulated agent does it, which only writes Python."
    ),
    run_of="Run {number} ({place} of {total} to review): {name}",
    prompt="Prompt",
    answer="Answer",
    nothing="(nothing was produced)",
    before="Iteration {number}",
    keys="[p]ass  [f]ail  [s]kip  [q]uit: ",
    feedback="Why? (one line, may be empty) ",
    score="{name} ({low} to {high}, may be empty) ",
    not_a_score="A whole number from {low} to {high}, please.",
    revealed="It was {run_id}.",
    graded=CountedText(
        "Graders: {passed} of {total:expectation|expectations} met, rubric {rubric}, overall "
        "{overall}."
    ),
    not_graded="Graders gave it no score.",
    reviewed=CountedText("{done} of {total:run|runs} reviewed: {path}"),
    all_reviewed="Every run is reviewed. Do the judges agree? See: whet eval calibrate {folder}",
    list_heads=("run", "eval", "said", "what it was"),
    hidden="hidden until it is reviewed",
    rule=(
        "A judge passes a run if all expectations that it decided are met and the rubric comes to "
        "{passing:.0%} or more. Runs without a judge's score are left out."
    ),
    few=CountedText(
        "Only {count:run has|runs have} both a label and a verdict; below {few} this means little."
    ),
    no_labels="No run has both a label and a judge's verdict. First: whet eval review {folder}",
    together="All judges together",
    agree=CountedText("agree with people on {share:.0%} of {n:run|runs} ({low:.0%} to {high:.0%})"),
    kappa="Cohen's kappa {kappa:.2f} ({low:.2f} to {high:.2f}): agreement beyond chance",
    no_kappa="Cohen's kappa is not defined: everybody used one and the same label",
    empty_kappa="Cohen's kappa {kappa:.2f} says nothing: one side used a single label throughout",
    bare_kappa="Cohen's kappa {kappa:.2f}: agreement beyond chance",
    cells=(
        "both pass",
        "judge passes, person fails",
        "judge fails, person passes",
        "both fail",
    ),
    dimension=CountedText("{name}: weighted kappa {kappa} over {n:run|runs}"),
    alpha="Krippendorff's alpha among the judges, rubric scores: {alpha}",
    alpha_passing="Krippendorff's alpha among the judges, pass or fail: {alpha}",
    rate=CountedText("{name}: the judge passes {judged:.0%} of {n:run|runs}"),
    corrected="by people's labels it would be {rate:.0%} ({low:.0%} to {high:.0%})",
    not_corrected="not corrected: it takes labels of both kinds, and a judge better than a coin",
    independent=(
        "Intervals at 95 % take runs for independent; repeats of one eval are not quite that."
    ),
    simulated="The agent or a judge is the built-in simulated one.",
    suggested=CountedText(
        "What judges say of the suite, from {total:run|runs} of iteration {iteration}:"
    ),
    no_suggestions=CountedText("The judges had nothing to say about the suite ({total:run|runs})."),
    edits="Edits that follow:",
    no_edits="No edit follows from these runs.",
    kinds={
        "add_expectation": "add an expectation to {evals}: {text}",
        "add_check": "add a check to {evals}: {text}",
        "replace_check": "replace check {target} of {evals} by: {text}",
        "remove_check": "remove check {target} from {evals}",
        "mark_critical": "make check {target} of {evals} critical",
    },
    done="done already",
    by_model="by {author}",
    dropped="Left out: {why}",
    how_to_apply="Accept one: whet eval feedback {folder} --apply 1",
    accept="Accept it? [y/n/q] ",
    applied="Written: {path}",
    nothing_to_do="Nothing to change: it is done already.",
)

CHINESE = PeopleWords(
    drafted="根据 {name} 的描述写成的草稿，共 {count} 个评测项：",
    drafted_by="由 {author} 为 {name} 写的草稿，共 {count} 个评测项：",
    no_model="模拟引擎不会写作；草稿未使用模型生成。",
    kept="原文件现为 {path}",
    left="{path} 已存在，保持不变",
    how_many=(
        "要对一般的评测项下结论，至少需要 6 个评测项，最好 12 个：评测项就是样本。"
        "同样的评测项再多跑几次也无济于事。"
    ),
    queries_only="起草了 {count} 条查询，各自应当或不应当触发该技能：",
    edit_it=(
        "这只是草稿：请换成用户的真实请求，并写明只有好的结果才具备什么。"
        "然后运行：whet eval {folder} --engine claude --dry-run\n"
        "不加 --engine 时由模拟智能体完成，它只会写 Python。"
    ),
    run_of="运行 {number}（待评审 {total} 个中的第 {place} 个）：{name}",
    prompt="提示词",
    answer="回答",
    nothing="（没有产出）",
    before="第 {number} 次迭代",
    keys="[p] 通过  [f] 不通过  [s] 跳过  [q] 退出：",
    feedback="原因？（一行，可留空）",
    score="{name}（{low} 到 {high}，可留空）",
    not_a_score="请输入 {low} 到 {high} 的整数。",
    revealed="这是 {run_id}。",
    graded="评分：{total} 项期望满足 {passed} 项，量表 {rubric}，总分 {overall}。",
    not_graded="没有评分。",
    reviewed="{total} 次运行已评审 {done} 次：{path}",
    all_reviewed="全部运行都已评审。查看评审模型与人的一致程度：whet eval calibrate {folder}",
    list_heads=("运行", "评测项", "结论", "实际是"),
    hidden="评审之后才显示",
    rule=(
        "评审模型判定的期望全部满足且量表得分达到 {passing:.0%}，即视为通过。"
        "没有评审得分的运行不计入。"
    ),
    few="只有 {count} 次运行同时有人工标签和评审结论；少于 {few} 次时意义不大。",
    no_labels="没有同时具备人工标签和评审结论的运行。请先标注：whet eval review {folder}",
    together="所有评审模型合计",
    agree="在 {n} 次运行中与人一致 {share:.0%}（{low:.0%} 到 {high:.0%}）",
    kappa="Cohen's kappa {kappa:.2f}（{low:.2f} 到 {high:.2f}）：超出偶然的一致程度",
    no_kappa="Cohen's kappa 无定义：所有标签都相同",
    empty_kappa="Cohen's kappa {kappa:.2f} 没有意义：一方始终只用一种标签",
    bare_kappa="Cohen's kappa {kappa:.2f}：超出偶然的一致程度",
    cells=("双方都通过", "评审通过、人不通过", "评审不通过、人通过", "双方都不通过"),
    dimension="{name}：{n} 次运行的加权 kappa {kappa}",
    alpha="评审模型之间量表得分的 Krippendorff alpha：{alpha}",
    alpha_passing="评审模型之间通过与否的 Krippendorff alpha：{alpha}",
    rate="{name}：评审通过 {n} 次运行中的 {judged:.0%}",
    corrected="按人工标签校正为 {rate:.0%}（{low:.0%} 到 {high:.0%}）",
    not_corrected="未校正：需要两类标签，且评审要好于掷硬币",
    independent="95 % 区间把各次运行视为相互独立；同一评测项的重复运行并非完全如此。",
    simulated="智能体或评审是内置的模拟部件。",
    suggested="评审对评测套件的意见，来自第 {iteration} 次迭代的 {total} 次运行：",
    no_suggestions="评审对评测套件没有意见（{total} 次运行）。",
    edits="由此得出的修改：",
    no_edits="这些运行没有引出任何修改。",
    kinds={
        "add_expectation": "为 {evals} 增加期望：{text}",
        "add_check": "为 {evals} 增加检查：{text}",
        "replace_check": "将 {evals} 的检查 {target} 换成：{text}",
        "remove_check": "从 {evals} 中删除检查 {target}",
        "mark_critical": "将 {evals} 的检查 {target} 设为关键",
    },
    done="已完成",
    by_model="由 {author} 提出",
    dropped="未采纳：{why}",
    how_to_apply="采纳一项：whet eval feedback {folder} --apply 1",
    accept="采纳吗？[y/n/q] ",
    applied="已写入：{path}",
    nothing_to_do="无需修改：已经完成。",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
