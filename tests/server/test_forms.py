"""Forms with files: written as they come, whole or not at all."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request
from hypothesis import given
from hypothesis import strategies as st

from whet.core.errors import EnvironmentProblem, UsageError
from whet.server.forms import Part, only, received_form

FORM = "multipart/form-data; boundary=xyz"
END = b"--xyz--\r\n"
TRICKY = (b"\r\n--xy\r\n--\r\n-xyz--\r" * 100) + b"\r\n--xy"


def part(disposition: str, data: bytes = b"PK") -> bytes:
    head = f"--xyz\r\nContent-Disposition: form-data; {disposition}\r\n\r\n"
    return head.encode() + data + b"\r\n"


def taken(
    pieces: Sequence[bytes], folder: Path, *fields: str, kind: str = FORM
) -> dict[str, list[Part]]:
    """What comes of a body in these pieces."""
    queue: list[dict[str, Any]] = [
        {"type": "http.request", "body": one, "more_body": True} for one in pieces
    ]
    queue.append({"type": "http.request", "body": b"", "more_body": False})

    async def receive() -> dict[str, Any]:
        return queue.pop(0)

    request = Request({"type": "http", "headers": [(b"content-type", kind.encode())]}, receive)
    return asyncio.run(received_form(request, folder, fields or ("file",)))


@given(cuts=st.lists(st.integers(0, len(TRICKY) + 300), max_size=8).map(sorted))
def test_a_form_may_come_in_any_pieces(cuts: list[int]) -> None:
    """Of a file nothing is lost, nor added, wherever the network cuts."""
    file = part('name="file"; filename="e\u0301.zip"', TRICKY)
    whole = part("name=more", b"text") + file + part("name=file2; filename=b", b"") + END
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
    with tempfile.TemporaryDirectory() as folder:
        found = taken(pieces, Path(folder), "file", "file2", "none")
        names = {field: [one.filename for one in parts] for field, parts in found.items()}
        assert names == {"file": ["e\u0301.zip"], "file2": ["b"]}
        assert found["file"][0].path.read_bytes() == TRICKY
        assert found["file2"][0].path.read_bytes() == b""
        assert len([*Path(folder).iterdir()]) == 2


@pytest.mark.parametrize(
    ("kind", "body", "says"),
    [
        ("multipart/form-data", b"", "no form"),
        ("multipart/mixed; boundary=xyz", part("name=file; filename=a") + END, "no form"),
        ("", b"", "no form"),
        (f"multipart/form-data; boundary={'x' * 300}", b"", "cannot be read: Boundary length"),
        (FORM, b"", "cut off"),
        (FORM, b"garbage", "cannot be read"),
        (FORM, part("name=file; filename=a"), "cut off"),
        (FORM, part("name=file; filename=a")[:-9], "cut off"),
        (
            FORM,
            part("name=other; filename=a") + END,
            "'other' is no field of this form; it has file",
        ),
        (FORM, part("filename=a") + END, "is no field"),
        (FORM, part("name=x") * 65 + END, "at most 64 parts"),
        (FORM, b"--xyz\r\nA: " + b"a" * 20_000, "cannot be read|too much of one of its parts"),
        (FORM, b"--xyz\r\n" + b"A: b\r\n" * 5_000, "cannot be read|too much of one of its parts"),
    ],
)
def test_what_is_no_whole_form(tmp_path: Path, kind: str, body: bytes, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        taken([body], tmp_path, kind=kind)


@pytest.mark.parametrize("disposition", ["name=other", ""])
def test_other_texts_are_passed_over(tmp_path: Path, disposition: str) -> None:
    assert taken([part(disposition) + END], tmp_path) == {}
    assert list(tmp_path.iterdir()) == []


def test_a_field_may_be_there_several_times(tmp_path: Path) -> None:
    found = taken([part("name=file; filename=a", b"1") + part("name=file", b"2") + END], tmp_path)
    told = [(one.filename, one.path.read_bytes()) for one in found["file"]]
    assert told == [("a", b"1"), (None, b"2")]
    with pytest.raises(UsageError, match="has 'file' twice"):
        only(found, "file")
    assert only({}, "file") is None


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(EnvironmentProblem, match="cannot keep what is sent"):
        taken([part("name=file; filename=a") + END], tmp_path / "gone")
