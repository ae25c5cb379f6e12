"""``whet baseline generate``: a model writes cases, and a person says which are kept."""

import json
import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer
from pydantic import JsonValue

from whet.app.clock import SystemClock
from whet.app.library.assist_cases import Drafts, Generation, draft_of
from whet.app.library.intake import Intake, Taken
from whet.app.library.library import library
from whet.app.library.requests import NewBaselineRequest
from whet.app.settings import Settings
from whet.cli.asset_output import line, print_json, print_shelved
from whet.cli.command import Call, when_stopped
from whet.cli.library_assist import assisting, spent, who
from whet.cli.library_options import is_terminal, text_of
from whet.cli.output_files import refuse_present
from whet.cli.termination import run_to_end
from whet.core.bilingual import Both, Words
from whet.core.counts import CountedText
from whet.core.errors import NotFound, UsageError, WhetError
from whet.core.text import printable, shortened
from whet.curate.draft import About, BaselineDraft
from whet.curate.intake.case_rows import read_cases
from whet.curate.intake.given import Given
from whet.documents.cases import BaselineCase
from whet.documents.drafts import BaselineDraftFile
from whet.documents.files import write_atomic
from whet.documents.text import parse_json
from whet.run.assist.generate import MOST, NUMBER
from whet.shell.editor import edit_file

_SHOWN = 4000
"""Characters of a text on the screen."""

_EDITED = ("name", "category", "input", "expected_output", "description")


class GenerateWords(Words):
    """What is said of a draft, and what a person is asked."""

    writing = Both(
        CountedText("{who} writes {number:case|cases} …"), "{who} 正在编写 {number} 个用例 …"
    )
    of_model = Both(
        CountedText("A draft of {count:case|cases} by {who}"), "{who} 的草稿，共 {count} 个用例"
    )
    cases_simulated = Both(
        "Simulated: the cases are made by a rule; no model was asked.",
        "模拟：用例由规则生成，没有询问任何模型。",
    )
    missing = Both("Not written by the model: {missing}.", "模型没有写出：{missing}。")
    left_out = Both(
        "Left out, for they are no use or say the same as others: {count}.",
        "因无用或重复而略去：{count}。",
    )
    categories = Both(
        {"standard": "standard", "boundary": "boundary", "exception": "exception"},
        {"standard": "标准", "boundary": "边界", "exception": "异常"},
    )
    case = Both(
        "Case {place} of {total}, {category}: {name}", "用例 {place}/{total}，{category}：{name}"
    )
    description = Both("What it tests", "测试内容")
    input = Both("Input", "输入")
    expected = Both("Expected", "期望")
    keys = Both(
        "[k]eep  [d]rop  [e]dit  keep [a]ll that follow  [q]uit: ",
        "[k] 保留  [d] 丢弃  [e] 编辑  [a] 保留其余全部  [q] 退出：",
    )
    unusable = Both("It cannot be a case so: {error}", "这样不能成为用例：{error}")
    none_kept = Both("No case was kept; nothing was saved.", "没有保留任何用例，未保存。")
    draft = Both("The draft is {path}", "草稿：{path}")
    look = Both("Look at it, then take it in: {command}", "看过之后导入：{command}")
    written = Both("Written: {path}", "已写入：{path}")


@dataclass(frozen=True, kw_only=True)
class GenerateOptions:
    """What the cases are to test, how many there are, and where they go."""

    description: Annotated[
        str | None, typer.Option(help="What the cases are to test.", metavar="TEXT")
    ] = None
    description_file: Annotated[
        str | None, typer.Option(help="A file that says it; - is stdin.", metavar="FILE")
    ] = None
    number: Annotated[int, typer.Option(help=f"How many, 1 to {MOST}.")] = NUMBER
    output: Annotated[
        Path | None,
        typer.Option(help="Put them into this file, and not into the library.", metavar="FILE"),
    ] = None
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Keep all of them without a look.")] = (
        False
    )


@when_stopped("stopped; a draft that was complete is in cli/drafts of the workspace")
def generate(call: Call, request: NewBaselineRequest, options: GenerateOptions) -> None:
    """Have the cases written, let a person choose, and save what was chosen."""
    if options.output is not None:
        _check_place(options.output)
    made = _made(call, request, options)
    path = Path(made.path or "")
    cases = draft_of(path).cases
    is_asked = is_terminal() and not (call.json or options.yes)
    if not call.json:
        _print_draft(call, made, len(cases))
    kept: Sequence[BaselineCase] | None = cases
    if is_asked:
        kept = _Choice(call.settings, SystemClock().now()).of(cases)
    if not kept or not (is_asked or options.yes or options.output):
        _leave(call, path, made)
        return
    _save(call, options.output, made, kept)


def _check_place(path: Path) -> None:
    """Before anybody is charged."""
    refuse_present(path, "choose another by --output")
    if not path.parent.is_dir():
        raise NotFound(f"no folder {path.parent}")


def _made(call: Call, request: NewBaselineRequest, options: GenerateOptions) -> Generation:
    description = _described(options)
    about = About(request.name, request.purpose, request.provider, description)
    with assisting(call.settings, "baseline") as assistant:
        asked = assistant.how(request.engine, request.model)
        drafts = Drafts(assistant)
        order = drafts.order(about, description, options.number, asked)
        writing = GenerateWords(call.language).writing
        typer.echo(line(writing.format(who=who(asked), number=options.number)), err=True)
        return run_to_end(assistant.app, drafts.run(order))


