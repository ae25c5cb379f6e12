"""Webhooks and collectors as a way to addresses that only this machine reaches, and to find out
what listens there."""

import asyncio
import socket
import threading
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tests.app.opening import allow, app_on
from tests.server.job_lives import done, served, until
from whet.app.jobs import posting
from whet.app.jobs.posting import FAILED, Posting
from whet.app.settings import read
from whet.core.errors import InvalidDocument, UsageError
from whet.core.outbound import OutboundPolicy, host_of, is_public, outbound_policy
from whet.exporters.outbound_http import outbound_connection
from whet.server import sessions_files

SECRET = "a secret of ours"
INNER = [
    "127.0.0.1",
    "127.9.9.9",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0.0.0.0",
    "0",
    "[::1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[2002:7f00:1::]",
    "[fe80::1]",
    "[fe80::1%25lo]",
    "[fd00:ec2::254]",
    "[fec0::1]",
    "[ff02::1]",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "224.0.0.1",
    "255.255.255.255",
    "localhost",
    "LOCALHOST.",
    "x.localhost",
    "127.0.0.1.",
    "metadata.google.internal",
]
NO_ADDRESS = [
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "ftp://example.com/",
    "http://",
    "http:///x",
    "//example.com/x",
    "http://user:pw@example.com/",
    "http://example.com@127.0.0.1/",
    "http://127.0.0.1\\@example.com/",
    "http://example.com:0/",
    "http://example.com:99999/",
    "http://exa mple.com/",
    "http://example.com/\r\nHost: x",
    "http://[::1/",
    "http://" + "a" * 3_000,
]


@contextmanager
def listening(status: int = 200, location: str = "") -> Generator[tuple[int, list[str]]]:
    """A server of this machine: its port, and what it was asked."""
    heard: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["content-length"]))
            heard.append(self.path)
            self.send_response(status)
            if location:
                self.send_header("location", location)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield server.server_port, heard
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("host", INNER)
def test_no_way_of_writing_an_inner_address_is_taken(host: str) -> None:
    for scheme in ("http", "https"):
        for port in ("", ":8642"):
            with pytest.raises(UsageError) as caught:
                OutboundPolicy().check(f"{scheme}://{host}{port}/hook", "webhook.url")
            assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("url", NO_ADDRESS)
def test_what_is_no_web_address_is_not_taken(url: str) -> None:
    for policy in (OutboundPolicy(), outbound_policy("*:*"), OutboundPolicy(anywhere=True)):
        with pytest.raises(UsageError):
            policy.check(url, "webhook.url")


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ip_address(address))


def test_only_listed_hosts_are_sent_to_where_there_is_a_list() -> None:
    policy = outbound_policy("hooks.example.com, *.example.org:8443 127.0.0.1:4318 [::1]:*")
    for url in (
        "https://hooks.example.com/x",
        "http://HOOKS.example.com./x",
        "https://a.example.org:8443/",
        "http://127.0.0.1:4318",
        "http://127.1:4318",
        "http://[::1]:5000/",
    ):
        policy.check(url, "endpoint")
    for url in (
        "https://example.com/",
        "https://hooks.example.com:8443/",
        "https://hooks.example.com.evil.net/",
        "https://a.example.org/",
        "http://127.0.0.1:4319",
        "http://127.0.0.2:4318",
        "http://localhost:4318",
    ):
        with pytest.raises(UsageError, match="WHET_OUTBOUND_HOSTS"):
            policy.check(url, "endpoint")


def test_a_star_does_not_lead_inside() -> None:
    for listed in ("*:*", "*.example.com:*", "1*:*"):
        policy = outbound_policy(listed)
        assert policy.reachable("a.example.com", 80, ["127.0.0.1", "10.0.0.1", "::1"]) == []
        with pytest.raises(UsageError):
            policy.check("http://127.0.0.1/", "endpoint")
    inside = outbound_policy("collector.example.com:4318")
    assert inside.reachable("collector.example.com", 4318, ["10.0.0.1"]) == ["10.0.0.1"]
    assert inside.reachable("other.example.com", 4318, ["10.0.0.1"]) == []


@pytest.mark.parametrize("listed", ["http://x", "x:y", "a@b", ":80", "x:70000", "x:0"])
def test_a_list_with_a_mistake_is_said(listed: str) -> None:
    with pytest.raises(UsageError, match="WHET_OUTBOUND_HOSTS"):
        read(Path("workspace"), {"WHET_OUTBOUND_HOSTS": listed})


