"""The view of the build order (``gpkit.gamekit.view.View``): text, pictures, parsing of orders, and a feature table.

A picture shows the resources, and a Gantt chart with rows for each thing and a bar for each order.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from html import escape
from types import MappingProxyType

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import UsageError
from gpkit.core.primitives import Sensor
from gpkit.core.wording import counted
from gpkit.gamekit.sensors import FeatureTable, rows_of
from gpkit.gamekit.svg import box, document, golden
from gpkit.gamekit.svg import number as _n
from gpkit.gamekit.view import Move, Overlay, Played, Spot, View, Words, number_word
from gpkit.games.build_order.kernel.things import ACTIONS, THINGS, WAIT
from gpkit.games.build_order.primitives import SENSORS
from gpkit.games.build_order.rules import (
    GOING,
    LATE,
    OVERRUN,
    REACHED,
    Attack,
    BuildOrderRules,
    BuildOrderState,
    Job,
    goal_text,
)
from gpkit.games.build_order.sensors import sense

COLUMNS = 50
"""The width of the time axis, in characters."""

WIDTH = max(map(len, ACTIONS))
"""The width of the column with the names of orders, in characters."""

SHOWN = 24
"""The maximum number of orders to show; older orders are left out."""


def board_text(state: BuildOrderState, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The game as text: the resources, and a bar for each order; every line ends with a line break.

    Args:
        state: the game.
        player: the viewing player, who sees the attack once it is known or the game is over; None always shows the
            attack.
        names: the names of the players; the text does not show them.
    """
    things = (f"{name} {count}" for name, count in zip(THINGS, state.counts, strict=True) if count)
    stock = [
        f"minerals {state.minerals}, larvae {state.larvae}, supply {state.supply} of {state.cap()}",
        ", ".join(things) or "nothing is left",
    ]
    lines = [standing(state), *stock, enemy_text(state, player), *timeline(state)]
    return "".join(f"{line}\n" for line in lines if line)


def clock(tick: int) -> str:
    """A tick as minutes and seconds.

    >>> clock(124)
    '2:04'
    """
    return f"{tick // 60}:{tick % 60:02}"


def spoken(action: int) -> str:
    """The name of an action as a capitalised phrase."""
    return ACTIONS[action].replace("_", " ").capitalize()


def standing(state: BuildOrderState) -> str:
    """A line with the tick, and with the goal or the outcome of the game."""
    goal = goal_text(state.rules.goal)
    message = {
        GOING: f"goal {goal}, horizon {state.rules.horizon}",
        REACHED: f"goal {goal} reached",
        LATE: f"the horizon; goal {goal} {'reached' if state.is_goal_reached else 'not reached'}",
        OVERRUN: "overrun by the enemy",
    }
    return f"tick {state.tick}: {message.get(state.outcome, f'stuck; goal {goal} not reached')}"


def enemy_text(state: BuildOrderState, player: int | None) -> str:
    """A line about the attack, as far as the player knows it; empty if there is no attack."""
    if not state.rules.is_attacked:
        return ""
    if state.tick >= state.attack.tick:
        return f"enemy zerglings: {state.enemies} of {state.attack.size} left"
    attacks = (state.attack,) if player is None or state.is_terminal else state.possible_attacks
    return f"enemy zerglings: {' or '.join(f'{each.size} at tick {each.tick}' for each in attacks)}"


