"""Tasks about text."""

from whet.engines.simulated.kernels.kernel import Kernel, cues

_FROM_BYTES = """\
if isinstance(text, bytes):
    try:
        text = text.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"text is not valid UTF-8: {error}") from error
"""

PALINDROME = Kernel(
    name="is_palindrome",
    cues=cues(r"palindrom|回文"),
    doc=(
        "Say whether a text reads the same forwards and backwards.",
        "判断一段文本正读和反读是否相同。",
    ),
    efficient="""\
def is_palindrome(text‹: str›)‹ -> bool›:
    <doc>
    <errors>
    <guards>
    <asked>
    return text == text[::-1]
""",
    naive="""\
def is_palindrome(text‹: str›)‹ -> bool›:
    <doc>
    <errors>
    <guards>
    <asked>
    if len(text) < 2:
        return True
    if text[0] != text[-1]:
        return False
    return is_palindrome(text[1:-1])
""",
    guards="""\
if not isinstance(text, str):
    raise TypeError(f"text must be a string, got {type(text).__name__}")
""",
    errors=_FROM_BYTES,
    asked="""\
text = "".join(letter for letter in text.lower() if letter.isalnum())
""",
    smoke=('assert is_palindrome("level")', 'assert not is_palindrome("ladder")'),
    names={"text": "s", "letter": "c"},
)

WORD_COUNT = Kernel(
    name="count_words",
    cues=cues(
        r"(?:word|term)s? (?:\w+ ){0,3}(?:count|frequenc\w+|occurs?|appears?)"
        r"|(?:count\w*|frequenc\w+) (?:\w+ ){0,4}words?"
        r"|词频|单词\w{0,6}(?:次数|数量|统计)|统计\w{0,8}(?:单词|词)"
    ),
    doc=("Count how often each word occurs in a text.", "统计文本中每个单词出现的次数。"),
    imports="from collections import Counter\n",
    efficient="""\
def count_words(text‹: str›)‹ -> dict[str, int]›:
    <doc>
    <errors>
    <guards>
    <asked>
    words = text.split()
    return dict(Counter(words))
""",
    naive="""\
def count_words(text‹: str›)‹ -> dict[str, int]›:
    <doc>
    <errors>
    <guards>
    <asked>
    words = text.split()
    totals = Counter()
    for word in words:
        amount = 0
        for other in words:
            if other == word:
                amount += 1
        totals[word] = amount
    return dict(totals)
""",
    guards="""\
if not isinstance(text, str):
    raise TypeError(f"text must be a string, got {type(text).__name__}")
if not text.strip():
    return {}
""",
    errors=_FROM_BYTES,
    asked="""\
text = "".join(mark if mark.isalnum() else " " for mark in text.lower())
""",
    smoke=('assert count_words("to be or not to be")["be"] == 2',),
    names={
        "text": "s",
        "words": "x",
        "word": "w",
        "mark": "c",
        "totals": "d",
        "amount": "n",
        "other": "o",
    },
)

EMAIL = Kernel(
    name="is_valid_email",
    cues=cues(r"e-?mail|邮箱|电子邮件"),
    doc=(
        "Say whether a text has the shape of an e-mail address.",
        "判断文本是否符合邮箱地址的格式。",
    ),
    imports="import re\n",
    efficient="""\
def is_valid_email(address‹: str›)‹ -> bool›:
    <doc>
    <errors>
    <guards>
    <asked>
    shape = r"[\\w.+-]+@(?:[A-Za-z0-9-]+\\.)+[A-Za-z]{2,}"
    return re.fullmatch(shape, address) is not None
""",
    naive="""\
def is_valid_email(address‹: str›)‹ -> bool›:
    <doc>
    <errors>
    <guards>
    <asked>
    shape = False
    for position in range(len(address)):
        for later in range(position + 1, len(address)):
            if address[position] == "@":
                if address[later] == ".":
                    if not re.search(r"\\s", address):
                        shape = True
    return shape and address.count("@") == 1
""",
    guards="""\
if not isinstance(address, str):
    raise TypeError(f"address must be a string, got {type(address).__name__}")
if not address:
    return False
""",
    errors="""\
if isinstance(address, bytes):
    try:
        address = address.decode("ascii")
    except UnicodeDecodeError as error:
        raise ValueError(f"address is not plain text: {error}") from error
""",
    asked="""\
address = address.strip().lower()
if len(address) > 254 or ".." in address:
    return False
""",
    smoke=('assert is_valid_email("ada@example.com")', 'assert not is_valid_email("ada")'),
    names={"address": "s", "shape": "p", "position": "i", "later": "j"},
)

PARSE_DATE = Kernel(
    name="parse_date",
    cues=cues(
        r"\b(?:pars\w*|convert\w*|read\w*) (?:\w+ ){0,5}dates?\b"
        r"|\bdates?\b (?:\w+ ){0,4}(?:string|text)|日期"
    ),
    doc=(
        "Turn a text such as 2024-02-29 into a date.",
        "把形如 2024-02-29 的文本解析为日期。",
    ),
    imports="from datetime import date\n",
    efficient="""\
def parse_date(text‹: str›)‹ -> date›:
    <doc>
    <guards>
    <asked>
    <try>
    parsed = date.fromisoformat(text)
    <except>
    return parsed
""",
    naive="""\
def parse_date(text‹: str›)‹ -> date›:
    <doc>
    <guards>
    <asked>
    <try>
    parsed = None
    for year in range(2100):
        if text.startswith(f"{year:04d}"):
            for month in range(1, 13):
                if text[5:7] == f"{month:02d}":
                    for day in range(1, 32):
                        if text[8:10] == f"{day:02d}":
                            parsed = date(year, month, day)
    <except>
    return parsed
""",
    guards="""\
if not isinstance(text, str):
    raise TypeError(f"text must be a string, got {type(text).__name__}")
if not text.strip():
    raise ValueError("text must not be empty")
""",
    errors="""\
except ValueError as error:
    raise ValueError(f"not a date: {text!r}, expected YYYY-MM-DD") from error
""",
    asked="""\
text = text.strip().replace("/", "-")
""",
    smoke=('assert parse_date("2024-02-29").day == 29',),
    names={"text": "s", "parsed": "res", "year": "y", "month": "m", "day": "d"},
)
