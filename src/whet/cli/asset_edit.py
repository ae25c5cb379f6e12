"""``whet skill edit`` and the like: each change of an asset is its next version."""

from collections.abc import Callable
from typing import Literal

from whet.cli.asset_edit_options import Adopt, BaselineEdit, Rollback, SkillEdit, Status
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind

STOPPED = "stopped; nothing was changed"


def edit(kind: Kind) -> Callable[..., None]:
    """The command ``edit`` for a kind."""

    @taking(SkillEdit if kind == "skill" else BaselineEdit)
    def edit(options: SkillEdit | BaselineEdit) -> None:
        """Make the next version; without options, in your editor."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_edit_run import edit_baseline, edit_skill

            settings = read(options.workspace)
            if isinstance(options, SkillEdit):
                edit_skill(settings, options)
            else:
                edit_baseline(settings, options)

    return edit


def rollback(kind: Kind) -> Callable[..., None]:
    """The command ``rollback`` for a kind."""

    @taking(Rollback)
    def rollback(options: Rollback) -> None:
        """Make what an older version said the next version; tags and status stay."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_edit_run import rollback

            rollback(read(options.workspace), kind, options)

    return rollback


def adopt(kind: Kind) -> Callable[..., None]:
    """The command ``adopt`` for a kind."""

    @taking(Adopt)
    def adopt(options: Adopt) -> None:
        """Make what somebody wrote into its folder by hand the next version."""
        with one_line_errors(STOPPED):
            from whet.app.settings import read
            from whet.cli.asset_edit_run import adopt

            adopt(read(options.workspace), kind, options)

    return adopt


def archive(kind: Kind) -> Callable[..., None]:
    """The command ``archive`` for a kind."""

    @taking(Status)
    def archive(options: Status) -> None:
        """Put them out of the way; nothing is deleted."""
        _set_status(kind, options, "archived")

    return archive


def restore(kind: Kind) -> Callable[..., None]:
    """The command ``restore`` for a kind."""

    @taking(Status)
    def restore(options: Status) -> None:
        """Take archived ones back."""
        _set_status(kind, options, "active")

    return restore


def _set_status(kind: Kind, options: Status, status: Literal["active", "archived"]) -> None:
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.asset_edit_run import set_status

        set_status(read(options.workspace), kind, options, status)
