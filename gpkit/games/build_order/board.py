"""Games as text: what there is, and a timeline of what was ordered (a Gantt chart in characters)."""

from collections.abc import Sequence

from gpkit.games.build_order.kernel.things import ACTIONS, THINGS
from gpkit.games.build_order.options import goal_text
from gpkit.games.build_order.rules import GOING, LATE, OVERRUN, REACHED, Job, State

COLUMNS = 50
"""Characters of the time axis."""

WIDTH = max(map(len, ACTIONS))
"""Characters of the names of orders."""

SHOWN = 24
"""Orders that are shown at most: the last ones."""


def board_text(state: State, player: int | None = None, names: Sequence[str] = ()) -> str:
    """The game in lines that end with a line break: what there is, and a bar for each order.

    Args:
        state: the game.
        player: who looks, to whom the attack is shown when it is known, and at the end; None: it is open.
        names: of the players; they are not shown.
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
    """The name of an action at the beginning of a line."""
    return ACTIONS[action].replace("_", " ").capitalize()


def standing(state: State) -> str:
    """The tick, and how the game stands or has ended."""
    goal = goal_text(state.rules.goal)
    message = {
        GOING: f"goal {goal}, horizon {state.rules.horizon}",
        REACHED: f"goal {goal} reached",
        LATE: f"the horizon; goal {goal} {'reached' if state.is_goal_reached else 'not reached'}",
        OVERRUN: "overrun by the enemy",
    }
    return f"tick {state.tick}: {message.get(state.outcome, f'stuck; goal {goal} not reached')}"


def enemy_text(state: State, player: int | None) -> str:
    """The attack, as far as it is known to who looks; empty where none comes."""
    if not state.rules.is_attacked:
        return ""
    if state.tick >= state.attack.tick:
        return f"enemy zerglings: {state.enemies} of {state.attack.size} left"
    attacks = (state.attack,) if player is None or state.is_terminal else state.possible_attacks
    return f"enemy zerglings: {' or '.join(f'{each.size} at tick {each.tick}' for each in attacks)}"


def timeline(state: State) -> list[str]:
    """The time axis, and a bar from the first tick of each order to that in which it is done, or to now."""
    if not state.orders:
        return []
    shown = state.orders[-SHOWN:]
    last = max(state.tick, *(job.done for job in shown))
    step = -(-(last + 1) // COLUMNS)
    skipped = [f"{len(state.orders) - SHOWN} earlier orders"] if len(state.orders) > SHOWN else []
    return [
        f"each column {step} tick{'s' if step > 1 else ''}, | now",
        *skipped,
        *(_line(job, state.tick, step) for job in shown),
    ]


def _line(job: Job, now: int, step: int) -> str:
    """A row of the timeline: # what has passed of an order, - what is to come."""
    row = [" "] * (COLUMNS + 1)
    row[now // step] = "|"
    for column in range(job.begun // step, job.done // step + 1):
        row[column] = "#" if column * step <= now else "-"
    return f"{job.begun:4} {ACTIONS[job.action]:{WIDTH}} {''.join(row).rstrip()}".rstrip()
