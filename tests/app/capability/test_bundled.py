"""The bundled sets: their keys are right, and they touch what a set should touch."""

import calendar
import itertools
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.app.capability.good_work import Work, good
from tests.checkers.subjects import call, checkers, record, session
from whet.app.capability.sets import case_sets, named, parts
from whet.app.clock import SystemClock
from whet.core.check import CheckResult, gate
from whet.core.tools import PTC, canonical
from whet.documents.capability import CapabilityCase
from whet.evaluate.capability.cases import Names, checks_of, rules
from whet.evaluate.capability.coverage import coverage
from whet.evaluate.capability.lint import lint
from whet.evaluate.capability.options import options_of
from whet.evaluate.capability.select import Selection, choose
from whet.evaluate.check import carry_out
from whet.ports.checker import Subject
from whet.stores.memory import MemoryStore

CHECKERS = checkers()
SETS = named(case_sets(Path("/nowhere")))
LANGUAGES = ("en-US", "zh-CN")
CASES = {one.language: {case.id: case for case in one.cases} for one in SETS}
EVERY = [(language, identity) for language in LANGUAGES for identity in CASES[language]]


def case_of(language: str, identity: str) -> CapabilityCase:
    return CASES[language][identity]


def graded(case: CapabilityCase, subject: Subject) -> tuple[CheckResult, ...]:
    reading = checks_of(case, CHECKERS, Names("r", "u"))
    assert reading.problems == ()
    return carry_out(reading.specs, subject, CHECKERS)


@pytest.mark.slow
def test_lint_finds_nothing() -> None:
    report = lint(parts(Path("/nowhere")), CHECKERS)
    assert [(one.case_id, one.rule, one.message) for one in report.findings] == []
    assert report.cases >= 70


def test_they_touch_everything() -> None:
    for one in SETS:
        found = coverage([one])
        assert found.uncovered_tools == ()
        assert found.uncovered_tags == ()
        assert found.uncovered_checkers == ()
        assert all(found.planned.values())
        assert all(share.cases >= 10 for share in found.dimensions.values())
    assert set(CASES["en-US"]) == set(CASES["zh-CN"])
    assert len(EVERY) >= 70


def test_every_case_says_how_long_it_may_take_and_what_it_weighs() -> None:
    for one in SETS:
        assert all(case.timeout_s and case.weight and case.tags is not None for case in one.cases)
        assert len({case.weight for case in one.cases}) > 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_right_options_are_spread_evenly(language: str) -> None:
    keys = Counter(case.expected for case in CASES[language].values() if case.checker == "choice")
    assert set(keys) == set("ABCD")
    assert max(keys.values()) - min(keys.values()) <= 1
    both = [(CASES["en-US"][i].expected, CASES["zh-CN"][i].expected) for i in CASES["en-US"]]
    assert any(one != other for one, other in both)


def test_what_no_agent_comes_with_is_skipped() -> None:
    store = MemoryStore(lambda _owner: True, SystemClock())
    chosen = choose(SETS, Selection("r", language="en"), CHECKERS, store.blobs)
    skipped = {one.case.id: set(one.case.tags) for one in chosen if one.missing}
    tags = set[str]().union(*skipped.values())
    assert {"mcp", "skill", "knowledge", "user", "shared"} <= tags
    assert "tool_ptc_1" in skipped
    everything = frozenset({"notes@*", "knowledge@*", "user@*", "shared@*", PTC})
    everything |= {"skill@unit-conventions"}
    having = Selection("r", language="en", configured=everything)
    assert not [one for one in choose(SETS, having, CHECKERS, store.blobs) if one.missing]


# What the computable keys must be, computed.


def primes(low: int, high: int) -> list[int]:
    return [n for n in range(low, high) if n > 1 and all(n % d for d in range(2, n))]


