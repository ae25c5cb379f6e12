"""What a trial is, and what it is not: the address decides what runs again."""

import pytest
from pydantic import JsonValue

from tests.core.trials import GUIDE, INPUT, SKILL, SPEC, STIMULUS
from whet.core.address import canonical, digest, digest_bytes, digest_tree
from whet.core.case import Case, Limits, Standard, Stimulus
from whet.core.rubric import SIX_DIMENSIONS
from whet.core.trial import TrialSpec

GOLDEN = "f7d0cbe420971cea32c68622308dffa19b04dd7048bb79b966f5fa7eac60e639"
"""Every record in every workspace hangs on this number. If it changes, raise ``PROTOCOL`` on
purpose; an accident here runs, and pays for, every trial of everybody again."""


def limited(**change: float) -> TrialSpec:
    """The trial with other limits."""
    limits = STIMULUS.limits.model_copy(update=change)
    return SPEC.model_copy(update={"stimulus": STIMULUS.model_copy(update={"limits": limits})})


def seen(**change: object) -> TrialSpec:
    """The trial with another stimulus."""
    return SPEC.model_copy(update={"stimulus": STIMULUS.model_copy(update=change)})


def test_the_scheme_has_not_changed() -> None:
    assert SPEC.address == GOLDEN


def test_an_address_is_the_same_after_a_journey_as_json() -> None:
    plain = TrialSpec(
        skill=None, stimulus=Stimulus(prompt="x"), engine="e", engine_version="1", model="m"
    )
    for spec in (SPEC, plain):
        assert TrialSpec.model_validate_json(spec.model_dump_json()).address == spec.address


def test_a_default_and_the_same_value_given_are_one_address() -> None:
    given_out = Stimulus(prompt="x", files=(), tools=(), limits=Limits(timeout_seconds=60))
    assert Stimulus(prompt="x").digest == given_out.digest
    assert Standard().digest == Standard(expected="", rubric=None, weight=1).digest


@pytest.mark.parametrize(
    "other",
    [
        SPEC.model_copy(update={"scope": "job-1"}),
        SPEC.model_copy(update={"series": 1}),
        SPEC.model_copy(update={"skill": None}),
        SPEC.model_copy(update={"skill": SKILL.model_copy(update={"digest": "b" * 64})}),
        SPEC.model_copy(update={"engine": "codex"}),
        SPEC.model_copy(update={"engine_version": "1.2.4"}),
        SPEC.model_copy(update={"model": "opus"}),
        SPEC.model_copy(update={"options": {"effort": "low", "seed": 7}}),
        SPEC.model_copy(update={"sandbox": "none"}),
        SPEC.model_copy(update={"attempt": 2}),
        seen(prompt="Sharpen the knife."),
        seen(files=()),
        seen(files=(INPUT.model_copy(update={"digest": "f" * 64}),)),
        seen(files=(INPUT.model_copy(update={"path": "data/out.csv"}),)),
        seen(tools=("Read",)),
        limited(timeout_seconds=31),
        limited(max_turns=6),
        limited(max_cost_usd=0.5),
    ],
)
def test_what_changes_the_answer_changes_the_address(other: TrialSpec) -> None:
    assert other.address != SPEC.address


@pytest.mark.parametrize(
    "other",
    [
        SPEC.model_copy(update={"skill": SKILL.model_copy(update={"name": "renamed"})}),
        SPEC.model_copy(update={"options": {"seed": 7, "effort": "high"}}),
    ],
)
def test_names_and_the_order_of_keys_do_not(other: TrialSpec) -> None:
    assert other.address == SPEC.address


def test_a_copy_does_not_keep_the_address_of_the_original() -> None:
    """Addresses are worked out once; a copy that kept one would be taken for another trial."""
    assert SPEC.address
    assert STIMULUS.digest
    assert SIX_DIMENSIONS.digest
    assert SPEC.model_copy(update={"attempt": 2}).address != SPEC.address
    assert STIMULUS.model_copy(update={"prompt": "?"}).digest != STIMULUS.digest
    fewer = {"dimensions": SIX_DIMENSIONS.dimensions[:1]}
    assert SIX_DIMENSIONS.model_copy(update=fewer).digest != SIX_DIMENSIONS.digest
    assert SPEC.model_copy() == SPEC
    assert SPEC.model_copy(deep=True).address == SPEC.address


SHORT_RUBRIC = SIX_DIMENSIONS.model_copy(update={"dimensions": SIX_DIMENSIONS.dimensions[:1]})


def test_nothing_of_a_case_but_its_stimulus_is_in_the_address() -> None:
    """A trial is built from the stimulus alone; the standard has a digest of its own."""
    assert "standard" not in TrialSpec.model_fields
    case = Case(id="1", stimulus=STIMULUS)
    stricter = case.model_copy(
        update={
            "name": "renamed",
            "category": "boundary",
            "standard": Standard(expected="sharp", rubric=SIX_DIMENSIONS, weight=2),
        }
    )
    assert stricter.stimulus.digest == case.stimulus.digest
    assert stricter.standard.digest != case.standard.digest


@pytest.mark.parametrize(
    "other",
    [
        Standard(expected="blunt"),
        Standard(expected="sharp", weight=2),
        Standard(expected="sharp", rubric=SHORT_RUBRIC),
    ],
)
def test_every_part_of_a_standard_is_in_its_digest(other: Standard) -> None:
    assert other.digest != Standard(expected="sharp").digest


def test_the_scale_for_code_is_named_by_the_grade_and_not_by_the_standard() -> None:
    """Grades from when it held wherever a case said nothing keep their addresses."""
    said = Standard(expected="sharp", rubric=SIX_DIMENSIONS)
    assert said.digest == Standard(expected="sharp").digest


def test_a_folder_is_its_paths_and_contents() -> None:
    tree = digest_tree({"a.txt": "1", "b.txt": "2"})
    assert tree == digest_tree({"b.txt": "2", "a.txt": "1"})
    assert len({tree, digest_tree({"a.txt": "2", "b.txt": "1"}), digest_tree({"a.txt": "1"})}) == 3
    assert digest_bytes(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def test_different_values_have_different_digests() -> None:
    """Also those that Python takes for equal, or that look alike when written carelessly."""
    values: list[JsonValue] = [
        *(None, True, False, 0, 1, 1.5, "", "1", "true", "null", "a b", "a\u00a0b"),
        *([], [[]], [1], [1, 1], ["1"], {}, {"": None}, {"a": 1}, {"a": "1"}, {"b": 1}, {"a": [1]}),
    ]
    assert len({digest(value) for value in values}) == len(values)
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})


def test_what_is_not_json_has_no_digest() -> None:
    with pytest.raises(ValueError, match="JSON"):
        digest(float("nan"))


def test_text_is_hashed_as_utf_8() -> None:
    assert canonical({"磨": 1, "a": [None, True]}) == '{"a":[null,true],"磨":1}'.encode()


def test_half_an_emoji_has_a_digest_of_its_own() -> None:
    """Some program cut it off in the middle of a prompt; that prompt can be run all the same."""
    assert len({digest("a\ud83d"), digest("a\ud83e"), digest("a?"), digest("a")}) == 4


def test_a_lane_is_the_engine_and_the_model() -> None:
    assert SPEC.lane == "claude:sonnet"


def test_the_entry_of_a_skill_is_the_file_with_the_instructions() -> None:
    manual = GUIDE.model_copy(update={"path": "SKILL.md"})
    package = SKILL.model_copy(update={"kind": "package", "files": (INPUT, manual)})
    assert SKILL.entry == GUIDE
    assert package.entry == manual
