"""Where the web interface lies once it is built; see docs/web.md."""

from pathlib import Path

from whet.core.errors import EnvironmentProblem

STATIC = Path(__file__).parents[1] / "static"


def report_template() -> str:
    """The page that shows a report, without one in it; raises ``EnvironmentProblem``."""
    try:
        return (STATIC / "report/report.html").read_bytes().decode()
    except OSError:
        raise EnvironmentProblem(
            "the page for reports is not built: run make .venv/installed in a checkout, or install"
            " whet again without HATCH_BUILD_NO_HOOKS"
        ) from None
