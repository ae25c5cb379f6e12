"""What is private in many texts, replaced by marks that say nothing: for what leaves the house.

First all texts are learnt from, then each is cleaned. So a secret that is named once is found
wherever it stands, and has the same mark everywhere: a reader sees that two calls used one key, and
not which.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from urllib.parse import quote

from whet.core.private_paths import PrivatePaths
from whet.core.redaction import MARK, Redactor
from whet.core.secret_search import LONG, is_random, secrets_in
from whet.core.sieve import Sieve

SHORTEST = 8
"""A shorter value, or a mere word, is replaced only where it stands as one."""

MOST = 1_000
"""Secrets that are looked for everywhere. Nobody has so many: who writes more wants to keep us
busy, and has the rest replaced only where they show themselves."""

_LEAST = 7
"""Bytes that a sieve needs."""

_AT_ONCE = 250_000
"""Characters that are looked at together."""

_KEY_LINE = re.compile(rb"[A-Za-z0-9+/=]{32,}")


class Discretion:
    """Learns what is private, then keeps it to itself."""

    def __init__(
        self, secrets: Iterable[str] = (), users: Iterable[str] = (), *, paths: bool = True
    ) -> None:
        """*secrets* and *users* are those that are known before; secrets are found in the forms
        in which they travel, too. Without *paths* only secrets are private."""
        self._known = Redactor(secrets)
        self._has_paths = paths
        self._paths = PrivatePaths()
        for name in users:
            self._paths.add_user(name)
        self._marks: dict[bytes, bytes] = {}
        self._kinds = Counter[str]()
        self._needles: dict[bytes, tuple[bytes, str]] = {}
        self._sieve: Sieve | None = None
        self._counts = Counter[str]()
        self._is_full = False

    @property
    def counts(self) -> dict[str, int]:
        """What was replaced so far, by kind."""
        return dict(sorted((self._counts + self._paths.counts).items()))

    @property
    def has_secrets(self) -> bool:
        """Whether any was learnt."""
        return bool(self._marks)

    def learn(self, texts: Iterable[str]) -> None:
        """Look for secrets in texts, and for whose machine they were on."""
        for batch in _batches(texts):
            data = b"\x00".join(map(_encoded, batch))
            for one in secrets_in(data):
                self._take(one.kind, one.value, one.before, one.after)
            if self._has_paths:
                self._paths.learn(data)

    def learn_member(self, value: str) -> None:
        """A value that has the name of a secret."""
        self._take("secret", _encoded(value))

    def learn_project(self, folder: str) -> None:
        """Where the project lies."""
        self._paths.add_project(folder)

    def texts(self, texts: Iterable[str]) -> Iterator[str]:
        """Each text without anything private; the very same one if there is nothing."""
        for batch in _batches(map(self._without_known, texts)):
            before = [*map(_encoded, batch)]
            data = b"\x00".join(before)
            clean = self._without_secrets(before, data)
            if self._has_paths:
                clean = self._paths.clean(clean)
            if clean == data:
                yield from batch
                continue
            after = clean.split(b"\x00")
            if len(after) > len(before):
                after = _joined(after, [old.count(b"\x00") + 1 for old in before])
            for text, old, new in zip(batch, before, after, strict=True):
                yield text if new == old else new.decode(errors="surrogatepass")

    def text(self, text: str) -> str:
        """One text without anything private."""
        return next(self.texts([text]))

    def member(self, value: str) -> str:
        """What a value becomes that has the name of a secret."""
        self._counts["secret"] += 1
        return self._mark("secret", _encoded(value)).decode()

    def _without_known(self, text: str) -> str:
        cleaned = self._known.text(text)
        if cleaned is not text:
            self._counts["known"] += cleaned.count(MARK) - text.count(MARK)
        return cleaned

    def _take(self, kind: str, value: bytes, before: bytes = b"", after: bytes = b"") -> None:
        if b"\x00" in value:
            return
        mark = self._mark(kind, value)
        if len(self._marks) > MOST:
            self._is_full = True
            return
        if kind == "private-key" or len(value) >= LONG or is_random(value, SHORTEST):
            if value not in self._needles:
                self._needles |= dict.fromkeys(_forms(value), (mark, kind))
        elif before and len(whole := before + value + after) >= _LEAST:
            self._needles[whole] = before + mark + after, kind
        self._sieve = None

    def _mark(self, kind: str, value: bytes) -> bytes:
        if value not in self._marks:
            self._kinds[kind] += 1
            self._marks[value] = f"[redacted:{kind}-{self._kinds[kind]}]".encode()
        return self._marks[value]

    def _without_secrets(self, texts: Sequence[bytes], data: bytes) -> bytes:
        """*data*, which is all *texts* one after the other, with marks in place of secrets."""
        if self._is_full:
            texts = [*map(self._marked_in_place, texts)]
            data = b"\x00".join(texts)
        if not self._needles:
            return data
        if self._sieve is None:
            # The longest first: one may contain another.
            longest = sorted(self._needles.items(), key=lambda one: len(one[0]), reverse=True)
            self._needles = dict(longest)
            self._sieve = Sieve([*self._needles])
        if not self._sieve.catches(data):
            return data
        return b"\x00".join(map(self._marked, texts))

    def _marked_in_place(self, data: bytes) -> bytes:
        """*data* with marks for those secrets that it shows by itself."""
        pieces: list[bytes] = []
        end = 0
        for one in sorted(secrets_in(data), key=lambda one: (one.start, -len(one.value))):
            if one.start >= end:
                self._counts[one.kind] += 1
                pieces += (data[end : one.start], self._mark(one.kind, one.value))
                end = one.start + len(one.value)
        return b"".join((*pieces, data[end:]))

    def _marked(self, data: bytes) -> bytes:
        if self._sieve is not None and self._sieve.catches(data):
            for needle, (mark, kind) in self._needles.items():
                if needle in data:
                    self._counts[kind] += data.count(needle)
                    data = data.replace(needle, mark)
        return data


def _encoded(text: str) -> bytes:
    return text.encode(errors="surrogatepass")


def _joined(pieces: Sequence[bytes], counts: Iterable[int]) -> list[bytes]:
    """The texts that *pieces* are of, some of which had null bytes themselves."""
    given = iter(pieces)
    return [b"\x00".join(islice(given, count)) for count in counts]


def _batches(texts: Iterable[str]) -> Iterator[list[str]]:
    """Many texts at once: to look at each by itself would take longer than the looking."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size > _AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _forms(value: bytes) -> Iterator[bytes]:
    """A secret as it may stand in a text; of a private key also each line."""
    text = value.decode(errors="surrogatepass")
    forms = {
        text,
        json.dumps(text)[1:-1],
        json.dumps(text, ensure_ascii=False)[1:-1],
        html.escape(text),
        quote(text, safe="", errors="surrogatepass"),
    }
    yield from sorted(form.encode(errors="surrogatepass") for form in forms)
    if b"\n" in value:
        yield from _KEY_LINE.findall(value)
