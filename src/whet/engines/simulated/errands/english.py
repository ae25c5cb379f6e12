"""Errands in English."""

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

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NTH = rf"(?:line (?P<digits>\d{{1,4}})|the (?P<nth>{'|'.join(_ORDINALS)}|last) line)"
_FILE = r"(?:the |a |an |new |text |plain |empty |existing )*(?:file )?(?:named |called |at )?"
_MAKES = r"\b(?:create|write|make|save|produce|generate)\b(?: exactly)?"
_CONTENT = (
    r"(?:with|containing|that contains|which contains|whose|that says|saying|and|its|the)"
    r"[^:⟦.]{0,50}?(?:contents?|text|lines?|containing|contains|saying|says|with)\b[^:⟦.]{0,30}?"
)
_WORD = (
    r"(?:the |every |each |all |any |occurrences? |of |word |words |text |string |line |lines "
    r"|phrase )*"
)
_PLACE = r"(?:the |all |files? |in |folder |directory |contents? |of )*"
_SEVERAL = re.compile(r"\b(?:two|three|four|five|\d) lines\W*$", re.IGNORECASE)
_FOLLOWS = re.compile(
    r"(?<=[.])\s+(?=(?:Then|Reply|Answer|Do not|Leave|Change|Finally|After|Next)\b)"
)


def _text(found: Found) -> str:
    if found.match["text"]:
        return found("text")
    if mark := re.fullmatch(r"\s*(⟦Q\d+⟧)[.]?\s*", found.match["rest"]):
        return found.worded.value(mark[1])
    # A full stop belongs to the text only where nothing else follows.
    parts = _FOLLOWS.split(found.rest(), maxsplit=1)
    text = parts[0].rstrip(". ") if len(parts) > 1 else parts[0]
    if _SEVERAL.search(found.match[0][: found.match.start("rest") - found.match.start()]):
        return "\n".join(line.strip() for line in text.split(","))
    return text


def _wrote(found: Found) -> Errand:
    return Write(found("path"), _text(found))


def _line(found: Found) -> Errand:
    digits, nth = found("digits"), found("nth").lower()
    number = int(digits) if digits else -1 if nth == "last" else _ORDINALS.index(nth) + 1
    return SetLine(found("path"), number, found("new"))


def _searched(found: Found) -> Errand:
    return Search(found("where") or ".", found("word"))


def _ran(found: Found) -> Errand | None:
    """Only what stands in quotation marks is meant literally."""
    command = found("command")
    return Run(command) if command != found.rest("command") else None


def _replied(found: Found) -> Errand | None:
    phrase = found.match["phrase"].strip(" :,")
    mark = re.fullmatch(
        r"(?:exactly |just |only |the |word |text |this |with |: )*(⟦[PQ]\d+⟧)", phrase
    )
    if mark:
        return Say(found.worded.value(mark[1]))
    return Reply(found.worded.unmarked(phrase)) if phrase else None


_LINES = (
    rule(
        rf"{_MAKES} {_FILE}<Ptarget>\W{{1,3}}(?:with )?(?:first )?all (?:the )?lines of <Pone>"
        r"(?:,? (?:and )?then (?:all (?:the )?lines of )?<Ptwo>)",
        lambda f: Gather(f("target"), (f("one"), f("two"))),
    ),
    rule(
        rf"{_MAKES} {_FILE}<Ptarget>,? with all (?:the )?lines of <Pone>,? "
        rf"(?:but|except|without)[^⟦.]{{0,40}}<Lword>",
        lambda f: Gather(f("target"), (f("one"),), f("word")),
    ),
    rule(rf"{_MAKES} {_FILE}<Ppath>,? {_CONTENT}(?::[ \n]?(?P<rest>[^\n]+)|<Ltext>)", _wrote),
    rule(rf"^\W{{0,4}}<Ppath>,? {_CONTENT}(?::[ ]?(?P<rest>[^\n]+)|<Ltext>)", _wrote),
)

