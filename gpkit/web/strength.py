"""Strength of a program while it is written: on the ladder of its game, alone or against the saved version, live."""

import asyncio
import difflib
import json
import threading
from collections.abc import AsyncIterator, Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from gpkit.app.growing import bout_of
from gpkit.app.players import Named
from gpkit.core.errors import GpkitError, UsageError
from gpkit.web.draft import Draft, draft_of_form
from gpkit.web.pages import form_of, in_thread
from gpkit.web.site import Site
from gpkit.web.workers import StoppedError, Watched

SIGN_OF_LIFE = 1.0
"""Seconds without a row after which a comment is sent, so that it is noticed who has left."""

MOST_COMPARED = 5_000
"""Lines of a text of which it is shown what changed."""

AROUND = 2
"""Lines shown around a change."""


def routes(site: Site) -> list[Route]:
    """The addresses of what moves on these pages."""

    async def run(request: Request) -> Response:
        return await in_thread(_run, site, await form_of(request))

    async def compare(request: Request) -> Response:
        return await in_thread(_compare, site, await form_of(request))

    async def stop(request: Request) -> Response:
        form = await form_of(request)
        await in_thread(site.matches.stop, form.get("match", ""))
        return Response(status_code=204)

    async def feed(request: Request) -> Response:
        watched = site.matches.watched(request.query_params.get("match", ""))
        if watched is None:
            raise HTTPException(404, "there is no such match, or it is being watched already")
        return StreamingResponse(_events(watched), media_type="text/event-stream")

    return [
        Route("/workshop/run", run, methods=["POST"]),
        Route("/workshop/compare", compare, methods=["POST"]),
        Route("/workshop/stop", stop, methods=["POST"]),
        Route("/workshop/feed", feed),
    ]


def _run(site: Site, form: Mapping[str, str]) -> Response:
    """The name of a match of the program in a form."""
    return JSONResponse({"match": site.matches.begin(bout_of([draft_of_form(site, form).named()]))})


def _compare(site: Site, form: Mapping[str, str]) -> Response:
    """The name of a match of the program in a form and of its saved version, and what differs in the texts."""
    draft = draft_of_form(site, form)
    name, text = draft.saved(site)
    if text == draft.text:
        raise UsageError(f"nothing has changed since {name}: make a change, then compare")
    saved = Named("saved", draft.language.parse(text, name), draft.language)
    bout = bout_of([draft.named(), saved])
    return JSONResponse({"match": site.matches.begin(bout), "saved": name, "changes": changes(text, draft)})


def changes(before: str, draft: Draft) -> list[tuple[str, str]]:
    """The lines that differ with some around them, each with its sign: ``+``, ``-``, a blank, ``@`` for a gap."""
    old, new = before.splitlines(), draft.text.splitlines()
    if len(old) + len(new) > 2 * MOST_COMPARED:
        return [("@", f"Changes are not shown in texts of more than {MOST_COMPARED} lines.")]
    lines = list(difflib.unified_diff(old, new, n=AROUND, lineterm=""))[2:]
    return [(line[0], line[1:] if line[0] != "@" else f"line {_first(line)}") for line in lines]


def _first(gap: str) -> str:
    """The number of the first line behind a gap, such as 3 for ``@@ -1,4 +3,5 @@``."""
    return gap.split("+")[1].partition(",")[0].split()[0]


async def _events(watched: Watched) -> AsyncIterator[str]:
    """Server-sent events: ``rows`` that changed, then ``state`` or ``mistake``; the match ends with who watches it."""
    try:
        while True:
            asked = asyncio.ensure_future(in_thread(_more, watched))
            while not (await asyncio.wait({asked}, timeout=SIGN_OF_LIFE))[0]:
                yield ": going on\n\n"
            event, data = asked.result()
            yield f"event: {event}\ndata: {json.dumps(data)}\n\n"
            if event != "rows":
                return
    finally:
        threading.Thread(target=watched.stop).start()  # which may wait for the process to end


def _more(watched: Watched) -> tuple[str, object]:
    """The next event of a match: its kind and its data."""
    try:
        rows = watched.more()
    except StoppedError:
        return "state", "Stopped."
    except GpkitError as error:
        return "mistake", str(error)
    return ("rows", rows) if rows else ("state", "Done")
