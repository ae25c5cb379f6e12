"""``whet model-server`` from the outside."""

import json
import signal
import subprocess
import urllib.request
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.flows.command import started, whet

pytestmark = pytest.mark.slow

SCRIPT: dict[str, Any] = {
    "conversations": [
        {"marker": "MARK", "turns": [{"text": "fine"}]},
        {"marker": "HANG", "turns": [{"hang": True}]},
    ],
    "models": ["mine"],
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "script.json").write_text(json.dumps(SCRIPT))
    return tmp_path / "script.json"


@contextmanager
def running(*arguments: str | Path) -> Generator[subprocess.Popen[str]]:
    process = started("model-server", *arguments)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline()


def asked(url: str, text: str) -> Any:
    body = {"model": "mine", "messages": [{"role": "user", "content": text}]}
    data = json.dumps(body).encode()
    with urllib.request.urlopen(f"{url}/v1/chat/completions", data, timeout=20) as response:
        return json.load(response)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 0)])
def test_it_answers_reports_and_ends(path: Path, number: signal.Signals, code: int) -> None:
    with running(path, "--json") as process:
        news = json.loads(first_line(process))
        answer = asked(news["url"], "MARK please")
        asked(news["url"], "hello")
        process.send_signal(number)
        _, errors = process.communicate(timeout=20)
    assert answer["choices"][0]["message"]["content"] == "fine"
    assert process.returncode == code
    assert errors.splitlines()[:2] == [
        "POST /v1/chat/completions: MARK, turn 0, hit 0: 200",
        "POST /v1/chat/completions: default, turn 0, hit 0: 200",
    ]
    assert errors.splitlines()[2:] == (["whet: stopped"] if code else [])


def test_it_says_what_each_agent_needs(path: Path) -> None:
    with running(path, "--json") as process:
        news = json.loads(first_line(process))
    url, agents = news["url"], news["agents"]
    assert agents["claude"]["environment"]["ANTHROPIC_BASE_URL"] == url
    assert agents["gemini"]["environment"]["GOOGLE_GEMINI_BASE_URL"] == url
    assert agents["qwen"]["environment"]["OPENAI_BASE_URL"] == f"{url}/v1"
    config = json.loads(agents["opencode"]["environment"]["OPENCODE_CONFIG_CONTENT"])
    assert config["model"] == "whet/mine"
    assert config["provider"]["whet"]["options"]["baseURL"] == f"{url}/v1"
    assert any(f'base_url="{url}/v1"' in argument for argument in agents["codex"]["arguments"])


def test_as_text_it_can_be_typed(path: Path) -> None:
    with running(path) as process:
        assert process.stdout
        lines = [process.stdout.readline().rstrip("\n") for _ in range(7)]
    url = lines[0].rpartition(" ")[2]
    assert lines[0] == f"the scripted model listens on {url}"
    assert lines[2] == f"ANTHROPIC_BASE_URL={url} ANTHROPIC_API_KEY=test-key claude"
    assert [word for line in lines[2:] for word in line.split() if word in {"codex", "opencode"}]


def test_a_client_that_waits_does_not_keep_it(path: Path) -> None:
    with running(path, "--json") as process:
        news = json.loads(first_line(process))
        body = json.dumps({"messages": [{"role": "user", "content": "HANG"}]}).encode()
        with pytest.raises(TimeoutError):
            urllib.request.urlopen(f"{news['url']}/v1/messages", body, timeout=0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=5)
    assert "POST /v1/messages: HANG, turn 0, hit 0: no answer\n" in errors
    assert process.returncode == 130


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (None, "no such file"),
        ("{", "broken JSON"),
        ('{"conversations": [{"marker": "x"}]}', "conversations[0].turns: is required but missing"),
    ],
)
def test_a_script_that_cannot_be_used(tmp_path: Path, text: str | None, says: str) -> None:
    if text is not None:
        (tmp_path / "script.json").write_text(text)
    done = whet("model-server", tmp_path / "script.json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("whet: ")
    assert done.stderr.count("\n") == 1
    assert says in done.stderr


def test_a_port_that_is_taken(path: Path) -> None:
    with running(path, "--json") as process:
        port = json.loads(first_line(process))["url"].rpartition(":")[2]
        done = whet("model-server", path, "--port", port)
    assert done.returncode == 3
    assert f"port {port}: Address already in use" in done.stderr
