"""The colours that the session log format gives to what it shows.

The format names those of context types in words (gold, blue, green, orange, purple, grey, cyan);
the rest is what its first viewer used.
"""

from collections.abc import Mapping
from types import MappingProxyType

PHASES: Mapping[str, str] = MappingProxyType(
    {
        "understand": "#8b5cf6",
        "explore": "#3b82f6",
        "plan": "#22c55e",
        "execute": "#f97316",
        "verify": "#ec4899",
        "mixed": "#6b7280",
        "unclassified": "#4b5563",
    }
)
CATEGORIES: Mapping[str, str] = MappingProxyType(
    {
        "perception": "#3b82f6",
        "action": "#f97316",
        "interaction": "#a855f7",
        "planning": "#22c55e",
        "task_management": "#6b7280",
    }
)
CONTEXTS: Mapping[str, str] = MappingProxyType(
    {
        "claude_md": "#eab308",
        "rule": "#3b82f6",
        "standard": "#22c55e",
        "skill": "#f97316",
        "spec": "#a855f7",
        "file": "#8b949e",
        "user_message": "#58a6ff",
        "tool_result": "#6b7280",
        "capability": "#06b6d4",
    }
)
STATUSES: Mapping[str, str] = MappingProxyType(
    {
        "pending": "#6b7280",
        "running": "#3b82f6",
        "success": "#22c55e",
        "failed": "#ef4444",
        "skipped": "#9ca3af",
    }
)
USAGE_MODES: Mapping[str, str] = MappingProxyType(
    {"read": "#0369a1", "modified": "#92400e", "read_then_modified": "#166534"}
)
USAGE_GROUNDS: Mapping[str, str] = MappingProxyType(
    {"read": "#e0f2fe", "modified": "#fef3c7", "read_then_modified": "#dcfce7"}
)


def palette() -> dict[str, dict[str, str]]:
    """All of them, by what they are for."""
    return {
        "phases": dict(PHASES),
        "categories": dict(CATEGORIES),
        "contexts": dict(CONTEXTS),
        "statuses": dict(STATUSES),
        "usage_modes": dict(USAGE_MODES),
        "usage_grounds": dict(USAGE_GROUNDS),
    }
