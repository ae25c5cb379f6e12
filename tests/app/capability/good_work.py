"""What a good agent does with the bundled cases: its answer, its calls and the files it leaves."""

import re
from collections.abc import Callable

from pydantic import JsonValue

from tests.checkers.subjects import call
from whet.documents.capability import CapabilityCase

Work = tuple[str, list[JsonValue], dict[str, str]]


def good(case: CapabilityCase) -> Work:
    """The work, read from the case's own prompt and files wherever that can be."""
    return _WORK[case.id](case, case.files or {})


def _is_english(case: CapabilityCase) -> bool:
    return case.prompt.isascii()


def _after_colon(text: str) -> str:
    return re.split(r"[:：]\s*", text, maxsplit=1)[1]


def _only(names: dict[str, str], wanted: Callable[[str, str], bool]) -> str:
    (name,) = [path for path, text in names.items() if wanted(path, text)]
    return name


def _read_1(_case: CapabilityCase, files: dict[str, str]) -> Work:
    word = _after_colon(files["notes/secret.txt"].splitlines()[1])
    return word, [call("Read", file_path="/scratch/notes/secret.txt")], {}


def _read_2(_case: CapabilityCase, files: dict[str, str]) -> Work:
    count = files["inventory.csv"].splitlines()[2].split(",")[1]
    return count, [call("Read", file_path="inventory.csv")], {}


def _write_1(case: CapabilityCase, _files: dict[str, str]) -> Work:
    text = _after_colon(case.prompt)
    return "Done.", [call("Write", file_path="hello.txt")], {"hello.txt": text}


def _write_2(case: CapabilityCase, _files: dict[str, str]) -> Work:
    text, path = _after_colon(case.prompt), "out/colours.txt"
    return "Done.", [call("Write", file_path=path, content=text)], {path: text}


def _edit(_case: CapabilityCase, files: dict[str, str]) -> Work:
    text = files["config.ini"].replace("mode = slow", "mode = fast")
    return "Done.", [call("Edit")], {"config.ini": text}


def _replace(case: CapabilityCase, files: dict[str, str]) -> Work:
    old, new = ("Tom", "Lena") if _is_english(case) else ("小明", "小红")
    return "Done.", [call("Edit")], {"letter.txt": files["letter.txt"].replace(old, new)}


def _search_1(case: CapabilityCase, files: dict[str, str]) -> Work:
    word = "heliotrope" if _is_english(case) else "天芥菜"
    return _only(files, lambda _path, text: word in text), [call("Grep")], {}


def _search_2(_case: CapabilityCase, files: dict[str, str]) -> Work:
    lines = files["logs/app.log"].splitlines()
    return str(sum("ERROR" in line for line in lines)), [call("Grep")], {}


def _list_1(_case: CapabilityCase, files: dict[str, str]) -> Work:
    return str(len(files)), [call("LS", path="parts")], {}


def _list_2(_case: CapabilityCase, files: dict[str, str]) -> Work:
    path = _only(files, lambda path, _text: path.endswith(".csv"))
    return path.partition("/")[2], [call("LS", path="/w/archive/")], {}


def _ptc(_case: CapabilityCase, files: dict[str, str]) -> Work:
    return str(sum(map(int, files.values()))), [call("ptc")], {}


def _final(_case: CapabilityCase, _files: dict[str, str]) -> Work:
    return "stream"[::-1], [], {}


def _mcp_1(case: CapabilityCase, _files: dict[str, str]) -> Work:
    if _is_english(case):
        lookup = call("mcp__notes__lookup", key="harbour")
        return "The ferry leaves pier 7 at 06:40.", [lookup], {}
    return "周会改到星期四，在青松厅。", [call("mcp__notes__lookup", key="会议")], {}


def _mcp_2(_case: CapabilityCase, _files: dict[str, str]) -> Work:
    return str(4127 + 3985), [call("mcp__notes__add", a=4127, b=3985.0)], {}


def _skill(_case: CapabilityCase, _files: dict[str, str]) -> Work:
    return f"{round(12.5 * 1000)} mm", [], {}


