"""Talking to a process while it runs."""

import asyncio
import time
from dataclasses import replace
from pathlib import Path

import pytest

from tests.shell.children import sh
from tests.shell.sandboxes import confined
from whet.core.errors import UsageError
from whet.shell.policy import Sandbox
from whet.shell.process import run, started


@pytest.mark.parametrize("sandbox", ["none", "bubblewrap", "landlock"])
def test_question_and_answer(sandbox: Sandbox, tmp_path: Path):
    talk = sh('while read line; do echo "heard $line"; done; echo end')

    async def check() -> None:
        command = confined(replace(talk, interactive=True), sandbox, tmp_path)
        async with started(command) as process:
            lines = process.lines()
            for word in ("one", "zwölf"):
                assert await process.write(f"{word}\n")
                assert await anext(lines) == f"heard {word}"
            process.close_input()
            assert [line async for line in lines] == ["end"]
            assert (await process.ended()).ok

    asyncio.run(check())


def test_much_input_arrives_whole_and_in_order():
    async def check() -> None:
        async with started(replace(sh("exec cat"), interactive=True)) as process:
            texts = [letter * 1_000_000 + "\n" for letter in "abcd"]
            writers = [asyncio.create_task(process.write(text)) for text in texts]
            lines = process.lines()
            seen = [await anext(lines) + "\n" for _ in texts]
            assert await asyncio.gather(*writers) == [True] * 4
            assert seen == texts

    asyncio.run(check())


@pytest.mark.slow
def test_one_that_never_reads_holds_nobody_up_for_ever():
    async def check() -> None:
        command = replace(sh("exec sleep 60", seconds=0.5), interactive=True)
        async with started(command) as process:
            begun = time.monotonic()
            assert not await process.write("x" * 10_000_000)
            assert time.monotonic() - begun < 20
            assert (await process.ended()).timed_out

    asyncio.run(check())


def test_closing_lets_the_writer_go():
    async def check() -> None:
        async with started(replace(sh("exec sleep 60"), interactive=True)) as process:
            writer = asyncio.create_task(process.write("x" * 10_000_000))
            await asyncio.sleep(0.05)
            assert not writer.done()
            process.close_input()
            process.close_input()
            assert not await writer
            assert not await process.write("more")

    asyncio.run(check())


def test_writing_to_the_dead_is_no_crash():
    async def check() -> None:
        async with started(replace(sh("exit 3"), interactive=True)) as process:
            assert (await process.ended()).code == 3
            assert not await process.write("anybody?\n")
        assert not await process.write("anybody?\n")

    asyncio.run(check())


def test_one_that_closes_its_input_is_no_crash():
    async def check() -> None:
        command = replace(sh("exec <&-; echo closed; exec sleep 60"), interactive=True)
        async with started(command) as process:
            assert await anext(process.lines()) == "closed"
            assert not await process.write("anybody?\n")

    asyncio.run(check())


def test_only_an_interactive_process_can_be_written_to():
    async def check() -> None:
        async with started(sh("exit 0")) as process:
            process.close_input()
            await process.write("x")

    with pytest.raises(UsageError, match="start it as interactive"):
        asyncio.run(check())


def test_all_of_the_input_or_an_open_one():
    with pytest.raises(UsageError, match="by write, not by stdin"):
        asyncio.run(run(replace(sh("exit 0", stdin="x"), interactive=True)))
