"""Text that stands on the page in both languages, of which a switch shows one."""

from whet.exporters.html.tags import Html, tag
from whet.exporters.sessions.words import BY_LANGUAGE


class Bilingual:
    """Makes elements that say the same in both languages."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words = BY_LANGUAGE[language]

    def both(self, key: str, **gaps: object) -> dict[str, str]:
        """What a key says, by language."""
        return {code: words[key].format(**gaps) for code, words in BY_LANGUAGE.items()}

    def text(self, key: str, name: str = "span", cls: str | None = None, **gaps: object) -> Html:
        """An element that says it."""
        return self.told(self.both(key, **gaps), name, cls)

    def told(self, texts: dict[str, str], name: str = "span", cls: str | None = None) -> Html:
        """An element with a text that is there in both languages already."""
        shown = texts[self.language]
        if len(set(texts.values())) == 1:
            return tag(name, shown, cls=cls)
        return tag(name, shown, cls=cls, data_en=texts["en"], data_zh=texts["zh"])

    def label(self, key: str, **gaps: object) -> dict[str, str]:
        """Attributes that say it to whoever does not see it."""
        both = self.both(key, **gaps)
        return {
            "aria_label": both[self.language],
            "data_label_en": both["en"],
            "data_label_zh": both["zh"],
        }
