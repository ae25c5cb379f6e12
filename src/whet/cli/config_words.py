"""What ``whet config`` says, in the languages it speaks."""

from whet.core.bilingual import Both, Words


class ConfigWords(Words):
    """Headings and sources; names in braces are filled in."""

    key = Both("key", "键")
    value = Both("value", "值")
    source = Both("from", "来源")
    sources = Both(
        {"environment": "environment", "file": "file", "built-in": "built in"},
        {"environment": "环境变量", "file": "文件", "built-in": "内置"},
    )
    no_file = Both("{file} is not there yet.", "{file} 尚不存在。")
    compress = Both(
        "context.auto_compress is kept for other programs and has no effect here: to have an agent "
        "compress its conversation, use whet project create --compress.",
        "context.auto_compress 只为其他程序保留，在此不起作用："
        "要让智能体压缩对话，请用 whet project create --compress。",
    )
