"""What ``whet skill lint`` and ``whet skill pack`` say, in the languages they speak."""

from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText


class SkillLintWords(Words):
    """Names in braces are filled in."""

    fixed = Both("fixed", "已修复")
    fix = Both("fix", "解决办法")
    summary = Both(
        "skills: {skills}, errors: {errors}, warnings: {warnings}, infos: {infos}",
        "技能：{skills}，错误：{errors}，警告：{warnings}，提示：{infos}",
    )
    left_out = Both("left out: {path} ({reason})", "未打包：{path}（{reason}）")
    reasons = Both(
        {
            "evals": "its own tests",
            "leftover": "no part of the skill",
            "link": "a symbolic link",
            "name": "cannot be the name of a file",
            "secret": "a secret in it",
            "secret_file": "secrets are kept under such a name",
            "special": "neither a file nor a folder",
        },
        {
            "evals": "技能自身的测试",
            "leftover": "不属于技能",
            "link": "符号链接",
            "name": "不能作为文件名",
            "secret": "含有密钥",
            "secret_file": "这类文件名通常存放密钥",
            "special": "既不是文件也不是文件夹",
        },
    )
    forced = Both("packed in spite of errors: {errors}", "忽略错误打包，错误数：{errors}")
    packed = Both(
        CountedText("{path}: {files:file|files}, sha256 {digest}"),
        "{path}：{files} 个文件，sha256 {digest}",
    )
