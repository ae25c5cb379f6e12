"""What a property of the output stands for, by its name."""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from pydantic import JsonValue

from whet.engines.simulated.contract.agreement import Artifact
from whet.engines.simulated.contract.findings import Findings
from whet.engines.simulated.filling.fill import Place

_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[\u3400-\u9fff]+")
_FILES = frozenset({"artifact", "artifact-manifest", "file"})
_COUNTS = {
    "lines": "line lines 行数 行",
    "characters": "character characters char chars letters 字符数 字符",
    "sentences": "sentence sentences 句数",
    "paragraphs": "paragraph paragraphs 段落数 段数",
    "bytes": "byte bytes size 字节数 大小",
    "words": "word words count counts total length amount 字数 词数 数量 总数",
}
_COUNT_OF = {word: count for count, words in _COUNTS.items() for word in words.split()}
_MANY = "file files document documents source sources input inputs 文件数"
_FILE_COUNT = frozenset(_MANY.split())
_TEXTS = {
    "title": "title heading headline subject name 标题 名称",
    "language": "language lang locale 语言",
    "terms": "keyword keywords tag tags topic topics term terms frequent words 关键词 标签",
    "names": "file files filename document documents source sources 文件 来源",
    "said": "reply replies answer choice chosen selection decision feedback comment response "
    "回复 选择 意见",
}
_TEXT_OF = {word: text for text, words in _TEXTS.items() for word in words.split()}
_AGREED = frozenset({"confirmed", "confirm", "approved", "accepted", "agreed", "确认"})
_DONE = frozenset({"ok", "success", "valid", "done", "completed", "simulated", "完成", "成功"})
_NO = re.compile(
    r"\W*(?:no|n|nope|not|don't|never|false|cancel|stop|decline\w*)\b|\W*(?:否|不|别|取消)", re.I
)


class Meaning:
    """Proposals for the output, all of them derived from what was found."""

    def __init__(self, findings: Findings, files: Mapping[str, Artifact]) -> None:
        self._findings = findings
        self._files = files

    def __call__(self, place: Place, node: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
        """See ``filling.fill.Knows``."""
        names = [name for name in place if name != "[]"]
        if not names:
            return
        name = names[-1]
        yield from self._paths(name, node, is_top=len(place) == 1)
        if name in self._findings.values:
            yield self._findings.values[name]
        words = [part.lower() for part in _PARTS.findall(name)]
        yield from self._counts(words)
        yield from self._decisions(words)
        if "format" not in node:
            yield from self._texts(words)

    def _paths(
        self, name: str, node: Mapping[str, JsonValue], *, is_top: bool
    ) -> Iterator[JsonValue]:
        """The file that a property names: its own, or one of its name or role, or the first."""
        own = [path for path, file in self._files.items() if is_top and file.field == name]
        if node.get("x-type") in _FILES:
            role = node.get("x-role")
            own += [path for path in self._files if PurePosixPath(path).stem == name]
            own += [path for path, file in self._files.items() if file.role == role]
            own += self._files
        for path in own[:1]:
            yield path
            yield [path]

    def _counts(self, words: list[str]) -> Iterator[JsonValue]:
        for word in words:
            if word in _FILE_COUNT:
                yield len(self._findings.sources)
        counts = dict.fromkeys(_COUNT_OF[word] for word in words if word in _COUNT_OF)
        for count in sorted(counts, key=lambda count: count == "words"):
            yield self._count(count)

    def _count(self, what: str) -> int:
        if what == "bytes":
            return sum(source.size for source, _ in self._findings.sources)
        count: int = getattr(self._findings.whole, what)
        return count

    def _decisions(self, words: list[str]) -> Iterator[JsonValue]:
        if _AGREED & {*words}:
            said = self._findings.said
            yield bool(said) and _NO.match(said[-1].reply) is None
        if _DONE & {*words}:
            yield True

    def _texts(self, words: list[str]) -> Iterator[JsonValue]:
        found = self._findings
        for word in words:
            match _TEXT_OF.get(word):
                case "title":
                    yield found.title
                case "language":
                    yield ("en", "zh")[found.chinese]
                case "terms":
                    yield from _either([term for term, _ in found.whole.terms])
                case "names":
                    yield from _either([source.name for source, _ in found.sources])
                case "said" if found.said:
                    yield found.said[-1].reply
                    yield [one.reply for one in found.said]
                case _:
                    pass
        yield found.summary


def _either(items: list[str]) -> Iterator[JsonValue]:
    """As a list, or as one text."""
    if items:
        yield [*items]
        yield ", ".join(items)
