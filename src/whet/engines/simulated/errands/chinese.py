"""Errands in Chinese."""

import re

from whet.engines.simulated.errands.errand import (
    Append,
    Ask,
    Count,
    Errand,
    Gather,
    Keep,
    ListFolder,
    Move,
    Read,
    Replace,
    Reply,
    Run,
    Say,
    Search,
    SetLine,
    Sort,
    Write,
)
from whet.engines.simulated.errands.rules import Found, Language, rule

_DIGITS = "一二三四五六七八九十"
_FILE = r"(?:一个|新的|名为|叫做|叫|文本|空白|文件|\s){0,6}"
_MAKES = r"(?:创建|新建|写出|生成|建立|新增|写入|写)"
_KIND = r"(?:\s*的(?:文本|新)?文件)?"
_CONTENT = (
    r"[，,]?\s*(?:其|文件|它的|并|里面|其中){0,2}(?:内容|写入|写上|写着|包含)"
    r"[^⟦：:。]{0,8}?(?:为|是)?"
)
_INSIDE = r"\s*(?:文件)?(?:中|里|内|下)?(?:的)?(?:所有|全部|每个)?(?:的)?\s*"
_FOLDER = r"(?:文件夹|目录|文件)?\s*"
_FOLLOWS = re.compile(r"(?<=。)(?=然后|最后|接着|只|请|不要|其[他余]|回)")


def _text(found: Found) -> str:
    if found.match["text"]:
        return found("text")
    if mark := re.fullmatch(r"\s*(⟦Q\d+⟧)[.。]?\s*", found.match["rest"]):
        return found.worded.value(mark[1])
    # A full stop belongs to the text only where nothing else follows.
    parts = _FOLLOWS.split(found.rest(), maxsplit=1)
    return parts[0].rstrip("。 ") if len(parts) > 1 else parts[0]


def _wrote(found: Found) -> Errand:
    return Write(found("path"), _text(found))


def _line(found: Found) -> Errand:
    digits, nth = found("digits"), found("nth")
    number = int(digits) if digits else _DIGITS.index(nth) + 1 if nth else -1
    return SetLine(found("path"), number, found("new"))


def _searched(found: Found) -> Errand:
    return Search(found("where") or ".", found("word"))


def _ran(found: Found) -> Errand | None:
    """Only what stands in quotation marks is meant literally."""
    command = found("command")
    return Run(command) if command != found.rest("command") else None


def _replied(found: Found) -> Errand | None:
    phrase = found.match["phrase"].strip(" ：:，,")
    mark = re.fullmatch(
        r"(?:恰好|仅|只|文字|单词|以下|内容|是|为|\s)*(⟦[PQ]\d+⟧)(?:即可|二字|两个字)?", phrase
    )
    if mark:
        return Say(found.worded.value(mark[1]))
    return Reply(found.worded.unmarked(phrase)) if phrase else None


_LINES = (
    rule(
        rf"{_MAKES}{_FILE}<Ptarget>\W{{1,2}}先是?\s*<Pone>[^⟦。]{{0,12}}[，,]\s*(?:然后|再)是?\s*<Ptwo>",
        lambda f: Gather(f("target"), (f("one"), f("two"))),
    ),
    rule(
        rf"{_MAKES}{_FILE}<Ptarget>[，,]\s*内容为\s*<Pone>\s*中?除[去了][^⟦。]{{0,8}}<Lword>",
        lambda f: Gather(f("target"), (f("one"),), f("word")),
    ),
    rule(
        rf"{_MAKES}{_FILE}<Ppath>{_KIND}{_CONTENT}\s*(?:[：:]\s?(?P<rest>[^\n]+)|<Ltext>)", _wrote
    ),
    rule(rf"^\W{{0,4}}<Ppath>{_CONTENT}\s*(?:[：:]\s?(?P<rest>[^\n]+)|<Ltext>)", _wrote),
)

