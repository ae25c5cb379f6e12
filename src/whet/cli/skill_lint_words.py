"""What ``whet skill lint`` and ``whet skill pack`` say, in the languages they speak."""

from dataclasses import dataclass

from whet.core.counts import CountedText
from whet.curate.pack import Reason


@dataclass(frozen=True)
class SkillLintWords:
    """Names in braces are filled in."""

    fixed: str
    fix: str
    summary: str
    left_out: str
    reasons: dict[Reason, str]
    forced: str
    packed: str


ENGLISH = SkillLintWords(
    fixed="fixed",
    fix="fix",
    summary="skills: {skills}, errors: {errors}, warnings: {warnings}, infos: {infos}",
    left_out="left out: {path} ({reason})",
    reasons={
        "evals": "its own tests",
        "leftover": "no part of the skill",
        "link": "a symbolic link",
        "name": "cannot be the name of a file",
        "secret": "a secret in it",
        "secret_file": "secrets are kept under such a name",
        "special": "neither a file nor a folder",
    },
    forced="packed in spite of errors: {errors}",
    packed=CountedText("{path}: {files:file|files}, sha256 {digest}"),
)

CHINESE = SkillLintWords(
    fixed="已修复",
    fix="解决办法",
    summary="技能：{skills}，错误：{errors}，警告：{warnings}，提示：{infos}",
    left_out="未打包：{path}（{reason}）",
    reasons={
        "evals": "技能自身的测试",
        "leftover": "不属于技能",
        "link": "符号链接",
        "name": "不能作为文件名",
        "secret": "含有密钥",
        "secret_file": "这类文件名通常存放密钥",
        "special": "既不是文件也不是文件夹",
    },
    forced="忽略错误打包，错误数：{errors}",
    packed="{path}：{files} 个文件，sha256 {digest}",
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
