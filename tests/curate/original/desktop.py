"""The original desktop program, as far as it writes files: with its formats and its faults."""

import json
import shutil
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Fields = dict[str, Any]


@dataclass
class Desktop:
    """Edits in place, and remembers what every version really was."""

    root: Path
    truth: dict[tuple[str, str], Fields] = field(default_factory=dict[tuple[str, str], Fields])
    minute: int = 0

    def now(self) -> str:
        self.minute += 1
        return f"2024-01-01T{self.minute // 60:02}:{self.minute % 60:02}:00.000Z"

    def add_skill(self, name: str, content: str = "Be good.", purpose: str = "code") -> Path:
        folder, meta = self._new("skill", name, purpose)
        meta |= {"type": "skill", "content_file": "content.txt"}
        (folder / "content.txt").write_text(content)
        self._save(folder, meta)
        return folder

    def edit_skill(self, folder: Path, content: str | None = None, **changes: str) -> None:
        meta = read(folder / "meta.json")
        old = (folder / "content.txt").read_text()
        diff: Fields = {}
        if content is not None and content != old:
            diff["content"] = {"before": old, "after": content}
            (folder / "content.txt").write_text(content)
        fields = {k: change(meta.get(k), v) for k, v in changes.items() if meta.get(k) != v}
        diff |= {"meta": fields} if fields else {}
        if diff:
            names = [*(["content"] if "content" in diff else []), *(f"meta.{k}" for k in fields)]
            self._bump(folder, meta | changes, names, diff)

    def add_baseline(self, name: str, *inputs: str) -> Path:
        folder, meta = self._new("baseline", name, "tests")
        cases = [self._case(number, text) for number, text in enumerate(inputs, 1)]
        meta["case_count"] = len(cases)
        document = {"baseline_id": meta["id"], "version": "v1", "cases": cases}
        write(folder / "cases.json", document)
        self._save(folder, meta)
        return folder

    def add_cases(self, folder: Path, *inputs: str) -> None:
        document = read(folder / "cases.json")
        before = len(document["cases"])
        taken = {case["id"] for case in document["cases"]}
        fresh = [self._case(before + n, text) for n, text in enumerate(inputs, 1)]
        document["cases"] += [case for case in fresh if case["id"] not in taken]
        diff = {"before": f"{before} cases", "after": f"{len(document['cases'])} cases"}
        self._bump_cases(folder, document, ["cases"], {"cases": diff})

    def edit_case(self, folder: Path, case_id: str, **changes: str) -> None:
        document = read(folder / "cases.json")
        case = next(each for each in document["cases"] if each["id"] == case_id)
        diff = {k: change(case.get(k), v) for k, v in changes.items() if case.get(k) != v}
        case |= changes
        if diff:
            names = [f"cases.{case_id}.{key}" for key in diff]
            self._bump_cases(folder, document, names, {"case": diff})

    def delete_case(self, folder: Path, case_id: str) -> None:
        document = read(folder / "cases.json")
        document["cases"] = [each for each in document["cases"] if each["id"] != case_id]
        diff = {"before": f"case {case_id} existed", "after": "deleted"}
        self._bump_cases(folder, document, [f"cases.{case_id}"], {"case": diff})

    def roll_back(self, folder: Path, version: str) -> None:
        """Of a baseline: a marker and nothing else."""
        diff = {"rollback": {"before": "v2", "after": f"rollback to {version}"}}
        self._bump_cases(folder, read(folder / "cases.json"), ["rollback"], diff)

    def add_project(self, name: str, skills: list[Path], baselines: list[Path]) -> Path:
        folder = self.root / f"projects/project_{name}_20240101120000"
        config: Fields = {
            "id": identity(name),
            "name": name,
            "description": "",
            "status": "pending",
            "created_at": self.now(),
            "updated_at": self.now(),
            "skills": [],
            "baselines": [],
        }
        for kind, assets in (("skills", skills), ("baselines", baselines)):
            for asset in assets:
                meta = read(asset / "meta.json")
                shutil.copytree(asset, folder / kind / asset.name)
                reference = {"ref_id": meta["id"], "name": meta["name"]}
                if kind == "skills":
                    reference |= {"purpose": meta["purpose"], "provider": meta["provider"]}
                reference |= {"version": meta["version"], "local_path": f"{kind}/{asset.name}"}
                config[kind].append(reference)
        config["cli_config"] = {
            "model": "m",
            "timeout_seconds": 60,
            "retry_count": 2,
            "extra_flags": [],
        }
        config["context_config"] = {
            "token_threshold": 80000,
            "auto_compress": True,
            "auto_export": True,
        }
        total = len(skills) * sum(read(b / "meta.json")["case_count"] for b in baselines)
        config["progress"] = {
            "total_tasks": total,
            "completed_tasks": 0,
            "failed_tasks": 0,
            "last_checkpoint": None,
        }
        write(folder / "config.json", config)
        return folder

    def add_result(self, project: Path, case: Fields, file: str, **changes: object) -> Fields:
        """A result of the first skill on the first baseline."""
        config = read(project / "config.json")
        skill, baseline = config["skills"][0], config["baselines"][0]
        result: Fields = {
            "case_id": case["id"],
            "skill_id": skill["ref_id"],
            "skill_version": skill["version"],
            "baseline_id": baseline["ref_id"],
            "baseline_version": baseline["version"],
            "executed_at": self.now(),
            "status": "completed",
            "input": case["input"],
            "expected_output": case["expected_output"],
            "actual_output": "x",
            "duration_ms": 5,
            "cli_version": "1.2.0",
            "model_version": "m",
            "error": None,
            "scores": scores(),
            "score_reasoning": "",
            "score_evaluated_at": None,
            **changes,
        }
        result = {key: value for key, value in result.items() if value != "undefined"}
        write(project / "results" / Path(skill["local_path"]).name / file, result)
        return result

    def add_summary(self, project: Path, **entry: object) -> None:
        config = read(project / "config.json")
        skill = config["skills"][0]
        ranking: Fields = {
            "rank": 1,
            "skill_id": skill["ref_id"],
            "skill_name": skill["name"],
            "skill_version": skill["version"],
            "completed_cases": 0,
            "failed_cases": 0,
            "avg_score": 0,
            "score_breakdown": {},
            **entry,
        }
        write(
            project / "results/summary.json",
            {
                "project_id": config["id"],
                "generated_at": self.now(),
                "total_cases": config["progress"]["total_tasks"],
                "ranking": [ranking],
            },
        )

    def _new(self, kind: str, name: str, purpose: str) -> tuple[Path, Fields]:
        moment = self.now()
        meta: Fields = {
            "id": identity(name),
            "name": name,
            "description": "",
            "author": "",
            "source": "",
            "purpose": purpose,
            "provider": "me",
            "version": "v1",
            "version_count": 1,
            "status": "active",
            "created_at": moment,
            "updated_at": moment,
        }
        folder = self.root / f"{kind}s" / purpose / "me" / f"{kind}_{meta['id'][:8]}_v1"
        (folder / "history").mkdir(parents=True)
        (folder / "auto_tag_log").mkdir()
        write(folder / "tags.json", {"manual": [], "auto": []})
        return folder, meta

    def _case(self, number: int, text: str) -> Fields:
        moment = self.now()
        return {
            "id": f"case_{number:03}",
            "name": f"Case {number}",
            "category": "standard",
            "input": text,
            "expected_output": f"An answer to {text}",
            "description": "",
            "created_at": moment,
            "updated_at": moment,
        }

    def _bump_cases(self, folder: Path, document: Fields, names: list[str], diff: Fields) -> None:
        meta = read(folder / "meta.json")
        document["version"] = f"v{int(meta['version'][1:]) + 1}"
        write(folder / "cases.json", document)
        self._bump(folder, meta | {"case_count": len(document["cases"])}, names, diff)

    def _bump(self, folder: Path, meta: Fields, names: list[str], diff: Fields) -> None:
        old, moment = meta["version"], self.now()
        meta |= {
            "version": f"v{int(old[1:]) + 1}",
            "version_count": meta["version_count"] + 1,
            "updated_at": moment,
        }
        name = f"{old}_to_{meta['version']}_2024010112{self.minute:04}.json"
        record = {
            "from_version": old,
            "to_version": meta["version"],
            "timestamp": moment,
            "changed_fields": names,
            "diff": diff,
        }
        write(folder / "history" / name, record)
        self._save(folder, meta)

    def _save(self, folder: Path, meta: Fields) -> None:
        write(folder / "meta.json", meta)
        content = folder / "content.txt"
        self.truth[meta["id"], meta["version"]] = {
            "meta": {k: meta[k] for k in ("name", "description", "author", "purpose", "provider")},
            "updated_at": meta["updated_at"],
            "content": content.read_text() if content.exists() else None,
            "cases": None if content.exists() else read(folder / "cases.json")["cases"],
        }


def identity(name: str) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_DNS, name))


def change(before: object, after: object) -> Fields:
    """As JavaScript writes it: what is undefined is not written at all."""
    return {"after": after} if before is None else {"before": before, "after": after}


def scores(correct: float = 28, total: float | None = None) -> Fields:
    others = {
        "robustness": 16,
        "readability": 14,
        "conciseness": 13,
        "complexity_control": 8,
        "format_compliance": 9,
    }
    points = correct + sum(others.values()) if total is None else total
    return {"functional_correctness": correct, **others, "total": points}


def read(path: Path) -> Fields:
    return json.loads(path.read_text())


def write(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False))


def image(root: Path) -> dict[str, bytes]:
    """Everything in a folder, to see whether it changed."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
