"""The rule of engines, against a model as plain as the format says it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from tests.curate.runner.making import changed, contract, mistakes
from whet.curate.runner.engines import effective_engines

SUPPORTED = ("claude", "codex", "gemini", "simulated")
NONE_LEFT = (
    "engines: no engine is left; allow at least one of claude, codex, simulated, "
    "or leave engines and unsupported_engines out to allow them all"
)
NAMES = st.lists(st.sampled_from([*SUPPORTED, "iflow"]), max_size=5) | st.none()


def naive(allowed: list[str] | None, ruled_out: list[str] | None) -> set[str] | None:
    """The engines; None where the lists are refused."""
    first, second = allowed or [], ruled_out or []
    left: set[str] = {*(SUPPORTED if allowed is None else allowed)} - {*second}
    is_known = set(first) | set(second) <= set(SUPPORTED)
    is_unique = len(set(first)) == len(first) and len(set(second)) == len(second)
    if not is_known or not is_unique or set(first) & set(second) or not left:
        return None
    return left


@given(allowed=NAMES, ruled_out=NAMES, is_renamed=st.booleans())
def test_the_rule(
    allowed: list[str] | None, ruled_out: list[str] | None, *, is_renamed: bool
) -> None:
    problems: list[str] = []
    manifest: dict[str, JsonValue] = {}
    for key, names in (("engines", allowed), ("unsupported_engines", ruled_out)):
        manifest[key] = None if names is None else [*names]
    if is_renamed:
        manifest["unsupport_engine"] = ["codex"]
    found = effective_engines(manifest, SUPPORTED, problems)
    wanted = None if is_renamed else naive(allowed, ruled_out)
    assert (not problems) == (wanted is not None)
    if wanted is not None:
        assert found == tuple(sorted(wanted))


@pytest.mark.parametrize(
    ("lists", "engines"),
    [
        ({}, ("claude", "codex", "simulated")),
        ({"engines": None, "unsupported_engines": []}, ("claude", "codex", "simulated")),
        ({"engines": ["simulated", "claude"]}, ("claude", "simulated")),
        ({"unsupported_engines": ["codex"]}, ("claude", "simulated")),
        ({"engines": ["claude"], "unsupported_engines": ["codex"]}, ("claude",)),
    ],
)
def test_what_a_package_allows(lists: dict[str, object], engines: tuple[str, ...]) -> None:
    assert contract(changed(lists)).engines == engines


@pytest.mark.parametrize(
    ("lists", "says"),
    [
        (
            {"engines": ["codex", "iflow"]},
            "engines: 'iflow' is no engine here; name some of claude, codex, simulated",
        ),
        (
            {"unsupported_engines": ["iflow"]},
            "unsupported_engines: 'iflow' is no engine here; name some of claude, codex, simulated",
        ),
        (
            {"engines": ["codex", "claude"], "unsupported_engines": ["codex"]},
            "engines, unsupported_engines: both name codex; take it out of one of them",
        ),
        (
            {"engines": []},
            NONE_LEFT,
        ),
        (
            {"unsupported_engines": ["claude", "codex", "simulated"]},
            NONE_LEFT,
        ),
        ({"engines": ["codex", "codex"]}, "engines: 'codex' is there 2 times; name it once"),
        (
            {"unsupport_engine": ["codex"]},
            "unsupport_engine: is now called unsupported_engines; rename it",
        ),
        ({"engines": "codex"}, 'engines: must be a list, found "codex"'),
        ({"engines": ["codex", 3]}, "engines[1]: must be a string, found 3"),
    ],
)
def test_what_is_refused(lists: dict[str, object], says: str) -> None:
    assert mistakes(changed(lists)) == (says,)
