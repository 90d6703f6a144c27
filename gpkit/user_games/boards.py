"""Boards that gpkit draws for users' games: squares with pieces, in the terminal and on web pages.

A state defines its squares (``squares``), the pieces on them (``pieces``), and the squares that a person selects one
after another to choose an action (``moves``). The viewer's pieces are discs; the pieces of other players have other
shapes.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape
from inspect import signature
from itertools import combinations, islice, pairwise
from typing import Any

from gpkit.core.diagnostics import shortened
from gpkit.core.errors import GuestError
from gpkit.core.layout import T
from gpkit.gamekit.state import NOBODY
from gpkit.gamekit.svg import box, golden, number, pill, places
from gpkit.gamekit.view import MOST_BUTTONS, Overlay, Spot, seen_action
from gpkit.user_games.arena import first_of
from gpkit.user_games.contract.findings import place_of
from gpkit.user_games.rules import Rules, WrappedState

SHAPES, NEUTRAL, FREE = "●◆■▲", "○", "·"
"""Symbols: the players' pieces (the viewer's first), pieces without an owner, and free squares in text."""

LARGEST_CELL, EDGE, RIM, GAP = 64.0, 18.0, 30.0, 6.0
"""The maximum side of a square, the wooden edge without and with coordinates, and the gap between cells, in pixels."""

COORDINATES = re.compile(r"(?<![a-z])([a-z](?:\d+|(?![a-z0-9])))")
"""The pattern of a square's name in the text of an action."""

Piece = tuple[int, str]
"""A piece: the seat of its owner, or ``NOBODY``, and its sign, which may be empty."""


def method(state: WrappedState, name: str) -> Any:
    """The method of the state with this name; None if there is none, or if the attribute is not a method."""
    own = getattr(state.position, name, None)
    return own if callable(own) else None


def shown(method: Any, state: WrappedState, player: int | None) -> Any:
    """The result of a method that can take the viewing player; at the end, or without a player, nothing is hidden."""
    return method() if not signature(method).parameters else method(None if state.is_terminal else player)


def spots_of(method: Callable[[], Mapping[int, Sequence[float]]]) -> dict[int, Spot]:
    """The rectangles that a method returns, by action or by square.

    Raises:
        GuestError: the method returns something else.
    """
    return _read(
        method,
        method,
        "(x, y, width, height) by action",
        lambda key, spot: (int(key), Spot(*map(float, spot))),
    )


def squares(state: WrappedState) -> dict[int, Spot]:
    """The rectangles of all squares from the state; empty if the state has no squares."""
    return spots_of(getattr(state.position, "squares", dict))


def paths(state: WrappedState) -> dict[int, tuple[int, ...]]:
    """The squares that a person chooses one after another, by legal action; actions without squares are left out.

    Raises:
        GuestError: ``moves`` returns something else.
    """
    if state.current_player < 0:  # chance or nobody acts next
        return {}
    legal, known = set(state.legal_actions()), squares(state)
    own = method(state, "moves")
    if own is None:
        return {action: (action,) for action in known if action in legal}
    given = _read(own, own, "squares by action, such as (from, to)", _path)
    return {action: path for action, path in given.items() if action in legal and known.keys() >= set(path)}


def spots_of_actions(state: WrappedState) -> dict[int, Spot]:
    """The rectangles of legal actions on the picture: from the state, or from the last square of each action."""
    own = getattr(state.position, "action_spots", None)
    if own is None:
        spots = squares(state)
        return {action: spots[path[-1]] for action, path in paths(state).items()}
    return {} if state.current_player < 0 else spots_of(own)  # chance or nobody acts next


