"""Whether a prompt is a plainly worded task about files, and which errands it is made of."""

import re

from whet.core.sized_cache import sized_cache
from whet.engines.simulated.errands.chinese import CHINESE
from whet.engines.simulated.errands.english import ENGLISH
from whet.engines.simulated.errands.errand import Decline, Errand, Read, Reply, Say, Sort, Wonder
from whet.engines.simulated.errands.objects import about_json
from whet.engines.simulated.errands.rules import Language, errands_in, first_errand
from whet.engines.simulated.errands.wording import Worded, worded
from whet.engines.simulated.language import is_chinese

LONGEST = 8_000
"""Characters; a longer prompt is no plainly worded task."""

_MOST = 40
_MOST_LINES = 200
_PTC = "ptc"
_LONGEST_LINE = 1_000
_TALK = (Reply, Say, Sort)
"""What alone makes no task about files."""

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；;])")
_CODE = re.compile(
    r"\b(?:functions?|class(?:es)?|methods?|modules?|python|javascript|typescript|java|rust|golang"
    r"|code|coding|scripts?|programs?|implement\w*|algorithms?|refactor\w*|unit tests?|regex"
    r"|librar(?:y|ies)|package|CLI|API)\b"
    r"|函数|类(?=[，。、的])|方法|模块|代码|编程|脚本|程序|实现|算法|重构|单元测试|正则",
    re.IGNORECASE,
)
_FOREIGN = re.compile(
    r"(?:\b(?:use|call|with|search|ask)\b|使用|调用|用|搜索).{0,80}?"
    r"(?:(?:\bthe tool|工具)\s*(?P<ptc>ptc)(?![A-Za-z])|(?:\btool|工具)\s*(?P<quoted>⟦[PQ]\d+⟧)"
    r"|(?P<base>\bknowledge base\b|知识库)|(?P<server>\bMCP (?:server|tool)|MCP\s*(?:服务器|工具))"
    r"|(?<![\w.@])(?P<joined>\w{1,40}@\w{1,40})(?![\w.@]))",
    re.IGNORECASE | re.DOTALL,
)


def is_about_code(text: str) -> bool:
    """Whether a prompt asks for something to be programmed."""
    return _CODE.search(text) is not None


@sized_cache(4 * 1024 * 1024, per_character=16)
def planned(prompt: str) -> tuple[Errand, ...]:
    """The errands of a prompt in their order; none if it is no such task."""
    if len(prompt) > LONGEST:
        return ()
    words = worded(prompt)
    is_code = is_about_code(words.text)
    if (foreign := _FOREIGN.search(words.text)) and (foreign[_PTC] or not is_code):
        return (Decline(words.value(next(filter(None, foreign.groups())))),)
    if is_code:
        return ()
    language = CHINESE if is_chinese(prompt) else ENGLISH
    found: list[Errand] = []
    for line in words.text.split("\n", _MOST_LINES)[:_MOST_LINES]:
        if line.strip() and len(found) < _MOST:
            found += _of_line(line[:_LONGEST_LINE], words, language)
    if all(isinstance(one, _TALK) for one in found):
        return ()
    taken = repr(found)
    left = [Wonder(path) for path in words.paths if repr(path)[1:-1] not in taken]
    return (*found[:_MOST], *left[:_MOST])


def _of_line(line: str, words: Worded, language: Language) -> list[Errand]:
    found: list[Errand] = []
    while (written := first_errand(line, words, language.lines)) and not _speaks_of_json(
        line, words
    ):
        match, errand = written
        found += [*_of_sentences(line[: match.start()], words, language), errand]
        rest = match.groupdict().get("rest")
        line = language.follows.split(rest, maxsplit=1)[-1] if rest else line[match.end() :]
        if line == rest:
            return found
    return found + _of_sentences(line, words, language)


def _speaks_of_json(line: str, words: Worded) -> bool:
    return any(about_json(sentence, words) for sentence in _SENTENCE_END.split(line))


def _of_sentences(line: str, words: Worded, language: Language) -> list[Errand]:
    found: list[Errand] = []
    for sentence in _SENTENCE_END.split(line):
        special = about_json(sentence, words)
        plain = sentence[: special[0]] if special else sentence
        found += errands_in(plain, words, language.sentences)
        found += [special[1]] if special else []
        reads = [place for place, one in enumerate(found) if isinstance(one, Read)]
        if reads and (count := language.counted(sentence)):
            found.insert(reads[-1] + 1, count)
    return found
