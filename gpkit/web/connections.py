"""Connections of the server, none of which can be held for nothing: limits of time, and who makes room for the next."""

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

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