def unreachable(state: WrappedState) -> Iterator[tuple[str, str]]:
    """Yield the state members that prevent a person from choosing an action with the pointer, each with the reason."""
    spots, ways, legal = squares(state), paths(state), state.legal_actions()
    if (own := method(state, "moves")) is not None:
        for action, path in own().items():
            if action in legal and action not in ways:
                yield "moves", f"gives {path} for {action}; expected squares, such as {next(iter(spots), 0)}"
        placed = {
            square: spots[square]
            for square in dict.fromkeys(square for path in ways.values() for square in path)
        }
    else:
        placed = spots_of_actions(state)
    member = "action_spots" if hasattr(state.position, "action_spots") else "squares"
    if placed and not hasattr(state.position, "board_svg") and not spots:
        yield member, "places actions on a picture that is missing; expected `board_svg`, or `squares`"
    for (one, spot), (other, above) in combinations(list(placed.items())[:MOST_BUTTONS], 2):
        x, y = _middle(spot)
        if above.x < x < above.x + above.width and above.y < y < above.y + above.height:
            yield member, f"puts {other} on top of {one}; expected places side by side, or `moves`"
    if len(buttons := [each for each in legal if each not in (ways if ways else placed)]) > MOST_BUTTONS:
        yield member, f"gives no place to {len(buttons):,} actions; pages have at most {MOST_BUTTONS} buttons"


def _path(action: Any, path: Any) -> tuple[int, tuple[int, ...]]:
    return int(action), (path,) if isinstance(path, int) else tuple(map(int, path))


def pieces(state: WrappedState, player: int | None) -> dict[int, Piece]:
    """The pieces by square, from a player's point of view; empty if the state has no pieces.

    Raises:
        GuestError: ``pieces`` returns something else, or names an unknown square or owner.
    """
    own = method(state, "pieces")
    if own is None:
        return {}
    found = _read(
        own,
        lambda: shown(own, state, player),
        "an owner, or (owner, sign), by square",
        lambda square, piece: (int(square), _piece(piece)),
    )
    known, seats = squares(state), state.game.players(state.rules)
    for square, (owner, _) in found.items():
        if square not in known or not NOBODY <= owner < seats:
            message = f"puts a piece of {owner} on {square}; expected a seat or -1, and one of `squares`"
            raise GuestError(f"{place_of(own)}: {message}")
    return found


def winning(state: WrappedState) -> tuple[int, ...]:
    """The squares that are highlighted at the end of the game; empty before the end.

    Raises:
        GuestError: ``winning_squares`` returns something else.
    """
    own = method(state, "winning_squares")
    if own is None or not state.is_terminal:
        return ()
    given, spots = own(), squares(state)
    found = tuple(islice(given, len(spots) + 1)) if isinstance(given, Iterable) else (given,)
    wrong = [each for each in found if type(each) is not int or each not in spots]
    if wrong or not isinstance(given, Iterable):
        told = f"{shortened(repr(wrong[0] if wrong else given))}; expected numbers of squares"
        raise GuestError(f"{place_of(own)}: gives {told}")
    return found


def _piece(given: Any) -> Piece:
    owner, sign = given if isinstance(given, tuple) else (given, "")
    return int(owner), str(sign)


def _read(
    method: Any, ask: Callable[[], Any], expected: str, entry: Callable[[Any, Any], tuple[int, T]]
) -> dict[int, T]:
    """The entries of a mapping that a method returns.

    Raises:
        GuestError: the method returns something else.
    """
    given = ask()
    try:
        return dict(entry(*pair) for pair in given.items())
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise GuestError(
            f"{place_of(method)}: gives {shortened(repr(given))}; expected {expected}"
        ) from error


def has_board(state: WrappedState) -> bool:
    """Whether the state has members from which gpkit draws a board with pieces."""
    return method(state, "pieces") is not None


def has_sides(state: WrappedState) -> bool:
    """Whether pieces on the board belong to players."""
    return has_board(state) and any(owner >= 0 for owner, _ in pieces(state, None).values() or [(0, "")])


def shape(state: WrappedState, owner: int, player: int | None) -> str:
    """The shape of an owner's pieces from the point of view of a viewer, whose own pieces are discs."""
    seats = state.game.players(state.rules)
    return SHAPES[(owner - (player or 0)) % seats % len(SHAPES)] if owner >= 0 else NEUTRAL


