"""Projects of the original program: copied whole, then made to agree with themselves."""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from pydantic import JsonValue

from whet.core.files import inside
from whet.core.naming import short
from whet.curate.original.case_files import mended_cases
from whet.curate.original.found import Source
from whet.curate.original.metadata import is_segment
from whet.curate.original.reading import (
    as_document,
    files_below,
    folders,
    read_fields,
    read_value,
)
from whet.curate.original.report import Notebook
from whet.curate.original.results import Bench, Results, mended_results, mended_summary
from whet.documents.assets import BaselineMeta, SkillMeta
from whet.documents.base import Document
from whet.documents.cases import BaselineCase
from whet.documents.evolution import AnalysisReport, ExplorationLog, IterationReport, RoundConfig
from whet.documents.files import unfinished_folder
from whet.documents.project import BaselineRef, ProjectConfig, SkillRef

_REPORTS: Mapping[str, type[Document]] = {
    "analysis_report.json": AnalysisReport,
    "iterations/iteration_report.json": IterationReport,
    "iterations/exploration_log.json": ExplorationLog,
}
_STATUSES = ("pending", "completed", "interrupted", "paused")
_DEFAULTS: Mapping[str, JsonValue] = {
    "description": "",
    "cli_config": {"model": "default", "timeout_seconds": 60, "retry_count": 2, "extra_flags": []},
    "context_config": {"token_threshold": 80000, "auto_compress": True, "auto_export": True},
    "progress": {
        "total_tasks": 0,
        "completed_tasks": 0,
        "failed_tasks": 0,
        "last_checkpoint": None,
    },
}


def told_by_projects(source: Source) -> Source:
    """*source* with what the projects know of assets: full ids, names, copies of versions."""
    known: dict[str, tuple[str, str]] = {}
    copies: dict[tuple[str, str], Path] = {}
    quiet = Notebook(source.root)
    for folder in folders(source.root, "projects/project_*", quiet):
        config = read_fields(folder / "config.json", quiet)
        for reference in (*_objects(config.get("skills")), *_objects(config.get("baselines"))):
            identity, name = reference.get("ref_id"), reference.get("name")
            version, path = reference.get("version"), reference.get("local_path")
            if not isinstance(identity, str) or not identity:
                continue
            known.setdefault(short(identity), (identity, str(name or identity)))
            if isinstance(version, str) and isinstance(path, str) and _is_inside(folder, path):
                copies.setdefault((identity, version), folder / path)
    return replace(source, known=known, copies=copies)


def import_projects(source: Source, workspace: Path) -> int:
    """Take over every project that is not here yet; how many."""
    here = _ids(workspace)
    count = 0
    for place in folders(source.root, "projects/project_*", source.notebook):
        identity = read_fields(place / "config.json", Notebook(source.root)).get("id")
        target = workspace / "projects" / place.name
        if identity in here or target.exists() or target.is_symlink():
            source.notebook.skipped(place, "is here already")
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        with unfinished_folder(target.parent) as temporary:
            folder = Path(temporary) / "project"
            _copy(place, folder, source.notebook)
            _mend(folder, place, source)
            folder.rename(target)
        count += 1
    return count


def _ids(workspace: Path) -> list[JsonValue]:
    quiet = Notebook(workspace)
    configs = (workspace / "projects").glob("project_*/config.json")
    found = (read_fields(path, quiet).get("id") for path in configs)
    return [identity for identity in found if identity is not None]


def _copy(place: Path, folder: Path, notebook: Notebook) -> None:
    folder.mkdir()
    for path, name in files_below(place, notebook, place):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)


def _mend(folder: Path, place: Path, source: Source) -> None:
    notebook = source.notebook
    raw = read_fields(folder / "config.json", notebook, place / "config.json")
    fixed = _filled(raw, place, notebook)
    config = as_document(ProjectConfig, fixed, place / "config.json", notebook) if raw else None
    if config is None or not _is_whole(config, folder, place, notebook):
        notebook.not_repaired(place, "is copied as it is")
        return
    bench = Bench(
        folder, place, config.skills, dict(_cases(config, folder, source, place)), notebook
    )
    results = mended_results(bench)
    mended_summary(bench, results)
    _mend_reports(folder, place, notebook)
    named = _renamed(config, folder, place, notebook)
    final = _counted(named, bench, results)
    notebook.compared(place / "config.json", named.to_data(), final.to_data())
    (folder / "config.json").write_text(final.to_json(), encoding="utf-8")


def _filled(raw: dict[str, JsonValue], place: Path, notebook: Notebook) -> dict[str, JsonValue]:
    """*raw* with what it has to have; nobody is running it any more."""
    fixed = {**raw, **{name: value for name, value in _DEFAULTS.items() if name not in raw}}
    if raw.get("status") not in _STATUSES:
        fixed["status"] = "interrupted"
    if raw:
        notebook.compared(place / "config.json", raw, fixed)
    return fixed


