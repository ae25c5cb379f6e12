"""Secrets in logs that are imported stay out of everything that is kept of them."""

import hashlib
import json
import random
import sqlite3
import string
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tests.app.sessions.logs import desk_on, intake, session, work, write_log
from tests.readers.claude_log import Row, answer, asked, result, said, use
from tests.readers.reading import document
from whet.app.sessions.intake import Intake
from whet.ports.session_query import SessionQuery


def made(seed: str, length: int, signs: str = string.ascii_letters + string.digits) -> str:
    """A secret that nobody has."""
    drawn = random.Random(seed)
    return "".join(drawn.choice(signs) for _ in range(length - 4)) + "a1B2"


ANTHROPIC = f"sk-ant-api03-{made('anthropic', 80)}"
OPENAI = f"sk-proj-{made('openai', 48)}"
GITHUB = f"ghp_{made('github', 36)}"
AWS_ID = f"AKIA{made('aws', 12, string.ascii_uppercase)}A1B2"
AWS = made("aws secret", 40, string.ascii_letters + string.digits + "/+")
SLACK = f"xoxb-{made('slack', 40)}"
WORD = "correct-horse-battery"
PASSWORD = f"p{made('password', 14)}"
BEARER = made("bearer", 44)
COOKIE = made("cookie", 32)
JWT = f"eyJ{made('head', 30)}.eyJ{made('body', 60)}.{made('sign', 43)}"
LINES = [made(f"line {number}", 64, string.ascii_letters + string.digits) for number in range(6)]
KEY = "RSA PRIVATE" + " KEY"
PEM = "\n".join([f"-----BEGIN {KEY}-----", *LINES, f"-----END {KEY}-----"])
SECRETS = (
    ANTHROPIC,
    OPENAI,
    GITHUB,
    AWS_ID,
    AWS,
    SLACK,
    WORD,
    PASSWORD,
    BEARER,
    COOKIE,
    JWT,
    *LINES,
)


def told() -> list[Row]:
    """A conversation in which every secret stands somewhere, each in another way."""
    dump = f"HOME=/w\nAWS_ACCESS_KEY_ID={AWS_ID}\nAWS_SECRET_ACCESS_KEY={AWS}\nDB_PASSWORD={WORD}\n"
    curl = f"curl -H 'Authorization: Bearer {BEARER}' -H \"Cookie: sid={COOKIE}\" https://e.org"
    nested = json.dumps({"cmd": f"export KEY={OPENAI}", "env": {"GITHUB_TOKEN": GITHUB}})
    return [
        asked(0, f"Use {ANTHROPIC} for it."),
        answer(1, use("c0", "Bash", command=curl), stop=None),
        result(2, "c0", dump),
        answer(3, use("c1", "Write", file_path="/w/.env", content=nested)),
        result(4, "c1", f"wrote postgres://admin:{PASSWORD}@db.example.org/x"),
        answer(5, use("c2", "mcp__x__call", arguments=json.dumps({"slack_token": SLACK}))),
        result(6, "c2", json.dumps(json.dumps({"jwt": JWT}))),
        answer(7, use("c3", "Read", file_path=f"/w/{GITHUB}/id_rsa")),
        result(8, "c3", PEM),
        answer(9, said(f"Done with {AWS} and {PASSWORD}."), stop="end_turn"),
    ]


def leaks(folder: Path, secrets: tuple[str, ...] = SECRETS) -> list[str]:
    """Where a secret stands in a folder, in the names of files too, as it is or escaped."""
    found: list[str] = []
    for path in sorted(folder.rglob("*")):
        data = path.read_bytes() if path.is_file() else b""
        plain = data.replace(b"\\/", b"/").replace(b"\\u002d", b"-").replace(b"\\u002D", b"-")
        held = {one for one in secrets if one in path.name or one.encode() in data + plain}
        found += [f"{path.name}: {one[:12]}" for one in sorted(held)]
    return found


