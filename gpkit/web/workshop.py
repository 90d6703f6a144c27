"""The workshop: a program is written with findings, completions and its picture beside it, saved and exported.

Its strength grows live: on the ladder of its game, alone or against the saved version.
"""

import asyncio
import difflib
import json
import re
import secrets
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse

from gpkit.core.diagnostics import Diagnostic
from gpkit.core.errors import GpkitError, LimitError, RenderError, UsageError
from gpkit.core.registry import all_games, offers_of
from gpkit.draw.pictures import whole_picture
from gpkit.draw.render import render
from gpkit.editing.completions import completions_at
from gpkit.editing.diagnostics import all_findings, quick_fix
from gpkit.editing.places import Places
from gpkit.editing.reading_aids import meaning_at
from gpkit.editing.scopes import colours, comment_mark
from gpkit.export.registry import exporter
from gpkit.export.requests import subject_of
from gpkit.langkit.language import Language, laid_out
from gpkit.playing.named import Named
from gpkit.web.draft import Draft, draft_of_copy, draft_of_file, draft_of_form, draft_of_new
from gpkit.web.growing import bout_of, grow
from gpkit.web.jobs import StoppedError
from gpkit.web.pages import in_thread, is_part, page, picture, posts, reads, saved_as, site_of, whole
from gpkit.web.saving import ChangedMeanwhileError, free_name
from gpkit.web.site import Site

LUA = "lua"

MOST_COMPLETIONS = 300

SIGN_OF_LIFE = 1.0
"""Seconds without a row after which a comment is sent, so that it is noticed who has left."""

MOST_COMPARED = 5_000
"""Lines of a text of which it is shown what changed."""

AROUND = 2
"""Lines shown around a change."""

WITHOUT_SCRIPT = ("format", "save", "lua")
"""Actions for which a page without a script has buttons, beside the one that looks at the program."""


def begin(request: Request) -> Response:
    """The page of a new program, or of a copy of one that comes with gpkit; 404 where none is named.

    Raises:
        HTTPException: no program is named.
    """
    site, fields = site_of(request), request.query_params
    game, _, language = fields.get("new", "").partition("/")
    if game:
        return _page(draft_of_new(site, game, language))
    if not fields.get("program"):
        raise HTTPException(404, "name a program: the home page lists them")
    return _page(draft_of_copy(site, fields.get("game", ""), fields["program"]))


def show(request: Request) -> Response:
    """The page of a program in the folder; 404 if there is no such program.

    Raises:
        HTTPException: there is no such program.
    """
    site, name = site_of(request), request.path_params["name"]
    if site.below().program(name) is None:
        raise HTTPException(404, "there is no such program in the folder")
    return _page(draft_of_file(site, name))


def act(request: Request, form: QueryParams) -> Response:
    """The response to an action on the program of a form; 404 if there is no such action.

    Without a script the person sees the page with the text again, and what was wrong with it.

    Raises:
        UsageError: a script asks for an action that this program does not support.
        HTTPException: there is no such action.
    """
    action = request.path_params["action"]
    if action not in ACTIONS:
        raise HTTPException(404, "there is no such action")
    draft = draft_of_form(site_of(request), form)
    try:
        return ACTIONS[action](request, form, draft)
    except GpkitError as error:
        if is_part(request) or action not in WITHOUT_SCRIPT:
            raise
        return _page(draft, 400, trouble=str(error))


def feed(request: Request, form: QueryParams) -> Response:
    """The rows of a match, which is played for the first who asks for it.

    Raises:
        HTTPException: somebody else has asked for it, or there is no such match.
    """
    site, name = site_of(request), form.get("match", "")
    with site.matches.lock:
        call = site.awaited.take(name)
        if call is None:
            raise HTTPException(404, "there is no such match, or it is being watched already")
        site.matches.stop()
        match = site.matches.start(name, call)
    events = _events(match.watched(), partial(site.matches.stop, name))
    return StreamingResponse(events, media_type="text/event-stream")


def stop(request: Request, form: QueryParams) -> Response:
    """Nothing; the match ends, if it goes on."""
    site, name = site_of(request), form.get("match", "")
    site.awaited.take(name)
    site.matches.stop(name)
    return Response(status_code=204)


def beginnings() -> list[tuple[str, list[tuple[str, str]]]]:
    """By game the languages in which new programs can be written, each with the field that asks for one."""
    return [
        (entry.name, [(f"{entry.name}/{name}", name) for name in offers_of(entry.name)])
        for entry in all_games()
    ]


