"""The server of ``gpkit serve``: its pages behind their guard, at the loopback address.

None of its connections can be held for nothing: there are limits of time, and who waits makes room for the next.
"""

import asyncio
import logging
import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gpkit.core.errors import GpkitError, UsageError
from gpkit.web import heat, home, league, play, runs, trace, workshop
from gpkit.web.pages import DRAWN, STATIC, VENDOR, mistake
from gpkit.web.safety import LOOPBACK, Doorkeeper, Guard
from gpkit.web.site import Site, open_site

HEAD_SECONDS = 10.0
"""Seconds from a connection's beginning, or from its last answer, until the next request has to be there to the end of
its head; and for which an answer may wait to be taken on.
"""


class Connection(H11Protocol):
    """HTTP/1.1 as uvicorn speaks it, whose own limit of time ends with the first byte of a request.

    Where as many are open as are answered, the one that has waited longest for a request makes room for the next.
    """

    _alarm: asyncio.TimerHandle | None = None
    _since = 0.0
    _left = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin, with room made for it."""
        self._make_room()
        super().connection_made(transport)
        self._arm()

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        super().connection_lost(exc)
        self._disarm()

    def data_received(self, data: bytes) -> None:
        """Take some bytes, which may be the end of a request's head."""
        super().data_received(data)
        self._heed()

    def on_response_complete(self) -> None:
        """Wait for the next request, which may be here already."""
        self._arm()
        super().on_response_complete()
        self._heed()

    def pause_writing(self) -> None:
        """Wait until more of an answer has been taken."""
        super().pause_writing()
        self._arm()

    def resume_writing(self) -> None:
        """Go on with an answer."""
        super().resume_writing()
        self._heed()

    @property
    def _is_waiting(self) -> bool:
        """Whether no request is being answered."""
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
            self._arm()  # an answer is being taken, however slowly
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
"""Connections that are answered; others make room, or are told to come later."""

PATIENCE = 3
"""Seconds that answers may take which are on their way when the server ends."""


def make_app(site: Site, doorkeeper: Doorkeeper) -> ASGIApp:
    """The pages of a site, behind their guard."""
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


def make_server(app: ASGIApp, most: int = MOST_AT_ONCE) -> uvicorn.Server:
    """A server of pages that answers at most so many connections at once, and writes of its own faults alone."""
    config = uvicorn.Config(
        app,
        http=Connection,
        log_level="error",  # warnings are about what strangers send
        access_log=False,
        server_header=False,
        ws="none",
        lifespan="off",
        limit_concurrency=most,
        timeout_graceful_shutdown=PATIENCE,
    )
    logging.getLogger("uvicorn.error").addFilter(_is_fault)
    return uvicorn.Server(config)


def _is_fault(record: logging.LogRecord) -> bool:
    """Whether a log line reports a fault; connections that the end of the server cuts off are not faults."""
    _, error, _ = record.exc_info or (None, None, None)
    return not isinstance(error, asyncio.CancelledError) and "shutdown exceeded" not in record.getMessage()


@contextmanager
def _hangups_end(server: uvicorn.Server) -> Iterator[None]:
    """End a server as Ctrl-C does when its terminal closes, which is all that uvicorn knows; unless it is ignored."""
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
    message = "there is no such page" if error.detail == "Not Found" else error.detail
    return mistake(request, message, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    return mistake(request, "this is a bug in gpkit; the terminal shows where it happened", 500)


def serve(folder: Path, port: int, opened: Callable[[str], None]) -> None:
    """Serve the pages of a folder until the process is interrupted.

    Args:
        folder: below which programs and runs are found.
        port: to listen at; 0 for any free one.
        opened: is told the address with its token when the server listens.

    Raises:
        UsageError: nobody can listen at that port.
    """
    # The protocol is named, as asyncio sends answers without delay only then: 40 ms each.
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