# Names of squares.


def _begun(game: Any, rules: Rules) -> WrappedState:
    """The state at the beginning of a game."""
    return WrappedState(rules, first_of(game, 0, rules), 0, game).after_chance()


@lru_cache(maxsize=64)
def _is_above(game: Any, rules: Rules, player: int) -> bool:
    """Whether all of a player's pieces begin above the other players' pieces."""
    state = _begun(game, rules)
    spots, standing = squares(state), pieces(state, player)
    own, others = (
        [
            spots[square].y
            for square, (owner, _) in standing.items()
            if owner >= 0 and (owner == player) is mine
        ]
        for mine in (True, False)
    )
    return bool(own and others) and max(own) < min(others)


@lru_cache(maxsize=64)
def _direction(game: Any, rules: Rules) -> int:
    """The direction of row numbers in the first actions' texts: 1 up, -1 down, 0 none; 2 if no squares are named."""
    state = _begun(game, rules)
    text = getattr(state.position, "action_text", None)
    if text is None:
        return 1
    spots = squares(state)
    written = {
        path: COORDINATES.findall(str(text(action)).lower()) for action, path in paths(state).items() if path
    }
    for direction in (1, -1, 0):
        named = _grid(spots, direction)
        if written and all(
            found and found == [named[each] for each in path][-len(found) :]
            for path, found in written.items()
        ):
            return direction
    return 2


def _grid(spots: Mapping[int, Spot], direction: int) -> dict[int, str]:
    """The names of squares: a letter for the column, and the number of the row."""
    across, down = ({each: k for k, each in enumerate(sorted(ends))} for ends in _ends(spots))
    rows = len(down)
    return {
        square: chr(ord("a") + across[spot.x])
        + {1: str(rows - down[spot.y]), -1: str(down[spot.y] + 1), 0: ""}[direction]
        for square, spot in spots.items()
    }


def _ends(spots: Mapping[int, Spot]) -> tuple[set[float], set[float]]:
    return {spot.x for spot in spots.values()}, {spot.y for spot in spots.values()}


def coordinates(state: WrappedState, spots: Mapping[int, Spot]) -> dict[int, str]:
    """The names of squares on a grid, as in the texts of the game; empty if the texts do not name squares."""
    direction = _direction(state.game, state.rules)
    return {} if direction == 2 or len(_ends(spots)[0]) > 26 else _grid(spots, direction)


def _last(state: WrappedState, player: int | None) -> tuple[WrappedState, int] | None:
    """The state before the last action, and the action; None if the player cannot identify it."""
    if state.before is None or player is None or state.is_terminal:
        return state.before
    return state.before if seen_action(action_text, "", *state.before, player) else None


def latest(state: WrappedState, player: int | None) -> tuple[int, ...]:
    """The squares of the last action, if the player can identify it."""
    found = _last(state, player)
    return () if found is None else paths(found[0]).get(found[1], ())


def last_seen(state: WrappedState, player: int | None) -> str:
    """The text of the last action, if the player can identify it."""
    found = _last(state, player)
    return "" if found is None else action_text(*found)


def action_text(state: WrappedState, action: int) -> str:
    """The text of an action: from the state, else the names of its squares on a board with pieces, else its number."""
    own = getattr(state.position, "action_text", None)
    if own is not None or not has_board(state):
        return str((own or str)(action))
    ways, named = paths(state), _grid(squares(state), 1)
    is_alone = [*ways.values()].count(ways.get(action, ())) == 1
    return "-".join(named[square] for square in ways[action]) if is_alone else str(action)


# In the terminal.


