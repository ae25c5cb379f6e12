"""``whet eval review``: people look at runs."""

from whet.cli.eval_people_options import Review
from whet.cli.options import one_line_errors, taking


@taking(Review)
def review(options: Review) -> None:
    """Look at runs, blind, and say of each whether it passes; whatever you say is kept at once."""
    with one_line_errors("stopped; what you said so far is kept"):
        from whet.app.settings import read
        from whet.cli.eval_review_run import run

        run(read(options.workspace), options)
