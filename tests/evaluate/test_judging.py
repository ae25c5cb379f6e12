"""Who judges whom."""

import pytest

from whet.evaluate.judging import Executor, JudgeChoice, JudgeWish, choose_judge

SIMULATED: Executor = ("simulated", "simulated")
SONNET: Executor = ("claude", "claude-sonnet-4-5")
OPUS: Executor = ("claude", "claude-opus-4-5")
GPT: Executor = ("codex", "gpt-5.5")
EVERY = ("claude", "codex", "gemini", "opencode")


def chosen(
    *executors: Executor,
    asked: str | None = None,
    suite: str | None = None,
    usable: tuple[str, ...] = EVERY,
) -> JudgeChoice:
    return choose_judge(executors, JudgeWish(asked, suite), usable)


def who(choice: JudgeChoice) -> str:
    return f"{choice.engine}:{choice.model}" if choice.judge == "model" else choice.judge


def test_simulated_work_is_judged_by_the_simulated_judge() -> None:
    assert chosen(SIMULATED) == JudgeChoice("simulated", "", "")
    assert chosen(SIMULATED, SIMULATED, usable=()) == JudgeChoice("simulated", "", "")


def test_a_suites_judge_is_not_paid_for_simulated_work() -> None:
    found = chosen(SIMULATED, suite="claude-sonnet-4-5")
    assert found.judge == "simulated"
    assert found.warnings == (
        "the suite's judge claude-sonnet-4-5 is not asked: nothing real is to be judged",
    )


def test_whoever_asks_for_a_judge_gets_it_even_for_simulated_work() -> None:
    found = chosen(SIMULATED, asked="claude:opus", suite="gpt-5.5")
    assert found == JudgeChoice("model", "claude", "opus")


@pytest.mark.parametrize(
    ("executors", "usable", "expected"),
    [
        ([SONNET], EVERY, "codex:default"),
        ([GPT], EVERY, "claude:default"),
        ([("gemini", "default")], EVERY, "claude:default"),
        ([SONNET, GPT], EVERY, "gemini:default"),
        ([SONNET, SIMULATED], EVERY, "codex:default"),
        ([SONNET], ("opencode", "claude"), "opencode:default"),
        ([SONNET], ("claude",), "claude:opus"),
        ([OPUS], ("claude",), "claude:sonnet"),
        ([GPT, SONNET], ("claude", "codex"), "claude:opus"),
        ([("command", "x")], ("codex",), "codex:default"),
    ],
)
def test_without_a_wish_the_judge_is_another(
    executors: list[Executor], usable: tuple[str, ...], expected: str
) -> None:
    found = chosen(*executors, usable=usable)
    assert who(found) == expected
    assert found.warnings == ()


@pytest.mark.parametrize(
    ("executors", "usable", "expected"),
    [
        ([GPT], ("codex",), "codex:gpt-5.5"),
        ([GPT], (), "codex:gpt-5.5"),
        ([SONNET, OPUS], ("claude",), "claude:claude-sonnet-4-5"),
        ([("api", "openai:gpt-5")], (), "api:openai:gpt-5"),
    ],
)
def test_who_has_to_judge_its_own_work_is_called_so(
    executors: list[Executor], usable: tuple[str, ...], expected: str
) -> None:
    found = chosen(*executors, usable=usable)
    assert who(found) == expected
    assert found.warnings == (f"the judge is the model that did the work: {expected}",)


def test_a_default_model_may_be_the_same() -> None:
    found = chosen(("claude", "default"), usable=("claude",))
    assert who(found) == "claude:opus"
    assert found.warnings == ("the judge may be the model that did the work: claude:opus",)


@pytest.mark.parametrize("engine", ["command", "replay"])
def test_what_cannot_be_asked_does_not_judge(engine: str) -> None:
    found = chosen((engine, "default"), usable=())
    assert found.judge == "simulated"
    assert len(found.warnings) == 1


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("claude-opus-4-5", "claude:claude-opus-4-5"),
        ("opus", "claude:opus"),
        ("sonnet", "claude:sonnet"),
        ("haiku", "claude:haiku"),
        ("gpt-5.5", "codex:gpt-5.5"),
        ("o3", "codex:o3"),
        ("codex-mini", "codex:codex-mini"),
        ("gemini-2.5-pro", "gemini:gemini-2.5-pro"),
        ("deepseek/deepseek-chat", "opencode:deepseek/deepseek-chat"),
        ("a-model-of-our-own", "gemini:a-model-of-our-own"),
        ("ollama", "gemini:ollama"),
        ("codex:gpt-5.5", "codex:gpt-5.5"),
        ("opencode:ollama/llama3:8b", "opencode:ollama/llama3:8b"),
        ("claude", "claude:default"),
        ("claude:", "claude:default"),
        (" opus ", "claude:opus"),
    ],
)
def test_a_model_tells_its_engine(name: str, expected: str) -> None:
    work = ("gemini", "gemini-2.5-flash")
    for found in (chosen(work, asked=name), chosen(work, suite=name)):
        assert who(found) == expected
        assert found.warnings == ()


def test_a_model_nobody_knows_is_asked_of_whoever_can_be() -> None:
    assert who(chosen(SIMULATED, asked="ours", usable=("codex",))) == "codex:ours"


@pytest.mark.parametrize("name", ["claude:claude-sonnet-4-5", "claude-sonnet-4-5", "sonnet"])
def test_a_wish_for_the_same_model_is_fulfilled_with_a_warning(name: str) -> None:
    found = chosen(SONNET, asked=name)
    assert found.engine == "claude"
    assert len(found.warnings) == 1
    assert found.warnings[0].startswith("the judge is the model that did the work")
    assert chosen(OPUS, asked=name).warnings == ()


def test_a_wish_counts_before_the_suite() -> None:
    assert who(chosen(SONNET, asked="gpt-5.5", suite="gemini-2.5-pro")) == "codex:gpt-5.5"
    assert who(chosen(SONNET, suite="gemini-2.5-pro")) == "gemini:gemini-2.5-pro"


def test_the_simulated_judge_can_be_wished_for_and_says_what_it_is() -> None:
    assert chosen(SIMULATED, asked="simulated") == JudgeChoice("simulated", "", "")
    found = chosen(SONNET, asked="simulated")
    assert found.judge == "simulated"
    assert "by rules" in found.warnings[0]


def test_a_suites_judge_that_is_not_here_is_replaced_and_a_wish_is_not() -> None:
    found = chosen(GPT, suite="gemini-2.5-pro", usable=("codex", "claude"))
    assert who(found) == "claude:default"
    assert found.warnings == (
        "the suite's judge gemini-2.5-pro cannot be asked here: gemini is not usable",
    )
    found = chosen(GPT, asked="gemini-2.5-pro", usable=("codex", "claude"))
    assert who(found) == "gemini:gemini-2.5-pro"
    assert "may not be usable" in found.warnings[0]
