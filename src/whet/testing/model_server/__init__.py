"""A scripted model on this machine, in the four protocols that agents speak.

::

    script = Script(conversations=(Conversation(marker="greet", turns=(Turn(text="Hello."),)),))
    with ModelServer(script) as server:
        ...  # run an agent whose base URL is server.url, with "greet" in its prompt
        assert server.requests_for("greet")
"""

from whet.testing.model_server.agents import AgentSettings, agent_settings
from whet.testing.model_server.call import NativeCall, ToolCall
from whet.testing.model_server.log import Limits, LoggedRequest
from whet.testing.model_server.script import Answer, Conversation, Problem, Script, Tokens, Turn
from whet.testing.model_server.server import ModelServer

__all__ = [
    "AgentSettings",
    "Answer",
    "Conversation",
    "Limits",
    "LoggedRequest",
    "ModelServer",
    "NativeCall",
    "Problem",
    "Script",
    "Tokens",
    "ToolCall",
    "Turn",
    "agent_settings",
]