def board_text(state: WrappedState, player: int | None) -> str:
    """The board as lines of text: the pieces on their squares, the last move in brackets, and coordinates."""
    spots, standing, last = squares(state), pieces(state, player), latest(state, player)[-1:]
    named = coordinates(state, spots)
    signs = {square: shape(state, *standing[square][:1], player) + standing[square][1] for square in standing}
    cells = {square: signs.get(square, FREE) for square in spots}
    width = max(map(len, cells.values()), default=1) + 1
    left = sorted(_ends(spots)[0])
    step = min((there - here for here, there in pairwise(left)), default=1.0)
    margin = max((len(name) for name in named.values()), default=1)
    at = {x: margin + round((x - left[0]) / step) * width for x in left}
    lines = []
    for y in sorted(_ends(spots)[1]):
        line = [" "] * (at[left[-1]] + width)
        for square in (each for each, spot in spots.items() if spot.y == y):
            start, cell = at[spots[square].x], cells[square]
            line[: margin - 1] = named.get(square, "")[1:].rjust(margin - 1)
            line[start : start + len(cell)] = cell
            if square in last:
                line[start - 1], line[start + len(cell)] = "[]"
        lines.append("".join(line).rstrip())
    if named:
        letters = {at[spots[square].x]: name[0] for square, name in named.items()}
        lines.append("".join(letters.get(column, " ") for column in range(at[left[-1]] + 1)))
    return "\n".join(lines) + "\n"


# On pages.


def squares_svg(
    state: WrappedState, player: int | None, overlay: Overlay, text: str
) -> tuple[list[str], float, float]:
    """The parts of a picture (squares on wood, pieces, the last move, and clickable places), and its size.

    Args:
        state, player, overlay: the same as in ``gpkit.gamekit.view.BoardPicture``.
        text: the board as text, from which the symbols on the squares are taken if the state has no pieces.
    """
    spots, standing, ways = squares(state), pieces(state, player), paths(state)
    named = coordinates(state, spots) if has_board(state) else {}
    edge, gap = RIM if named else EDGE, 1.0 if has_board(state) else GAP
    is_turned = (
        player is not None and bool(method(state, "moves")) and _is_above(state.game, state.rules, player)
    )
    scaled, width, height = _scaled(spots, overlay, edge, gap, is_turned=is_turned)
    wood = f'<rect width="{number(width)}" height="{number(height)}" rx="16" fill="#4a3527"/>'
    parts = [wood, *_rim(scaled, named, height)]
    legal = (
        {}
        if player not in (None, state.current_player)
        else {path[0]: action for action, path in ways.items()}
    )
    parts += _checks(spots, scaled) if has_board(state) else _cells(state, scaled, text, legal, overlay)
    way = latest(state, player)
    trail = [scaled[square] for square in way]
    parts += [f'<rect class="trail" {box(spot, 0)}/>' for spot in trail[:-1]]
    parts += [f'<rect class="winning" {box(scaled[square], 0)}/>' for square in winning(state)]
    for square, piece in standing.items():
        from_ = _middle(trail[0]) if square in way[-1:] else None
        if from_ is not None and len(way) == 1:
            from_ = from_[0], EDGE
        parts.append(_piece_svg(state, square, scaled[square], piece, player, from_))
    parts += map(golden, trail[-1:])
    used = Counter(square for path in ways.values() for square in {*path})
    single = {action: scaled[path[0]] for action, path in ways.items() if used[path[0]] == len(path) == 1}
    free = {
        square for square, action in legal.items() if action in overlay.labels.keys() - overlay.values.keys()
    }
    parts += [_aim(scaled[square]) for square in free - standing.keys() if has_board(state)]
    parts += places(single, overlay)
    parts += _ways(
        {action: path for action, path in ways.items() if action not in single}, scaled, named, overlay
    )
    return parts, width, height


def _checks(spots: Mapping[int, Spot], scaled: Mapping[int, Spot]) -> Iterator[str]:
    """The squares of the board, in two colours."""
    columns, rows = ({each: k for k, each in enumerate(sorted(ends))} for ends in _ends(spots))
    for square, spot in spots.items():
        other = " other" * ((columns[spot.x] + rows[spot.y]) % 2)
        yield f'<rect class="square{other}" {box(scaled[square], 0)}/>'


