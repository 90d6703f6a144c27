"""Common parts of pages: templates, fields of forms and addresses, names in requests, and work in threads.

Only what was found below the folder, or belongs to gpkit, can be named. In threads games of one's own may do anything:
what they raise is told as their fault.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar
from urllib.parse import parse_qsl, quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gpkit.core import plugins
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GpkitError, GuestError, UsageError, cut, one_line
from gpkit.core.timeouts import watched
from gpkit.core.wording import spelled
from gpkit.draw import chart, heat
from gpkit.draw.page import inline_svg
from gpkit.gamekit.game import Game
from gpkit.playing.game_setup import GameSetup, default_rules, opponents_of
from gpkit.user_games.contract.explain import explained
from gpkit.web.site import Site
from gpkit.web.workspace import programs_for

HERE = Path(__file__).parent
STATIC, VENDOR = HERE / "static", HERE / "vendor"
"""Folders of files that are given as they are: our own, and those of others."""

MOST_FIELDS = 200


@cache
def _environment() -> Environment:
    """The templates; every value is escaped unless it is markup."""
    found = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    found.filters.update(spelled=spelled, drawn=picture, sentence=sentence, rounded=rounded)
    return found


def rounded(text: str) -> str:
    """The text with its numbers rounded to three digits.

    >>> rounded("x * 0.123456")
    'x * 0.123'
    """
    return re.sub(r"\d+\.\d{3,}(e-?\d+)?", lambda number: f"{float(number[0]):.3g}", text)


def sentence(message: str) -> Markup:
    """A message as a terminal prints it, as a sentence of a page: a capital, a full stop, and names as code."""
    if "\n" not in message:
        message = re.sub(r"^[a-z](?=[a-z]* )", lambda first: first[0].upper(), message)
        message += "" if message.endswith((".", "?", "!")) else "."
    code = Markup("<code>{}</code>")
    pieces = enumerate(message.split("`"))
    return Markup("").join(code.format(piece) if number % 2 else escape(piece) for number, piece in pieces)


def page(template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page, or a part of one, of a template; what is not text, as in names of files, becomes question marks."""
    text = _environment().get_template(template).render(**values)
    return HTMLResponse(text.encode("utf-8", "replace"), status)


DRAWN = chart.STYLE, heat.STYLE
"""Rules of charts and of confusion matrices, which ``/drawn.css`` holds."""


def picture(svg: str) -> Markup:
    """A picture as part of a page; the rules of charts are in a style sheet, since pages have none of their own."""
    for style in DRAWN:
        svg = svg.replace(f"<style>{style}</style>", "")
    return Markup(inline_svg(svg))  # noqa: S704 - inside is escaped where the picture is made


def rule_in(title: str, game: str) -> str:
    """The rule in the title of a game, a sentence without the game's name before it.

    >>> rule_in("Tic-tac-toe: three in a row", "tic_tac_toe"), rule_in("Whoever is last wins.", "nim")
    ('Three in a row.', 'Whoever is last wins.')
    """
    name, _, rule = title.partition(": ")
    told = rule if re.sub(r"\W", "_", name).lower() == game else title
    return f"{told[:1].upper()}{told[1:].removesuffix('.')}." if told else ""


def is_part(request: Request) -> bool:
    """Whether a page asks for a part of itself, and not a person for a page."""
    return request.headers.get("hx-request") == "true"


def saved_as(name: str) -> dict[str, str]:
    """The header that makes a browser save a response under a file name, in any script (RFC 6266)."""
    code = quote(name, safe="", errors="replace")
    given = f'filename="{name}"' if code == name else f"filename*=UTF-8''{code}"
    return {"content-disposition": f"attachment; {given}"}


def mistake(request: Request, message: str, status: int) -> HTMLResponse:
    """The answer to a request that cannot be met: a page, or a line on the page that asked."""
    template = "mistake_part.html" if is_part(request) else "mistake.html"
    return page(template, status, title="Something went wrong", message=cut(message))


RULE = "rule."
"""Beginning of the names of fields that set rules."""