def _is_whole(config: ProjectConfig, folder: Path, place: Path, notebook: Notebook) -> bool:
    """Whether the copies that it names are there, and inside, and its results can be."""
    whole = True
    for reference in (*config.skills, *config.baselines):
        path = reference.local_path
        if not _is_inside(folder, path) or not (folder / path).is_dir():
            notebook.not_repaired(place / "config.json", "names a copy that is not there", path)
            whole = False
        results = f"{short(reference.ref_id)}_{reference.version}"
        if not is_segment(results):
            notebook.not_repaired(place / "config.json", "names a version that is none", results)
            whole = False
    for reference in config.skills:
        meta = folder / reference.local_path / "meta.json"
        _note(SkillMeta, meta, place / reference.local_path / "meta.json", notebook)
    for reference in config.baselines:
        meta = folder / reference.local_path / "meta.json"
        _note(BaselineMeta, meta, place / reference.local_path / "meta.json", notebook)
    return whole


def _note(cls: type[Document], path: Path, place: Path, notebook: Notebook) -> None:
    """Say what is wrong with a file that stays as it is."""
    raw = read_value(path, notebook, place)
    for mistake in cls.mistakes(raw) if raw is not None else ():
        notebook.not_repaired(place, mistake)


def _cases(
    config: ProjectConfig, folder: Path, source: Source, place: Path
) -> Iterator[tuple[str, tuple[BaselineRef, tuple[BaselineCase, ...]]]]:
    """The cases of each baseline, whose copies are made whole."""
    for reference in config.baselines:
        name = f"{reference.local_path}/cases.json"
        raw = read_value(folder / name, source.notebook, place / name)
        owner = (reference.ref_id, reference.version)
        document = mended_cases(raw, owner, source.now, place / name, source.notebook)
        (folder / name).write_text(document.to_json(), encoding="utf-8")
        yield reference.ref_id, (reference, document.cases)


def _mend_reports(folder: Path, place: Path, notebook: Notebook) -> None:
    every = {name: cls for name, cls in _REPORTS.items() if (folder / name).is_file()}
    for path in sorted(folder.glob("iterations/round_*/config.json")):
        every[path.relative_to(folder).as_posix()] = RoundConfig
    for name, cls in every.items():
        raw = read_value(folder / name, notebook, place / name)
        document = as_document(cls, raw, place / name, notebook) if raw is not None else None
        if document is not None:
            (folder / name).write_text(document.to_json(), encoding="utf-8")


def _renamed(config: ProjectConfig, folder: Path, place: Path, notebook: Notebook) -> ProjectConfig:
    """The copies under the version that they are: the original calls each of them ``_v1``."""
    skills = tuple(_moved(each, "skill", folder) for each in config.skills)
    baselines = tuple(_moved(each, "baseline", folder) for each in config.baselines)
    named = config.model_copy(update={"skills": skills, "baselines": baselines})
    notebook.compared(place / "config.json", config.to_data(), named.to_data())
    return named


def _moved(reference: SkillRef | BaselineRef, kind: str, folder: Path) -> SkillRef | BaselineRef:
    name = f"{kind}s/{kind}_{short(reference.ref_id)}_{reference.version}"
    if name == reference.local_path or not _is_inside(folder, name) or (folder / name).exists():
        return reference
    (folder / reference.local_path).rename(folder / name)
    return reference.model_copy(update={"local_path": name})


def _counted(config: ProjectConfig, bench: Bench, results: Results) -> ProjectConfig:
    """Progress and status as the results have them."""
    every = [result for mine in results.by_skill.values() for result in mine]
    total = len(config.skills) * sum(len(cases) for _, cases in bench.cases.values())
    completed = sum(result.status == "completed" for result in every)
    failed = sum(result.status == "failed" for result in every)
    done = completed + failed
    numbers = {
        "total_tasks": total,
        "completed_tasks": completed,
        "failed_tasks": failed,
        "last_checkpoint": done if done or config.progress.last_checkpoint is not None else None,
    }
    update: dict[str, object] = {"progress": config.progress.model_copy(update=numbers)}
    if config.status == "completed" and done < total:
        update["status"] = "interrupted"
    return config.model_copy(update=update)


def _objects(value: JsonValue) -> list[dict[str, JsonValue]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _is_inside(folder: Path, path: str) -> bool:
    """Whether *path* stays in the folder, and is no link on its way."""
    try:
        inside(path)
    except ValueError:
        return False
    return (folder / path).resolve() == folder.resolve() / path
