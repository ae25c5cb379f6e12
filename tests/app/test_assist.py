"""Who is asked, and whether a new purpose is an old one."""

import asyncio
from pathlib import Path

import pytest

from tests.app.assisting import assisting, says
from tests.app.opening import fill
from tests.app.recording import hand
from whet.app import config
from whet.core.errors import UnknownPart, UsageError


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    fill(tmp_path / "workspace")
    return tmp_path / "workspace"


def test_whoever_is_configured_is_asked_unless_somebody_is_named(workspace: Path) -> None:
    with assisting(workspace) as assistant:
        app = assistant.app
        assert assistant.how().simulated
        assert not assistant.is_paid(assistant.how())
        changes = {"default_engine": "hand", "default_model": "big", "temp_session_ttl_days": 3}
        config.change(app.settings, app.parts, {**changes}, app.clock.now())
        asked = assistant.how()
        assert (asked.engine, asked.model, asked.version) == ("hand", "big", "1")
        assert assistant.how(None, "small").model == "small"
        assert assistant.is_paid(asked)
        assert assistant.sessions().days == 3
        assert assistant.how("simulated").model == "simulated"
        with pytest.raises(UsageError, match="has no model big"):
            assistant.how("simulated", "big")
        with pytest.raises(UnknownPart):
            assistant.how("nobody")
        with pytest.raises(UsageError, match="takes no model by itself"):
            assistant.how("api")


def test_a_purpose_of_skills_or_baselines_is_suggested(workspace: Path) -> None:
    engine = hand(says(lambda _prompt: {"purpose": "code", "reason": "It is programming."}))
    with assisting(workspace, engine) as assistant:
        assert assistant.purposes() == ["code", "code_test"], "two skills and a baseline"
        rule = asyncio.run(assistant.suggest("Test-Code", assistant.how()))
        assert (rule.purpose, rule.by) == ("code_test", "rule")
        found = asyncio.run(assistant.suggest("编程", assistant.how("hand")))
        assert (found.purpose, found.by, found.simulated) == ("code", "model", False)
        none = asyncio.run(assistant.suggest("编程", assistant.how()))
        assert (none.purpose, none.simulated) == (None, True)
        with pytest.raises(UsageError, match="empty"):
            asyncio.run(assistant.suggest("  ", assistant.how()))
    assert len(engine.starts) == 1
