"""Trigger evals: which queries make an agent take the skill up, among whatever else it is offered.

A query is a case without a standard. What the agent does about it is none of our business, only
whether it takes up the skill; so there is nothing to grade.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from whet.core.address import digest_bytes, digest_tree
from whet.core.arm import Arm, SkillPackage
from whet.core.case import Case, Limits, Stimulus
from whet.core.errors import InvalidSuite, NotFound, UsageError
from whet.core.failure import Failure
from whet.core.files import FileRef
from whet.core.front_matter import description_of, name_of, with_description
from whet.curate.library import folder_package
from whet.documents.skill_creator import TriggerQuery, TriggerSet
from whet.documents.text import read_json
from whet.evaluate.experiment import Row
from whet.evaluate.plan import Design, Pin

FILE = "evals/triggers.json"
RUNS = 3
MAX_TURNS = 8
TIMEOUT_SECONDS = 120.0

MOST_FILE = 8 * 1024 * 1024
MOST_QUERIES = 1_000
MOST_QUERY = 20_000
"""Characters of a query."""

MOST_NEIGHBOURS = 200
_ENTRY = "SKILL.md"


@dataclass(frozen=True)
class Queries:
    """A set of queries without mistakes."""

    source: Path
    items: tuple[TriggerQuery, ...]
    warnings: tuple[str, ...] = ()


def read_queries(skill: Path, chosen: Path | None = None) -> Queries:
    """The queries of the skill in a folder, or of a file that was chosen instead; raises
    ``InvalidSuite`` with every mistake."""
    path = chosen or skill / FILE
    if not path.is_file():
        hint = "" if chosen else f"; write one with: whet eval init {skill}"
        raise NotFound(f"no file {path}{hint}")
    data = read_json(path, MOST_FILE)
    problems = TriggerSet.mistakes(data)
    if problems:
        raise InvalidSuite(path, problems)
    items = TriggerSet.parse(data, str(path)).queries
    problems = [*_mistakes(items)]
    if problems:
        raise InvalidSuite(path, problems)
    return Queries(path, items, tuple(_warnings(items)))


def plain(query: str) -> str:
    """The query as it is compared with others: without regard to case and space."""
    return " ".join(query.casefold().split())


def _mistakes(items: Sequence[TriggerQuery]) -> Iterator[str]:
    if not items:
        yield "there are no queries"
    if len(items) > MOST_QUERIES:
        yield f"{len(items)} queries, at most {MOST_QUERIES}"
    first: dict[str, int] = {}
    for number, item in enumerate(items, start=1):
        if not item.query.strip():
            yield f"query {number} is empty"
            continue
        if len(item.query) > MOST_QUERY:
            yield f"query {number} has more than {MOST_QUERY} characters"
        earlier = first.setdefault(plain(item.query), number)
        if earlier != number:
            same = items[earlier - 1].should_trigger == item.should_trigger
            yield f"query {number} {'repeats' if same else 'contradicts'} query {earlier}"


def _warnings(items: Sequence[TriggerQuery]) -> Iterator[str]:
    for wanted, word in ((True, "should trigger"), (False, "should not trigger")):
        if not any(item.should_trigger is wanted for item in items):
            yield f"no query {word}: half of the question is not asked"


@dataclass(frozen=True)
class Offer:
    """What an agent can take up: the skill on trial, and others beside it."""

    skill: SkillPackage
    name: str
    """As agents know it."""

    text: str
    """Its SKILL.md; what is no UTF-8 in it comes back as it was when it is written."""

    neighbours: tuple[SkillPackage, ...]
    neighbour_names: tuple[str, ...]
    content: Mapping[str, bytes]
    """The files of all of them by digest."""

    @property
    def description(self) -> str:
        """What agents are told of the skill on trial."""
        return description_of(self.text)

    def described(self, description: str) -> "Offer":
        """The same with another description of the skill on trial."""
        text = with_description(self.text, description)
        data = text.encode(errors="surrogateescape")
        entry = FileRef(path=_ENTRY, digest=digest_bytes(data), size=len(data))
        files = tuple(entry if file.path == _ENTRY else file for file in self.skill.files)
        tree = digest_tree({file.path: file.digest for file in files})
        skill = self.skill.model_copy(update={"files": files, "digest": tree})
        content = {**self.content, entry.digest: data}
        return replace(self, skill=skill, text=text, content=content)


def offer(folder: Path, beside: Sequence[Path] = ()) -> Offer:
    """The skill in *folder* among others; raises ``UsageError`` where two have one name.

    A folder beside it is a skill, or a folder of skills: then every one in it is meant, but not
    the one on trial.
    """
    skill, content = folder_package(folder)
    text = _text(content)
    packages = [folder_package(each) for each in _neighbours(folder, beside)]
    names = [name_of(_text(found), package) for package, found in packages]
    own = name_of(text, skill)
    _refuse_clashes([own, *names])
    blobs = {file.digest: content[file.path] for file in skill.files}
    for package, found in packages:
        blobs |= {file.digest: found[file.path] for file in package.files}
    return Offer(skill, own, text, tuple(package for package, _ in packages), tuple(names), blobs)


def _text(content: Mapping[str, bytes]) -> str:
    return content[_ENTRY].decode(errors="surrogateescape")


def _neighbours(skill: Path, beside: Sequence[Path]) -> list[Path]:
    found: dict[Path, Path] = {}
    for folder in beside:
        if not folder.is_dir():
            raise NotFound(f"no folder {folder}")
        inside = [folder] if (folder / _ENTRY).is_file() else _skills_in(folder)
        if not inside:
            raise UsageError(f"{folder} is no skill, and there is none in it")
        found |= {each.resolve(): each for each in inside}
    found.pop(skill.resolve(), None)
    if len(found) > MOST_NEIGHBOURS:
        raise UsageError(f"{len(found)} skills beside it, at most {MOST_NEIGHBOURS}")
    return list(found.values())


def _skills_in(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if (each / _ENTRY).is_file())


def _refuse_clashes(names: Sequence[str]) -> None:
    folded = [name.casefold() for name in names]
    twice = sorted({name for name in names if folded.count(name.casefold()) > 1})
    if twice:
        raise UsageError(f"two of the skills are called {twice[0]!r}; agents know them by name")


def design(
    offer: Offer, queries: Sequence[TriggerQuery], pin: Pin, *, runs: int, timeout: float
) -> Design:
    """One arm on every query, so many times."""
    limits = Limits(timeout_seconds=timeout, max_turns=MAX_TURNS)
    return Design(
        arms=(Arm(id="with_skill", label=offer.name, skill=offer.skill),),
        cases=tuple(
            Case(
                id=case_id(number),
                set="triggers",
                name=" ".join(query.query.split())[:80],
                stimulus=Stimulus(prompt=query.query, limits=limits),
            )
            for number, query in enumerate(queries, start=1)
        ),
        pin=pin,
        repeats=runs,
        neighbours=offer.neighbours,
    )


def case_id(number: int) -> str:
    """The id of the case that is made of the query of that number, counted from 1."""
    return f"{number:03d}"


def triggered(row: Row, name: str) -> bool | None:
    """Whether the agent took the skill up; None where nobody can know.

    Without a record the agent was not really asked. One that ran out of time, or that was cut
    off otherwise, might still have taken it up. One that used all its turns had its chance.
    """
    record = row.record
    if record is None:
        return None
    if name in record.skills_used:
        return True
    return False if record.failure in (None, Failure.MAX_TURNS) else None


def reason(row: Row) -> str:
    """Why nobody can know."""
    failure = row.record.failure if row.record else None
    why = row.error or "there is no record"
    return f"{failure}: {why}" if failure else why
