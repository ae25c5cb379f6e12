"""``whet eval init``: a first suite for a skill."""

from whet.cli.eval_people_options import Init
from whet.cli.options import one_line_errors, taking


@taking(Init)
def init(options: Init) -> None:
    """Write a draft of evals/evals.json and evals/triggers.json for a skill."""
    with one_line_errors("stopped; nothing was written"):
        from whet.app.settings import read
        from whet.cli.eval_init_run import run

        run(read(options.workspace), options)
