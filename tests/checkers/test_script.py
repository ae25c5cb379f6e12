"""Scripts of a suite: run for real, in every sandbox there is."""

import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.checkers.subjects import check, left, mistakes
from tests.shell.sandboxes import needs
from whet.core.check import CheckResult
from whet.core.errors import EnvironmentProblem, UsageError
from whet.ports.checker import Subject
from whet.shell import sandbox as sandboxes
from whet.shell.policy import Sandbox

ALL: list[Sandbox] = ["bubblewrap", "landlock", "none"]
CONFINING: list[Sandbox] = ["bubblewrap", "landlock"]


def files(**more: str) -> Subject:
    return left({"a.txt": "alpha\n", "sub/b.txt": "beta\n", **more})


def run(sandbox: Sandbox, script: str, **fields: float) -> CheckResult:
    needs(sandbox)
    subject = replace(files(), script_sandbox=sandbox)
    return check(subject, "custom_script", script=script, **fields)


def test_an_untrusted_script_is_not_run(tmp_path: Path) -> None:
    result = check(files(), "custom_script", script=f"touch {tmp_path}/ran")
    assert (result.outcome, result.passed) == ("skipped", False)
    assert result.evidence == "skipped: not trusted"
    assert not (tmp_path / "ran").exists()


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ALL)
def test_exit_0_is_a_pass(sandbox: Sandbox) -> None:
    script = 'cd / && grep -c beta "$OUTPUTS_DIR"/sub/b.txt && [[ $PWD == / ]]'
    result = run(sandbox, script)
    assert (result.outcome, result.evidence) == ("passed", "exit 0; stdout: 1")


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ALL)
def test_it_starts_in_the_outputs_and_any_other_exit_fails(sandbox: Sandbox) -> None:
    result = run(sandbox, "ls; echo no >&2; exit 3")
    assert result.outcome == "failed"
    assert result.evidence == "exit 3; stdout: a.txt\\nsub; stderr: no"


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ALL)
def test_it_has_a_place_to_write_and_none_of_our_environment(
    sandbox: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET_OF_OURS", "x")
    script = 'echo 1 > "$TMPDIR/f" && cat "$TMPDIR/f" && [[ -z ${SECRET_OF_OURS-} ]]'
    assert run(sandbox, script).evidence == "exit 0; stdout: 1"


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", CONFINING)
def test_the_outputs_are_read_only(sandbox: Sandbox) -> None:
    result = run(
        sandbox,
        "chmod -R u+w .; rm -f a.txt; echo x > sub/b.txt; echo y > new; cat a.txt sub/b.txt; ls",
    )
    assert "stdout: alpha\\nbeta\\na.txt\\nsub" in result.evidence


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", CONFINING)
def test_it_cannot_write_elsewhere(sandbox: Sandbox, tmp_path: Path) -> None:
    assert run(sandbox, f"touch {tmp_path}/mark").outcome == "failed"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", CONFINING)
def test_it_has_no_network(sandbox: Sandbox) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert run(sandbox, f"exec 3<>/dev/tcp/127.0.0.1/{port}").outcome == "failed"


@pytest.mark.slow
def test_it_is_ended_when_its_time_is_up() -> None:
    result = run("none", "echo before; sleep 600", timeout_seconds=5)
    assert result.outcome == "failed"
    assert "too long; stdout: before" in result.evidence
    assert result.error


@pytest.mark.slow
def test_only_the_tail_of_what_it_says_is_evidence() -> None:
    result = run("none", "seq 100000; echo the end")
    assert result.passed
    assert result.evidence.endswith("the end")
    assert len(result.evidence) < 700


@pytest.mark.slow
def test_a_sandbox_that_does_not_work_here_is_never_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    subject = replace(files(), script_sandbox="bubblewrap")
    with pytest.raises(EnvironmentProblem, match="bwrap"):
        check(subject, "custom_script", script="true")
    assert sandboxes.problem("none") is None


def test_an_unknown_sandbox_is_no_sandbox() -> None:
    with pytest.raises(UsageError, match="chroot"):
        check(replace(files(), script_sandbox="chroot"), "custom_script", script="true")


def test_mistakes() -> None:
    assert mistakes("custom_script") == ["script is missing"]
    assert len(mistakes("custom_script", script=" ", timeout_seconds=0)) == 2
    assert len(mistakes("custom_script", script="a\0b")) == 1
