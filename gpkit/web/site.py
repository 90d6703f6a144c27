"""The site: the state that its pages share while the server runs.

The module also contains the code that pages share for templates, form and URL fields, checks of names in requests, and
work in threads. A request can name only things under the folder or things that belong to gpkit. Users' own games, which
may do anything, run in threads; gpkit reports their errors as faults of the game.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from functools import cache, partial, wraps
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar
from urllib.parse import parse_qsl, quote, urlencode

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from gpkit.analysis.results import League
from gpkit.core import plugins
from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GpkitError, GuestError, UsageError, cut, one_line
from gpkit.core.timeouts import watched
from gpkit.core.wording import spelled
from gpkit.gamekit.game import Game
from gpkit.playing.session import GameSetup, default_rules, opponents_of
from gpkit.show import chart, heat
from gpkit.show.page import inline_svg
from gpkit.user_games.contract.examine import explained
from gpkit.web.jobs import Job, Runner, Worker
from gpkit.web.workspace import Workspace, look_around, programs_for

if TYPE_CHECKING:  # what pages keep in the site
    from gpkit.web.heat import HeatMapSetup, Tally
    from gpkit.web.league import LeagueSetup
    from gpkit.web.play_table import PlayTable
    from gpkit.web.trace import WatchedTrace

Name = TypeVar("Name", bound=Hashable)
T = TypeVar("T")

MOST_TABLES = 16

MOST_WATCHED = 6
"""The number of traced games to keep."""

MOST_TALLIES = 12

MOST_LEAGUES = 8
"""The number of leagues to keep; opening the page of an older one plays it again."""


class BoundedCache(Generic[Name, T]):
    """A cache for a few values by name; a new value replaces the oldest one if there is no room."""

    def __init__(self, room: int) -> None:
        self._kept: OrderedDict[Name, T] = OrderedDict()
        self._room, self._lock = room, Lock()

    def get(self, name: Name) -> T | None:
        """The value for a name; None if it is not stored."""
        with self._lock:
            return self._kept.get(name)

    def latest(self) -> list[tuple[Name, T]]:
        """All names with their values, newest first."""
        with self._lock:
            return [*reversed(self._kept.items())]

    def made(self, name: Name, make: Callable[[], T]) -> T:
        """The value for a name, which is computed now if it is not stored."""
        found = self.get(name)
        if found is None:
            found = make()
        self.put(name, found)
        return found

    def take(self, name: Name) -> T | None:
        """Remove a name, and return its value; None if there is none."""
        with self._lock:
            return self._kept.pop(name, None)

    def put(self, name: Name, value: T) -> None:
        """Store a value."""
        with self._lock:
            self._kept[name] = value
            self._kept.move_to_end(name)
            while len(self._kept) > self._room:
                self._kept.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Site:
    """The state that the pages share.

    Attributes:
        folder: the folder with the programs and runs.
        tables: games in which a person has acted since the server started.
        reread: people's games that have been viewed since the server started, but in which nobody has acted.
        watched: games that people are watching.
        runner: the object that evolves programs in a child process.
        tallies: the counts of games for heat maps, by request and number of games.
        counting: the worker that plays the games for heat maps.
        leagues: the worker that plays leagues, one at a time.
        played: the jobs of the leagues that are complete or running.
        matches: the worker that plays the workshop's match while somebody watches it; a new match stops the old one.
        awaited: the calls that will play the matches that nobody watches yet.
        saving: the lock that is held while a file is written, so only one file is written at a time.
    """

    folder: Path
    tables: "BoundedCache[str, PlayTable]"
    reread: "BoundedCache[str, PlayTable]"
    watched: "BoundedCache[str, WatchedTrace]"
    runner: Runner
    tallies: "BoundedCache[tuple[HeatMapSetup, int], Tally]"
    counting: Worker
    leagues: Worker
    played: "BoundedCache[LeagueSetup, Job[League]]"
    matches: Worker
    awaited: BoundedCache[str, Callable[[], None]]
    saving: Lock

    def below(self) -> Workspace:
        """The programs and runs that are under the folder now."""
        return look_around(self.folder)

    def end(self) -> None:
        """Stop every process of the site."""
        self.runner.stop()
        for worker in (self.counting, self.leagues, self.matches):
            worker.end()


def open_site(folder: Path) -> Site:
    """A new site for a folder, which has no games yet."""
    root = folder.resolve()
    return Site(
        root,
        BoundedCache(MOST_TABLES),
        BoundedCache(MOST_TABLES),
        BoundedCache(MOST_WATCHED),
        Runner(root),
        BoundedCache(MOST_TALLIES),
        Worker(),
        Worker(),
        BoundedCache(MOST_LEAGUES),
        Worker(),
        BoundedCache(1),
        Lock(),
    )


HERE = Path(__file__).parent
STATIC, VENDOR = HERE / "static", HERE / "vendor"
"""The folders of static files: gpkit's own, and third-party files."""

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
    """The text, with the numbers in it rounded to three digits.

    >>> rounded("x * 0.123456")
    'x * 0.123'
    """
    return re.sub(r"\d+\.\d{3,}(e-?\d+)?", lambda number: f"{float(number[0]):.3g}", text)


