"""Trials neither see what lies around them nor one another."""

import asyncio
import json
from pathlib import Path

import pytest

from tests.engines.claude_trials import GREET, bash, call, claude, trial
from tests.engines.driving import Run, bench, nothing_runs, says, snapshot
from whet.testing.model_server import Conversation, Script, Turn

pytestmark = pytest.mark.slow

HOOK = {"hooks": [{"type": "command", "command": "touch hooked.txt"}]}
SETTINGS = {
    "hooks": {"SessionStart": [HOOK], "PreToolUse": [{"matcher": "*", **HOOK}]},
    "env": {"ANTHROPIC_CUSTOM_HEADERS": "x-stolen: yes"},
    "permissions": {"deny": ["Bash"]},
}
SERVERS = {"mcpServers": {"evil": {"command": "touch", "args": ["served.txt"]}}}


def around(words: str) -> dict[str, str]:
    """What the program reads of a folder when it is let to."""
    skill = f"---\nname: {words.lower()}\ndescription: {words}\n---\n{words}"
    return {
        "CLAUDE.md": words,
        "CLAUDE.local.md": words,
        "AGENTS.md": words,
        ".mcp.json": json.dumps(SERVERS),
        ".claude/settings.json": json.dumps(SETTINGS),
        ".claude/settings.local.json": json.dumps(SETTINGS),
        ".claude/rules/rule.md": words,
        ".claude/commands/order.md": words,
        f".claude/agents/{words.lower()}.md": skill,
        f".claude/skills/{words.lower()}/SKILL.md": skill,
    }


def test_neither_case_files_nor_folders_above_configure_the_agent(tmp_path: Path) -> None:
    script = says(Turn(calls=(bash("echo done > done.txt"),)), "Done.")
    with bench(tmp_path, script) as made:
        for folder in (tmp_path, made.scratch_root):
            for path, text in around("FROM-ABOVE").items():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_text(text)
        before = snapshot(tmp_path)
        run = made.drive(claude(made), trial(made, "Look.", files=around("FROM-THE-CASE")))
        assert snapshot(tmp_path) == before
    assert run.ended.failure is None
    assert "FROM-ABOVE" not in run.sent
    assert "FROM-THE-CASE" not in run.sent
    # No hook ran, no server was started, and nothing was forbidden or sent along.
    assert set(run.outputs) == {"done.txt"}
    assert not any("x-stolen" in request.headers for request in run.requests)


def test_six_trials_at_once_never_mix(tmp_path: Path) -> None:
    numbers = range(6)
    script = Script(
        conversations=tuple(
            Conversation(
                marker=f"TRIAL-{n}",
                turns=(
                    Turn(calls=(call("Skill", skill=f"skill-{n}"),)),
                    Turn(calls=(call("Write", file_path="out.txt", content=f"by {n}"),)),
                    Turn(text=f"Answer {n}."),
                ),
            )
            for n in numbers
        )
    )
    with bench(tmp_path, script) as made:
        engine = claude(made)
        specs = [
            trial(
                made,
                f"Do TRIAL-{n}.",
                model=f"model-{n}",
                skill=made.package(
                    {"SKILL.md": GREET.replace("greet", f"skill-{n}") + f"WORDS-{n}"}
                ),
            )
            for n in numbers
        ]

        async def together() -> list[Run]:
            return await asyncio.gather(*(made.driven(engine, spec) for spec in specs))

        runs = asyncio.run(together())
        bodies = [
            "".join(str(request.body) for request in made.server.requests_for(f"TRIAL-{n}"))
            for n in numbers
        ]
        assert nothing_runs(made.scratch_root)
    for n, run in enumerate(runs):
        assert (run.ended.failure, run.ended.answer) == (None, f"Answer {n}.")
        assert run.skills == [f"skill-{n}"]
        assert run.outputs == {"out.txt": f"by {n}".encode()}
        assert run.ended.usage.input_tokens == 300
        assert f"WORDS-{n}" in bodies[n]
        others = [other for other in numbers if other != n]
        for other in others:
            assert f"model-{other}" not in bodies[n]
            assert f"skill-{other}" not in bodies[n]
            assert f"WORDS-{other}" not in bodies[n]
