"""Clients of an event stream whose connection breaks again and again, at any byte."""

import random
from collections.abc import Collection

import httpx

from tests.flows.serving import Sent, sent


def heard(text: str) -> list[Sent]:
    """What is whole of a stream that may have been cut off in the middle of a line."""
    whole = text[: text.rfind("\n\n") + 2]
    return [*sent(iter(whole.splitlines()))]


def listen(url: str, path: str, ends: Collection[str], seed: int, events: list[Sent]) -> int:
    """Follow until an event of a kind that *ends* it, and go on after the last one that was heard
    whenever the connection breaks; how often it did."""
    chance, cuts = random.Random(seed), 0
    with httpx.Client(base_url=url, timeout=30) as client:
        while not events or events[-1].kind not in ends:
            last = {"last-event-id": str(events[-1].cursor)} if events else {}
            text, room = b"", chance.randint(1, chance.choice((600, 6_000, 60_000)))
            with client.stream("GET", path, headers=last) as answer:
                assert answer.status_code == 200
                for piece in answer.iter_raw(chunk_size=chance.randint(1, 2000)):
                    text += piece
                    if len(text) > room:
                        cuts += 1
                        break
            events += heard(text[:room].decode(errors="replace"))
    return cuts
