"""Heat maps: a player's choices on the squares of a board, counted over many games.

Each request plays a few more games in a worker process. A page shows each map as a picture with a scale, and the same
numbers in a table.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import Response

from gpkit.core.errors import UsageError
from gpkit.core.registry import game_entry, game_of
from gpkit.core.wording import YOU
from gpkit.gamekit.game import Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import ObservableState
from gpkit.gamekit.svg import GRADES, grade, ink_on, short
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Spot, View
from gpkit.playing.contest import deal_of
from gpkit.playing.players import Seating, check_seat, names_at_table
from gpkit.playing.session import seat_all
from gpkit.playing.trace import Trace, check_traced, followed
from gpkit.web.play_table import PlayTable
from gpkit.web.site import RULE, Site, page, player_named, posts, setup_of, site_of, whole


@dataclass(slots=True)
class Tally:
    """Counts for the squares of a board over several games; a square has the same number as its action.

    Attributes:
        games: the number of games.
        chosen: the number of games in which the player chose the square.
        turns: the sum, over these games, of the square's position (from 1) in the order of choices.
        worth: the sum of the values that the player gave the square.
        valued: the number of values that the player gave the square.
        laid: by seat, the number of games in which the player of this seat placed something on the square.
    """

    games: int = 0
    chosen: Counter[int] = field(default_factory=Counter)
    turns: Counter[int] = field(default_factory=Counter)
    worth: dict[int, float] = field(default_factory=dict)
    valued: Counter[int] = field(default_factory=Counter)
    laid: dict[int, Counter[int]] = field(default_factory=dict)

    def begin(self, state: ObservableState, view: View) -> None:
        """Count a game at its start, and the squares that players occupy there."""
        self.games += 1
        if view.laid_squares is not None:
            for seat, squares in view.laid_squares(state).items():
                self.laid.setdefault(seat, Counter()).update(squares)

    def follow(self, trace: Trace, view: View) -> None:
        """Count a complete game."""
        number = 0
        for step in trace.steps:
            if step.number == 0:
                self.begin(step.after, view)
            for square, value in step.worths.items():
                if abs(value) < float("inf"):
                    self.worth[square] = self.worth.get(square, 0.0) + value
                    self.valued[square] += 1
            if step.is_mine and step.action is not None:
                number += 1
                self.chosen[step.action] += 1
                self.turns[step.action] += number

    def add(self, other: "Tally") -> None:
        """Add the counts of other games."""
        self.games += other.games
        for own, more in (
            (self.chosen, other.chosen),
            (self.turns, other.turns),
            (self.valued, other.valued),
        ):
            own.update(more)
        for square, value in other.worth.items():
            self.worth[square] = self.worth.get(square, 0.0) + value
        for seat, squares in other.laid.items():
            self.laid.setdefault(seat, Counter()).update(squares)


@dataclass(frozen=True, slots=True)
class HeatMap:
    """One number for each square.

    Attributes:
        title: the name of the measured quantity.
        values: the values by square; squares without a value are missing.
    """

    title: str
    values: Mapping[int, float]


def heat_maps(tally: Tally, squares: Sequence[int], names: Sequence[str], followed: str) -> Iterator[HeatMap]:
    """The maps of a tally.

    Args:
        tally: the tally of at least one game.
        squares: all squares.
        names: the names of the players, by seat.
        followed: the name of the player whose choices are counted; empty if there is none.
    """
    if followed:
        shares = {square: 100 * tally.chosen[square] / tally.games for square in squares}
        yield HeatMap(f"chosen by {followed}: percent of games", shares)
        turns = {
            square: tally.turns[square] / tally.chosen[square] for square in squares if tally.chosen[square]
        }
        yield HeatMap(f"when {followed} chooses it: mean position in its choices", turns)
    if tally.worth:
        values = {
            square: tally.worth[square] / tally.valued[square] for square in squares if square in tally.worth
        }
        yield HeatMap(f"mean value for {followed} before its choices", values)
    for seat, counts in sorted(tally.laid.items()):
        laid = {square: 100 * counts[square] / tally.games for square in squares}
        yield HeatMap(f"placed by {names[seat]}: percent of games", laid)


@dataclass(frozen=True)
class HeatMapSetup:
    """The setup of the games from which a heat map is counted.

    Attributes:
        game: the name of the game.
        program: the program whose choices are counted: a name, or the path of a file; empty to count only the
            opponents' placements.
        opponents: the opponents, in the same form.
        rules: the options, as strings.
        seat: the seat of the program.
        seed: the seed of the deals.
        changed: the modification times of the named files, so a change to a file gives a different setup.
    """

    game: str
    program: str
    opponents: tuple[str, ...]
    rules: tuple[tuple[str, str], ...]
    seat: int
    seed: int
    changed: tuple[int, ...] = ()


@lru_cache(maxsize=4)
def seated(setup: HeatMapSetup) -> tuple[Seating, View]:
    """The players, and the view of their game.

    Raises:
        UsageError: a player or a rule does not exist or does not fit the game, or the board has no squares.
        SourceError: a program does not parse, or has an error for this game.
    """
    game = game_entry(setup.game).name
    found = seat_all(setup.program or None, setup.opponents, game=game, options=dict(setup.rules))
    view = found.game.view
    if not has_squares(found.game, found.rules):
        raise UsageError(f"boards of {game} have no fixed squares")
    if not setup.program and view.laid_squares is None:
        raise UsageError(f"{game} has no hidden layout: name a program to count its choices")
    check_seat(setup.seat, len(found.players) + (not setup.program))
    return found, view


def has_squares(game: Game, rules: object) -> bool:
    """Whether the board's squares keep their positions; in user-defined games this can differ from state to state."""
    view = game.view
    if view.squares is None:
        return False
    players = [Player(YOU)] * game.players(rules)
    return bool(view.squares(game.begin(players, deal_of(game, rules, 0, 0), rules)))


