"""A report as one page of HTML that needs nothing else: no network, no script."""

from whet.exporters.html.page import page
from whet.exporters.words import BY_LANGUAGE
from whet.ports.exporter import EvalReport


class HtmlExporter:
    """``ports.exporter.Exporter``."""

    name = "html"
    suffix = ".html"

    def export(self, report: EvalReport, language: str) -> str:
        """See the port."""
        return page(report, BY_LANGUAGE[language])