def _cells(
    state: WrappedState, scaled: Mapping[int, Spot], text: str, legal: Mapping[int, int], overlay: Overlay
) -> Iterator[str]:
    """The squares as cells, each with a symbol from the board's text or the name of its action."""
    signs = _signs(scaled, text)
    for square, spot in scaled.items():
        sign, action = signs.get(square, ""), legal.get(square)
        name = sign if sign.strip("._-") else "" if action is None else action_text(state, action)
        size = min(0.45 * spot.height, 1.5 * spot.width / max(len(name), 2), 28.0)
        yield f'<rect class="cell{"" if action is None else " free"}" {box(spot)}/>'
        if name and action not in overlay.values:
            x, y = number(spot.x + spot.width / 2), number(spot.y + spot.height / 2 + 0.36 * size)
            yield (
                f'<text class="on" x="{x}" y="{y}" font-size="{number(size)}" text-anchor="middle">'
                f"{escape(name)}</text>"
            )


def _signs(spots: Mapping[int, Spot], text: str) -> dict[int, str]:
    """The symbols of squares, from lines of a board's text that have a word or letter for each square of the row."""
    rows: dict[float, list[int]] = {}
    for action, spot in sorted(spots.items(), key=lambda pair: (pair[1].y, pair[1].x)):
        rows.setdefault(spot.y, []).append(action)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    found: dict[int, str] = {}
    for row, line in zip(rows.values(), lines, strict=False):
        words = line.split()
        cells = words if len(words) == len(row) else list(line) if len(line) == len(row) else words[1:]
        if len(cells) == len(row):
            found.update(zip(row, cells, strict=True))
    return found


def _scaled(
    spots: Mapping[int, Spot], overlay: Overlay, edge: float, gap: float, *, is_turned: bool
) -> tuple[dict[int, Spot], float, float]:
    """The squares in pixels, with gaps between them and a wooden edge around them, and the size of the picture."""
    if is_turned:
        spots = {
            square: Spot(-spot.x - spot.width, -spot.y - spot.height, spot.width, spot.height)
            for square, spot in spots.items()
        }
    left, top = min(spot.x for spot in spots.values()), min(spot.y for spot in spots.values())
    right = max(spot.x + spot.width for spot in spots.values())
    bottom = max(spot.y + spot.height for spot in spots.values())
    wide, high = (350.0, 500.0) if overlay.is_narrow else (800.0, 540.0)
    least = min(min(spot.width, spot.height) for spot in spots.values())
    scale = min(wide / (right - left), high / (bottom - top), LARGEST_CELL / least)
    scaled = {
        square: Spot(
            (spot.x - left) * scale + edge,
            (spot.y - top) * scale + EDGE,
            spot.width * scale - gap,
            spot.height * scale - gap,
        )
        for square, spot in spots.items()
    }
    return scaled, (right - left) * scale + edge + EDGE - gap, (bottom - top) * scale + edge + EDGE - gap


def _rim(scaled: Mapping[int, Spot], named: Mapping[int, str], height: float) -> Iterator[str]:
    """The letters of columns and the numbers of rows on the wooden edge."""
    letters = {name[0]: scaled[square].x + scaled[square].width / 2 for square, name in named.items()}
    numbers = {name[1:]: scaled[square].y + scaled[square].height / 2 for square, name in named.items()}
    for text, x, y in (
        *((text, x, height - RIM / 2 + 5) for text, x in letters.items()),
        *((text, RIM / 2, y + 5) for text, y in numbers.items() if text),
    ):
        yield f'<text class="faint" x="{number(x)}" y="{number(y)}" font-size="15" text-anchor="middle">{text}</text>'


