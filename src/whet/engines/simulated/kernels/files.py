"""Tasks about files, and the answer to a task nobody foresaw."""

from whet.engines.simulated.kernels.kernel import Kernel, cues

READ_JSON = Kernel(
    name="read_json",
    cues=cues(r"\bJSON\b"),
    doc=("Return the content of a JSON file.", "读取 JSON 文件并返回其内容。"),
    imports="import json\n",
    efficient="""\
def read_json(path‹: str›)‹ -> object›:
    <doc>
    <guards>
    <try>
    with open(path, encoding="utf-8") as stream:
        content = json.load(stream)
    <except>
    <asked>
    return content
""",
    naive="""\
def read_json(path‹: str›)‹ -> object›:
    <doc>
    <guards>
    <try>
    collected = ""
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            for character in line:
                collected += character
    content = json.loads(collected)
    <except>
    <asked>
    return content
""",
    guards="""\
if not path:
    raise ValueError("path must not be empty")
""",
    errors="""\
except FileNotFoundError as error:
    raise FileNotFoundError(f"there is no file {path}") from error
except json.JSONDecodeError as error:
    raise ValueError(f"{path} is not valid JSON, line {error.lineno}") from error
""",
    asked="""\
if content is None:
    raise ValueError(f"{path} holds no data")
""",
    smoke=(
        "import tempfile",
        'with tempfile.NamedTemporaryFile("w+") as file:',
        '    file.write("[1]")',
        "    file.flush()",
        "    assert read_json(file.name) == [1]",
    ),
    names={
        "path": "p",
        "stream": "f",
        "content": "d",
        "collected": "s",
        "line": "l",
        "character": "c",
    },
)

CSV_SUMMARY = Kernel(
    name="summarise_column",
    cues=cues(r"\bCSV\b|逗号分隔"),
    doc=(
        "Return count, total and mean of a numeric column of a CSV file.",
        "返回 CSV 文件中某个数值列的个数、总和与平均值。",
    ),
    imports="import csv\n",
    efficient="""\
def summarise_column(path‹: str›, column‹: str›)‹ -> dict[str, float]›:
    <doc>
    <guards>
    <try>
    with open(path, encoding="utf-8", newline="") as stream:
        cells = [row[column] for row in csv.DictReader(stream)]
    <asked>
    numbers = [float(cell) for cell in cells]
    <except>
    total = sum(numbers)
    return {"count": len(numbers), "total": total, "mean": total / max(len(numbers), 1)}
""",
    naive="""\
def summarise_column(path‹: str›, column‹: str›)‹ -> dict[str, float]›:
    <doc>
    <guards>
    <try>
    with open(path, encoding="utf-8", newline="") as stream:
        cells = [row[column] for row in csv.DictReader(stream)]
    <asked>
    numbers = []
    for place in range(len(cells)):
        for cell in cells[place : place + 1]:
            if cell != "":
                numbers.append(float(cell))
    <except>
    total = sum(numbers)
    return {"count": len(numbers), "total": total, "mean": total / max(len(numbers), 1)}
""",
    guards="""\
if not path or not column:
    raise ValueError("path and column must not be empty")
""",
    errors="""\
except FileNotFoundError as error:
    raise FileNotFoundError(f"there is no file {path}") from error
except KeyError as error:
    raise ValueError(f"{path} has no column {column!r}") from error
except ValueError as error:
    raise ValueError(f"{path} has a cell that is not a number: {error}") from error
""",
    asked="""\
cells = [cell.strip() for cell in cells if cell is not None and cell.strip()]
""",
    smoke=(
        "import tempfile",
        'with tempfile.NamedTemporaryFile("w+") as file:',
        '    file.write("name,price\\nbread,2\\nmilk,4\\n")',
        "    file.flush()",
        '    assert summarise_column(file.name, "price")["mean"] == 3',
    ),
    names={
        "path": "p",
        "column": "c",
        "stream": "f",
        "cells": "x",
        "row": "r",
        "numbers": "n",
        "total": "t",
        "cell": "v",
        "place": "i",
    },
)

ANYTHING = Kernel(
    name="solve",
    cues=cues(r""),
    doc=("Work through the items one by one and return the results.", "逐项处理输入并返回结果。"),
    efficient="""\
def solve(items‹: list[object]›)‹ -> list[object]›:
    <doc>
    <errors>
    <guards>
    <asked>
    results = list(dict.fromkeys(items))
    return results
""",
    naive="""\
def solve(items‹: list[object]›)‹ -> list[object]›:
    <doc>
    <errors>
    <guards>
    <asked>
    results = []
    for item in items:
        known = False
        for earlier in results:
            if earlier == item:
                known = True
        if not known:
            results.append(item)
    return results
""",
    guards="""\
if items is None:
    raise ValueError("items must be a list")
if not items:
    return []
""",
    errors="""\
try:
    items = list(items)
except TypeError as error:
    raise TypeError(f"items must be a list: {error}") from error
""",
    asked="""\
items = [item for item in items if item is not None]
""",
    smoke=("assert solve([1, 2, 1]) == [1, 2]",),
    names={"items": "x", "item": "i", "results": "res", "known": "k", "earlier": "e"},
)
"""For a prompt that nothing else recognises: a sensible module of the usual shape."""
