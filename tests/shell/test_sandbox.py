import asyncio
import os
import socket
from dataclasses import replace
from pathlib import Path

import pytest

from tests.shell.children import gone, sh
from tests.shell.sandboxes import needs
from whet.core.errors import EnvironmentProblem
from whet.shell import interpreter
from whet.shell.command import Command
from whet.shell.process import Completed, run, started
from whet.shell.sandbox import Policy, wrapped


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A folder to give to the sandbox; where there is none, skips, but never in CI."""
    needs("bubblewrap")
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


def inside(script: str, work: Path, policy: Policy | None = None) -> Completed:
    command = replace(sh(script), cwd=work)
    return asyncio.run(run(wrapped(command, "bubblewrap", policy or Policy((work,)))))


def test_none_changes_nothing():
    command = sh("exit 0")
    assert wrapped(command, "none", Policy(())) is command


def test_only_the_given_folder_is_writable(work: Path):
    (work.parent / "given").write_text("for reading")
    (work.parent / "secret").write_text("not given")
    policy = Policy((work,), readable=(work.parent / "given",))
    script = """
        pwd; cat ../given; echo new > made
        for place in / /usr /etc /proc/sys/vm; do
            touch "$place/x" 2> /dev/null && echo "wrote in $place"
        done
        echo changed 2> /dev/null > ../given && echo wrote the readable
        cat ../secret 2> /dev/null && echo saw the secret
        touch ../lost 2> /dev/null
        true
    """
    stdout, exit_ = inside(script, work, policy)
    assert stdout == f"{work}\nfor reading", exit_.stderr
    assert exit_.ok
    assert (work / "made").read_text() == "new\n"
    assert (work.parent / "given").read_text() == "for reading"
    assert not (work.parent / "lost").exists()  # at most in the private /tmp


def test_the_kernel_cannot_be_set(work: Path):
    knob = "/proc/sys/vm/swappiness"
    stdout, _ = inside(f"value=$(cat {knob}); echo $value > {knob} && echo set it", work)
    assert stdout == ""


def test_no_capabilities_and_nobodys_home(work: Path):
    home = Path.home()
    stdout, _ = inside(f"grep CapEff /proc/self/status; ls -A {home}; ls -d /etc/shadow", work)
    capabilities, *seen = stdout.split("\n")
    assert capabilities == "CapEff:\t0000000000000000"
    # At most the way to our own interpreter, if that is installed at home.
    assert all(
        any(path.is_relative_to(home / name) for path in interpreter.files()) for name in seen
    )


def test_a_readable_path_inside_a_writable_one_stays_as_it_is(work: Path):
    (work / "skill").mkdir()
    (work / "skill/text").write_text("given")
    policy = Policy((work,), readable=(work / "skill",))
    stdout, _ = inside(
        "cat skill/text; echo x > skill/text; touch skill/new; rm -r skill", work, policy
    )
    assert stdout == "given"
    assert (work / "skill/text").read_text() == "given"
    assert not (work / "skill/new").exists()


def test_a_link_that_is_given_is_a_link_inside(work: Path):
    target = work.parent / "elsewhere/tool"
    target.parent.mkdir()
    target.write_text("content")
    link = work.parent / "link"
    link.symlink_to("elsewhere/tool")
    stdout, _ = inside(f"cat {link}; readlink -f {link}", work, Policy((work,), readable=(link,)))
    assert stdout == f"content{target}"


def test_devices_are_there_and_nothing_else_can_be_put_beside_them(work: Path):
    stdout, _ = inside(
        "echo x > /dev/null && echo null; touch /dev/new && echo new; touch /dev/shm/x && echo shm",
        work,
    )
    assert stdout == "null\nshm"


def test_tmp_is_private(work: Path):
    name = f"/tmp/whet-sandbox-{os.getpid()}"
    stdout, _ = inside(f"echo here > {name}; cat {name}", work)
    assert stdout == "here"
    assert not Path(name).exists()


def test_other_processes_are_out_of_sight(work: Path):
    stdout, _ = inside(f"ls -d /proc/[0-9]* | wc -l; kill -0 {os.getpid()} && echo reached", work)
    assert int(stdout) < 10


def test_the_network_only_when_asked_for(work: Path):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"exec 3<>/dev/tcp/127.0.0.1/{port} && echo connected"
        command = Command(("bash", "-c", script), work, {"PATH": "/usr/bin:/bin"}, 10)
        without = wrapped(command, "bubblewrap", Policy((work,)))
        having = wrapped(command, "bubblewrap", Policy((work,), network=True))
        assert asyncio.run(run(without)).stdout == ""
        assert asyncio.run(run(having)).stdout == "connected"


def test_environment_exit_code_and_streams_pass_through(work: Path):
    script = "cat; env | sort; echo problem >&2; exit 7"
    command = replace(sh(script, stdin="hello\n"), cwd=work, env={"ONLY": "this"})
    stdout, exit_ = asyncio.run(run(wrapped(command, "bubblewrap", Policy((work,)))))
    assert stdout == f"hello\nONLY=this\nPWD={work}"
    assert exit_.stderr == "problem\n"
    assert exit_.code == 7


def test_nothing_escapes_the_end(work: Path):
    # A daemon of its own session, whose parent is gone: beyond the reach of a process group.
    marker = f"sleep 61.{os.getpid()}"
    script = f"(setsid {marker} &); sleep 0.1; echo started; exec sleep 60"

    async def check() -> list[int]:
        command = replace(sh(script), cwd=work)
        async with started(wrapped(command, "bubblewrap", Policy((work,)))) as process:
            assert await anext(process.lines()) == "started"
            found = pids_of(marker)
            assert found
            return found

    assert gone(*asyncio.run(check()), within=1.0)


def pids_of(marker: str) -> list[int]:
    wanted = marker.replace(" ", "\0").encode() + b"\0"
    return [
        int(path.parent.name)
        for path in Path("/proc").glob("[0-9]*/cmdline")
        if path.read_bytes() == wanted
    ]


def test_a_missing_bubblewrap_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(EnvironmentProblem, match="install bubblewrap"):
        wrapped(sh("exit 0"), "bubblewrap", Policy(()))
