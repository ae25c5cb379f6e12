"""The results of a project, made to agree with themselves and with each other."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from whet.core.naming import short
from whet.curate.intake.case_rows import id_problem
from whet.curate.original.reading import as_document, read_fields
from whet.curate.original.report import Notebook
from whet.documents.cases import BaselineCase
from whet.documents.project import BaselineRef, SkillRef
from whet.documents.result import CaseResult, RankingEntry, Summary

MOST = {
    "functional_correctness": 30,
    "robustness": 20,
    "readability": 15,
    "conciseness": 15,
    "complexity_control": 10,
    "format_compliance": 10,
}
"""Points of each dimension on the scale for code."""


@dataclass(frozen=True)
class Results:
    """The results of one project that can be read."""

    by_skill: Mapping[str, Sequence[CaseResult]]


@dataclass(frozen=True)
class Bench:
    """A project on its way: its copy, its place in the original, what it compares."""

    folder: Path
    place: Path
    skills: tuple[SkillRef, ...]
    cases: Mapping[str, tuple[BaselineRef, tuple[BaselineCase, ...]]]
    """Of each baseline, by its id."""

    notebook: Notebook


def mended_results(bench: Bench) -> Results:
    """Every result at its place and in its form; what cannot be made so stays as it is."""
    found: dict[str, list[CaseResult]] = {}
    for skill in bench.skills:
        results = found.setdefault(skill.ref_id, [])
        old = Path(skill.local_path).name
        for path in sorted((bench.folder / "results" / old).glob("*.json")):
            if result := _moved(path, skill, old, bench):
                results.append(result)
    _remove_empty(bench.folder / "results")
    claimed = {f"{short(skill.ref_id)}_{skill.version}" for skill in bench.skills}
    claimed |= {Path(skill.local_path).name for skill in bench.skills}
    for folder in sorted((bench.folder / "results").glob("*/")):
        if folder.name not in claimed:
            place = bench.place / "results" / folder.name
            bench.notebook.not_repaired(place, "no skill of the project has these results")
    return Results(found)


def mended_summary(bench: Bench, results: Results) -> None:
    """The ranking as the results have it, if it is another one."""
    path, place = bench.folder / "results/summary.json", bench.place / "results/summary.json"
    if not path.is_file():
        return
    raw = read_fields(path, bench.notebook, place)
    summary = as_document(Summary, raw, place, bench.notebook) if raw else None
    if summary is None:
        return
    ranking = _ranked([_counted(entry, results) for entry in summary.ranking])
    total = sum(len(cases) for _, cases in bench.cases.values())
    fixed = summary.model_copy(update={"ranking": ranking, "total_cases": total})
    bench.notebook.compared(place, summary.to_data(), fixed.to_data())
    path.write_text(fixed.to_json(), encoding="utf-8")


def mended_scores(raw: JsonValue) -> JsonValue:
    """Scores that agree: the total is the sum; with a dimension that is out of its range or
    missing nothing was scored."""
    if not isinstance(raw, dict):
        return dict.fromkeys((*MOST, "total"))
    if set(raw) - {*MOST, "total"} and not set(raw) & set(MOST):
        return raw
    sane = [_is_within(raw.get(name), most) for name, most in MOST.items()]
    if not all(sane):
        return {**raw, **dict.fromkeys((*MOST, "total"))}
    total = sum(_number(raw[name]) for name in MOST)
    same = isinstance(raw.get("total"), int | float) and math.isclose(_number(raw["total"]), total)
    return raw if same else {**raw, "total": total}


def _moved(path: Path, skill: SkillRef, old: str, bench: Bench) -> CaseResult | None:
    """One result, made whole and put where it belongs."""
    place = bench.place / "results" / old / path.name
    raw = _own(path, place, skill, bench)
    if not raw:
        return None
    fixed: dict[str, JsonValue] = {**raw, "scores": mended_scores(raw.get("scores"))}
    if _total(fixed) is None and raw.get("status") == "completed":
        fixed["grade_status"] = "unscored"
    if not isinstance(raw.get("case_id"), str):
        known = _case_of(raw, bench)
        if known is None:
            bench.notebook.not_repaired(place, "cannot be told to which case it belongs")
            return None
        fixed = {"case_id": known, **fixed}
    if mistakes := CaseResult.mistakes(fixed):
        for mistake in mistakes:
            bench.notebook.not_repaired(place, mistake)
        return None
    result = CaseResult.parse(fixed, str(place))
    if not _is_name(result.case_id):
        bench.notebook.not_repaired(place, "case_id is no file name", result.case_id)
        return None
    target = _target(result, skill, bench)
    if target != path and target.exists():
        bench.notebook.not_repaired(place, f"{target.relative_to(bench.folder)} is there already")
        return None
    bench.notebook.compared(place, raw, result.to_data())
    target.parent.mkdir(parents=True, exist_ok=True)
    path.rename(target)
    target.write_text(result.to_json(), encoding="utf-8")
    if target.relative_to(bench.folder) != path.relative_to(bench.folder):
        now = target.relative_to(bench.folder).as_posix()
        bench.notebook.changed(place, "moved", path.relative_to(bench.folder).as_posix(), now)
    return result


def _own(path: Path, place: Path, skill: SkillRef, bench: Bench) -> dict[str, JsonValue]:
    """What a file says of the skill. Candidates of an iteration share a folder, and the original
    gives all of them what the first one got."""
    raw = read_fields(path, bench.notebook, place)
    if raw.get("skill_id") in (None, skill.ref_id):
        return raw
    bench.notebook.not_repaired(place, "is a result of another skill", raw["skill_id"])
    return {}


def _target(result: CaseResult, skill: SkillRef, bench: Bench) -> Path:
    folder = bench.folder / "results" / f"{short(skill.ref_id)}_{skill.version}"
    if len(bench.cases) > 1 and result.baseline_id in bench.cases:
        baseline = bench.cases[result.baseline_id][0]
        folder /= f"{short(baseline.ref_id)}_{baseline.version}"
    return folder / f"{result.case_id}.json"


def _case_of(raw: Mapping[str, JsonValue], bench: Bench) -> str | None:
    """The one case with this input and expectation; the original program forgot which it was."""
    baseline = bench.cases.get(str(raw.get("baseline_id")))
    ids = [
        case.id
        for case in (baseline[1] if baseline else ())
        if (case.input, case.expected_output) == (raw.get("input"), raw.get("expected_output"))
    ]
    return ids[0] if len(ids) == 1 else None


def _counted(entry: RankingEntry, results: Results) -> RankingEntry:
    """*entry* with the numbers that the results give; means to one decimal."""
    mine = results.by_skill.get(entry.skill_id, ())
    scored = [r.scores for r in mine if r.status == "completed" and r.scores.total is not None]
    average = _mean([_number(scores.total) for scores in scored])
    parts = {name: _mean([_number(s.dimensions.get(name)) for s in scored]) for name in MOST}
    counts = {
        "completed_cases": sum(r.status == "completed" for r in mine),
        "failed_cases": sum(r.status == "failed" for r in mine),
    }
    said = entry.score_breakdown
    numbers: dict[str, object] = {
        **counts,
        "avg_score": _kept(entry.avg_score, average),
        "score_breakdown": {**said, **{n: _kept(said.get(n), part) for n, part in parts.items()}},
    }
    same = all(getattr(entry, name) == value for name, value in numbers.items())
    return entry if same else entry.model_copy(update=numbers)


def _ranked(entries: Sequence[RankingEntry]) -> tuple[RankingEntry, ...]:
    def merit(entry: RankingEntry) -> tuple[bool, float, int]:
        score = entry.avg_score
        return score is not None, -1 if score is None else score, entry.completed_cases

    best = sorted(entries, key=merit, reverse=True)
    return tuple(
        entry if entry.rank == place else entry.model_copy(update={"rank": place})
        for place, entry in enumerate(best, 1)
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None


def _kept(said: float | None, exact: float | None) -> float | None:
    """*said* if that is *exact* to one decimal, a half in either direction; else *exact* so."""
    if exact is None:
        return None
    right = said is not None and abs(exact - said) <= 0.05 + 1e-9
    return said if right else round(exact, 1)


def _is_within(value: JsonValue, most: int) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and 0 <= _number(value) <= most


def _number(value: JsonValue) -> float:
    return value if isinstance(value, int | float) else 0


def _total(raw: Mapping[str, JsonValue]) -> JsonValue:
    scores = raw.get("scores")
    return scores.get("total") if isinstance(scores, dict) else None


def _is_name(text: str) -> bool:
    return id_problem(text) is None


def _remove_empty(folder: Path) -> None:
    """Folders out of which every result was moved."""
    for inner in sorted(folder.glob("*")):
        if inner.is_dir() and not any(inner.iterdir()):
            inner.rmdir()
