"""Which run somebody means."""

from pathlib import Path

import pytest

from tests.app.opening import app_on
from whet.app.capability.find import find
from whet.core.errors import NotFound, UsageError
from whet.testing.store_evaluations import run


def test_a_run_is_found_by_its_id_its_unique_beginning_or_as_the_latest(tmp_path: Path) -> None:
    with app_on(tmp_path / "workspace") as app:
        with pytest.raises(NotFound, match="there is no capability run yet"):
            find(app, "latest")
        for number, identity in enumerate(("abcd1", "abcd12", "abce1")):
            started_at = f"2024-01-0{number + 1}T00:00:00.000Z"
            made = run(number, run_id=identity, started_at=started_at)
            app.store.evaluations.create_eval_run(made)
        assert find(app, "abcd1") == "abcd1"
        assert find(app, "abce") == "abce1"
        assert find(app, "latest") == "abce1"
        with pytest.raises(UsageError, match=r"several runs fit 'abcd': abcd12, abcd1$"):
            find(app, "abcd")
        with pytest.raises(NotFound, match="'abc'; the beginning of an id has 4 characters"):
            find(app, "abc")
        with pytest.raises(NotFound, match="'abcf'; see whet capability list"):
            find(app, "abcf")
