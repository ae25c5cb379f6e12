"""``whet eval``: does the skill help, how sure are we, what does it cost."""

import typer

from whet.cli.default_command import DefaultCommand
from whet.cli.eval_calibrate import calibrate
from whet.cli.eval_feedback import feedback
from whet.cli.eval_init import init
from whet.cli.eval_options import Race, Regrade, Run
from whet.cli.eval_review import review
from whet.cli.options import one_line_errors, taking

app = typer.Typer(
    name="eval",
    cls=DefaultCommand,
    help="Measure whether a skill helps: whet eval SKILL_DIR runs its evals/evals.json.",
)

STOPPED = "stopped; run the same command again to go on where it ended"
STOPPED_FRESH = "stopped; run it again without --fresh to go on where it ended"


@app.command("run")
@taking(Run)
def run(options: Run) -> None:
    """Run the evals of a skill with it and without it, and say whether it helps."""
    with one_line_errors(STOPPED_FRESH if options.fresh else STOPPED):
        from whet.app.settings import read
        from whet.cli.eval_run import carry_out

        carry_out(read(options.workspace), options)


@app.command("regrade")
@taking(Regrade)
def regrade(options: Regrade) -> None:
    """Grade the latest runs anew, with the suite as it is now; no agent is started."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.eval_run import grade_anew

        grade_anew(read(options.workspace), options)


@app.command("race")
@taking(Race)
def race(options: Race) -> None:
    """Find the best of several skills, and measure the winner on evals that were held out."""
    with one_line_errors(STOPPED):
        from whet.app.settings import read
        from whet.cli.eval_race import run_race

        run_race(read(options.workspace), options)


app.command("init")(init)
app.command("review")(review)
app.command("calibrate")(calibrate)
app.command("feedback")(feedback)
