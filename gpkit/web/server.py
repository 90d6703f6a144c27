"""The server of ``gpkit serve``: its pages behind their guard, at the loopback address."""

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
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from gpkit.core.errors import GpkitError, UsageError
from gpkit.web import heat, home, league, play, runs, strength, trace, workshop
from gpkit.web.answering import guarded_route
from gpkit.web.connections import Connection
from gpkit.web.pages import STATIC, VENDOR, mistake
from gpkit.web.safety import LOOPBACK, Doorkeeper, Guard
from gpkit.web.site import Site, open_site

MOST_AT_ONCE = 200
"""Connections that are answered; others make room, or are told to come later."""

PATIENCE = 3
"""Seconds that answers may take which are on their way when the server ends."""


def make_app(site: Site, doorkeeper: Doorkeeper) -> ASGIApp:
    """The pages of a site, behind their guard."""
    pages = [
        *home.routes(site),
        *play.routes(site),
        *trace.routes(site),
        *heat.routes(site),
        *runs.routes(site),
        *league.routes(site),
        *strength.routes(site),
        *workshop.routes(site),
    ]
    routes = [
        *map(guarded_route, pages),
        Mount("/static", StaticFiles(directory=STATIC)),
        Mount("/vendor", StaticFiles(directory=VENDOR)),
    ]
    handlers: Any = {GpkitError: _explained, ValueError: _explained, HTTPException: _refused, 500: _failed}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), doorkeeper)


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
    return uvicorn.Server(config)


@contextmanager
def _hangups_end(server: uvicorn.Server) -> Iterator[None]:
    """Let a terminal that closes end a server as Ctrl-C does, which is all that uvicorn knows; unless it is ignored."""
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
    told = "there is nothing under this address" if error.detail == "Not Found" else error.detail
    return mistake(request, told, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:
    return mistake(request, "this is a fault of gpkit; the terminal says where it happened", 500)


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
                f"nobody can listen at port {port}: {error.strerror or error}; --port 0 finds a free one"
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
            site.runner.end()
            site.counting.end()
            site.leagues.end()
            site.matches.close()
