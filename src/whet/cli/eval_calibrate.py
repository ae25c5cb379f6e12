"""``whet eval calibrate``: how far judges agree with people."""

from whet.cli.eval_people_options import Calibrate
from whet.cli.options import one_line_errors, taking


@taking(Calibrate)
def calibrate(options: Calibrate) -> None:
    """Hold the judges against people's labels, and correct the pass rate by what comes of it."""
    with one_line_errors("stopped"):
        from whet.app.settings import read
        from whet.cli.eval_calibrate_run import run

        run(read(options.workspace), options)