def _page(draft: Draft, status: int = 200, **others: Any) -> Response:
    """The page of a draft."""
    values: dict[str, Any] = {
        "title": _title(draft),
        "draft": draft,
        "findings": _findings(draft)["findings"],
        "editor": _editor(draft.language),
        "modes": exporter(LUA).modes_of(draft.language.name),
        "games": [game for game, found in beginnings() if draft.language.name in {name for _, name in found}],
        "drawn": None,
        "trouble": "",
        "changed": None,
    }
    return page("edit.html", status, **values | others)


def _title(draft: Draft) -> str:
    if draft.opened:
        return f"Edit {draft.opened}"
    return f"Copy of {draft.origin.partition('/')[2]}" if draft.origin else "New program"


def _editor(language: Language) -> str:
    """Attributes of a language for the script of the page, as JSON."""
    found = [
        [each.pattern, each.scope, {str(number): scope for number, scope in each.groups.items()}]
        for each in colours(language)
    ]
    return json.dumps({"colours": found, "comment": comment_mark(language)})


def _findings(draft: Draft) -> dict[str, Any]:
    """The findings in a draft, by place in units of UTF-16, and the game that it is for."""
    document, places = draft.document, Places(draft.text)
    found = [
        _finding(each, draft, places)
        for each in sorted(all_findings(document).found, key=lambda each: each.span.start)
    ]
    return {"findings": found, "game": document.game or ""}


def _finding(found: Diagnostic, draft: Draft, places: Places) -> dict[str, Any]:
    edit = quick_fix(draft.document, found)
    return {
        "from": places.units(found.span.start),
        "to": places.units(max(found.span.end, found.span.start)),
        "line": found.span.line,
        "column": found.span.column,
        "severity": found.severity,
        "code": found.code,
        "message": found.message + (f"; expected {', '.join(found.expected)}" if found.expected else ""),
        "help": found.help,
        "fix": edit
        and {
            "title": edit.title,
            "from": places.units(edit.span.start),
            "to": places.units(edit.span.end),
            "text": edit.text,
        },
    }


