"""A group of commands with one that need not be named."""

from typing import Any

from typer.core import TyperGroup


class DefaultCommand(TyperGroup):
    """``whet eval PATH`` is ``whet eval run PATH``; a folder named like a command is ``./init``."""

    default = "run"

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command in front of what names none."""
        if args and args[0] not in self.commands and args[0] != "--help":
            args = [self.default, *args]
        return super().parse_args(ctx, args)