def count_games(setup: HeatMapSetup, numbers: range) -> Tally:
    """The tally of the games on the deals with these numbers.

    Raises:
        UsageError: in the same cases as ``seated``, or the program cannot be followed.
        SourceError: in the same cases as ``seated``.
    """
    seating, view = seated(setup)
    tally = Tally()
    for number in numbers:
        if setup.program:
            tally.follow(followed(seating, seat=setup.seat, seed=setup.seed, deal=number), view)
        else:
            deals = deal_of(seating.game, seating.rules, setup.seed, number)
            others = list(seating.players)
            others.insert(setup.seat, Player(YOU))
            tally.begin(seating.game.begin(others, deals, seating.rules), view)
    return tally


LABEL = 0.9
"""The space for the names of rows and columns, relative to the smaller side of a square."""


def scale_of(values: Mapping[Any, float]) -> list[tuple[int, str, str]]:
    """The colours of the scale for these values, each with its lowest and highest value."""
    known = [value for value in values.values() if abs(value) < float("inf")]
    if not known:
        return []
    low, high, last = min(known), max(known), len(GRADES) - 1
    if low == high:
        return [(0, short(low), short(high))]
    ends = [low + (high - low) * min(max((k - 0.5) / last, 0.0), 1.0) for k in range(len(GRADES) + 1)]
    return [(k, short(ends[k]), short(ends[k + 1])) for k in range(len(GRADES))]


def shown_map(heat: HeatMap, spots: Mapping[int, Spot], names: Mapping[int, str]) -> dict[str, Any]:
    """A heat map for a page: title, picture, scale and a table of the values; every square has a spot and a name.

    Each row of the table has a heading, and a cell for each column: a square's value and name, or nothing.
    """
    tops, lefts = sorted({spot.y for spot in spots.values()}), sorted({spot.x for spot in spots.values()})
    places = {(spot.y, spot.x): square for square, spot in spots.items()}
    rows, columns = _headings(tops, lefts, places, names)
    table = [
        (heading, [_cell(heat, names, places.get((y, x))) for x in lefts])
        for heading, y in zip(rows, tops, strict=True)
    ]
    return {
        "title": heat.title,
        "svg": _picture(heat, spots, names, (rows, columns)),
        "scale": scale_of(heat.values),
        "columns": columns,
        "rows": table,
    }


