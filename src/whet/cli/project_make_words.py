"""What the commands that make projects say, in the languages they speak."""

from dataclasses import dataclass


@dataclass(frozen=True)
class MakeWords:
    """Names in braces are filled in."""

    archived: str
    design: str
    checks_alone: str
    run_it: str
    adopting: str
    nothing_more: str


ENGLISH = MakeWords(
    archived="archived",
    design=(
        "skills: {skills}, baselines: {baselines}, repeats: {repeats}, trials: {trials}; "
        "{engine}, judged by {judges}"
    ),
    checks_alone="checks alone",
    run_it="  run it: {command}",
    adopting="{name} starts {engine} in sandbox {sandbox}, with {options}",
    nothing_more="no more access than any agent has",
)

CHINESE = MakeWords(
    archived="已归档",
    design=(
        "技能 {skills} 个，基线 {baselines} 个，重复 {repeats} 次，共 {trials} 次试验；"
        "{engine}，评审 {judges}"
    ),
    checks_alone="无（只按检查）",
    run_it="  运行：{command}",
    adopting="{name} 在沙箱 {sandbox} 中启动 {engine}，附带 {options}",
    nothing_more="与其他智能体相同的权限",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
