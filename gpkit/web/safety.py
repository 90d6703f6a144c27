"""The guard before every page: who may ask, from where, and how much; and what a page may load."""

import asyncio
import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from html import escape
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = "127.0.0.1"
"""The only address that is listened at."""

MAX_BODY = 1_200_000
"""Bytes of a request's body: those of the longest program, and some for what stands around it."""

BODY_SECONDS = 20.0
"""Seconds in which the body of a request has to be there."""

MAX_QUERY = 20_000
"""Bytes of a request's address behind the question mark."""

TOKEN = "token"  # noqa: S105 - the name, not the token
"""Name in the opened address of what becomes the cookie."""

SAFE_METHODS = ("GET", "HEAD")

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Content-Security-Policy of every answer: nothing from elsewhere, and no script or style in a page itself."""

HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # without it forms would not say where they come from
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

LAST = {"connection": "close"}
"""Headers of an answer after which nothing more is read from who is not let in."""


@dataclass(frozen=True, slots=True)
class Doorkeeper:
    """Rules for requests to a port of this machine.

    Attributes:
        token: whoever shows it is let in; nobody else.
        port: that is listened at.
    """

    token: str
    port: int

    @property
    def cookie(self) -> str:
        """Name of the cookie; cookies do not tell ports apart, so the name does."""
        return f"gpkit-{self.port}"

    @property
    def hosts(self) -> Collection[str]:
        """Values of Host under which this machine calls itself."""
        return (f"{LOOPBACK}:{self.port}", f"localhost:{self.port}")

    def address(self) -> str:
        """The address to be opened, with the token."""
        return f"http://{LOOPBACK}:{self.port}/?{urlencode({TOKEN: self.token})}"

    def refusal(self, method: str, headers: Headers, *, is_opened: bool = False) -> str:
        """The reason to refuse a request, whatever its cookie; empty if there is none.

        Args:
            method: the method of the request.
            headers: its headers; Sec-Fetch-Site, which no page can forge, tells ports of the same host apart.
            is_opened: whether a person may open this address from a page elsewhere, because it carries the token.
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
        return "the request does not say from which page it comes" if origin is None else ""

    def knows(self, shown: str) -> bool:
        """Whether this is the token, in a time that does not tell how much of it is right."""
        return secrets.compare_digest(shown.encode(), self.token.encode())

    def is_let_in(self, headers: Headers) -> bool:
        """Whether one of the request's cookies holds the token.

        Servers on other ports may have set a cookie with the same name.
        """
        pairs = (each.strip().partition("=") for each in headers.get("cookie", "").split(";"))
        return any(self.knows(value) for name, _, value in pairs if name == self.cookie)


class Guard:
    """ASGI middleware that lets through only what a ``Doorkeeper`` allows."""

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
        """The answer to who is not let through, or not yet."""
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
    """The way to the same address without the token.

    Who came by a link elsewhere, such as that of the file that opens the browser, is led on by a page: along a redirect
    the browser would take that other place for the one that asks, and keep the cookie back.
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
    """Length of the body as it is announced; 0 if it is not."""
    length = headers.get("content-length", "0")
    return int(length[:12]) if length.isascii() and length.isdigit() else 0


async def _body_of(receive: Receive) -> bytes | None:
    """The body of a request; None if it is longer than what is read."""
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MAX_BODY:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, to be read once more, and then what comes after it."""
    parts = [body]

    async def received() -> Message:
        return {"type": "http.request", "body": parts.pop(), "more_body": False} if parts else await receive()

    return received


def _with_headers(send: Send) -> Send:
    """The way back of an answer, which is given ``HEADERS``."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sent
