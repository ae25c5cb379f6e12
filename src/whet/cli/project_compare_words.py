"""What ``whet project compare`` and ``environment`` say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class CompareWords(Words):
    """Headings and sentences; names in braces are filled in."""

    title = Both("{left}  against  {right}", "{left}  对比  {right}")
    verdicts = Both(
        {
            "better": CountedText(
                "{left} is better than {right} by {delta:.1f} points over {cases:case|cases}."
            ),
            "worse": CountedText(
                "{left} is worse than {right} by {delta:.1f} points over {cases:case|cases}."
            ),
            "no_difference": CountedText(
                "They do not differ by anything that matters over {cases:case|cases}."
            ),
            "inconclusive": CountedText(
                "Not clear: {delta:.1f} points apart over {cases:case|cases} may be chance."
            ),
        },
        {
            "better": "{left} 优于 {right}：{cases} 个用例上高 {delta:.1f} 分。",
            "worse": "{left} 不如 {right}：{cases} 个用例上低 {delta:.1f} 分。",
            "no_difference": "在 {cases} 个用例上没有值得注意的差别。",
            "inconclusive": "尚无定论：{cases} 个用例上相差 {delta:.1f} 分，可能只是偶然。",
        },
    )
    incomparable = Both(
        "They cannot be compared: no case has a score for both.",
        "无法比较：没有一个用例双方都有评分。",
    )
    counts = Both(
        "cases won: {wins}, lost: {losses}, equal: {ties}, without a pair: {unpaired}",
        "用例：胜 {wins}，负 {losses}，平 {ties}，不成对 {unpaired}",
    )
    figure = Both("", "")
    left = Both("left", "左")
    right = Both("right", "右")
    difference = Both("left − right", "左 − 右")
    interval = Both("95 % interval", "95 % 区间")
    score = Both("score", "得分")
    failed_as_zero = Both("failed as zero", "失败按零分")
    seconds = Both("seconds a case", "每个用例秒数")
    tokens = Both("tokens a case", "每个用例词元")
    cost = Both("USD a case", "每个用例美元")
    case = Both("case", "用例")
    outcome = Both("left", "左方")
    outcomes = Both(
        {"win": "wins", "loss": "loses", "tie": "equal", "unpaired": "no pair"},
        {"win": "胜", "loss": "负", "tie": "平", "unpaired": "不成对"},
    )
    troubles = Both(
        {
            "failed": "{count} failed",
            "unscored": "{count} unscored",
            "missing": "{count} missing",
        },
        {"failed": "失败 {count}", "unscored": "未评分 {count}", "missing": "缺少 {count}"},
    )
    more_cases = Both(
        CountedText("… and {count:more case|more cases}; --json has all"),
        "……另有 {count} 个用例，--json 给出全部",
    )
    same_trials = Both(
        CountedText(
            "In {count:case|cases} both sides are the very same trials: nothing was compared there."
        ),
        "{count} 个用例中双方是同一批试验：没有可比较的。",
    )
    left_out = Both("Left out: {case}: {reason}", "未计入：{case}：{reason}")
    more_left_out = Both(
        "… and {count} more left out; --json has all", "……另有 {count} 个未计入，--json 给出全部"
    )
    reasons = Both(
        {
            "only_left": "only the left side has it",
            "only_right": "only the right side has it",
            "other_input": "the input is another one",
            "other_expected_output": "the expected output is another one",
            "other_grading": "it is graded otherwise",
            "no_weight": "it counts for nothing",
        },
        {
            "only_left": "只有左方有",
            "only_right": "只有右方有",
            "other_input": "输入不同",
            "other_expected_output": "期望输出不同",
            "other_grading": "评分方式不同",
            "no_weight": "权重为零",
        },
    )
    simulated = Both(
        "Produced or graded by the built-in simulated agent or judge.",
        "由内置的模拟智能体或模拟评审产生。",
    )
    problem = Both("not counted", "未计入")
    environment = Both(
        "The two projects differ in more than the skill:", "两个项目的差别不只在技能："
    )
    field = Both("what", "项")
    identical = Both("Both projects are carried out with the same.", "两个项目的环境相同。")
    attempt = Both("{case}, attempt {attempt}", "{case}，第 {attempt} 次尝试")
    statuses = Both(
        {"completed": "completed", "failed": "failed", "skipped": "skipped"},
        {"completed": "完成", "failed": "失败", "skipped": "跳过"},
    )
    no_score = Both("no score", "没有评分")
    same_answer = Both("Both answers are the same.", "两个回答相同。")
