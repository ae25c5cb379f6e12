"""Skills: what the model sees of them, and whether they were taken up."""

from pathlib import Path

import pytest

from tests.engines.codex_trials import (
    GREET,
    READ_GREET,
    codex,
    greeting,
    several,
    shell,
    trial,
)
from tests.engines.driving import Run, bench
from whet.readers.codex_items import skills_read
from whet.testing.model_server import Conversation, Script, Turn

slow = pytest.mark.slow
BUILT_IN = 'cat "$CODEX_HOME/skills/.system/skill-creator/SKILL.md" | head -3'
FROM_ITS_FOLDER = 'cd "$CODEX_HOME/skills/greet" && head -2 SKILL.md'
DONE = Turn(text="Done.")
SCRIPT = Script(
    conversations=(
        Conversation(marker="T-READS", turns=(Turn(calls=(shell(READ_GREET),)), DONE)),
        Conversation(marker="T-GOES", turns=(Turn(calls=(shell(FROM_ITS_FOLDER),)), DONE)),
        Conversation(marker="T-LEAVES", turns=(Turn(calls=(shell("echo SKILL.md"),)), DONE)),
        Conversation(marker="T-OTHER", turns=(Turn(calls=(shell(BUILT_IN),)), DONE)),
        Conversation(marker="T-NAMES", turns=(DONE,)),
        Conversation(marker="T-MISSES", turns=(Turn(calls=(shell(READ_GREET),)), DONE)),
        Conversation(marker="T-TEXT", turns=(DONE,)),
    ),
)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Run]:
    with bench(tmp_path_factory.mktemp("skills"), SCRIPT) as made:
        skill = greeting(made)
        text = made.package({"content.txt": "Always speak as they do in Zanzibar."})
        specs = {
            "T-READS": trial(made, "T-READS it.", skill=skill),
            "T-GOES": trial(made, "T-GOES there.", skill=skill),
            "T-LEAVES": trial(made, "T-LEAVES it.", skill=skill),
            "T-OTHER": trial(made, "T-OTHER one.", skill=skill),
            "T-NAMES": trial(made, "T-NAMES it: $greet Ada.", skill=skill),
            "T-MISSES": trial(made, "T-MISSES it: $greet Ada."),
            "T-TEXT": trial(made, "T-TEXT, please.", skill=text),
        }
        runs: dict[str, Run] = {}
        for marker, run in zip(specs, several(made, list(specs.values())), strict=True):
            assert isinstance(run, Run)
            assert run.ended.answer == "Done."
            # Runs are side by side: each has its own requests.
            own = made.server.requests_for(marker)
            runs[marker] = Run(run.steps, run.outputs, own, run.workdir, run.files)
        return runs


@slow
def test_the_model_is_told_of_the_skill(runs: dict[str, Run]) -> None:
    assert "in the manner of Zanzibar" in runs["T-LEAVES"].sent
    assert "Zanzibar" not in runs["T-MISSES"].sent
    assert "home/.codex/skills/greet/SKILL.md" in runs["T-LEAVES"].files
    assert runs["T-LEAVES"].outputs == {}


@slow
@pytest.mark.parametrize(
    ("marker", "skills"),
    [
        ("T-READS", ["greet"]),
        ("T-GOES", ["greet"]),
        ("T-LEAVES", []),
        ("T-OTHER", ["skill-creator"]),
        ("T-NAMES", ["greet"]),
        ("T-MISSES", []),
        ("T-TEXT", []),
    ],
)
def test_a_skill_counts_when_it_is_loaded(
    runs: dict[str, Run], marker: str, skills: list[str]
) -> None:
    assert runs[marker].skills == skills


@slow
def test_a_prompt_that_names_the_skill_brings_it_along(runs: dict[str, Run]) -> None:
    assert "Say hello in the manner of Zanzibar." in runs["T-NAMES"].sent
    assert "Say hello in the manner of Zanzibar." not in runs["T-LEAVES"].sent


@slow
def test_a_text_is_a_standing_instruction(runs: dict[str, Run]) -> None:
    assert "Always speak as they do in Zanzibar." in runs["T-TEXT"].sent
    assert "home/.codex/AGENTS.md" in runs["T-TEXT"].files


@slow
def test_folders_above_bring_nothing_along(tmp_path: Path) -> None:
    leak = GREET.replace("Zanzibar", "T-LEAK")
    inner = tmp_path / "inner"
    for folder in (tmp_path, inner):
        (folder / ".git").mkdir(parents=True)
        (folder / "AGENTS.md").write_text("T-LEAK")
        for place in (".agents/skills/leak", ".codex/skills/leak"):
            (folder / place).mkdir(parents=True)
            (folder / place / "SKILL.md").write_text(leak)
        (folder / ".codex/config.toml").write_text('developer_instructions = "T-LEAK"\n')
    with bench(inner, SCRIPT) as made:
        (made.scratch_root / "AGENTS.md").write_text("T-LEAK")
        run = made.drive(codex(made), trial(made, "T-NAMES nothing."))
    assert run.ended.answer == "Done."
    assert "T-LEAK" not in run.sent


@pytest.mark.parametrize(
    ("command", "skills"),
    [
        ("sed -n 1,80p /r/home/.codex/skills/greet/SKILL.md", ["greet"]),
        ("cat ${CODEX_HOME}/skills/a-b/SKILL.md ~/.codex/skills/c.d/SKILL.md", ["a-b", "c.d"]),
        ("cat .agents/skills/local/SKILL.md", ["local"]),
        ("cat > ~/.codex/skills/new/SKILL.md <<E", []),
        ("cat skills/of-the-case/SKILL.md", []),
        ("find ~/.codex/skills -name SKILL.md", []),
        ("cat ~/.codex/skills/greet/references/more.md", []),
    ],
)
def test_which_commands_take_up_a_skill(command: str, skills: list[str]) -> None:
    assert skills_read(command) == skills
