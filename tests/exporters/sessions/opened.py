"""A page of a session as somebody opens it: its data unpacked, its script and policy taken out."""

import json
import re
import zlib
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from typing import cast

from pydantic import JsonValue

VOID = {"meta", "input"}


class Opened(HTMLParser):
    """Reads a page, and complains where a browser would have to guess."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.style = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script":
            self.scripts.append((dict(attrs), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert "svg" in self.open
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        match self.open[-1:]:
            case ["style"]:
                self.style += data
            case ["script"]:
                attributes, before = self.scripts[-1]
                self.scripts[-1] = attributes, before + data
            case _:
                self.text.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    @property
    def words(self) -> str:
        return " ".join(" ".join(self.text).split())

    @property
    def code(self) -> str:
        (found,) = [text for attributes, text in self.scripts if "type" not in attributes]
        return found

    @property
    def policy(self) -> str:
        (found,) = [
            attributes["content"]
            for _, attributes in self.tags
            if attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        return found or ""

    def data(self, name: str) -> JsonValue:
        (found,) = [both for both in self.scripts if both[0].get("id") == name]
        attributes, text = found
        if attributes["type"] == "application/zlib":
            text = zlib.decompress(b64decode(text)).decode()
        return cast("JsonValue", json.loads(text))

    @property
    def details(self) -> list[dict[str, JsonValue]]:
        """The texts of all calls in order."""
        found: list[dict[str, JsonValue]] = []
        names = [str(attributes.get("id")) for attributes, _ in self.scripts]
        for name in names:
            if name.startswith("block-"):
                found += cast("list[dict[str, JsonValue]]", self.data(name))
        return found

    @property
    def everything(self) -> str:
        """All that anybody can get out of the file, as one text."""
        attributes = json.dumps([given for _, given in self.tags], ensure_ascii=False)
        data = [self.data("index"), self.data("said"), *self.details]
        return self.words + attributes + json.dumps(data, ensure_ascii=False)


def hashed(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def assert_harmless(page: Opened) -> None:
    """One script runs, which the policy knows by its content; nothing is fetched."""
    assert page.policy == (
        "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; "
        f"script-src {hashed(page.code)}; style-src {hashed(page.style)}; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    names = {tag for tag, _ in page.tags}
    assert names.isdisjoint({"img", "iframe", "link", "object", "base", "form", "a", "embed"})
    for _, attributes in page.tags:
        assert not [key for key in attributes if key.startswith("on")]
        assert attributes.keys().isdisjoint({"src", "href", "style", "srcdoc", "action"})
    kinds = {attributes.get("type") for attributes, _ in page.scripts}
    assert kinds <= {None, "application/json", "application/zlib"}
    assert not re.search(r"url\(|@import|expression\(", page.style)
