"""Doing errands with tools, one call after the other."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from typing import NamedTuple, TypeVar

from pydantic import JsonValue

from whet.core.step import Step
from whet.engines.simulated.errands import commands
from whet.engines.simulated.errands.cabinet import Cabinet, Refused
from whet.engines.simulated.errands.errand import (
    Append,
    Ask,
    Convert,
    Count,
    Decline,
    Errand,
    Gather,
    Keep,
    ListFolder,
    Mend,
    Move,
    Read,
    Replace,
    Run,
    Search,
    SetLine,
    Sort,
    Wonder,
    Write,
    WriteJson,
)
from whet.engines.simulated.errands.mind import Mind
from whet.engines.simulated.errands.texts import records, worked_out
from whet.engines.simulated.transcript import Transcript
from whet.ports.workdir import Workdir

_COMMA = re.compile(r",(\s*[}\]])")
_SHOWN_HITS = 50
_Edits = Append | Replace | SetLine | Mend
_Result = TypeVar("_Result")


class Place(NamedTuple):
    """Where the agent works and what it may use."""

    workdir: Workdir
    sandbox: str
    tools: frozenset[str] | None
    """None for all that it has."""


class Doer:
    """Does errands; a call is yielded before it is carried out."""

    def __init__(self, place: Place, log: Transcript) -> None:
        self._place = place
        self._log = log
        self._cabinet = Cabinet(place.workdir.work)
        self.mind = Mind()
        self.done: list[str] = []
        self.undone: list[tuple[str, str]] = []

    async def do(self, errand: Errand) -> AsyncGenerator[Step, None]:
        """Do one errand, or say in ``undone`` why not."""
        try:
            if isinstance(errand, Run | Move):
                async for step in self._run(errand):
                    yield step
            else:
                for step in self._do(errand):
                    yield step
        except Refused as refusal:
            self.undone.append(refusal.said)

    def _do(self, errand: Errand) -> Iterator[Step]:
        match errand:
            case Read() | Ask():
                yield from self._read(errand.path)
            case ListFolder():
                yield from self._list(errand.path)
            case Search():
                yield from self._search(errand)
            case Decline():
                name = errand.tool or "?"
                raise Refused(f"I have no tool {name}", f"我没有工具 {name}")
            case Wonder():
                path = errand.path
                raise Refused(f"I do not see what to do with {path}", f"不清楚该如何处理 {path}")
            case Sort() | Count():
                self._think(errand)
            case _:
                yield from self._change(errand)

    def _change(self, errand: Errand) -> Iterator[Step]:
        match errand:
            case Write():
                yield from self._write(errand.path, errand.text)
            case Keep():
                if self.mind.value is None:
                    raise Refused("I have nothing to write down", "没有可以写下的内容")
                yield from self._write(errand.path, self.mind.value)
            case WriteJson() | Convert():
                yield from self._write_object(errand)
            case Gather():
                yield from self._gather(errand)
            case Append() | Replace() | SetLine() | Mend():
                yield from self._edit(errand)
            case _:
                pass

    def _need(self, tool: str) -> None:
        if self._place.tools is not None and tool not in self._place.tools:
            raise Refused(f"I may not use the tool {tool}", f"我不能使用工具 {tool}")

    def _read(self, path: str) -> Iterator[Step]:
        self._need("Read")
        yield self._log.called("Read", {"file_path": path}, f"Read {path}")
        text = yield from self._tried(lambda: self._cabinet.read(path))
        self.mind.text, self.mind.file, self.mind.value = text, path, text
        yield self._log.returned(text, f"Read {len(text.splitlines())} lines")

    def _write(self, path: str, text: str) -> Iterator[Step]:
        self._need("Write")
        yield self._log.called("Write", {"file_path": path, "content": text}, f"Write {path}")
        yield from self._tried(lambda: self._cabinet.write(path, text))
        self.done.append(path)
        yield self._log.returned("", f"Wrote {len(text.splitlines())} lines")

    def _list(self, path: str) -> Iterator[Step]:
        self._need("LS")
        yield self._log.called("LS", {"path": path}, f"List {path}")
        names = yield from self._tried(lambda: self._cabinet.names(path))
        self.mind.names, self.mind.hits, self.mind.value = names, None, "\n".join(names)
        yield self._log.returned("\n".join(names), f"Listed {len(names)} entries")

    def _search(self, errand: Search) -> Iterator[Step]:
        self._need("Grep")
        where = errand.where.rstrip("/") or "."
        asked: dict[str, JsonValue] = {"pattern": errand.word, "path": where}
        yield self._log.called("Grep", asked, f"Search for {errand.word[:40]}")
        hits = yield from self._tried(lambda: self._found(where, errand.word))
        self.mind.hits, self.mind.names, self.mind.word = hits, None, errand.word
        shown = [f"{file}:{line}" for file, lines in hits.items() for line in lines]
        self.mind.value = "\n".join(shown[:_SHOWN_HITS])
        self.mind.file = next(iter(hits), None)
        yield self._log.returned(self.mind.value, f"Found {len(shown)} lines")

    def _found(self, where: str, word: str) -> dict[str, list[str]]:
        hits: dict[str, list[str]] = {}
        files = self._cabinet.files(where)
        for file in files:
            try:
                lines = self._cabinet.read(file).splitlines()
            except Refused:
                if files == [where]:
                    raise
                continue
            if found := [line for line in lines if word and word in line]:
                hits[file] = found
        return hits

    def _think(self, errand: Sort | Count) -> None:
        if self.mind.text is None:
            raise Refused("I have read nothing yet", "还没有读过任何内容")
        lines = self.mind.text.splitlines()
        if isinstance(errand, Sort):
            self.mind.value = "\n".join(sorted(lines)) + "\n"
        else:
            words = len(self.mind.text.split())
            self.mind.value = str(words if errand.what == "words" else len(lines))

    def _write_object(self, errand: WriteJson | Convert) -> Iterator[Step]:
        made: object
        if isinstance(errand, Convert):
            yield from self._read(errand.source)
            made = records(self.mind.text or "", errand.keys)
            target = errand.target
        else:
            described = errand.described
            made = worked_out(errand.fields, self.mind.text or "") if described else errand.fields
            target = errand.path
        if made is None:
            raise Refused(f"I do not see what belongs into {target}", f"不清楚 {target} 的内容")
        yield from self._write(target, json.dumps(made, ensure_ascii=False, indent=2) + "\n")

    def _gather(self, errand: Gather) -> Iterator[Step]:
        kept: list[str] = []
        for source in errand.sources:
            yield from self._read(source)
            kept += (self.mind.text or "").splitlines()
        left = [line for line in kept if not errand.without or errand.without not in line]
        yield from self._write(errand.target, "".join(f"{line}\n" for line in left))

    def _edit(self, errand: _Edits) -> Iterator[Step]:
        path = errand.path or self.mind.file
        if path is None:
            raise Refused("no file was found", "没有找到文件")
        if self._place.tools is None or "Read" in self._place.tools:
            yield from self._read(path)
        self._need("Edit")
        before = self._cabinet.read(path)
        old, new, after = _edited(errand, before, self.mind.word)
        if not old or old not in before:
            shown = repr(old[:60])
            raise Refused(f"{path} does not contain {shown}", f"{path} 中没有 {shown}")
        asked: dict[str, JsonValue] = {"file_path": path, "old_string": old, "new_string": new}
        if isinstance(errand, Replace):
            asked["replace_all"] = True
        yield self._log.called("Edit", asked, f"Edit {path}")
        yield from self._tried(lambda: self._cabinet.write(path, after))
        self.mind.text = after
        self.mind.changed.append(path)
        self.done.append(path)
        yield self._log.returned("", f"Edited {path}")

    def _tried(self, act: Callable[[], _Result]) -> Generator[Step, None, _Result]:
        """Carry out a call; one that fails comes back before the errand is given up."""
        try:
            return act()
        except Refused as refusal:
            yield self._log.returned(str(refusal), "Failed", ok=False)
            raise

    async def _run(self, errand: Run | Move) -> AsyncGenerator[Step, None]:
        command = errand.command if isinstance(errand, Run) else None
        if isinstance(errand, Move):
            for step in self._list(errand.source):
                yield step
            command = _moving(errand, self.mind.names or [])
        self._need("Bash")
        if command is None or not commands.is_harmless(command):
            raise Refused("I do not run this command", "我不运行这条命令")
        yield self._log.called("Bash", {"command": command}, "Run the command")
        ok, output = await commands.run_command(command, self._place.workdir, self._place.sandbox)
        self.mind.output = self.mind.value = output
        self.done += [command] if ok else []
        yield self._log.returned(output, "Exit code 0" if ok else "Failed", ok=ok)


def _edited(errand: _Edits, text: str, word: str | None) -> tuple[str, str, str]:
    """Which text gives way to which, and what comes out."""
    match errand:
        case Replace():
            old = errand.old or word or ""
            return old, errand.new, text.replace(old, errand.new) if old else text
        case Mend():
            found = _COMMA.search(text)
            if found is None:
                return "", "", text
            return found[0], found[1], text[: found.start()] + found[1] + text[found.end() :]
        case Append():
            last = (text.splitlines() or [""])[-1]
            joined = text if text.endswith("\n") else f"{text}\n"
            return last or text, f"{last}\n{errand.text}", f"{joined}{errand.text}\n"
        case SetLine():
            return _with_line(errand, text)


def _with_line(errand: SetLine, text: str) -> tuple[str, str, str]:
    lines = text.splitlines(keepends=True)
    place = errand.number - 1 if errand.number > 0 else len(lines) - 1
    if not 0 <= place < len(lines):
        raise Refused(f"there is no line {errand.number}", f"没有第 {errand.number} 行")
    old = lines[place].rstrip("\r\n")
    new = errand.text + lines[place][len(old) :]
    return old or lines[place], errand.text, "".join([*lines[:place], new, *lines[place + 1 :]])


def _moving(errand: Move, names: list[str]) -> str | None:
    chosen = [name for name in names if name.endswith(f".{errand.ending}")]
    files = [f"{errand.source.rstrip('/')}/{name}" for name in chosen]
    plain = all(re.fullmatch(r"[\w./-]+", part) for part in (*files, errand.target))
    target = errand.target.rstrip("/")
    return f"mkdir -p {target} && mv {' '.join(files)} {target}" if files and plain else None
