"""Groups of commands that are imported only when one of them is called."""

from importlib import import_module
from typing import Any, ClassVar

from typer.core import TyperCommand, TyperGroup
from typer.main import get_command_from_info
from typer.models import CommandInfo

from whet.cli.command_table import COMMANDS, Command, Group


class CommandGroup(TyperGroup):
    """One group of the table, the program itself where *path* is empty.

    Its ``commands`` carry a name and a help line; ``get_command`` imports the function behind.
    """

    def __init__(self, *, path: str = "", group: Group | None = None, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.path = path
        self.default = group.default if group else None
        self.has_silent_default = bool(group and group.has_silent_default)
        self.commands = {name: _placeholder(path, name) for name in _names(path)}

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """Import the command, unless it is a group."""
        found = self.commands.get(cmd_name)
        return found.load() if isinstance(found, _Placeholder) else found

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002
        """Write the help lines of the table, without an import."""
        shown = [(name, one.help) for name, one in self.commands.items() if not one.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(shown)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the default command in front of what names none: ``whet eval PATH``."""
        if self.default and not args and self.has_silent_default:
            args = [self.default]
        if self.default and args and args[0] not in (*self.commands, "--help"):
            args = [self.default, *args]
        return super().parse_args(ctx, args)


class _Placeholder(TyperCommand):
    """The name and the help line of a command that is not imported yet."""

    entry: ClassVar[Command]

    def load(self) -> Any:
        """Import the function, and make the command of it."""
        from whet.cli.command import command_function

        module, _, name = self.entry.function.partition(":")
        function = getattr(import_module(f"whet.cli.{module}"), name)
        info = CommandInfo(
            name=self.name,
            callback=command_function(function, self.entry.fixed),
            help=self.entry.help,
            hidden=self.hidden,
        )
        return get_command_from_info(info, pretty_exceptions_short=True, rich_markup_mode=None)


def _names(path: str) -> list[str]:
    start = f"{path} " if path else ""
    rest = (one.removeprefix(start) for one in COMMANDS if one.startswith(start))
    return [one for one in rest if " " not in one]


def _placeholder(path: str, name: str) -> Any:
    whole = f"{path} {name}".strip()
    entry = COMMANDS[whole]
    if isinstance(entry, Group):
        return CommandGroup(
            path=whole,
            group=entry,
            name=name,
            help=entry.help,
            no_args_is_help=entry.default is None,
            rich_markup_mode=None,
        )
    made = _Placeholder(name=name, help=entry.help, hidden=entry.is_hidden, rich_markup_mode=None)
    made.entry = entry  # pyright: ignore[reportAttributeAccessIssue]
    return made