def test_the_policy_of_the_machine_lists_hosts_and_the_variable_adds_to_them(
    tmp_path: Path,
) -> None:
    workspace = tmp_path / "workspace"
    allow(workspace, outbound=["127.0.0.1:4318"])
    with app_on(workspace) as app:
        app.access.outbound().check("http://127.0.0.1:4318", "endpoint")
        with pytest.raises(UsageError, match="outbound in policy"):
            app.access.outbound().check("https://hooks.example.com/", "endpoint")
    with app_on(workspace, WHET_OUTBOUND_HOSTS="hooks.example.com") as app:
        app.access.outbound().check("http://127.0.0.1:4318", "endpoint")
        app.access.outbound().check("https://hooks.example.com/", "endpoint")
    for mistake in ("http://x", "x:0", "a b", "a,b"):
        allow(workspace, outbound=[mistake])
        with app_on(workspace) as app, pytest.raises(InvalidDocument, match=r"outbound.*no host"):
            app.access.outbound()


def test_a_look_up_that_takes_for_ever_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name server of whoever names a host may be as slow as it likes."""
    answered = threading.Event()

    def slow(*_asked: object, **_more: object) -> object:
        answered.wait(20)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    begun = time.monotonic()
    sent = Posting("https://slow.example.com/hook", OutboundPolicy(), 0.3).send(b"{}", {})
    assert sent == FAILED
    assert time.monotonic() - begun < 5
    answered.set()


def test_several_dead_addresses_take_no_longer_than_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name may have any number of addresses that nobody answers at."""
    tried: list[float] = []

    def dead(_address: object, timeout: float) -> socket.socket:
        tried.append(timeout)
        time.sleep(timeout)
        raise TimeoutError

    every = [(0, 0, 0, "", (f"8.8.8.{n}", 80)) for n in range(50)]

    def found(*_asked: object, **_more: object) -> object:
        return every

    monkeypatch.setattr(socket, "getaddrinfo", found)
    monkeypatch.setattr(socket, "create_connection", dead)
    begun = time.monotonic()
    with pytest.raises(OSError):  # noqa: PT011 - which of them is all the same
        outbound_connection(urlsplit("http://many.example.com/"), 0.3, OutboundPolicy()).connect()
    assert time.monotonic() - begun < 3
    assert len(tried) == 1


def test_a_name_that_leads_inside_is_not_connected_to() -> None:
    """The name of this machine passes every look at the text, as one that was rebound would."""
    with listening() as (port, heard):
        policy = OutboundPolicy()
        for name in ("localhost", "ip6-localhost", socket.gethostname()):
            url = urlsplit(f"http://{name}:{port}/hook")
            assert policy.reachable(host_of(url), port, ["127.0.0.1", "::1", "fe80::1%lo"]) == []
            with pytest.raises(OSError):  # noqa: PT011 - refused, or no such name
                outbound_connection(url, 2.0, policy).connect()
        assert Posting(f"http://localhost:{port}/hook", policy, 0.2).send(b"{}", {}) == FAILED
    assert heard == []


