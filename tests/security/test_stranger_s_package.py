"""A package chooses options that widen what its agent may see and reach."""

from pathlib import Path

import pytest

from tests.app.jobs.offices import done, wanted
from tests.security.attacks import listening, office_with, package, stealing, user_on
from whet.app.jobs.create import create
from whet.core.errors import WhetError


@pytest.mark.parametrize("sandbox", ["required", "off"])
def test_a_package_takes_variables_and_network(tmp_path: Path, sandbox: str) -> None:
    with listening() as listener:
        options = stealing(listener.port)
        evil = package(tmp_path, "report", engine_options=options)
        with (
            user_on(tmp_path / "workspace", WHET_SANDBOX=sandbox) as app,
            office_with(app, evil) as office,
        ):
            asked = wanted(skill_id="report", engine="command", input={})
            with pytest.raises(WhetError) as refusal:
                done(office, create(office, asked))
    assert listener.heard == []
    message = str(refusal.value)
    assert all(name in message for name in options), message
    assert "\n" not in message