COMPUTED: dict[str, Callable[[], str]] = {
    "logic_arithmetic_1": lambda: str(17 * 23 - 48),
    "logic_arithmetic_2": lambda: str((96 - 24) // 8 + 5 * 7),
    "logic_count_1": lambda: str(sum(n % 3 == 0 or n % 5 == 0 for n in range(1, 101))),
    "logic_age_1": lambda: str(next(n for n in range(200) if n + 6 == 2 * (n - 4))),
    "logic_binary_1": lambda: f"{2024:b}",
    "logic_primes_1": lambda: ", ".join(map(str, primes(20, 41))),
    "logic_json_1": lambda: f'{{"sum": {12 + 34}, "product": {12 * 34}}}',
    "common_minutes_1": lambda: str(3 * 60),
    "common_leap_1": lambda: str(365 + calendar.isleap(2024)),
    "common_boil_1": lambda: "100",
    "common_hexagon_1": lambda: "6",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("identity", COMPUTED)
def test_what_is_computed_is_right(language: str, identity: str) -> None:
    case = case_of(language, identity)
    answer = COMPUTED[identity]()
    assert gate(graded(case, said(answer))).score == 1
    number = re.search(r"\d+", answer)
    assert number
    off = answer.replace(number[0], str(int(number[0]) + 1))
    assert gate(graded(case, said(off))).score == 0
    assert number[0] not in re.findall(r"\d+", case.prompt)


def said(answer: str) -> Subject:
    return Subject(record(answer), session(), {})


def sequence() -> str:
    return str([n * (n + 1) for n in range(1, 10)][8])


def order() -> Iterator[str]:
    names = ("Ana", "Ben", "Cem", "Dia", "Eli")
    for places in itertools.permutations(range(5)):
        at = dict(zip(names, places, strict=True))
        after = at["Ana"] == at["Cem"] + 1
        if at["Ben"] < at["Cem"] and after and at["Dia"] < at["Ben"] and at["Eli"] == 4:
            yield next(name for name in names if at[name] == 1)


def truth() -> Iterator[str]:
    for kai, lou in itertools.product((True, False), repeat=2):
        if kai == (not lou) and lou == (kai != lou):
            yield f"{kai} {lou}"


SECOND = {"Ana": "小安", "Ben": "小北", "Cem": "小晨", "Dia": "小迪"}


def key_text(language: str, identity: str) -> str:
    case = case_of(language, identity)
    assert isinstance(case.expected, str)
    return options_of(case.prompt).texts[case.expected]


def test_the_ninth_term() -> None:
    for language in LANGUAGES:
        assert key_text(language, "logic_sequence_1") == sequence()


def test_there_is_one_order_of_runners() -> None:
    (second,) = order()
    assert key_text("en-US", "logic_order_1") == second
    assert key_text("zh-CN", "logic_order_1") == SECOND[second]


def test_there_is_one_way_to_tell_the_truth() -> None:
    assert list(truth()) == ["False True"]
    assert key_text("en-US", "logic_truth_1") == "Kai is a liar, Lou tells the truth"
    assert key_text("zh-CN", "logic_truth_1") == "小凯是说谎者,小楼说真话"


Kind = frozenset[int]


def test_one_conclusion_holds_in_every_world() -> None:
    subsets = [frozenset(c) for n in range(4) for c in itertools.combinations(range(3), n)]
    conclusions: dict[str, Callable[[Kind, Kind, Kind], bool]] = {
        "No glim is a vask": lambda g, _t, v: not g & v,
        "Some glims are vasks": lambda g, _t, v: bool(g & v),
        "All trons are glims": lambda g, t, _v: t <= g,
        "Some vasks are trons": lambda _g, t, v: bool(t & v),
    }
    worlds = [w for w in itertools.product(subsets, repeat=3) if w[0] <= w[1] and not w[1] & w[2]]
    holding = [text for text, holds in conclusions.items() if all(holds(*w) for w in worlds)]
    assert holding == [key_text("en-US", "logic_syllogism_1")]
    assert set(options_of(case_of("en-US", "logic_syllogism_1").prompt).texts.values()) == {
        *conclusions
    }
    assert key_text("zh-CN", "logic_syllogism_1") == "没有一个格林是瓦斯克"


def test_the_weekday() -> None:
    day = (2 + 27 - 3) % 7  # Monday is 0, and the third day is a Wednesday
    assert key_text("en-US", "logic_weekday_1") == calendar.day_name[day]
    assert key_text("zh-CN", "logic_weekday_1") == f"星期{'一二三四五六日'[day]}"


def test_the_contraposition() -> None:
    worlds = [(on, False) for on in (True, False) if not on]  # the door is not locked
    assert {on for on, _ in worlds} == {False}
    assert key_text("en-US", "logic_conditional_1") == "The lamp is not on"
    assert key_text("zh-CN", "logic_conditional_1") == "灯没有亮"


FACTS = {
    "common_planet_1": ("Mercury", "水星"),
    "common_mammal_1": ("Dolphin", "海豚"),
    "common_organ_1": ("The heart", "心脏"),
    "common_ocean_1": ("The Pacific Ocean", "太平洋"),
    "common_plants_1": ("Carbon dioxide", "二氧化碳"),
    "common_float_1": ("It floats and melts", "冰浮在水面上并融化"),
}


@pytest.mark.parametrize("identity", FACTS)
def test_facts(identity: str) -> None:
    assert tuple(key_text(language, identity) for language in LANGUAGES) == FACTS[identity]


@pytest.mark.parametrize(("language", "identity"), EVERY)
def test_choices_have_four_options_and_one_key(language: str, identity: str) -> None:
    case = case_of(language, identity)
    if case.checker == "choice":
        texts = options_of(case.prompt).texts
        assert list(texts) == list("ABCD")
        assert len(set(texts.values())) == 4
        for letter in "ABCD":
            right = letter == case.expected
            assert graded(case, said(f"Answer: {letter}"))[0].passed is right


# What a good agent does passes.


def subject(case: CapabilityCase, work: Work) -> Subject:
    answer, calls, left = work
    skills = ("unit-conventions",) if "skill" in case.tags else ()
    moved = case.id == "complex_move_1"
    deleted = tuple(path for path in case.files or {} if moved and path.endswith(".log"))
    return Subject(
        record(answer, skills_used=skills, deleted=deleted),
        session(*calls),
        {path: text.encode() for path, text in left.items()},
        inputs={path: text.encode() for path, text in (case.files or {}).items()},
    )


WORKED = [
    (language, identity)
    for language, identity in EVERY
    if CASES[language][identity].dimension in ("tool", "complex")
    and not identity.startswith("tool_command")
]


@pytest.mark.parametrize(("language", "identity"), WORKED)
def test_good_work_passes_and_none_does_not(language: str, identity: str) -> None:
    case = case_of(language, identity)
    done = subject(case, good(case))
    assert [
        (one.type, one.evidence) for one in graded(case, done) if one.score < 1 and not one.skipped
    ] == []
    idle = gate(graded(case, subject(case, ("Done.", [], {})))).score
    assert idle is not None
    assert idle <= 0.5


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("identity", ["tool_command_1", "tool_command_2"])
def test_commands_print_what_is_expected(language: str, identity: str, tmp_path: Path) -> None:
    case = case_of(language, identity)
    for path, text in (case.files or {}).items():
        (tmp_path / path).write_text(text)
    found = re.search(r"`(.+?)`", case.prompt)
    assert found
    shell = shutil.which("sh")
    assert shell
    environment = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    printed = subprocess.check_output(
        [shell, "-c", found[1]], cwd=tmp_path, text=True, env=environment
    )
    work: Work = (printed.strip(), [call("Bash", command=found[1])], {})
    assert gate(graded(case, subject(case, work))).score == 1


def test_short_answers_in_words() -> None:
    answers = {
        "en-US": {"common_water_1": "hydrogen and oxygen", "common_opposite_1": "South"},
        "zh-CN": {"common_water_1": "氢和氧", "common_opposite_1": "南"},
    }
    for language, known in answers.items():
        for identity, answer in known.items():
            assert gate(graded(case_of(language, identity), said(answer))).score == 1


def test_prerequisites_name_the_tools_that_are_checked() -> None:
    for one in SETS:
        for case in one.cases:
            needed = {canonical(tool) for tool in case.prerequisites}
            for rule in rules(case):
                if rule["type"] == "tool_called" and rule["expected"] != "final_response":
                    assert canonical(str(rule["expected"])) in needed
