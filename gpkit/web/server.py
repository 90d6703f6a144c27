"""The server of ``gpkit serve``, which serves pages at the loopback address, protected by a guard.

Every request passes the guard, which checks the token, the origin and the size of the request. The guard also limits
the resources that a page may load. Time limits close idle connections, and waiting connections make room for new ones.
"""

import asyncio
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from gpkit.core.errors import GpkitError, UsageError
from gpkit.web import heat, home, league, play, runs, trace, workshop
from gpkit.web.site import DRAWN, STATIC, VENDOR, Site, mistake, open_site

LOOPBACK = "127.0.0.1"
"""The only address that the server listens on."""

MAX_BODY = 1_200_000
"""The maximum number of bytes in a request's body: enough for the longest program and some other fields."""

BODY_SECONDS = 20.0
"""The number of seconds that the body of a request may take to arrive."""

MAX_QUERY = 20_000
"""The maximum number of bytes after the question mark in a request's address."""

TOKEN = "token"  # noqa: S105 - the name, not the token
"""The name of the parameter for the token in the opened address; the token becomes the cookie."""

SAFE_METHODS = ("GET", "HEAD")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The Content-Security-Policy of every response: nothing from elsewhere, and no inline scripts or styles."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without it forms would not say where they come from
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

LAST = {"connection": "close"}
"""Headers of a response to a client that is refused; the server reads nothing more from this client."""


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """The rules for accepting requests to a port of this machine.

    Attributes:
        token: the secret that a client must present.
        port: the port that the server listens on.
    """

    token: str
    port: int

    @property
    def cookie(self) -> str:
        """The name of the cookie; it contains the port, because cookies do not distinguish ports."""
        return f"gpkit-{self.port}"

    @property
    def hosts(self) -> Collection[str]:
        """The Host header values that refer to this server."""
        return (f"{LOOPBACK}:{self.port}", f"localhost:{self.port}")

    def address(self) -> str:
        """The address to open, with the token."""
        return f"http://{LOOPBACK}:{self.port}/?{urlencode({TOKEN: self.token})}"

    def refusal(self, method: str, headers: Headers, *, is_opened: bool = False) -> str:
        """The reason to refuse a request, regardless of its cookie; empty if there is none.

        Args:
            method: the method of the request.
            headers: the headers of the request; Sec-Fetch-Site, which no page can forge, tells ports of the same host
                apart.
            is_opened: whether a person may open this address from a page elsewhere, because the address contains the
                token.
        """
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts:
            return "this server answers to its own address only"
        is_elsewhere = headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
        if origin not in (None, f"http://{host}") or (is_elsewhere and not is_opened):
            return "the request comes from another site; open the address that `gpkit serve` printed"
        if method in SAFE_METHODS:
            return ""
        if method != "POST":
            return "only GET, HEAD and POST are supported"
        return "the request does not say which page it comes from" if origin is None else ""

    def knows(self, shown: str) -> bool:
        """Whether a string is the token; the duration of the check does not reveal how much of it is correct."""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def is_let_in(self, headers: Headers) -> bool:
        """Whether one of the request's cookies contains the token.

        Servers on other ports may have set a cookie with the same name.
        """
        pairs = (each.strip().partition("=") for each in headers.get("cookie", "").split(";"))
        return any(self.knows(value) for name, _, value in pairs if name == self.cookie)