def whole(text: str, what: str, most: int) -> int:
    """The whole number of a field.

    Raises:
        UsageError: it is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= most):
        raise UsageError(f"{what} is a whole number from 0 to {most}")
    return int(text)


def rules_in(fields: Mapping[str, str]) -> dict[str, str]:
    """The rules that the fields set, by option, as texts."""
    return {name.removeprefix(RULE): text for name, text in fields.items() if name.startswith(RULE) and text}


MOST_NAMES = 16
"""Players that one request can name."""


def players_of(game: Game, site: Site) -> list[str]:
    """The names of all who can play a game: its own players, and programs below the folder that are for it."""
    return [*opponents_of(game), *programs_for(site.below(), game)]


def players_named(text: str, site: Site, game: Game) -> tuple[str, ...]:
    """The players that a text names, between commas, as they are read: names, or paths of files that were found.

    Raises:
        UsageError: it names something else; the message names the nearest right thing.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MOST_NAMES:
        raise UsageError(f"{len(names)} players are named; at most {MOST_NAMES} can be")
    return tuple(player_named(name, site, game) for name in names)


def setup_of(
    fields: Mapping[str, str], site: Site, game: Game, seed: int = 0
) -> tuple[GameSetup, tuple[str, ...]]:
    """The setup that is given in fields, with a seed where they give none, and the opponents as they are read.

    Raises:
        UsageError: an opponent is not known, or a number is none.
    """
    names = fields.get("others") or fields.get("vs", "")
    defaults = {option.name: text for option, text in default_rules(game, game.make_rules({}))}
    setup = GameSetup(
        game.name,
        tuple(name.strip() for name in names.split(",") if name.strip()),
        {name: text for name, text in rules_in(fields).items() if defaults.get(name) != text},
        whole(fields.get("seat", "") or "0", "the seat", 99),
        whole(fields.get("seed", "") or str(seed), "the seed", 10**15),
        whole(fields.get("deal", "") or "0", "the deal", 10**7),
    )
    return setup, players_named(names, site, game)


def player_named(name: str, site: Site, game: Game) -> str:
    """The player of a name, as it is read.

    Raises:
        UsageError: there is none.
    """
    known = opponents_of(game)
    if name.partition(":")[0] in known:
        return name
    below = site.below()
    path = below.program(name)
    if path is not None:
        return str(path)
    shown = name if len(name) <= 40 else f"{name[:39]}…"
    raise UsageError(
        f"no player of {game.name} and no program in the folder is called `{shown}`; "
        f"{suggestion(shown, [*known, *below.programs])}"
    )


Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def guarded(work: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """The work, which raises nothing that would end the server, and does not wait for ever for a game."""

    @wraps(work)
    def safe(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            with watched(plugins.PATIENCE, plugins.is_named):
                return work(*args, **kwargs)
        except (GpkitError, HTTPException):
            raise
        except BaseException as fault:  # nobody interrupts a thread: this is none of the person's
            message = plugins.blamed(fault) or explained(fault)
            if message is None and isinstance(fault, Exception):
                raise
            raise message or GuestError(one_line(fault)) from fault

    return safe


async def in_thread(
    work: Callable[Arguments, Result], *args: Arguments.args, **kwargs: Arguments.kwargs
) -> Result:
    """The result of guarded work in a thread."""
    return await run_in_threadpool(partial(guarded(work), *args, **kwargs))


def reads(path: str, work: Callable[[Request], Response]) -> Route:
    """The route for reading a page at an address, in a thread."""
    return Route(path, guarded(work))


def posts(path: str, work: Callable[[Request, QueryParams], Response]) -> Route:
    """The route for an action at an address, in a thread, with the fields of the submitted form.

    Too many fields raise ``ValueError``.
    """

    async def answered(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        form = QueryParams(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
        return await in_thread(work, request, form)

    return Route(path, answered, methods=["POST"])


def site_of(request: Request) -> Site:
    """The site that is asked."""
    site: Site = request.app.state.site
    return site