_SENTENCES = (
    rule(
        rf"[把将]\s*<Ltext>\s*(?:写入|写到|保存到|存入|写进){_FILE}<Ppath>",
        lambda f: Write(f("path"), f("text")),
    ),
    rule(
        r"[把将]?(?:结果|这个数字|它|该数字|答案|总和|输出)[^⟦。]{0,16}(?:写入|写到|保存到|存入|写进)"
        rf"{_FILE}<Ppath>",
        lambda f: Keep(f("path")),
    ),
    rule(
        rf"在\s*{_FILE}<Ppath>\s*(?:文件)?的?(?:末尾|最后|结尾)(?:追加|添加|加上|写上)(?:一行|文字|\s)*<Ltext>",
        lambda f: Append(f("path"), f("text")),
    ),
    rule(
        rf"[把将]\s*<Ltext>\s*(?:追加|添加)到\s*{_FILE}<Ppath>",
        lambda f: Append(f("path"), f("text")),
    ),
    rule(
        rf"[把将]\s*{_FILE}<Ppath>\s*(?:文件)?的?(?:第\s*(?:(?P<digits>\d{{1,4}})|(?P<nth>[{_DIGITS}]))"
        r"\s*|最后一)行(?:内容)?(?:改成|改为|替换为|替换成|换成)\s*<Lnew>",
        _line,
    ),
    rule(
        rf"[把将]\s*{_FILE}<Ppath>{_INSIDE}<Lold>[^⟦。]{{0,6}}(?:替换为|替换成|改为|改成|换成)\s*<Lnew>",
        lambda f: Replace(f("path"), f("old"), f("new")),
    ),
    rule(
        rf"(?:编辑|在|打开)\s*{_FILE}<Ppath>\s*(?:文件)?[中里]?[：:，,]?\s*[把将]{_INSIDE}<Lold>[^⟦。]{{0,6}}"
        r"(?:替换为|替换成|改为|改成|换成)\s*<Lnew>",
        lambda f: Replace(f("path"), f("old"), f("new")),
    ),
    rule(
        r"在(?:该|这个|此)文件中[把将](?:这一行|它|<Lold>)[^⟦。]{0,6}(?:替换为|替换成|改为|改成|换成)\s*<Lnew>",
        lambda f: Replace(None, f("old") or None, f("new")),
    ),
    rule(
        r"[把将](?:文件夹|目录)\s*<Fsource>\s*[中里]所有以\s*\.(?P<ending>[A-Za-z0-9]{1,8})\s*结尾的文件"
        r"(?:移动|移)到(?:新的?)?(?:文件夹|目录)\s*<Ftarget>",
        lambda f: Move(f("ending"), f("source"), f("target")),
    ),
    rule(
        rf"在\s*{_FOLDER}<Fwhere>\s*(?:文件夹|目录)?(?:的文件)?[中里下]?(?:的所有文件[中里])?"
        r"(?:搜索|查找|寻找)(?:包含|单词|文字|关键词|字符串|\s)*<Lword>",
        _searched,
    ),
    rule(
        rf"(?:搜索|查找)\s*{_FOLDER}<Fwhere>\s*(?:文件夹|目录)?[中里下]的?(?:单词|文字|关键词|\s)*<Lword>",
        _searched,
    ),
    rule(
        r"(?:查找|搜索|找出|找到)(?:所有)?包含(?:单词|文字|\s)*<Lword>\s*的(?:所有)?文件", _searched
    ),
    rule(
        rf"[把将]\s*{_FILE}<Pone>\s*(?:的内容)?复制(?:到|为|成)\s*{_FILE}<Ptarget>",
        lambda f: Gather(f("target"), (f("one"),)),
    ),
    rule(
        r"(?:创建|新建)(?:一个)?(?:名为|叫做)?(?:文件夹|目录)\s*<Ffolder>",
        lambda f: Run(f"mkdir -p {f('folder')}"),
    ),
    rule(rf"删除\s*{_FILE}<Ppath>", lambda f: Run(f"rm {f('path')}")),
    rule(
        r"<Ppath>\s*(?:文件)?[中里的有][^。？⟦\n]{1,40}？",
        lambda f: Ask(f("path"), f.worded.unmarked(f.match[0])),
    ),
    rule(r"哪个文件(?:包含|含有|中有)(?:单词|文字|\s)*<Lword>", _searched),
    rule(r"列出\s*(?:文件夹|目录)\s*<Fpath>", lambda f: ListFolder(f("path").rstrip("/"))),
    rule(
        r"列出\s*(?:当前|<Fpath>)\s*(?:文件夹|目录)?[中里下]?的?(?:所有)?(?:文件|内容)?",
        lambda f: ListFolder(f("path").rstrip("/") or "."),
    ),
    rule(r"(?:读取|阅读|打开|查看|读)\s*(?:文件)?\s*<Ppath>", lambda f: Read(f("path"))),
    rule(r"(?:数一数|统计|计算)\s*(?:文件)?\s*<Ppath>", lambda f: Read(f("path"))),
    rule(r"各?行[^⟦。，,]{0,10}排序", lambda _: Sort()),
    rule(
        r"(?:运行|执行)(?:这条|以下|下面的|下列)?(?:命令)?\s*[：:]?\s*<Lcommand>",
        _ran,
    ),
    rule(r"(?:回答|回复|报告|告诉我|说出|给出|返回)(?P<phrase>[^。；;\n]{1,120})", _replied),
)

_COUNTED = re.compile(r"多少个?(?:英文)?(单词|行)|(?:统计|计算)[^。]{0,20}(单词|行)数")


def _counted(sentence: str) -> Count | None:
    """What is to be counted of the file that the sentence reads."""
    found = _COUNTED.search(sentence)
    if found is None:
        return None
    return Count("lines" if "行" in (found[1] or found[2]) else "words")


CHINESE = Language(_LINES, _SENTENCES, _counted, _FOLLOWS)