def _cell(heat: HeatMap, names: Mapping[int, str], square: int | None) -> str:
    """The text of a square in the table."""
    if square is None:
        return ""
    return f"{names[square]}: {short(heat.values[square]) if square in heat.values else 'none'}"


def _headings(
    tops: Sequence[float],
    lefts: Sequence[float],
    places: Mapping[tuple[float, float], int],
    names: Mapping[int, str],
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The common parts of the names in each row and each column; numbers if these parts are not distinct."""
    by_row = [[names[places[y, x]] for x in lefts if (y, x) in places] for y in tops]
    by_column = [[names[places[y, x]] for y in tops if (y, x) in places] for x in lefts]
    rows = [_common([name[::-1] for name in row])[::-1].strip() for row in by_row]
    columns = [_common(column).strip() for column in by_column]
    plain = all(rows) and all(columns) and len(set(rows)) == len(rows) and len(set(columns)) == len(columns)
    if not plain:
        return tuple(str(k + 1) for k in range(len(tops))), tuple(str(k + 1) for k in range(len(lefts)))
    return tuple(rows), tuple(columns)


def _common(texts: Sequence[str]) -> str:
    """The longest prefix that all strings share."""
    first, last = min(texts), max(texts)
    same = (k for k, (a, b) in enumerate(zip(first, last, strict=False)) if a != b)
    return first[: next(same, len(first))]


def _picture(
    heat: HeatMap,
    spots: Mapping[int, Spot],
    names: Mapping[int, str],
    headings: tuple[tuple[str, ...], tuple[str, ...]],
) -> Markup:
    side = max(min(spot.width, spot.height) for spot in spots.values())
    room = LABEL * side
    left, top = min(spot.x for spot in spots.values()), min(spot.y for spot in spots.values())
    width = max(spot.x + spot.width for spot in spots.values()) - left + room + 2
    height = max(spot.y + spot.height for spot in spots.values()) - top + room + 2
    longest = max((len(short(value)) for value in heat.values.values()), default=1)
    parts = [
        _square(
            square,
            Spot(spot.x - left + room, spot.y - top + room, spot.width, spot.height),
            heat,
            names,
            longest,
        )
        for square, spot in spots.items()
    ]
    tall, wide = ({getattr(spot, end): spot for spot in spots.values()} for end in "yx")
    size = 0.42 * side
    marks = [
        *(
            (room - 0.2 * side, y - top + room + tall[y].height / 2 + 0.36 * size, "end")
            for y in sorted(tall)
        ),
        *((x - left + room + wide[x].width / 2, room - 0.25 * side, "middle") for x in sorted(wide)),
    ]
    parts += [
        f'<text class="heading" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="{anchor}">'
        f"{escape(heading)}</text>"
        for heading, (x, y, anchor) in zip([*headings[0], *headings[1]], marks, strict=True)
    ]
    message = escape(f"{heat.title}; {_extremes(heat, names)}")
    return Markup(  # noqa: S704 - names are escaped
        f'<svg xmlns="http://www.w3.org/2000/svg" class="heat" role="img" aria-label="{message}" '
        f'viewBox="0 0 {_n(width)} {_n(height)}">{"".join(parts)}</svg>'
    )


def _extremes(heat: HeatMap, names: Mapping[int, str]) -> str:
    """The squares with the highest and the lowest value, in words."""
    if not heat.values:
        return "no values"
    most, least = max(heat.values, key=heat.values.__getitem__), min(heat.values, key=heat.values.__getitem__)
    return (
        f"most on {names[most]}, {short(heat.values[most])}; "
        f"least on {names[least]}, {short(heat.values[least])}; all numbers are in the table"
    )


def _square(square: int, spot: Spot, heat: HeatMap, names: Mapping[int, str], longest: int) -> str:
    place = f'x="{_n(spot.x)}" y="{_n(spot.y)}" width="{_n(spot.width)}" height="{_n(spot.height)}"'
    if square not in heat.values:
        return f'<rect class="empty" {place}><title>{escape(names[square])}: none</title></rect>'
    value = heat.values[square]
    number, text = grade(value, heat.values), short(value)
    size = min(0.5 * spot.height, 1.1 * spot.width / max(longest, 2))
    x, y = spot.x + spot.width / 2, spot.y + spot.height / 2 + 0.36 * size
    return (
        f'<rect class="g{number}" {place} rx="2"><title>{escape(names[square])}: {text}</title></rect>'
        f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}" text-anchor="middle" fill="{ink_on(number)}">'
        f"{escape(text)}</text>"
    )


DEFAULT_GAMES, MOST_GAMES = 100, 1_000
"""The default and the maximum number of games to count."""

TOGETHER, TOGETHER_OF_LAID = 5, 50
"""The number of games to count in one request: complete games, or games of which only the opening is counted."""


def show(request: Request, form: QueryParams) -> Response:
    """The page of heat maps, after a few more games are counted."""
    site, fields = site_of(request), {**request.query_params, **form}
    games = whole(fields.get("games", "") or str(DEFAULT_GAMES), "the number of games", MOST_GAMES)
    setup = _setup(fields, site)
    tally = _counted(site, setup, max(1, games))
    query = [(name, text) for name, text in fields.items() if name != "games"]
    return page("heat.html", **_shown(setup, tally), goal=max(1, games), query=urlencode(query))


ROUTES = [posts("/heat", show)]


def _setup(fields: Mapping[str, str], site: Site) -> HeatMapSetup:
    """The games that the fields describe.

    Raises:
        UsageError: a player or a rule does not exist, or a number is invalid.
    """
    game: Game = game_of(fields.get("game", ""))
    program = fields.get("program", "")
    setup, others = setup_of(fields, site, game)
    named = player_named(program, site, game) if program else ""
    changed = tuple(Path(name).stat().st_mtime_ns for name in (named, *others) if "/" in name)
    return HeatMapSetup(
        game.name, named, others, tuple(sorted(setup.rules.items())), setup.seat, setup.seed, changed
    )


def _counted(site: Site, setup: HeatMapSetup, games: int) -> Tally:
    """The tally so far, extended by a few games unless it already has enough games."""
    key = (setup, games)
    tally = site.tallies.get(key) or Tally()
    if tally.games < games:
        slow = any(player.is_slow for player in seated(setup)[0].players)
        step = TOGETHER_OF_LAID if not setup.program else 1 if slow else TOGETHER
        more = Tally()
        more.add(tally)
        numbers = range(tally.games, min(tally.games + step, games))
        more.add(site.counting.count(count_games, setup, numbers))
        site.tallies.put(key, more)
        return more
    return tally


def _shown(setup: HeatMapSetup, tally: Tally) -> dict[str, Any]:
    """The template values for the page with the maps of a tally."""
    seating, view = seated(setup)
    assert view.squares is not None, "seated refuses others"
    players = list(seating.players)
    if setup.program:
        players = [players[(k - setup.seat) % len(players)] for k in range(len(players))]
    else:
        players.insert(setup.seat, Player(YOU))
    names = names_at_table(players)
    state = seating.game.begin(players, deal_of(seating.game, seating.rules, setup.seed, 0), seating.rules)
    spots = view.squares(state)
    squares = {square: view.action_text(state, square) for square in spots}
    followed = names[setup.seat] if setup.program else ""
    return {
        "counted": tally.games,
        "maps": [shown_map(each, spots, squares) for each in heat_maps(tally, list(spots), names, followed)],
    }


def heat_query(table: PlayTable) -> str:
    """The URL query for the heat maps of a person's first opponent; empty if there are no such maps."""
    said, setup = table.conversation, table.setup
    if not has_squares(said.game, said.rules):
        return ""
    other, seat = said.others[0], (said.seat + 1) % len(said.players)
    named = table.setup.opponents[0] if setup.opponents else said.game.rivals(said.rules)[0]
    fields = {"game": said.game.name, "seed": str(setup.seed)}
    fields |= {f"{RULE}{name}": text for name, text in said.rules.to_options().items()}
    if not other.decides:
        fields |= {"vs": named, "seat": str(said.seat)}
        return urlencode(fields) if said.view.laid_squares is not None else ""
    try:
        check_traced(said.game, [other, *said.others[1:], other], said.rules, seat)
    except UsageError:
        return ""
    return urlencode(fields | {"program": named, "seat": str(seat)})