def test_the_address_that_was_checked_is_the_one_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A name server that says something else at every question is asked once."""
    answers = iter(["192.0.2.1", "127.0.0.1", "127.0.0.1"])
    asked: list[str] = []
    plain = socket.getaddrinfo

    def rebinding(host: str, port: int, *rest: int, **more: int) -> object:
        if host == "rebind.example.com":
            asked.append(host)
            host = next(answers)
        return plain(host, port, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    with listening() as (port, heard):
        policy = outbound_policy(f"rebind.example.com:{port}")
        inside = outbound_policy(f"*.example.com:{port}")
        with pytest.raises(OSError):  # noqa: PT011
            outbound_connection(
                urlsplit(f"http://rebind.example.com:{port}/"), 0.2, inside
            ).request("POST", "/", b"")
        assert len(asked) == 1
        made = outbound_connection(urlsplit(f"http://rebind.example.com:{port}/"), 2.0, policy)
        made.request("POST", "/hook", b"")
        assert made.getresponse().status == 200
        made.close()
    assert heard == ["/hook"]
    assert len(asked) == 2


def test_a_redirect_is_not_followed() -> None:
    with listening() as (inner, heard):
        with listening(302, f"http://127.0.0.1:{inner}/") as (port, first):
            policy = outbound_policy(f"127.0.0.1:{port}")
            assert Posting(f"http://127.0.0.1:{port}/", policy, 0.3).send(b"{}", {}) == FAILED
        assert len(first) == 1
    assert heard == []


@contextmanager
def different_ports() -> Generator[list[str]]:
    """Addresses that fail in every way there is: closed, open and silent, saying nonsense, saying
    no, not listed, without a name."""
    with ExitStack() as stack:
        closed = stack.enter_context(socket.socket())
        closed.bind(("127.0.0.1", 0))
        silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        refusing, _ = stack.enter_context(listening(403))
        ports = [closed.getsockname()[1], silent.getsockname()[1], refusing]
        yield [
            *(f"http://127.0.0.1:{port}" for port in ports),
            f"https://127.0.0.1:{refusing}",
            "http://no-such-host.invalid:4318",
        ]


def test_a_webhook_tells_nothing_of_what_it_met() -> None:
    policy = outbound_policy("127.0.0.1:* no-such-host.invalid:*")
    with different_ports() as urls:
        told: list[tuple[str | None, float]] = []

        def tell(url: str, its_policy: OutboundPolicy) -> None:
            begun = time.monotonic()
            answer = Posting(url, its_policy, 1.0).send(b"{}", {})
            told.append((answer, time.monotonic() - begun))

        threads = [threading.Thread(target=tell, args=(url, policy)) for url in urls]
        threads.append(threading.Thread(target=tell, args=(urls[2], OutboundPolicy())))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {answer for answer, _ in told} == {FAILED}
    assert len(told) == 6
    assert all(0.95 < seconds < 3 for _, seconds in told)


def test_a_collector_that_takes_nothing_is_told_the_same_whatever_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions_files, "SEND_SECONDS", 1.5)
    allowed = "127.0.0.1:* no-such-host.invalid:*"

    async def flow() -> None:
        async with served(tmp_path / "workspace", WHET_OUTBOUND_HOSTS=allowed) as (client, _):
            await done(client)
            with different_ports() as urls:
                answers = await asyncio.gather(*(push(client, url) for url in urls))
            seen = {(answer.status_code, answer.json()["detail"]) for answer, _ in answers}
            assert len(seen) == 1, seen
            assert all(seconds > 1.4 for _, seconds in answers)

    async def push(client: httpx.AsyncClient, url: str) -> tuple[httpx.Response, float]:
        begun = time.monotonic()
        path = "/v1/sessions/latest/export/otlp"
        answer = await client.post(path, json={"endpoint": url})
        return answer, time.monotonic() - begun

    asyncio.run(flow())


def test_a_job_cannot_name_an_inner_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posting, "TIMEOUT_SECONDS", 0.2)

    async def flow() -> None:
        with listening() as (port, heard):
            async with served(tmp_path / "workspace") as (client, desk):
                for host in ("127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]"):
                    hook = {"url": f"http://{host}:{port}/", "secret": SECRET}
                    body = {"skill_id": "text-report", "input": {"title": "T"}, "webhook": hook}
                    answer = await client.post("/v1/jobs", json=body)
                    assert answer.status_code == 400, answer.text
                    batch: dict[str, object] = {
                        "skill_id": "text-report",
                        "items": [{"input": {}}],
                        "webhook": hook,
                    }
                    answer = await client.post("/v1/job-batches", json=batch)
                    assert answer.json()["counts"] == {"refused": 1}, answer.text
                    path = "/v1/sessions/latest/export/otlp"
                    answer = await client.post(path, json={"endpoint": hook["url"]})
                    assert answer.status_code in (400, 404), answer.text
                name = "no-such-host.invalid"
                hook = {"url": f"http://{name}/", "secret": SECRET}
                job = await done(client, webhook=hook)

                async def told() -> bool:
                    events = desk.app.store.events.since(0, job["request_id"])
                    return any(event.kind == "job.webhook_failed" for event in events)

                await until(told)
                events = desk.app.store.events.since(0, job["request_id"])
                [failed] = [event for event in events if event.kind == "job.webhook_failed"]
                assert failed.data["error"] == FAILED
        assert heard == []

    asyncio.run(flow())
