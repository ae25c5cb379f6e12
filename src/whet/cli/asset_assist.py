"""``whet skill tag auto`` and the like: a model proposes, and you decide."""

from collections.abc import Callable

from whet.cli.asset_assist_options import Auto, Generate, SuggestPurpose
from whet.cli.options import one_line_errors, taking
from whet.ports.listing import Kind


def auto(kind: Kind) -> Callable[..., None]:
    """The command ``tag auto`` for a kind."""

    @taking(Auto)
    def auto(options: Auto) -> None:
        """Let a model propose tags, which wait for your review; exit code 1 if it failed for
        some."""
        with one_line_errors("stopped; what was proposed so far waits for your review"):
            from whet.app.settings import read
            from whet.cli.asset_assist_run import auto

            auto(read(options.workspace), kind, options)

    return auto


def suggest_purpose(kind: Kind) -> Callable[..., None]:
    """The command ``suggest-purpose`` for a kind."""

    @taking(SuggestPurpose)
    def suggest_purpose(options: SuggestPurpose) -> None:
        """Say whether a purpose is there already under another name."""
        with one_line_errors("stopped"):
            from whet.app.settings import read
            from whet.cli.asset_assist_run import suggest_purpose

            suggest_purpose(read(options.workspace), kind, options)

    return suggest_purpose


@taking(Generate)
def generate(options: Generate) -> None:
    """Let a model write cases for a new baseline; you say which of them are kept."""
    with one_line_errors("stopped; a draft that was complete is in cli/drafts of the workspace"):
        from whet.app.settings import read
        from whet.cli.asset_assist_cases import generate

        generate(read(options.workspace), options)
