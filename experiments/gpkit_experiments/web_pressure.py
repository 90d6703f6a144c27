"""Malformed requests to ``gpkit serve``: random bytes, broken heads, wrong hosts, forms of nonsense.

``python -m gpkit_experiments.web_pressure [COUNT]`` sends them to a real server, asks for a page then, and
writes the answers by status to ``experiments/data/web-pressure.json``. Seed 81001.
"""

import json
import random
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
from web_browser import served
from web_clients import KEEPER

RESULT = Path(__file__).parents[1] / "data" / "web-pressure.json"
SEED, COUNT = 81001, 100_000
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


def pressed(count: int, seed: int = SEED) -> dict[str, Any]:
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


if __name__ == "__main__":
    number = int((*sys.argv[1:], str(COUNT))[0])
    began = time.perf_counter()
    found = {
        "command": "python -m gpkit_experiments.web_pressure",
        "seed": SEED,
        "requests": number,
        **pressed(number),
    }
    found["seconds"] = round(time.perf_counter() - began)
    RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