def sentence(message: str) -> Markup:
    """A terminal message as a sentence for a page: with a capital letter, a full stop, and names as code."""
    if "\n" not in message:
        message = re.sub(r"^[a-z](?=[a-z]* )", lambda first: first[0].upper(), message)
        message += "" if message.endswith((".", "?", "!")) else "."
    code = Markup("<code>{}</code>")
    pieces = enumerate(message.split("`"))
    return Markup("").join(code.format(piece) if number % 2 else escape(piece) for number, piece in pieces)


def page(template: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page, or a part of one, from a template; invalid characters, as in names of files, become question marks."""
    text = _environment().get_template(template).render(**values)
    return HTMLResponse(text.encode("utf-8", "replace"), status)


DRAWN = chart.STYLE, heat.STYLE
"""The style rules of charts and of confusion matrices, which ``/drawn.css`` contains."""


def picture(svg: str) -> Markup:
    """A picture as part of a page; the styles of charts are in a style sheet, because pages contain no styles."""
    for style in DRAWN:
        svg = svg.replace(f"<style>{style}</style>", "")
    return Markup(inline_svg(svg))  # noqa: S704 - inside is escaped where the picture is made


def is_part(request: Request) -> bool:
    """Whether a page sent the request to update a part of itself, rather than a person to open a page."""
    return request.headers.get("hx-request") == "true"


def saved_as(name: str) -> dict[str, str]:
    """The header that makes a browser save a response under a file name, in any alphabet (RFC 6266)."""
    code = quote(name, safe="", errors="replace")
    given = f'filename="{name}"' if code == name else f"filename*=UTF-8''{code}"
    return {"content-disposition": f"attachment; {given}"}


def mistake(request: Request, message: str, status: int) -> HTMLResponse:
    """The response to a request that fails: a page, or a line on the page that sent the request."""
    template = "mistake_part.html" if is_part(request) else "mistake.html"
    return page(template, status, title="Something went wrong", message=cut(message))


RULE = "rule."
"""The prefix of the names of fields that set rules."""


def whole(text: str, what: str, most: int) -> int:
    """The whole number in a field.

    Raises:
        UsageError: the field does not contain a whole number.
    """
    if not (text.isascii() and text.isdigit() and len(text) <= 16 and int(text) <= most):
        raise UsageError(f"{what} is a whole number from 0 to {most}")
    return int(text)


def rules_in(fields: Mapping[str, str]) -> dict[str, str]:
    """The rules in the fields, by option, as strings."""
    return {name.removeprefix(RULE): text for name, text in fields.items() if name.startswith(RULE) and text}


MOST_NAMES = 16
"""The maximum number of players that one request can name."""


def players_of(game: Game, site: Site) -> list[str]:
    """The names of all players for a game: the game's players, and programs for the game under the folder."""
    return [*opponents_of(game), *programs_for(site.below(), game)]


def players_named(text: str, site: Site, game: Game) -> tuple[str, ...]:
    """The players in a string, separated by commas: names, or paths of files under the folder.

    Raises:
        UsageError: the string names something that is not a player; the message suggests the nearest name.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MOST_NAMES:
        raise UsageError(f"{len(names)} players are named; at most {MOST_NAMES} are allowed")
    return tuple(player_named(name, site, game) for name in names)


def setup_of(
    fields: Mapping[str, str], site: Site, game: Game, seed: int = 0
) -> tuple[GameSetup, tuple[str, ...]]:
    """The setup in the fields, with ``seed`` if they have no seed, and the opponents: names, or paths of files.

    Raises:
        UsageError: an opponent is unknown, or a number is invalid.
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


def address(setup: GameSetup, program: str) -> str:
    """The fields of a traced game as a URL's query."""
    return urlencode(
        {
            "game": setup.game,
            "program": program,
            "vs": ", ".join(setup.opponents),
            "seat": setup.seat,
            "seed": setup.seed,
            "deal": setup.deal,
            **{f"{RULE}{name}": text for name, text in setup.rules.items()},
        }
    )


def player_named(name: str, site: Site, game: Game) -> str:
    """The player for this name in a request: the name itself, or the path of a file.

    Raises:
        UsageError: there is no such player.
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
    """The same work, but it raises nothing that would stop the server, and does not wait indefinitely for a game."""

    @wraps(work)
    def safe(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            with watched(plugins.PATIENCE, plugins.is_named):
                return work(*args, **kwargs)
        except (GpkitError, HTTPException):
            raise
        except BaseException as fault:  # nobody interrupts a thread: this does not come from the person
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
    """A route that answers GET requests in a thread."""
    return Route(path, guarded(work))


def posts(path: str, work: Callable[[Request, QueryParams], Response]) -> Route:
    """A route that answers POST requests in a thread, given the fields of the submitted form.

    The route raises a ``ValueError`` if the form has more than ``MOST_FIELDS`` fields.
    """

    async def answered(request: Request) -> Response:
        body = (await request.body()).decode("utf-8", "replace")
        form = QueryParams(parse_qsl(body, keep_blank_values=True, max_num_fields=MOST_FIELDS))
        return await in_thread(work, request, form)

    return Route(path, answered, methods=["POST"])


def site_of(request: Request) -> Site:
    """The site that handles a request."""
    site: Site = request.app.state.site
    return site
