"""``whet eval feedback``: what the runs say of the suite, and edits to accept."""

from whet.cli.eval_people_options import Feedback
from whet.cli.options import one_line_errors, taking


@taking(Feedback)
def feedback(options: Feedback) -> None:
    """Show what judges say of the suite, and the edits that follow; accept those you like."""
    with one_line_errors("stopped; what you accepted so far is written"):
        from whet.app.settings import read
        from whet.cli.eval_feedback_run import run

        run(read(options.workspace), options)