def timeline(state: BuildOrderState) -> list[str]:
    """The time axis, and a bar for each order from its first tick to the tick in which the order is done."""
    if not state.orders:
        return []
    shown = state.orders[-SHOWN:]
    step = -(-(max(state.tick, *(job.done for job in shown)) + 1) // COLUMNS)
    skipped = [f"{len(state.orders) - SHOWN} earlier orders"] if len(state.orders) > SHOWN else []
    return [
        f"each column {step} tick{'s' if step > 1 else ''}, | now",
        *skipped,
        *(_line(job, state.tick, step) for job in shown),
    ]


def _line(job: Job, now: int, step: int) -> str:
    """A row of the timeline, with # for an order's past ticks and - for its future ticks."""
    row = [" "] * (COLUMNS + 1)
    row[now // step] = "|"
    for column in range(job.begun // step, job.done // step + 1):
        row[column] = "#" if column * step <= now else "-"
    return f"{job.begun:4} {ACTIONS[job.action]:{WIDTH}} {''.join(row).rstrip()}".rstrip()


TOP, ROW, BAR, FOOT = 72.0, 26.0, 18.0, 40.0
"""The heights of the numbers at the top, of a row, of a bar, and of the axis at the bottom, in pixels."""

SLATE, RULE = "#22303a", "#4a5b66"

SIGNS = (
    ("#f2c14e", "M10 1 18 6v8l-8 5-8-5V6z"),
    ("#b99bf2", "M10 4c6 0 9 3 9 6s-3 6-9 6-9-3-9-6 3-6 9-6z"),
    ("#5fd0bd", "M10 1c4 6 6 8 6 12a6 6 0 0 1-12 0c0-4 2-6 6-12z"),
    ("#f28f6d", "M1 17 6 4l5 13zM9 17 14 4l5 13z"),
    ("#f285c1", "M2 17V5l4 5 4-8 4 8 4-5v12z"),
    ("#9fd05a", "M1 17c0-8 4-13 9-13s9 5 9 13z"),
    ("#c9d3da", "M10 2a8 8 0 1 1 0 16 8 8 0 1 1 0-16zm0 5a3 3 0 1 0 0 6 3 3 0 1 0 0-6z"),
    ("#c9d3da", "M4 2h12l-5 8 5 8H4l5-8z"),
)
"""The colour and the outline of each action's icon; the outline is a path in a square of 20 by 20 pixels."""

AXIS = 90
"""The minimum number of ticks on the time axis."""


def board_svg(
    state: BuildOrderState,
    player: int | None = None,
    names: Sequence[str] = (),
    overlay: Overlay | None = None,
) -> str:
    """The game as an SVG document; see ``board_text`` for the arguments. The overlay has no clickable places."""
    narrow = overlay is not None and overlay.is_narrow
    width, left = (390.0, 166.0) if narrow else (848.0, 170.0)
    who, rival = _rival(state, overlay)
    later = [job.done for job in (*state.orders, *(rival if state.is_terminal else ()))]
    last = max(AXIS, state.tick, *later, 0)
    scale = (width - left - 24) / last
    rows = lanes(state)
    bottom = TOP + ROW * len(rows)
    numbers = (
        ("Minerals", f"{state.minerals}"),
        ("Supply", f"{state.supply} of {state.cap()}"),
        ("Larvae", f"{state.larvae}"),
    )
    parts = [f'<rect class="plank" width="{_n(width)}" height="{_n(bottom + FOOT)}" fill="{SLATE}"/>']
    for place, (name, value) in enumerate(numbers):
        x = 16 + place * (width - 16) / 3
        parts += [_text(x, 24, name, 15), _text(x, 50, value, 24, 'font-weight="bold"')]
    room, costliest = (width - 16) / 3 - 24, max(state.rules.costs)
    for fill, share in ((RULE, 1.0), (SIGNS[0][0], min(1.0, state.minerals / max(1, costliest)))):
        parts.append(f'<rect x="16" y="56" width="{_n(room * share)}" height="5" rx="2" fill="{fill}"/>')
    step = next(each for each in (15, 30, 60, 120, 300, 600) if last / each <= (5 if narrow else 10))
    for tick in range(0, last + 1, step):
        x = left + tick * scale
        parts.append(f'<path d="M{_n(x)} {_n(TOP - 4)}V{_n(bottom)}" stroke="{RULE}"/>')
        if abs(tick - state.tick) * scale > 52:
            parts.append(_text(x, bottom + 22, clock(tick), 14, 'text-anchor="middle"'))
    for place, (action, row) in enumerate(rows):
        y = TOP + place * ROW
        if not place or rows[place - 1][0] != action:
            count = state.counts[action] if action < len(THINGS) else state.making(action)
            parts.append(f'<g transform="translate(14 {_n(y + 1)}) scale(.8)">{_sign(action)}</g>')
            parts.append(_text(36, y + 15, f"{spoken(action)} {count}", 15))
            spot = Spot(left, y, width - left, BAR)
            parts += _ghost(state, [job for job in rival if job.action == action], spot, scale, who)
        parts += [line for number in row for line in _bar(state, number, y, left, scale, overlay)]
    x = left + state.tick * scale
    parts += [
        f'<path d="M{_n(x)} {_n(TOP - 8)}V{_n(bottom + 6)}" stroke="#ffffff" stroke-width="2" stroke-dasharray="5 4"/>',
        _text(
            min(x, width - 44),
            bottom + 22,
            f"now {clock(state.tick)}",
            14,
            'text-anchor="middle" font-weight="bold"',
        ),
    ]
    parts += _legend(who, bottom)
    things = ", ".join(f"{spoken(k)} {count}" for k, count in enumerate(state.counts) if count)
    title = f"{clock(state.tick)}: {', '.join(f'{name} {value}' for name, value in numbers)}, {things}"
    return document(width, bottom + FOOT, title, parts, overlay)


def lanes(state: BuildOrderState) -> list[tuple[int, list[int]]]:
    """The rows of the chart. A row contains orders for a single action, which do not overlap."""
    found: list[tuple[int, list[int]]] = []
    for action in range(len(ACTIONS)):
        own: list[list[int]] = [[]] if action < len(THINGS) else []
        for number, job in enumerate(state.orders):
            if job.action == action:
                row = next((row for row in own if not row or state.orders[row[-1]].done <= job.begun), None)
                own.append([number]) if row is None else row.append(number)
        found += [(action, row) for row in own]
    return found


def _bar(
    state: BuildOrderState, number: int, y: float, left: float, scale: float, overlay: Overlay | None
) -> Iterator[str]:
    """The bar of an order, opaque if the order is done; on a web page, the last bar has a golden edge.

    On the page of a game, a person can drag the bar to another time.
    """
    job = state.orders[number]
    spot = Spot(left + job.begun * scale, y, max(3.0, (job.done - job.begun) * scale - 2), BAR)
    told = f"{spoken(job.action)}: {clock(job.begun)} to {clock(job.done)}"
    opacity = 1 if job.done <= state.tick else 0.4
    fill = SIGNS[job.action][0]
    bar = f'<rect {box(spot)} fill="{fill}" fill-opacity="{opacity}"><title>{escape(told)}</title></rect>'
    hit = (
        f'<rect class="hit" fill="none" {box(replace(spot, width=max(spot.width, BAR)))}/>'
        if overlay is not None
        else ""
    )
    yield f'<g class="order" data-order="{number}">{bar}{hit}</g>'
    if overlay is not None and number == len(state.orders) - 1:
        yield golden(spot)


def _rival(state: BuildOrderState, overlay: Overlay | None) -> tuple[str, tuple[Job, ...]]:
    """The rival's name and its orders up to this tick; empty without a rival, or during a game with an attack."""
    if overlay is None or overlay.ghost is None or (state.rules.is_attacked and not state.is_terminal):
        return "", ()  # the best rival depends on the attack
    name, end = overlay.ghost
    return name, tuple(job for job in end.orders if job.begun <= state.tick or state.is_terminal)


def _ghost(state: BuildOrderState, jobs: Sequence[Job], row: Spot, scale: float, name: str) -> Iterator[str]:
    """Yield thin bars for the rival's orders, below the first row of an action."""
    for job in jobs:
        done = job.done if state.is_terminal else min(job.done, max(state.tick, job.begun + 1))
        spot = Spot(
            row.x + job.begun * scale, row.y + row.height + 2, max(3.0, (done - job.begun) * scale - 2), 4
        )
        told = f"{name}: {clock(job.begun)} to {clock(job.done)}"
        yield f'<rect class="rival" {box(spot)} fill="#ffffff" fill-opacity=".75"><title>{told}</title></rect>'


def _legend(name: str, bottom: float) -> Iterator[str]:
    """Yield the legend: a thin bar, and the rival's name beside it."""
    if name:
        yield f'<rect x="14" y="{_n(bottom + 16)}" width="16" height="4" fill="#ffffff" fill-opacity=".75"/>'
        yield _text(36, bottom + 22, name, 15)


def _sign(action: int) -> str:
    fill, path = SIGNS[action]
    return f'<path d="{path}" fill="{fill}" fill-rule="evenodd"/>'


def _text(x: float, y: float, text: str, size: int, more: str = "") -> str:
    return f'<text x="{_n(x)}" y="{_n(y)}" font-size="{size}" fill="#ffffff" {more}>{escape(text)}</text>'


def columns() -> tuple[Sensor, ...]:
    """The sensors for orders that can begin now or later."""
    return SENSORS


def actions(rules: BuildOrderRules) -> int:
    """The number of orders, including ``wait``."""
    return len(ACTIONS)


def encode(state: BuildOrderState, player: int) -> FeatureTable:
    """A player's knowledge as a table: float64 (actions, columns)."""
    return rows_of({each: sense(state, each) for each in state.legal_actions()}, len(ACTIONS), SENSORS)


def action_text(state: BuildOrderState, action: int) -> str:
    """The name of an order, such as ``drone``."""
    return ACTIONS[action]


def parse_action(state: BuildOrderState, text: str) -> int:
    """The order with this name; it must be able to begin now or later.

    Raises:
        UsageError: there is no such order, or it can never begin; the message gives the reason.
    """
    word = "_".join(text.strip().lower().split())
    legal = [ACTIONS[action] for action in state.legal_actions()]
    if word in legal:
        return ACTIONS.index(word)
    if word in ACTIONS:
        raise UsageError(f"`{word}` {reason(state, ACTIONS.index(word))}; you can order: {', '.join(legal)}")
    said = f"`{text}` is not an order", suggestion(word, legal, ""), f"you can order: {', '.join(legal)}"
    raise UsageError("; ".join(filter(None, said)))


def reason(state: BuildOrderState, action: int) -> str:
    """The first reason why an order cannot begin now or later."""
    name = ACTIONS[action]
    if name in ("zerglings", "queen") and not (state.pool or state.making(ACTIONS.index("spawning_pool"))):
        return "needs a spawning pool, and none is there or in production"
    if name in ("drone", "zerglings", "queen"):
        taken = f"{state.supply} of {state.cap_to_come} are taken"
        return f"needs supply: {taken}, and nothing that gives more is in production"
    if name == "scout":
        return "has nothing to find out: the attack is known, or a scout is on its way"
    if name in ("spawning_pool", "overlord", "hatchery") and state.drones:
        return "is no longer needed: there are enough"
    return "needs a drone, and none is there or in production"


class BuildOrderWords(Words):
    """The sentences about a build order."""

    noun = "order"
    rivals = ("rush", "by_goal")
    has_ghost = True
    waits = (WAIT,)
    setups = MappingProxyType(
        {
            "Six zerglings": {"goal": "zerglings=6"},
            "Twelve zerglings": {"goal": "zerglings=12"},
            "Sixteen drones": {"goal": "drone=16"},
            "Six zerglings, under attack": {"goal": "zerglings=6", "attack": "random"},
        }
    )
    reasons = MappingProxyType(
        {
            **{
                f"env.is_{name}": (f"the formula prefers {thing} here", f"the formula avoids {thing} here")
                for name, thing in ((each, each.replace("_", " ")) for each in ACTIONS)
            },
            "env.cost": ("it costs more than {other}", "it costs less than {other}"),
            "env.short": (
                "more minerals are missing for it than for {other}",
                "it can be paid sooner than {other}",
            ),
            "env.now": (
                "it can begin at once, and {other} cannot",
                "{other} could begin at once, but can wait",
            ),
            "env.lack": (
                "the goal needs more of it than of {other}",
                "the goal needs fewer of it than of {other}",
            ),
        }
    )
    rules = (
        "Workers mine minerals, minerals buy workers, buildings and units, and everything takes time and supply. Order "
        "things so that the goal is reached as early as possible. An order starts as soon as it can."
    )

    def prompt(self, played: Played) -> tuple[str, str]:
        """The time, and a line with the goal and the attack."""
        state = played.state
        goal = f"The goal: {goal_words(state.rules.goal)}, as early as you can."
        return (
            f"{clock(state.tick)}. What do you order next?",
            f"{goal} {enemy_text(state, played.seat).capitalize()}".strip(),
        )

    def act(self, state: BuildOrderState, action: int, text: str) -> str:
        """The action in words, such as ``order drone``."""
        return f"order {text.replace('_', ' ')}"

    def label(self, state: BuildOrderState, action: int, text: str) -> str:
        """The thing, its cost and its duration; a second line shows the number of seconds until the order can begin."""
        rules = state.rules
        cost = f"{rules.costs[action]}, " if rules.costs[action] else ""
        later = seen = state if state.is_attack_known else replace(state, attack=Attack(rules.horizon + 1))
        while action != WAIT and not (later.is_terminal or later.can_begin(action)):
            later = later.passed()
        begins = f"\nin {later.tick - seen.tick} s" if later is not seen else ""
        return f"{spoken(action)} {cost}{rules.ticks[action]} s{begins}"

    def sign(self, action: int) -> str:
        """The icon of the thing, on a background in the colour of the board."""
        slate = f'<rect x="-3" y="-3" width="26" height="26" rx="6" fill="{SLATE}"/>'
        return f'<svg width="26" height="26" viewBox="-3 -3 26 26">{slate}{_sign(action)}</svg>'

    def fact(self, state: BuildOrderState, action: int) -> str:
        """A phrase with the number of things of this kind that the goal still requires; empty if it requires none."""
        lack = int(sense(state, action)["env.lack"])
        return f"the goal still needs {number_word(lack)} more" if lack else ""

    def happened(self, move: Move, played: Played) -> Iterator[tuple[int, str]]:
        """Yield the order and the time at which it began."""
        begun = [job.begun for job in move.after.orders[len(move.before.orders) :]]
        yield played.seat, f"{spoken(move.action)} at {clock(begun[0] if begun else move.after.tick)}"

    def ending(self, played: Played) -> tuple[str, str]:
        """The time at which the goal was reached, or another outcome of the game."""
        state = played.state
        goal, begun = goal_words(state.rules.goal).capitalize(), counted(len(state.orders), "order")
        if state.rules.is_attacked:
            return "You did not survive" if self.failed(
                state
            ) else "You survived", f"{begun} at {clock(state.tick)}."
        if self.failed(state):
            return "The goal was not reached", f"Time was up at {clock(state.rules.horizon)}."
        return f"{goal} at {clock(state.tick)}", f"It took {begun}."

    def failed(self, state: BuildOrderState) -> bool:
        """Whether the goal was not reached in time or, with an attack, the base did not survive."""
        (score,) = state.returns()
        return not score if state.rules.is_attacked else score > state.rules.horizon

    def compared(self, name: str, score: float, rules: BuildOrderRules) -> str:
        """A sentence with the time at which a player reaches the goal; empty if there is an attack."""
        reached = f"needs {clock(int(score))}" if score <= rules.horizon else "does not reach it"
        return "" if rules.is_attacked else f"{name} {reached}."


def goal_words(goal: Sequence[int]) -> str:
    """A goal in words.

    >>> goal_words((16, 0, 0, 6, 1, 0))
    '16 drones, six zerglings, one queen'
    """
    plural = {"hatchery": "hatcheries", "zerglings": "zerglings"}
    return ", ".join(
        f"{number_word(count)} {name.replace('_', ' ') if count == 1 else plural.get(name, f'{name}s')}"
        for name, count in zip(THINGS, goal, strict=True)
        if count
    )


VIEW = View(action_text, parse_action, board_text, board_svg, sense, words=BuildOrderWords())
