"""Numbers that no database can hold, and consent that nobody gave."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from tests.server.calling import Caller, assert_problem, caller
from whet.core.errors import UsageError
from whet.ports.results import ResultQuery
from whet.stores.database import Database
from whet.stores.sql_results import SqlResults
from whet.stores.sqlite import in_file

LARGEST = 2**63 - 1
HUGE = [2**31, 2**53, LARGEST, LARGEST + 1, 2**64, 10**30, -LARGEST - 2]


@pytest.fixture(scope="module")
def call(tmp_path_factory: pytest.TempPathFactory) -> Generator[Caller]:
    with caller(tmp_path_factory.mktemp("numbers") / "workspace") as made:
        yield made


@pytest.fixture(scope="module")
def contract(call: Caller) -> dict[str, Any]:
    return call("GET", "/openapi.json").json()


def integers(
    contract: dict[str, Any],
    shape: dict[str, Any],
    place: str,
    seen: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every integer in a shape, with its place."""
    name = str(shape.get("$ref", "")).rpartition("/")[2]
    if name:
        if name not in seen:
            inner = contract["components"]["schemas"][name]
            yield from integers(contract, inner, f"{place} {name}", seen | {name})
        return
    if shape.get("type") == "integer" and not shape.keys() & {"enum", "const"}:
        yield place, shape
    parts: list[Any] = [part for key in ("anyOf", "oneOf", "allOf") for part in shape.get(key, ())]
    parts += [shape.get("items"), shape.get("additionalProperties")]
    for part in parts:
        if isinstance(part, dict):
            yield from integers(contract, cast(dict[str, Any], part), place, seen)
    for key, part in shape.get("properties", {}).items():
        yield from integers(contract, part, f"{place}.{key}", seen)


def test_every_whole_number_that_is_sent_has_bounds(contract: dict[str, Any]) -> None:
    unbounded: list[str] = []
    found = 0
    for path, operations in contract["paths"].items():
        for method, operation in operations.items():
            shapes = [(one["name"], one["schema"]) for one in operation.get("parameters", ())]
            content = operation.get("requestBody", {}).get("content", {})
            shapes += [(kind, body["schema"]) for kind, body in content.items()]
            for name, shape in shapes:
                for place, one in integers(contract, shape, f"{method} {path} {name}"):
                    found += 1
                    most = one.get("maximum", one.get("exclusiveMaximum", LARGEST + 2))
                    least = one.get("minimum", one.get("exclusiveMinimum", -LARGEST - 2))
                    if most > LARGEST + 1 or least < -LARGEST - 1:
                        unbounded.append(place)
    assert found > 50
    assert unbounded == []


@pytest.mark.parametrize("number", HUGE)
def test_no_number_in_a_query_is_a_fault_of_the_server(
    call: Caller, contract: dict[str, Any], number: int
) -> None:
    """Also of those that say nothing of bounds."""
    asked = 0
    for path, operations in contract["paths"].items():
        for one in operations.get("get", {}).get("parameters", ()):
            if one["in"] == "query" and [*integers(contract, one["schema"], "")]:
                if path.endswith(("/events", "/tail")):
                    continue
                filled = path.replace("{", "").replace("}", "")
                answer = call("GET", filled, params={one["name"]: str(number)})
                assert answer.status_code < 500, (path, one["name"], answer.text)
                asked += 1
    assert asked > 20


def test_a_page_beyond_any_is_refused_by_the_store(tmp_path: Path) -> None:
    """Whoever asks, also the command line."""
    database = Database(in_file(tmp_path / "whet.db"))
    try:
        with pytest.raises(UsageError):
            SqlResults(database).page(ResultQuery(project="x", page=LARGEST))
    finally:
        database.close()


NO_CONSENT: list[Any] = [1, 0, "true", "yes", "on", "1", 1.0, [True], {}]


@pytest.mark.parametrize("given", NO_CONSENT, ids=repr)
def test_consent_is_a_real_boolean(call: Caller, contract: dict[str, Any], given: Any) -> None:
    names = ("confirmed", "trust_scripts")
    asked: set[tuple[str, str]] = set()
    for path, operations in contract["paths"].items():
        for method, operation in operations.items():
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            name = str(body.get("schema", {}).get("$ref", "")).rpartition("/")[2]
            shape = contract["components"]["schemas"].get(name, {})
            for consent in set(names) & shape.get("properties", {}).keys():
                filled = path.replace("{", "").replace("}", "")
                answer = call(method, filled, json={consent: given})
                # What is wrong with a document is told before or after what is missing.
                assert answer.status_code in (400, 404, 422), (path, answer.text)
                if answer.status_code == 422:
                    assert f"{consent}: Input should be a valid boolean" in answer.json()["detail"]
                asked.add((path, consent))
    assert len(asked) >= 8


def test_a_run_with_doubtful_consent_does_not_start(call: Caller) -> None:
    for path in ("/v1/evaluation/runs", "/wunder/admin/evaluation/start"):
        answer = call("POST", path, json={"dimensions": ["tool"], "confirmed": "true"})
        assert_problem(answer, 422, "invalid_request", "confirmed: ")
    assert call("GET", "/v1/evaluation/runs").json()["total"] == 0


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/config", "GET, PUT"),
        ("/v1/jobs/cleanup", "POST"),
        ("/v1/jobs/x", "DELETE, GET"),
        ("/v1/baselines/x/cases/y", "DELETE, GET, PATCH"),
    ],
)
def test_a_refused_method_is_told_all_that_there_are(call: Caller, path: str, methods: str) -> None:
    answer = call("OPTIONS", path)
    assert_problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == methods