class Guard:
    """ASGI middleware that lets through only requests that a ``Doorkeeper`` allows."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper) -> None:
        self._app, self._doorkeeper = app, doorkeeper

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return  # nobody speaks websocket here
        answer: ASGIApp | None = self._answer(scope)
        if answer is None and scope["method"] == "POST":
            try:
                async with asyncio.timeout(BODY_SECONDS):
                    body = await _body_of(receive)
                if body is None:
                    answer = _too_much()
                else:
                    receive = _again(body, receive)
            except TimeoutError:
                answer = PlainTextResponse("the rest of the request did not arrive\n", 408, LAST)
        await (answer or self._app)(scope, receive, _with_headers(send))

    def _answer(self, scope: Scope) -> Response | None:
        """The response to a request that is rejected or not yet allowed."""
        keeper, headers = self._doorkeeper, Headers(scope=scope)
        query = parse_qsl(scope["query_string"][:MAX_QUERY].decode("latin-1"))
        is_opened = scope["method"] == "GET" and keeper.knows(dict(query).get(TOKEN, ""))
        if reason := keeper.refusal(scope["method"], headers, is_opened=is_opened):
            return PlainTextResponse(f"{reason}\n", 403, LAST)
        if len(scope["query_string"]) > MAX_QUERY or _length(headers) > MAX_BODY:
            return _too_much()
        if keeper.is_let_in(headers):
            return None
        if is_opened:
            answer = _way_on(scope["path"], [pair for pair in query if pair[0] != TOKEN], headers)
            answer.set_cookie(keeper.cookie, keeper.token, httponly=True, samesite="strict", path="/")
            return answer
        message = "open the address that `gpkit serve` printed: it carries the token that this page requires"
        return PlainTextResponse(f"{message}\n", 401, LAST)


def _way_on(path: str, query: Iterable[tuple[str, str]], headers: Headers) -> Response:
    """Send the browser to the same address without the token.

    A client that follows a link from elsewhere, such as the file that opens the browser, gets a page that loads the
    address. With a redirect, the browser would treat the page with the link as the origin of the request, and would not
    send the cookie.
    """
    rest = urlencode(list(query))
    answer = RedirectResponse("/" + path.lstrip("/\\") + (f"?{rest}" if rest else ""), 303)
    if headers.get("sec-fetch-site", "none") not in ("cross-site", "same-site"):
        return answer
    place = escape(answer.headers["location"])
    return HTMLResponse(
        f'<!DOCTYPE html><meta http-equiv="refresh" content="0;url={place}"><title>gpkit</title>'
    )


def _too_much() -> Response:
    return PlainTextResponse("the request is too large\n", 413)


def _length(headers: Headers) -> int:
    """The declared length of the body; 0 if there is none."""
    length = headers.get("content-length", "0")
    return int(length[:12]) if length.isascii() and length.isdigit() else 0


async def _body_of(receive: Receive) -> bytes | None:
    """The body of a request; None if it is too long."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return bytes(body)
        body += message.get("body", b"")
        if len(body) > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """A function that receives a body that was already read, and then the messages that follow it."""
    parts = [body]

    async def received() -> Message:
        return {"type": "http.request", "body": parts.pop(), "more_body": False} if parts else await receive()

    return received


def _with_headers(send: Send) -> Send:
    """A function that sends a response and adds ``HEADERS`` to it."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(HEADERS)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sent


HEAD_SECONDS = 10.0
"""The seconds from a connection's beginning, or from its last response, until the head of the next request must be
complete; and the seconds that a response may wait for its client.
"""


class Connection(H11Protocol):
    """uvicorn's HTTP/1.1 with a stricter time limit: the limit of uvicorn ends with the first byte of a request.

    If the maximum number of connections is open, the one that has waited longest for a request makes room for a new
    one.
    """

    _alarm: asyncio.TimerHandle | None = None
    _since = 0.0
    _left = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Open the connection, after making room for it."""
        self._make_room()
        super().connection_made(transport)
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Close the connection."""
        super().connection_lost(exc)
        self._disarm()

    def data_received(self, data: bytes) -> None:
        """Receive some bytes, which may complete the head of a request."""
        super().data_received(data)
        self._heed()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may have arrived already."""
        self._arm()
        super().on_response_complete()
        self._heed()

    def pause_writing(self) -> None:
        """Wait until the client has read more of the response."""
        super().pause_writing()
        self._arm()

    def resume_writing(self) -> None:
        """Continue sending a response."""
        super().resume_writing()
        self._heed()

    @property
    def _is_waiting(self) -> bool:
        """Whether the server is idle."""
        return self.cycle is None or self.cycle.response_complete

    def _heed(self) -> None:
        if not self._is_waiting and not self.flow.write_paused:
            self._disarm()

    def _arm(self) -> None:
        self._disarm()
        self._since, self._left = self.loop.time(), self.transport.get_write_buffer_size()
        self._alarm = self.loop.call_later(HEAD_SECONDS, self._late)

    def _disarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _late(self) -> None:
        if 0 < self.transport.get_write_buffer_size() < self._left:
            self._arm()  # the client is reading a response, however slowly
        else:
            self.transport.abort()

    def _make_room(self) -> None:
        limit = self.limit_concurrency
        waiting = [each for each in self.connections if isinstance(each, Connection) and each._is_waiting]
        waiting.sort(key=lambda each: each._since, reverse=True)
        while limit is not None and len(self.connections) + 1 >= limit and waiting:
            longest = waiting.pop()
            longest.connections.discard(longest)
            longest.transport.abort()


