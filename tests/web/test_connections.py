"""Connections that ask for nothing, or never come to an end: they are closed, and shut nobody out.

A few malformed requests; ``experiments/data/web-pressure.json`` is the record of many.
"""

import logging
import random
import socket
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest
import uvicorn.server
from web_browser import served
from web_clients import KEEPER

from gpkit.web import server

SOON = 0.1
"""Seconds of the limits here."""


def opened(port: int, data: bytes = b"") -> socket.socket:
    """A connection over which some bytes were sent."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=5)
    connection.sendall(data)
    return connection


def head_of(port: int, path: str = "/", method: str = "GET", *more: str) -> bytes:
    """The head of a good request of the owner."""
    host = f"127.0.0.1:{port}"
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", f"Origin: http://{host}"]
    return "\r\n".join([*lines, f"Cookie: gpkit-{port}={KEEPER.token}", *more, "", ""]).encode()


def last_words(connection: socket.socket) -> bytes:
    """Everything that comes until the server closes the connection."""
    found = b""
    try:
        while more := connection.recv(65536):
            found += more
    except ConnectionResetError:
        pass
    return found


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of a fraction of a second."""
    monkeypatch.setattr(server, "HEAD_SECONDS", SOON)
    monkeypatch.setattr(server, "BODY_SECONDS", SOON)


@pytest.mark.usefixtures("hasty")
def test_connections_without_a_whole_request_are_closed(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        port = int(server.root.rpartition(":")[2])
        whole, refused = (
            head_of(port, "/static/gpkit.css"),
            b"POST / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n",
        )
        began = time.monotonic()
        for sent in (b"", b"GET / HT", whole[:-2], whole, whole + b"GET /", refused):
            answer = last_words(opened(port, sent))
            assert answer.startswith(b"HTTP/1.1 ") == (whole in sent or sent == refused)
        stalled = last_words(
            opened(port, head_of(port, "/run/start", "POST", "Content-Length: 10") + b"name=")
        )
        assert stalled.startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - began < 20 * SOON


@pytest.mark.usefixtures("hasty")
def test_bytes_after_an_answer_do_not_hold_a_connection(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        port = int(server.root.rpartition(":")[2])
        connection = opened(port, head_of(port, "/static/gpkit.css"))
        began = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - began < 10 * SOON:
                time.sleep(SOON / 4)
                connection.sendall(b"G")
        assert time.monotonic() - began < 5 * SOON


@pytest.mark.usefixtures("hasty")
def test_who_takes_no_answer_is_left(tmp_path: Path) -> None:
    with served(tmp_path) as server:
        port = int(server.root.rpartition(":")[2])
        connection = opened(port)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.setblocking(False)
        began = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - began < 50 * SOON:
                try:
                    connection.send(head_of(port, "/vendor/codemirror.min.js"))
                except BlockingIOError:
                    time.sleep(SOON / 4)
        assert time.monotonic() - began < 25 * SOON


def test_idle_connections_make_room_for_the_owner(tmp_path: Path) -> None:
    with served(tmp_path, most=8) as server:
        port = int(server.root.rpartition(":")[2])
        idle = [opened(port, b"GET / HT"[: k % 9]) for k in range(40)]
        cookie = {"cookie": f"gpkit-{port}={KEEPER.token}"}
        for _ in range(3):
            assert httpx2.get(server.root + "/static/gpkit.css", headers=cookie).status_code == 200
        assert last_words(idle[0]) == b""


def test_strangers_write_nothing_into_the_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with served(tmp_path, most=8) as server:
        port = int(server.root.rpartition(":")[2])
        host = f"Host: 127.0.0.1:{port}\r\n".encode()
        upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n\r\n"
        told = [last_words(opened(port, sent)) for sent in (
            b"\x16\x03\x01\x02\x00\x1b[31m\r\n\r\n",
            b"GET /\x1b[31m HTTP/1.1\r\n\r\n",
            b"GET / HTTP/1.1\r\n" + host + upgrade,
            b"GET /%ff%00?%ff;token=%ff HTTP/1.1\r\nCookie: \xff=;=\r\n" + host + b"\r\n",
            b"GET http://evil.example/ HTTP/1.1\r\nConnection: close\r\n\r\n",
        )]  # fmt: skip
        assert all(answer.startswith(b"HTTP/1.1 4") for answer in told)
        idle = [opened(port, b"POST / HTTP/1.1\r\nContent-Length: 5\r\n") for _ in range(20)]
        assert len(idle) == 20
    cut = "Cancel %s running task(s), timeout graceful shutdown exceeded"  # as uvicorn has it, if it has to
    assert cut in Path(str(uvicorn.server.__file__)).read_text(encoding="utf-8")
    logging.getLogger("uvicorn.error").error(cut, 0)
    assert capfd.readouterr().err == ""


SIGNS = "abz/.%?&=\\\x00é<>'\"0f"
KNOWN = (
    "/", "/play/sevens", "/play/sevens/x/act", "/trace?program=", "/runs/x/feed", "/run/start", "/league?players=",
    "/edit/", "/edit?new=", "/workshop/save",
)  # fmt: skip


def sent(port: int, data: bytes) -> str:
    """The status of the answer to some bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        try:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            answer = connection.recv(64)
        except OSError:
            return "closed"
    return answer.split(b" ")[1].decode() if answer.startswith(b"HTTP/") else "closed"


def request(rng: random.Random, port: int) -> bytes:
    """A request that is wrong somewhere, and may be let in nevertheless."""
    if rng.random() < 0.15:
        return rng.randbytes(rng.randrange(200))
    path = "/" + "".join(rng.choice(SIGNS) for _ in range(rng.randrange(60)))
    if rng.random() < 0.6:
        path = rng.choice(KNOWN) + path[1:]
    if rng.random() < 0.9:
        path = quote(path, safe="/.%?&=")
    method = rng.choice(["GET", "GET", "POST", "POST", "PUT", "get", "BREW", ""])
    host = rng.choice([f"127.0.0.1:{port}", f"localhost:{port}", "evil.example", ""])
    cookie = rng.choice([f"gpkit-{port}={KEEPER.token}"] * 3 + ["x", "=;=;"])
    head = [f"Host: {host}", f"Cookie: {cookie}", "Connection: close"]
    body = rng.randbytes(rng.randrange(300))
    if rng.random() < 0.7:
        head.append(f"Origin: http://{host}")
    if rng.random() < 0.8:
        head.append(f"Content-Length: {len(body) + rng.choice([0, 0, 0, 5, -3])}")
    rng.shuffle(head)
    first = f"{method} {path} HTTP/1.{rng.choice('1101x')}"
    return "\r\n".join([first, *head]).encode("utf-8", "replace") + b"\r\n\r\n" + body


def pressed(count: int, seed: int) -> dict[str, Any]:
    """Answers by status, the status of a good request then, and the files that came into being."""
    rng = random.Random(seed)  # noqa: S311 - the same requests again
    answers: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as server:
        port = int(server.root.rpartition(":")[2])
        for _ in range(count):
            status = sent(port, request(rng, port))
            answers[status] = answers.get(status, 0) + 1
        page = httpx2.get(server.root + "/", headers={"cookie": f"gpkit-{port}={KEEPER.token}"})
        files = sorted(path.name for path in Path(folder).iterdir())
    return {"answers": dict(sorted(answers.items())), "then": page.status_code, "files": files}


def test_server_answers_after_malformed_requests() -> None:
    found = pressed(150, 81_001)
    assert found["then"] == 200
    assert found["files"] == []
    assert sum(found["answers"].values()) == 150
    assert not [status for status in found["answers"] if status.startswith("5")]
