"""What ``whet config`` says, in the languages it speaks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ConfigWords:
    """Headings and sources; names in braces are filled in."""

    key: str
    value: str
    source: str
    sources: dict[str, str]
    no_file: str
    compress: str


ENGLISH = ConfigWords(
    key="key",
    value="value",
    source="from",
    sources={"environment": "environment", "file": "file", "built-in": "built in"},
    no_file="{file} is not there yet.",
    compress=(
        "context.auto_compress is kept for other programs and has no effect here: to have an agent "
        "compress its conversation, use whet project create --compress."
    ),
)

CHINESE = ConfigWords(
    key="键",
    value="值",
    source="来源",
    sources={"environment": "环境变量", "file": "文件", "built-in": "内置"},
    no_file="{file} 尚不存在。",
    compress=(
        "context.auto_compress 只为其他程序保留，在此不起作用："
        "要让智能体压缩对话，请用 whet project create --compress。"
    ),
)

BY_LANGUAGE = {"en": ENGLISH, "zh": CHINESE}