def _knowledge(case: CapabilityCase, _files: dict[str, str]) -> Work:
    query = "opening hours" if _is_english(case) else "营业时间"
    return "Nothing.", [call("mcp__knowledge__search", query=query)], {}


def _user(_case: CapabilityCase, _files: dict[str, str]) -> Work:
    return "480", [call("mcp__user__lookup", key="recipe")], {}


def _shared(_case: CapabilityCase, _files: dict[str, str]) -> Work:
    return str(58 + 67.5), [call("mcp__shared__add", a=58, b=67.5)], {}


def _report(_case: CapabilityCase, files: dict[str, str]) -> Work:
    rows = [line.split(",") for line in files["orders.csv"].splitlines()[1:]]
    total = sum(int(amount) for _, amount in rows)
    return "Done.", [], {"report.json": f'{{"count": {len(rows)}, "total": {total}}}'}


def _search_replace(_case: CapabilityCase, files: dict[str, str]) -> Work:
    path = _only(files, lambda _path, text: "retries = 3" in text)
    return path, [], {path: files[path].replace("retries = 3", "retries = 5")}


def _tree(case: CapabilityCase, _files: dict[str, str]) -> Work:
    lines = [line.removeprefix("- ") for line in case.prompt.splitlines()[1:]]
    names = [re.split(r"[ ，]", line, maxsplit=1)[0] for line in lines]
    return "Done.", [], {n: _after_colon(line) for n, line in zip(names, lines, strict=True)}


def _sort(_case: CapabilityCase, files: dict[str, str]) -> Work:
    return "Done.", [], {"sorted.txt": "\n".join(sorted(files["names.txt"].split()))}


def _merge(_case: CapabilityCase, files: dict[str, str]) -> Work:
    return "Done.", [], {"merged.txt": files["first.txt"] + files["second.txt"]}


def _convert(_case: CapabilityCase, files: dict[str, str]) -> Work:
    rows = [line.split(",") for line in files["people.csv"].splitlines()[1:]]
    people = ", ".join(f'{{"name": "{name}", "age": {age}}}' for name, age in rows)
    return "Done.", [], {"people.json": f"[{people}]"}


def _redact(case: CapabilityCase, files: dict[str, str]) -> Work:
    word = "CONFIDENTIAL" if _is_english(case) else "机密"
    kept = [line for line in files["draft.txt"].splitlines() if word not in line]
    return "Done.", [], {"public.txt": "\n".join(kept) + "\n"}


def _move(_case: CapabilityCase, files: dict[str, str]) -> Work:
    moved = {path: text for path, text in files.items() if path.endswith(".log")}
    return "Done.", [], {path.replace("inbox", "logs"): text for path, text in moved.items()}


def _words(_case: CapabilityCase, files: dict[str, str]) -> Work:
    count = str(len(files["essay.txt"].split()))
    return count, [], {"count.txt": count}


def _repair(_case: CapabilityCase, files: dict[str, str]) -> Work:
    return "Done.", [], {"settings.json": files["settings.json"].replace("false,", "false")}


_WORK: dict[str, Callable[[CapabilityCase, dict[str, str]], Work]] = {
    "tool_read_1": _read_1,
    "tool_read_2": _read_2,
    "tool_write_1": _write_1,
    "tool_write_2": _write_2,
    "tool_edit_1": _edit,
    "tool_replace_1": _replace,
    "tool_search_1": _search_1,
    "tool_search_2": _search_2,
    "tool_list_1": _list_1,
    "tool_list_2": _list_2,
    "tool_ptc_1": _ptc,
    "tool_final_1": _final,
    "tool_mcp_1": _mcp_1,
    "tool_mcp_2": _mcp_2,
    "tool_skill_1": _skill,
    "tool_knowledge_1": _knowledge,
    "tool_user_1": _user,
    "tool_shared_1": _shared,
    "complex_report_1": _report,
    "complex_search_replace_1": _search_replace,
    "complex_tree_1": _tree,
    "complex_sort_1": _sort,
    "complex_merge_1": _merge,
    "complex_convert_1": _convert,
    "complex_redact_1": _redact,
    "complex_move_1": _move,
    "complex_words_1": _words,
    "complex_repair_1": _repair,
}