def test_no_secret_of_a_log_is_kept(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", told())
    assert len({one.split(": ")[1] for one in leaks(tmp_path)}) >= len(SECRETS) - 2
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        assert done.status == "imported"
        assert done.redactions
        assert sum(done.redactions.values()) >= len(SECRETS) - len(LINES)
        assert len(desk.load("latest").session.tool_calls) == 4
        for secret in SECRETS:
            assert desk.search(SessionQuery(text=f'"{secret}"')).total == 0
    assert leaks(tmp_path / "ws") == []
    kept = (tmp_path / "ws" / (done.original or "")).read_text()
    assert kept.count("\n") == log.read_text().count("\n")
    assert [json.loads(row)["type"] for row in kept.splitlines()]
    assert "HOME=/w" in kept


def escaped(text: str) -> str:
    """Each sign that may be is escaped as JSON can."""
    return text.replace("/", "\\/").replace("-", "\\u002d").replace("_", "\\u005F")


def coded(text: str) -> str:
    """A letter that need not be escaped."""
    return text.replace("a", "\\u0061")


@pytest.mark.parametrize("change", [escaped, coded])
def test_escapes_hide_nothing(tmp_path: Path, change: Callable[[str], str]) -> None:
    log = write_log(tmp_path / "log.jsonl", told())
    text = log.read_text()
    for secret in SECRETS:
        text = text.replace(secret, change(secret))
    log.write_text(text)
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        assert len(desk.load("latest").session.tool_calls) == 4
    assert leaks(tmp_path / "ws") == []
    for secret in SECRETS:
        kept = (tmp_path / "ws" / (done.original or "")).read_text()
        assert change(secret) not in kept


def test_nor_is_one_in_the_name_of_a_file(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    log = write_log(folder / f"{ANTHROPIC}.jsonl", work(2))
    inner = [{**row, "isSidechain": True, "agentId": "7"} for row in work(1, call="inner")]
    write_log(folder / f"{ANTHROPIC}/subagents/agent-7.jsonl", [*inner, *told()[:1]])
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        assert desk.load("latest").session.source_file == "redacted-key-1.jsonl"
        assert len(desk.load("latest").session.tool_calls) == 3
        assert intake(desk).take(log).status == "unchanged"
    assert leaks(tmp_path / "ws") == []
    assert done.beside


def test_nor_one_in_a_document_or_a_database(tmp_path: Path) -> None:
    data = session("s", 1, task_description=f"with {OPENAI}", api_key=PASSWORD)
    data["user_prompt"] = f"the password is: {PASSWORD}"
    log = document(tmp_path / "a.json", {**data, "password": WORD})
    wide = tmp_path / "wide.json"
    wide.write_bytes(json.dumps({**data, "session_id": "wide"}).encode("utf-16"))
    database = tmp_path / "opencode.db"
    with closing(sqlite3.connect(database)) as new:
        new.execute(
            "CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT,"
            " directory TEXT, version TEXT, time_created INT, time_updated INT)"
        )
        new.execute("CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT)")
        new.execute(
            "CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT,"
            " time_created INT, data TEXT) "
        )
        new.execute("INSERT INTO session VALUES ('ses_1', NULL, ?, '/w', '1', 1, 2)", [SLACK])
        user = json.dumps({"role": "user", "time": {"created": 1}})
        new.execute("INSERT INTO message VALUES ('msg_1', 'ses_1', 1, ?)", [user])
        part = json.dumps({"type": "text", "text": f"use {GITHUB}"})
        new.execute("INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1, ?)", [part])
        new.commit()
    with desk_on(tmp_path / "ws") as desk:
        for one in (log, wide, database):
            done = intake(desk).take(one)
            assert (done.status, done.error) == ("imported", None)
            assert done.redactions
            assert intake(desk).take(one).status == "unchanged"
    assert leaks(tmp_path / "ws") == []


def test_secrets_that_are_wanted_stay(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", told())
    with desk_on(tmp_path / "ws") as desk:
        keeping = Intake(desk.shelf, keep_secrets=True)
        first = keeping.take(log)
        kept = tmp_path / "ws" / (first.original or "")
        assert (first.redactions, kept.read_bytes()) == (None, log.read_bytes())
        assert keeping.take(log).status == "unchanged"
        # Whoever changes his mind has it so: the same session, by a name without the secret.
        cleaned = intake(desk).take(log)
        assert cleaned.status == "updated"
        assert cleaned.sessions[0].name.endswith("-use-redacted-key-1-for-it")
        assert not [*(tmp_path / "ws/sessions").glob(f"{first.sessions[0].name}*")]
        assert desk.list(SessionQuery()).total == 1
        assert leaks(tmp_path / "ws/sessions") == []
        assert intake(desk).take(log).status == "unchanged"
        assert keeping.take(log).status == "updated"
        assert kept.read_bytes() == log.read_bytes()
        assert desk.list(SessionQuery()).total == 1


def test_a_secret_in_title_and_id_goes_with_the_name_that_was_made_of_it(tmp_path: Path) -> None:
    secret = f"npm_{made('title', 36).lower()}"
    data = session(f"2026-01-01-001-{secret}", 1, task_title=f"Use {secret}")
    log = tmp_path / "log.json"
    log.write_text(json.dumps(data))
    with desk_on(tmp_path / "ws") as desk:
        keeping = Intake(desk.shelf, keep_secrets=True)
        for clean in (intake(desk), intake(desk)):
            kept = keeping.take(log).sessions[0].name
            assert secret[4:20] in kept
            cleaned = clean.take(log)
            assert cleaned.status == "updated"
            assert secret[4:20] not in cleaned.sessions[0].name
            assert leaks(tmp_path / "ws/sessions", (secret, secret[4:20])) == []
            assert desk.list(SessionQuery()).total == 1


def test_a_log_is_known_again_by_what_it_was(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", told())
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
        assert intake(desk).take(write_log(tmp_path / "copy.jsonl", told())).status == "unchanged"
        grown = write_log(log, [*told(), *work(2)[1:]])
        assert intake(desk).take(grown).status == "updated"
        assert desk.list(SessionQuery()).total == 1
    [kept] = (tmp_path / "ws/sessions/originals").iterdir()
    assert kept.name == hashlib.sha256(log.read_bytes()).hexdigest()
    assert done.original is not None
    assert leaks(tmp_path / "ws") == []


def test_a_log_without_secrets_is_kept_as_it_is(tmp_path: Path) -> None:
    log = write_log(tmp_path / "log.jsonl", work(9))
    with desk_on(tmp_path / "ws") as desk:
        done = intake(desk).take(log)
    assert done.redactions == {}
    assert (tmp_path / "ws" / (done.original or "")).read_bytes() == log.read_bytes()


def test_keys_of_this_machine_are_known_by_their_value(tmp_path: Path) -> None:
    own = "just some plain words here"
    log = write_log(tmp_path / "log.jsonl", [asked(0, f"I say {own}."), *work(1)[1:]])
    with desk_on(tmp_path / "ws", ANTHROPIC_API_KEY=own) as desk:
        assert intake(desk).take(log).redactions == {"known": 1}
    assert leaks(tmp_path / "ws", (own,)) == []


SHAPES = {
    "curl -H 'x-api-key: {}' u": 32,
    "GET https://e.org/?api_key={}&x=1": 32,
    "https://e.org/cb?access_token={}#x": 32,
    "password: {}": 12,
    "tool --api-key={} run": 20,
    "Authorization: Basic {}": 24,
    "machine e.org login bob password {}": 16,
    "aws configure set aws_secret_access_key {}": 40,
    "docker run -e OPENAI_KEY={} img": 40,
    "PGPASSWORD={} psql": 8,
    "sshpass -p '{}' ssh x": 14,
    "mysql -u root -p{} db": 14,
    "AccountName=x;AccountKey={}==;Endpoint=y": 60,
    "https://x.example.org/a?sv=1&sig={}&se=2": 40,
    "//registry.example.org/:_authToken={}": 36,
    "here GOCSPX-{} it is": 28,
    "https://api.example.org/bot123456789:{}/getMe": 35,
    "X-Auth-Token: {}": 32,
    '$env:API_KEY = "{}"': 32,
    "git clone https://{}@example.org/x/y": 40,
    "redis://:{}@h:6379": 9,
    "Set-Cookie: session={}; Path=/": 40,
    "mysqldump --password={}": 8,
    json.dumps({"args": ["--token", "<>"]}): 32,
    json.dumps({"env": [{"name": "API_KEY", "value": "<>"}]}): 32,
    json.dumps({"headers": {"X-Api-Key": "<>"}}): 32,
    json.dumps({"clientSecret": "<>"}): 32,
    json.dumps(json.dumps({"password": "<> with blanks"})): 12,
    "密码：{}": 12,
    "密钥是 {}": 32,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_secrets_come_in_many_shapes(tmp_path: Path, shape: str) -> None:
    secret = made(shape, SHAPES[shape])
    text = shape.replace("<>" if "<>" in shape else "{}", secret)
    rows = [asked(0, "Go."), answer(1, use("c0", "Bash", command=text), stop=None)]
    rows += [result(2, "c0", f"before\n{text}\nafter"), answer(3, said("Done."), stop="end_turn")]
    with desk_on(tmp_path / "ws") as desk:
        assert intake(desk).take(write_log(tmp_path / "log.jsonl", rows)).redactions
        assert "after" in str(desk.load("latest").session.tool_calls[0].output)
    assert leaks(tmp_path / "ws", (secret,)) == []
