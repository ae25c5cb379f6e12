"""A report as one page of HTML that needs nothing else: no network, and no script but its own."""

import json

from whet.core.errors import EnvironmentProblem, UsageError
from whet.core.text import storable
from whet.ports.exporter import EvalReport

PLACE = '<script type="application/json" id="report">null</script>'
"""Where the page that was built expects what it is to show."""


class HtmlExporter:
    """``ports.exporter.Exporter``: puts the data of a report into the page that shows it."""

    name = "html"
    suffix = ".html"

    def export(self, report: EvalReport, language: str) -> str:
        """See the port."""
        if report.page is None:
            raise UsageError("a page needs the details of every run: ask for a detailed report")
        template = report.page.template
        if template.count(PLACE) != 1:
            raise EnvironmentProblem(
                "the page for reports has no place for one; build it again: make .venv/installed"
            )
        view = report.page.view.model_copy(update={"language": language})
        shown = view.model_dump(mode="json")
        data = json.dumps(shown, ensure_ascii=False, separators=(",", ":"))
        if storable(data) != data:  # half a character can be told, but not written as it is
            data = json.dumps(shown, separators=(",", ":"))
        # Whatever stands in it, it cannot end the element that it stands in.
        return template.replace(PLACE, PLACE.replace("null", data.replace("<", "\\u003c")))
