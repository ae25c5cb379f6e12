"""What the commands that make projects say, in the languages they speak."""

from whet.core.bilingual import Both, Words


class MakeWords(Words):
    """Names in braces are filled in."""

    archived = Both("archived", "已归档")
    design = Both(
        "skills: {skills}, baselines: {baselines}, repeats: {repeats}, trials: {trials}; "
        "{engine}, judged by {judges}",
        "技能 {skills} 个，基线 {baselines} 个，重复 {repeats} 次，共 {trials} 次试验；"
        "{engine}，评审 {judges}",
    )
    checks_alone = Both("checks alone", "无（只按检查）")
    run_it = Both("  run it: {command}", "  运行：{command}")
    adopting = Both(
        "{name} starts {engine} in sandbox {sandbox}, with {options}",
        "{name} 在沙箱 {sandbox} 中启动 {engine}，附带 {options}",
    )
    nothing_more = Both("no more access than any agent has", "与其他智能体相同的权限")
