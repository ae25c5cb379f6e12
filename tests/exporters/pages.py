"""Pages of HTML as a strict reader sees them."""

import re
from html.parser import HTMLParser

VOID = {"meta"}


class Page(HTMLParser):
    """Reads a page and complains where a browser would have to guess."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())


def assert_harmless(page: Page, text: str) -> None:
    """It runs nothing and fetches nothing."""
    names = {tag for tag, _ in page.tags}
    assert names.isdisjoint({"script", "img", "iframe", "link", "object", "base", "form", "input"})
    for _, attributes in page.tags:
        assert not [key for key in attributes if key.startswith("on")]
        assert "src" not in attributes
        assert (attributes.get("href") or "#").startswith("#")
        assert re.fullmatch(r"width:[\d.]+%", attributes.get("style") or "width:0%")
    policy = [
        attributes["content"]
        for _, attributes in page.tags
        if attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; img-src data:"]
    style = text.partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


def assert_links_lead_somewhere(page: Page) -> None:
    """Every link leads to one place of the page."""
    places = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(places) == len(set(places))
    targets = {(attributes.get("href") or "")[1:] for tag, attributes in page.tags if tag == "a"}
    assert targets <= set(places)
