"""What a project came to, worked out anew from its files and tables, without any of our code."""

import json
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

CENT = 0.011
"""Result files and rankings are rounded to cents, each by itself."""


class Truth:
    """A settled project: *skills* × *cases* × *repeats* on one baseline."""

    def __init__(self, folder: Path, skills: int, cases: int, repeats: int) -> None:
        self._folder = folder
        self._config = read(folder / "config.json")
        self._size = skills * cases * repeats
        self._cases = cases
        self._repeats = repeats
        self._results = {
            (path.parent.name, path.name): read(path)
            for path in folder.glob("results/*/*.json")
            if not path.name.startswith(".")
        }

    def assert_all(self) -> None:
        """Everything says the same, and says it once."""
        self._one_record_each()
        self._one_file_each()
        self._counters()
        self._summary()

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        """What the database says."""
        database = self._folder.parent.parent / "whet.db"
        with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
            return connection.execute(query).fetchall()

    def _one_record_each(self) -> None:
        """One answer of the generation that is wanted, whatever was asked for and killed."""
        wanted = dict(self.rows("SELECT address, generation FROM retries"))
        asked = [row[0] for row in self.rows("SELECT trial FROM results")]
        assert len(set(asked)) == len(asked) == self._size
        recorded = Counter(self.rows("SELECT address, generation FROM trials"))
        answered = Counter(
            self.rows("SELECT address, generation FROM executions WHERE outcome = 'answered'")
        )
        for address in asked:
            generation = wanted.get(address, 1)
            assert recorded[address, generation] == answered[address, generation] == 1
            assert not recorded[address, generation + 1]
        assert answered == recorded, "each record is of one execution, and the other way round"
        assert self.rows("SELECT id FROM executions WHERE outcome IS NULL") == []

    def _one_file_each(self) -> None:
        rows = self.rows(
            'SELECT arm, "case", attempt, trial, generation, status, score FROM results'
        )
        named = {
            (arm, f"{case}.json" if attempt == 1 else f"{case}.run-{attempt}.json"): told
            for arm, case, attempt, *told in rows
        }
        assert named.keys() == self._results.keys()
        for place, (trial, generation, status, score) in named.items():
            file = self._results[place]
            assert (file["trial_address"], file["generation"]) == (trial, generation)
            assert file["status"] == status
            total = None if score is None else pytest.approx(100 * score, abs=CENT)
            assert file["scores"]["total"] == total

    def _counters(self) -> None:
        pairs: dict[tuple[str, str], list[str]] = {}
        for (arm, _), file in self._results.items():
            pairs.setdefault((arm, file["case_id"]), []).append(file["status"])
        failed = sum(set(statuses) == {"failed"} for statuses in pairs.values())
        progress = self._config["progress"]
        assert self._config["status"] == "completed"
        assert self._config.get("control") is None
        assert progress["total_trials"] == self._size
        assert progress["total_tasks"] == len(pairs)
        assert (progress["completed_tasks"], progress["failed_tasks"]) == (
            len(pairs) - failed,
            failed,
        )

    def _summary(self) -> None:
        """Attempts first, then cases; those without a score are no zeros."""
        summary = read(self._folder / "results/summary.json")
        found: dict[tuple[str, str], float] = {}
        for skill in self._config["skills"]:
            arm = f"{skill['ref_id'][:8]}_{skill['version']}"
            scores: dict[str, list[float]] = {}
            for (place, _), file in self._results.items():
                total = file["scores"]["total"]
                if place == arm and total is not None:
                    scores.setdefault(file["case_id"], []).append(total)
            found[skill["ref_id"], skill["version"]] = fmean(map(fmean, scores.values()))
        ranking = summary["ranking"]
        for entry in ranking:
            expected = found.pop((entry["skill_id"], entry["skill_version"]))
            assert entry["avg_score"] == pytest.approx(expected, abs=CENT)
            assert entry["completed_cases"] + entry["failed_cases"] == self._cases
        assert not found
        averages = [entry["avg_score"] for entry in ranking]
        assert averages == sorted(averages, reverse=True)
        assert (summary["total_cases"], summary["total_trials"]) == (self._cases, self._size)


def read(path: Path) -> dict[str, Any]:
    """A JSON file."""
    return json.loads(path.read_text())