def _described(options: GenerateOptions) -> str:
    if (options.description is None) == (options.description_file is None):
        raise UsageError("say what the cases are to test: --description or --description-file")
    if options.description is not None:
        return options.description
    return text_of(options.description_file or "")


def _print_draft(call: Call, made: Generation, count: int) -> None:
    words = GenerateWords(call.language)
    by = made.engine if made.engine == made.model else f"{made.engine}:{made.model}"
    typer.echo(line(words.of_model.format(count=count, who=by)))
    if made.simulated:
        typer.echo(words.cases_simulated)
    if made.missing:
        lacks = (f"{words.categories[name]} {many}" for name, many in made.missing.items())
        typer.echo(words.missing.format(missing=", ".join(lacks)))
    if made.left_out:
        typer.echo(words.left_out.format(count=made.left_out))
    if cost := spent(call.language, made.tokens, made.cost_usd):
        typer.echo(cost)


@dataclass(frozen=True)
class _Choice:
    """One person at the cases of a draft."""

    settings: Settings
    now: datetime

    @property
    def words(self) -> GenerateWords:
        return GenerateWords(self.settings.language)

    def of(self, cases: Sequence[BaselineCase]) -> list[BaselineCase] | None:
        """Those that the person keeps, as the person put them; None where it was broken off."""
        kept: list[BaselineCase] = []
        for place, case in enumerate(cases, start=1):
            self._show(case, place, len(cases))
            while (key := self._key()) == "e":
                case = self._edited(case)
                self._show(case, place, len(cases))
            if key == "q":
                return None
            if key == "a":
                return [*kept, case, *cases[place:]]
            kept += [case] if key == "k" else []
        return kept

    def _show(self, case: BaselineCase, place: int, total: int) -> None:
        words = self.words
        head = words.case.format(
            place=place,
            total=total,
            category=words.categories[case.category],
            name=line(case.name),
        )
        typer.echo(f"\n{'=' * 72}\n{head}")
        texts = ((words.input, case.input), (words.expected, case.expected_output))
        for title, text in (*texts, (words.description, case.description)):
            if text:
                typer.echo(f"\n--- {title} ---\n{printable(shortened(text, _SHOWN))}")
        typer.echo("")

    def _key(self) -> str:
        while True:
            try:
                key = input(self.words.keys).strip().lower()[:1]
            except EOFError:
                return "q"
            if key and key in "kdeaq":
                return key

    def _edited(self, case: BaselineCase) -> BaselineCase:
        """The case as the person leaves it in the editor; as it was if it cannot be one so."""
        data = case.to_data()
        whole = data if isinstance(data, dict) else {}
        text = json.dumps({name: whole[name] for name in _EDITED}, ensure_ascii=False, indent=2)
        try:
            changed = parse_json(self._typed(text).encode(), case.id)
            if not isinstance(changed, dict):
                raise UsageError("a case is an object")
            row: JsonValue = {**whole, **changed, "id": case.id}
            (new,), _ = read_cases([row], case.id, self.now)
        except WhetError as error:
            typer.echo(printable(self.words.unusable.format(error=error)))
            return case
        return new

    def _typed(self, text: str) -> str:
        with tempfile.TemporaryDirectory(prefix="whet-") as folder:
            path = Path(folder) / "case.json"
            path.write_text(text + "\n", encoding="utf-8")
            edit_file(path, self.settings.machine.environment)
            return text_of(str(path))


def _leave(call: Call, path: Path, made: Generation) -> None:
    """Nothing is saved: say where the draft is, and what to do with it."""
    if call.json:
        print_json(_as_data(made))
        return
    words = GenerateWords(call.language)
    if is_terminal():
        typer.echo(words.none_kept)
    typer.echo(printable(words.draft.format(path=path)))
    verb = f"baseline import {shlex.quote(str(path))}"
    typer.echo(printable(words.look.format(command=call.command(verb))))


def _save(call: Call, output: Path | None, made: Generation, kept: Sequence[BaselineCase]) -> None:
    """Into the library, or into the file that was named."""
    path = Path(made.path or "")
    names = (f"case_{number:03}" for number in range(1, len(kept) + 1))
    cases = tuple(
        case.model_copy(update={"id": name}) for case, name in zip(kept, names, strict=True)
    )
    if output is not None:
        file = BaselineDraftFile.load(path).model_copy(update={"cases": cases})
        write_atomic(output, file.to_json(), durable=True)
        if call.json:
            print_json({**_as_data(made), "output": str(output)})
        else:
            written = GenerateWords(call.language).written
            typer.echo(printable(written.format(path=output)))
        return
    taken = _taken(call.settings, replace(draft_of(path), cases=cases))
    if call.json:
        print_json({**_as_data(made), **taken.model_dump(mode="json")})
    else:
        print_shelved(taken, call.language, as_json=False)


def _taken(settings: Settings, draft: BaselineDraft) -> Taken:
    about = draft.about
    given = Given(name=about.name, purpose=about.purpose, provider=about.provider)
    with library(settings.workspace, "baseline") as shelf:
        return Intake(shelf, given).draft(draft)


def _as_data(made: Generation) -> dict[str, JsonValue]:
    whole = made.draft or {}
    return {
        "draft": made.path,
        "cases": whole.get("cases"),
        "missing": {**made.missing},
        "left_out": made.left_out,
        "simulated": made.simulated,
        "tokens": made.tokens,
        "cost_usd": made.cost_usd,
    }
