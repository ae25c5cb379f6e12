"""``whet skill versions`` and ``whet skill diff``: look back."""

from collections.abc import Callable

from whet.cli.asset_versions_options import Diff, Versions
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind


def versions(kind: Kind) -> Callable[..., None]:
    """The command ``versions`` for a kind."""

    @taking(Versions)
    def versions(options: Versions) -> None:
        """List its versions, the newest first, and what each of them changed."""
        with one_line_errors("stopped"):
            from whet.app.settings import read
            from whet.cli.asset_versions_run import versions

            versions(read(options.workspace), kind, options)

    return versions


def diff(kind: Kind) -> Callable[..., None]:
    """The command ``diff`` for a kind."""

    @taking(Diff)
    def diff(options: Diff) -> None:
        """Compare any two of its versions."""
        with one_line_errors("stopped"):
            from whet.app.settings import read
            from whet.cli.asset_versions_run import diff

            diff(read(options.workspace), kind, options)

    return diff