def _look(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The findings, for the script; for a person without one the page with them and the picture."""
    if is_part(request):
        return JSONResponse(_findings(draft))
    try:
        return _page(draft, drawn=_drawn(draft))
    except GpkitError as error:
        return _page(draft, trouble=str(error))


def _complete(request: Request, form: QueryParams, draft: Draft) -> Response:
    """Words that can stand at a place, with their meanings."""
    places = Places(draft.text)
    place = places.place(whole(form.get("place", ""), "the place", 10**7))
    found = [
        {
            "from": places.units(each.replaced.start),
            "label": each.word.name,
            "apply": each.inserted,
            "detail": each.word.role,
            "info": f"{each.word.usage}: {each.word.meaning}" if each.word.meaning else each.word.usage,
        }
        for each in completions_at(draft.document, place)[:MOST_COMPLETIONS]
    ]
    return JSONResponse(found)


def _explain(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The meaning of the name at a place; null where there is none."""
    places = Places(draft.text)
    found = meaning_at(draft.document, places.place(whole(form.get("place", ""), "the place", 10**7)))
    return JSONResponse(
        found
        and {
            "from": places.units(found.span.start),
            "to": places.units(found.span.end),
            "usage": found.word.usage,
            "text": f"{found.word.role}: {found.word.meaning}",
        }
    )


def _draw(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The picture of a program, or the reason why one without errors has none."""
    try:
        return page("drawn.html", drawn=_drawn(draft))
    except (LimitError, RenderError) as error:
        return page("mistake_part.html", message=str(error))


def _drawn(draft: Draft) -> Markup:
    """The picture of a program.

    Raises:
        GpkitError: it has errors, or is too large.
    """
    return picture(render(whole_picture(draft.named()), "svg").decode())


def _format(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The text in canonical layout."""
    text = laid_out(draft.language, draft.text, draft.name)
    return JSONResponse({"text": text}) if is_part(request) else _page(replace(draft, text=text))


def _save(request: Request, form: QueryParams, draft: Draft) -> Response:
    """Name and mark of the saved file, or the reason why nothing was saved; without a script the page with its text."""
    site = site_of(request)
    try:
        mark = draft.save(site)
    except ChangedMeanwhileError as error:
        again = site.below().program(draft.name) is not None
        other = free_name(site.folder, draft.name.removesuffix(draft.language.suffix), draft.language.suffix)
        values = {"message": str(error), "again": again, "name": draft.name, "other": other}
        return (
            page("changed_part.html", 409, **values)
            if is_part(request)
            else _page(draft, 409, changed=values)
        )
    if not is_part(request):
        return RedirectResponse(f"/edit/{quote(draft.name)}", 303)
    return JSONResponse({"name": draft.name, "mark": mark})


def _export(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The program in Lua: to be shown, or as a file."""
    modes = exporter(LUA).modes_of(draft.language.name)
    mode = form.get("mode") or next(iter(modes), exporter(LUA).default_mode)
    subject = subject_of(draft.named(), draft.stem, None, {}, 0)
    documents = exporter(LUA).export(subject, mode)
    if is_part(request):
        return page("listing.html", text=documents[0].text, label=f"{subject.name}.lua")
    headers = saved_as(f"{subject.name}.lua")
    return Response(documents[0].text, media_type="text/plain; charset=utf-8", headers=headers)


def _run(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The name of a match of the program in a form."""
    return JSONResponse({"match": _begin(site_of(request), draft.named())})


def _compare(request: Request, form: QueryParams, draft: Draft) -> Response:
    """The name of a match of the program in a form and of its saved version, and what differs in the texts."""
    site = site_of(request)
    name, text = draft.saved(site)
    if text == draft.text:
        raise UsageError(f"nothing has changed since {name}: make a change, then compare")
    saved = Named("saved", draft.language.parse(text, name), draft.language)
    match = _begin(site, draft.named(), saved)
    return JSONResponse({"match": match, "saved": name, "changes": _changes(text, draft)})


def _begin(site: Site, *programs: Named) -> str:
    """The name of a new match, which is played when somebody watches it; the match before is over."""
    call, name = partial(grow, *bout_of(programs)), secrets.token_hex(8)
    site.matches.stop()
    site.awaited.put(name, call)
    return name


def _changes(before: str, draft: Draft) -> list[tuple[str, str]]:
    """The lines that differ with some around them, each with its sign: ``+``, ``-``, a blank, ``@`` for a gap."""
    old, new = before.splitlines(), draft.text.splitlines()
    if len(old) + len(new) > 2 * MOST_COMPARED:
        return [("@", f"Changes are not shown in texts of more than {MOST_COMPARED} lines.")]
    lines = list(difflib.unified_diff(old, new, n=AROUND, lineterm=""))[2:]
    gap = r".*\+(\d+).*"  # such as @@ -1,4 +3,5 @@
    return [(line[0], re.sub(gap, r"line \1", line) if line[0] == "@" else line[1:]) for line in lines]


Rows = Iterator[list[dict[str, Any]]]


async def _events(watched: Rows, stop: Callable[[], None]) -> AsyncIterator[str]:
    """Server-sent events: ``rows`` that changed, then ``state`` or ``mistake``; the match ends with who watches it."""
    try:
        event = "rows"
        while event == "rows":
            asked = asyncio.ensure_future(in_thread(_more, watched))
            while not (await asyncio.wait({asked}, timeout=SIGN_OF_LIFE))[0]:
                yield ": going on\n\n"
            event, data = asked.result()
            yield f"event: {event}\ndata: {json.dumps(data)}\n\n"
    finally:
        threading.Thread(target=stop).start()  # which may wait for the process to end


def _more(watched: Rows) -> tuple[str, object]:
    """The next event of a match: its kind and its data."""
    try:
        rows = next(watched, None)
    except StoppedError:
        return "state", "Stopped."
    except GpkitError as error:
        return "mistake", str(error)
    return ("rows", rows) if rows else ("state", "Done")


Action = Callable[[Request, QueryParams, Draft], Response]

ACTIONS: Mapping[str, Action] = {
    "look": _look,
    "complete": _complete,
    "explain": _explain,
    "draw": _draw,
    "format": _format,
    "save": _save,
    "lua": _export,
    "run": _run,
    "compare": _compare,
}
"""Actions on the program of a page, by the last part of their addresses."""

ROUTES = [
    reads("/edit", begin),
    reads("/edit/{name:path}", show),
    posts("/workshop/feed", feed),
    posts("/workshop/stop", stop),
    posts("/workshop/{action}", act),
]