MOST_AT_ONCE = 200
"""The maximum number of open connections; the server then closes idle ones, or asks new clients to retry later."""

PATIENCE = 3
"""The number of seconds to wait for unfinished responses at shutdown."""


def make_app(site: Site, doorkeeper: Doorkeeper) -> ASGIApp:
    """The pages of a site, protected by their guard."""
    routes = [
        *home.ROUTES,
        *play.ROUTES,
        *trace.ROUTES,
        *heat.ROUTES,
        *runs.ROUTES,
        *league.ROUTES,
        *workshop.ROUTES,
        Route("/drawn.css", lambda _: Response("".join(DRAWN), media_type="text/css")),
        Mount("/static", StaticFiles(directory=STATIC)),
        Mount("/vendor", StaticFiles(directory=VENDOR)),
    ]
    handlers: Any = {GpkitError: _explained, ValueError: _explained, HTTPException: _refused, 500: _failed}
    app = Starlette(routes=routes, exception_handlers=handlers)
    app.state.site = site
    return Guard(app, doorkeeper)


def make_server(app: ASGIApp) -> uvicorn.Server:
    """A server that handles up to ``MOST_AT_ONCE`` simultaneous connections, and logs only its own faults."""
    config = uvicorn.Config(
        app,
        http=Connection,
        log_level="error",  # warnings are about what strangers send
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        limit_concurrency=MOST_AT_ONCE,
        timeout_graceful_shutdown=PATIENCE,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    return uvicorn.Server(config)


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a log line reports a fault; connections that are cut off when the server shuts down are not faults."""
    _, error, _ = record.exc_info or (None, None, None)
    return not isinstance(error, asyncio.CancelledError) and "shutdown exceeded" not in record.getMessage()


@contextmanager
def _hangups_end(server: uvicorn.Server) -> Iterator[None]:
    """Shut down a server when its terminal closes, as on Ctrl-C, unless the signal is ignored; uvicorn does not."""
    number = getattr(signal, "SIGHUP", None)
    if number is None or signal.getsignal(number) is signal.SIG_IGN:
        yield
        return
    before = signal.signal(number, server.handle_exit)
    try:
        yield
    finally:
        signal.signal(number, before)


async def _explained(request: Request, error: Exception) -> Response:
    return mistake(request, str(error), 400)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return mistake(request, error.detail.replace("Not Found", "there is no such page"), error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    return mistake(request, "this is a bug in gpkit; the terminal shows where it happened", 500)


def serve(folder: Path, port: int, opened: Callable[[str], None]) -> None:
    """Serve the pages of a folder until the process is interrupted.

    Args:
        folder: the folder with the programs and runs.
        port: the port to listen on; 0 means any free one.
        opened: a function that is called with the address and its token when the server listens.

    Raises:
        UsageError: the port cannot be used.
    """
    # The protocol is named, as asyncio sends responses without delay only then: 40 ms each.
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((LOOPBACK, port))
        except OSError as error:
            raise UsageError(
                f"cannot listen on port {port}: {error.strerror or error}; --port 0 finds a free one"
            ) from None
        listening.listen(128)
        doorkeeper = Doorkeeper(secrets.token_urlsafe(24), listening.getsockname()[1])
        site = open_site(folder)
        server = make_server(make_app(site, doorkeeper))
        opened(doorkeeper.address())
        try:
            with suppress(KeyboardInterrupt), _hangups_end(server):
                server.run(sockets=[listening])
        finally:
            site.end()