_SENTENCES = (
    rule(
        rf"\bcopy (?:the |contents? |lines |of |file )*<Pone> (?:in)?to {_FILE}<Ptarget>",
        lambda f: Gather(f("target"), (f("one"),)),
    ),
    rule(
        r"\b(?:create|make) (?:a |the |new )*(?:folder|directory) (?:named |called )?<Ffolder>",
        lambda f: Run(f"mkdir -p {f('folder')}"),
    ),
    rule(rf"\b(?:delete|remove) {_FILE}<Ppath>", lambda f: Run(f"rm {f('path')}")),
    rule(
        rf"\b(?:write|put|save|store) <Ltext> (?:in|into|to) {_FILE}<Ppath>",
        lambda f: Write(f("path"), f("text")),
    ),
    rule(
        rf"\b(?:write|save|put|store) (?:the |this |that )?"
        r"(?:result|number|answer|output|it|sum|count|sorted lines|lines|text)\b"
        rf"[^⟦.]{{0,30}}(?:in|into|to) {_FILE}<Ppath>",
        lambda f: Keep(f("path")),
    ),
    rule(
        rf"\b(?:append|add) (?:the |a |line |text |word |with )*<Ltext> (?:to|at) "
        rf"(?:the end of )?{_FILE}<Ppath>",
        lambda f: Append(f("path"), f("text")),
    ),
    rule(
        rf"\b(?:replace|change|set) {_NTH} (?:of|in) {_FILE}<Ppath> (?:with|by|to) "
        r"(?:the (?:line|text) )?<Lnew>",
        _line,
    ),
    rule(
        rf"\b(?:in|edit|open) {_FILE}<Ppath>[,:]? (?:and )?(?:replace|change) {_WORD}<Lold> "
        rf"(?:with|by|to|into) {_WORD}<Lnew>",
        lambda f: Replace(f("path"), f("old"), f("new")),
    ),
    rule(
        rf"\b(?:replace|change) {_WORD}<Lold> (?:with|by|to|into) {_WORD}<Lnew>"
        rf"[^⟦.]{{0,30}}?\b(?:in|of) {_FILE}<Ppath>",
        lambda f: Replace(f("path"), f("old"), f("new")),
    ),
    rule(
        rf"\bin (?:that|this|the same) file,? (?:replace|change) (?:the line|it|{_WORD}<Lold>) "
        rf"(?:with|by|to|into) {_WORD}<Lnew>",
        lambda f: Replace(None, f("old") or None, f("new")),
    ),
    rule(
        r"\bmove (?:all |the )*files (?:that end|ending) (?:with|in) \.(?P<ending>\w{1,8}) "
        r"from (?:the )?(?:folder |directory )?<Fsource> (?:in)?to (?:a |the )?(?:new )?"
        r"(?:folder |directory )?<Ftarget>",
        lambda f: Move(f("ending"), f("source"), f("target")),
    ),
    rule(
        rf"\bsearch {_PLACE}<Fwhere> for (?:the file that contains |the line )?{_WORD}<Lword>",
        _searched,
    ),
    rule(
        rf"\b(?:search|look|grep)(?: for)? {_WORD}<Lword> (?:in|inside|within) {_PLACE}<Fwhere>",
        _searched,
    ),
    rule(
        rf"\b(?:which|find (?:all )?(?:the )?) ?files? (?:in {_PLACE}<Fwhere> )?"
        rf"(?:that )?contains? {_WORD}<Lword>",
        _searched,
    ),
    rule(
        r"\blist (?:the |all |files |contents |of |in |content )*(?:folder |directory )<Fpath>",
        lambda f: ListFolder(f("path").rstrip("/")),
    ),
    rule(
        r"\blist (?:the |all )*(?:files|contents|entries) (?:in|of) "
        r"(?:the |this |current |working )*<Fpath>(?: folder| directory)?",
        lambda f: ListFolder("." if f("path") in ("folder", "directory") else f("path")),
    ),
    rule(
        r"\bcount (?:the |all )*(?P<what>words|lines) (?:in|of) <Ppath>", lambda f: Read(f("path"))
    ),
    rule(
        r"\bwhat (?:files )?(?:are|is) in (?:the )?(?:folder|directory) <Fpath>",
        lambda f: ListFolder(f("path").rstrip("/")),
    ),
    rule(
        rf"\b(?:read|open|show(?: me)?|display|print|look (?:at|into)) (?:the contents? of )?"
        rf"{_FILE}<Ppath>",
        lambda f: Read(f("path")),
    ),
    rule(r"\bsort (?:its |the |all )*lines\b", lambda _: Sort()),
    rule(
        r"\b(?:run|execute)(?: exactly)? (?:the |this |shell |following )*(?:command)?\W{0,3}"
        r"<Lcommand>",
        _ran,
    ),
    rule(
        r"\b(?:reply|answer|respond|report|tell me|say|state)\b(?: back)?(?: with| by)?(?: me)?"
        r"(?P<phrase>(?:[^.\n]|\.(?=\S)){1,160})",
        _replied,
    ),
    rule(
        rf"\b(?P<phrase>how many lines) (?:of|in) {_FILE}<Pwhere> contain {_WORD}<Lword>",
        lambda f: Search(f("where"), f("word"), f("phrase")),
    ),
    rule(
        r"\b(?:what|how many|which)\b[^.?⟦\n]{2,80}<Ppath>[^.?⟦\n]{0,60}",
        lambda f: Ask(f("path"), f.worded.unmarked(f.match[0])),
    ),
)

_COUNTED = re.compile(r"\bcount (?:the |all )*(words|lines)\b", re.IGNORECASE)


def _counted(sentence: str) -> Count | None:
    """What is to be counted of the file that the sentence reads."""
    found = _COUNTED.search(sentence)
    return Count(found[1].lower()) if found else None


ENGLISH = Language(_LINES, _SENTENCES, _counted, _FOLLOWS)
