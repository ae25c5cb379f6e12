"""What comes out of a process, and how little of it we hold."""

import asyncio
import time
import tracemalloc
from pathlib import Path

from tests.shell.children import alive, python, sh
from whet.shell.command import Command, Limits
from whet.shell.process import run, started


def test_lines_arrive_before_the_process_ends():
    async def check() -> None:
        begun = time.monotonic()
        async with started(sh("echo one; echo two; exec sleep 60")) as process:
            lines = process.lines()
            assert [await anext(lines), await anext(lines)] == ["one", "two"]
            assert time.monotonic() - begun < 5
            assert alive(process.pid)

    asyncio.run(check())


def test_lines_and_the_rest_without_a_newline():
    stdout, exit_ = asyncio.run(run(sh("printf 'a\\n\\nb\\nlast'; echo problem >&2")))
    assert stdout == "a\n\nb\nlast"
    assert exit_.stderr == "problem\n"
    assert exit_.ok
    assert not exit_.truncated
    assert 0 < exit_.seconds < 10


def test_garbage_is_replaced():
    stdout, _ = asyncio.run(run(python(r"import os; os.write(1, b'a\xff\xfe\x00b\n\xc3')")))
    assert stdout == "a\ufffd\ufffd\x00b\n\ufffd"


def test_a_line_of_ten_megabytes():
    script = "print('x' * 10_000_000); print('after')"
    stdout, exit_ = asyncio.run(run(python(script)))
    assert [len(line) for line in stdout.split("\n")] == [10_000_000, 5]
    assert not exit_.truncated
    stdout, exit_ = asyncio.run(run(python(script, limits=Limits(line=1000))))
    assert [len(line) for line in stdout.split("\n")] == [1000, 5]
    assert exit_.truncated
    assert exit_.ok


def test_output_beyond_the_total_is_thrown_away():
    limits = Limits(output=10)
    stdout, exit_ = asyncio.run(run(sh("yes | head -c 3000000; exit 3", limits=limits)))
    assert stdout == "y\ny\ny\ny\ny"
    assert exit_.truncated
    assert exit_.code == 3


def test_two_hundred_megabytes_need_little_memory():
    async def check() -> None:
        async with started(sh("head -c 100000000 /dev/zero; yes | head -c 100000000")) as process:
            sizes = [len(line) async for line in process.lines()]
            exit_ = await process.ended()
        assert exit_.ok
        assert exit_.truncated
        # The head of the endless line; what follows is beyond the total.
        assert sizes == [Limits().line]

    tracemalloc.start()
    try:
        asyncio.run(check())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * Limits().line


def test_a_flood_on_stderr_blocks_nobody_and_leaves_its_tail():
    script = "head -c 30000000 /dev/zero >&2; echo end >&2; echo done"
    stdout, exit_ = asyncio.run(run(sh(script, limits=Limits(stderr=100))))
    assert stdout == "done"
    assert exit_.stderr == "\0" * 96 + "end\n"
    assert not exit_.truncated
    _, exit_ = asyncio.run(run(sh(script, limits=Limits(stderr=0))))
    assert exit_.stderr == ""


def test_output_nobody_reads_is_drained():
    async def check() -> None:
        async with started(sh("yes | head -c 3000000; exit 4")) as process:
            assert (await process.ended()).code == 4

    asyncio.run(check())


def test_a_slow_reader_loses_nothing():
    async def check() -> list[str]:
        seen: list[str] = []
        async with started(sh("seq 1 40000")) as process:
            async for line in process.lines():
                if len(seen) % 10_000 == 0:
                    await asyncio.sleep(0.1)
                seen.append(line)
        return seen

    assert asyncio.run(check()) == [str(number) for number in range(1, 40_001)]


def test_a_process_that_never_pauses_leaves_room_for_others():
    async def check() -> None:
        async with started(sh("exec yes", seconds=0.3)) as process:
            assert (await process.ended()).timed_out

    asyncio.run(asyncio.wait_for(check(), 5))


def test_input_larger_than_any_pipe():
    text = "häuser\n" * 300_000
    stdout, _ = asyncio.run(run(sh("exec cat", stdin=text)))
    assert stdout + "\n" == text
    stdout, exit_ = asyncio.run(run(sh("echo did not read", stdin=text)))
    assert stdout == "did not read"
    assert exit_.ok


def test_no_input_is_an_empty_input():
    stdout, _ = asyncio.run(run(sh("cat; echo end")))
    assert stdout == "end"


def test_the_environment_is_exactly_as_given():
    env = {"ONLY": "this", "ÜML": "ä"}
    stdout, _ = asyncio.run(run(Command(("/usr/bin/env",), Path("/"), env, 10)))
    assert sorted(stdout.split("\n")) == ["ONLY=this", "ÜML=ä"]


def test_the_working_folder_is_as_given(tmp_path: Path):
    stdout, _ = asyncio.run(run(Command(("/bin/pwd",), tmp_path, {}, 10)))
    assert stdout == str(tmp_path.resolve())


def test_fifty_at_once():
    async def check() -> list[str]:
        commands = [sh(f"sleep 0.5; echo {number}; echo e >&2") for number in range(50)]
        found = await asyncio.gather(*map(run, commands))
        assert all(exit_.ok and exit_.stderr == "e\n" for _, exit_ in found)
        return [stdout for stdout, _ in found]

    begun = time.monotonic()
    assert asyncio.run(check()) == [str(number) for number in range(50)]
    assert time.monotonic() - begun < 10
