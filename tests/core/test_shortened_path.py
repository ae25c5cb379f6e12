"""Paths in messages, which may be long."""

import pytest

from whet.cli.asset_output import line
from whet.core.text import shortened_path
from whet.curate.lint.finding import quoted
from whet.curate.segments import shown


@pytest.mark.parametrize("folder", ["a/b" * 200 + "/", "C:\\Users\\" * 40, "long folder/" * 20])
def test_a_path_is_cut_in_its_middle_and_never_in_its_name(folder: str) -> None:
    name = "the-name-of-the-file-that-is-meant.jsonl"
    path = folder + name
    for cut in (shortened_path(path, 60), shown(path), line(path, 80), quoted(path)):
        assert cut.strip("'").endswith(name)
        assert cut.strip("'").startswith(folder[:2])
        assert "…" in cut
        assert len(cut) < 200


def test_the_name_itself_stays_whole_and_other_texts_lose_their_end() -> None:
    assert shortened_path("x" * 80, 60) == "x" * 59 + "…"
    assert shortened_path("a/b.txt", 60) == "a/b.txt"
    assert shortened_path(f"a/{'n' * 100}.txt", 60).endswith(f"/{'n' * 100}.txt")
    assert len(shortened_path("a/" + "n" * 900, 60)) == 60