def _piece_svg(
    state: WrappedState,
    square: int,
    spot: Spot,
    piece: Piece,
    player: int | None,
    came: tuple[float, float] | None,
) -> str:
    """A piece: the shape of its owner, its sign, and the point from which it came if it moved last."""
    x, y, r = spot.x + spot.width / 2, spot.y + spot.height / 2, 0.36 * min(spot.width, spot.height)
    own, sign = shape(state, piece[0], player), escape(piece[1])
    kind = f"side-{SHAPES.index(own)}" if own != NEUTRAL else "side"
    far, size = number(r * 1.18), number(min(1.1 * r, 2.2 * r / max(len(piece[1]), 1)))
    outline = {
        SHAPES[1]: f'<path class="{kind}" d="M0-{far}L{far} 0 0 {far}-{far} 0Z"/>',
        SHAPES[2]: f'<rect class="{kind}" x="-{number(r * 0.9)}" y="-{number(r * 0.9)}" '
        f'width="{number(r * 1.8)}" height="{number(r * 1.8)}" rx="3"/>',
        SHAPES[3]: f'<path class="{kind}" d="M0-{far}L{far} {number(r * 0.85)}H-{far}Z"/>',
    }.get(own, f'<circle class="{kind}" r="{number(r)}"/>')
    text = (
        f'<text class="on" y="{number(r * 0.38)}" font-size="{size}" text-anchor="middle">{sign}</text>'
        if sign
        else ""
    )
    moved = f' data-from="{number(came[0])} {number(came[1])}"' if came else ""
    place = f'data-at="{square}"{moved} transform="translate({number(x)} {number(y)})"'
    return f'<g class="piece" {place}>{outline}{text}</g>'


def _aim(spot: Spot) -> str:
    """A dot on the square where an action ends."""
    middle = f'cx="{number(spot.x + spot.width / 2)}" cy="{number(spot.y + spot.height / 2)}"'
    return f'<circle class="aim" {middle} r="{number(0.12 * min(spot.width, spot.height))}"/>'


def _ways(
    ways: Mapping[int, Sequence[int]],
    scaled: Mapping[int, Spot],
    named: Mapping[int, str],
    overlay: Overlay,
) -> Iterator[str]:
    """Marks for actions of several squares: arrows for the best, values on the first squares, and clickable squares."""
    for action in (each for each in overlay.best if each in ways):
        ends = " ".join(
            f"{number(x)},{number(y)}" for x, y in map(_middle, (scaled[each] for each in ways[action]))
        )
        yield f'<polyline class="way-best" points="{ends}"/>'
    worth: dict[int, list[int]] = {}
    for action, path in ways.items():
        worth.setdefault(path[0], []).append(action)
    for square, actions in worth.items():
        if valued := [action for action in actions if action in overlay.values]:
            best = max(valued, key=lambda each: (overlay.values[each], each in overlay.best))
            yield pill(scaled[square].x + scaled[square].width / 2, scaled[square].y + 12, best, overlay)
    told = {action: path for action, path in ways.items() if action in overlay.labels}
    if not told:
        return
    listed = json.dumps([[action, overlay.labels[action], path] for action, path in told.items()])
    yield f'<g class="ways" data-ways="{escape(listed)}">'
    for square in sorted({square for path in told.values() for square in path}):
        count = len(worth.get(square, ()))
        name = f"{named.get(square) or f'Square {square}'}, {count} move{'s' * (count != 1)}"
        role = (
            f'class="way spot" role="button" tabindex="-1" aria-label="{escape(name)}"'
            if count
            else 'class="way"'
        )
        hit = f'<rect class="hit" {box(scaled[square], 0.06)}/>'
        yield f'<g {role} data-square="{square}">{hit}{_aim(scaled[square])}</g>'
    yield "</g>"


def _middle(spot: Spot) -> tuple[float, float]:
    return spot.x + spot.width / 2, spot.y + spot.height / 2


def spoken(state: WrappedState, player: int | None) -> str:
    """A description of the board for people who cannot see it, which lists the squares of all pieces."""
    standing, named = pieces(state, player), coordinates(state, squares(state))
    found: dict[str, list[str]] = {}
    for square, (owner, sign) in standing.items():
        found.setdefault(shape(state, owner, player), []).append(sign + named.get(square, str(square)))
    return "; ".join(f"{each} on {', '.join(found[each])}" for each in sorted(found)) or "An empty board"
