"""What is written into the files of a job, by the kind that their names end in."""

import csv
import html
import io
import json
from collections.abc import Callable, Iterator

from pydantic import JsonValue

from whet.core.spreadsheet import guarded
from whet.engines.simulated.contract.facts import count_words, first_words
from whet.engines.simulated.contract.findings import Findings
from whet.engines.simulated.contract.naming import suffix_of
from whet.engines.simulated.phrases import Pair

_SIMULATED: Pair = ("(simulated: no model was asked)", "（模拟：没有询问任何模型）")
_SHORTLY: Pair = ("(simulated)", "（模拟）")
_OTHERS = (
    "7z bin bmp bz2 doc docx gif gz ico jpeg jpg mp3 mp4 ods odt ogg pdf png ppt pptx svg tar tif "
    "tiff toml wav webp xls xlsx xml xz yaml yml zip"
)
_NOT_IN_WORDS = frozenset(_OTHERS.split())
_CANNOT: Pair = (
    "The simulated agent cannot make .{} files. This is the report in plain text.",
    "模拟代理无法生成 .{} 文件，以下为纯文本报告。",
)
_FIGURES: Pair = ("Figures", "数据")
_COLUMNS: Pair = ("name | lines | words | characters", "名称 | 行数 | 字数 | 字符数")
_TERMS: Pair = ("Most frequent words", "高频词")
_SAID: Pair = ("Replies", "回复")
_VALUES: Pair = ("Given", "已知条件")
_CUT: Pair = ("(only its beginning was read)", "（只读取了开头部分）")
_BINARY: Pair = ("(no text)", "（不是文本）")


def report(path: str, findings: Findings) -> str:
    """The content of the file at *path*."""
    return _KINDS.get(suffix_of(path), _plain)(path, findings)


def _markdown(_path: str, findings: Findings) -> str:
    return _whole([f"# {findings.title}", *_sections(findings, "## ", "- ")], findings)


def _plain(path: str, findings: Findings) -> str:
    suffix = suffix_of(path)
    excuse = [_CANNOT[findings.chinese].format(suffix)] if suffix in _NOT_IN_WORDS else []
    return _whole([findings.title, *excuse, *_sections(findings, "", "  ")], findings)


def _whole(sections: list[str], findings: Findings) -> str:
    """As many sections as there may be words for; that it is simulated always stays."""
    most, chinese = findings.most_words, findings.chinese
    if most is None:
        return "\n\n".join([*sections, _SIMULATED[chinese]]) + "\n"
    label = _SHORTLY[chinese]
    left = max(0, most - count_words(label))
    kept: list[str] = []
    for section in sections:
        fitting = first_words(section, left)
        if fitting != section and kept[1:]:  # half a table says nothing
            break
        kept.append(fitting)
        left -= count_words(fitting)
    return "\n\n".join(filter(None, [*kept, label])) + "\n"


def _sections(findings: Findings, heading: str, item: str) -> Iterator[str]:
    """Parts of the report, the most telling first."""
    chinese, terms, values = findings.chinese, findings.whole.terms, findings.values
    parts = (
        (
            _SAID,
            [
                f"{item}{question} {' '.join(reply.split())}".rstrip()
                for question, reply in findings.said
            ],
        ),
        (_FIGURES, list(_rows(findings))),
        (_TERMS, [f"{item}{term}: {count}" for term, count in terms]),
        (_VALUES, [f"{item}{name}: {_told(value)}" for name, value in values.items()]),
    )
    yield findings.summary
    yield from ("\n".join((f"{heading}{name[chinese]}", "", *rows)) for name, rows in parts if rows)


def _rows(findings: Findings) -> Iterator[str]:
    head, chinese = _COLUMNS[findings.chinese], findings.chinese
    if not findings.sources:
        return
    yield from (f"| {head} |", f"|{'---|' * (head.count('|') + 1)}")
    for source, facts in findings.sources:
        remark = _CUT[chinese] if source.cut else "" if source.is_text else _BINARY[chinese]
        name = f"{_cell(source.name)} {remark}".rstrip()
        yield f"| {name} | {facts.lines} | {facts.words} | {facts.characters} |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _told(value: JsonValue) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return " ".join(text.split())[:200]


def _json(_path: str, findings: Findings) -> str:
    whole = findings.whole
    content: dict[str, JsonValue] = {
        "title": findings.title,
        "summary": findings.summary,
        "words": whole.words,
        "lines": whole.lines,
        "characters": whole.characters,
        "frequent_words": {**dict(whole.terms)},
        "sources": [
            {"name": source.name, "words": facts.words, "lines": facts.lines}
            for source, facts in findings.sources
        ],
        "given": {**findings.values},
        "replies": [{"question": one.question, "reply": one.reply} for one in findings.said],
        "simulated": True,
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _json_lines(_path: str, findings: Findings) -> str:
    rows = (
        {"name": source.name, "words": facts.words, "lines": facts.lines, "simulated": True}
        for source, facts in findings.sources
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _table(path: str, findings: Findings) -> str:
    stream = io.StringIO()
    delimiter = "\t" if suffix_of(path) == "tsv" else ","
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(("name", "lines", "words", "characters", "simulated"))
    for source, facts in findings.sources:
        writer.writerow((guarded(source.name), facts.lines, facts.words, facts.characters, "true"))
    return stream.getvalue()


def _page(path: str, findings: Findings) -> str:
    body = html.escape(_plain(path, findings).partition("\n")[2].strip())
    title = html.escape(findings.title)
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8"><title>{title}</title></head>\n'
        f"<body><h1>{title}</h1>\n<pre>\n{body}\n</pre></body></html>\n"
    )


_KINDS: dict[str, Callable[[str, Findings], str]] = {
    "md": _markdown,
    "markdown": _markdown,
    "json": _json,
    "jsonl": _json_lines,
    "csv": _table,
    "tsv": _table,
    "html": _page,
    "htm": _page,
}
