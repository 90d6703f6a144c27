"""A game of one's own played by its readable state and by its kernel, side by side: where they differ first."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gpkit.gamekit.state import CHANCE, legal_of, played
from gpkit.user_games.compiled_games import Kernel, recorded
from gpkit.user_games.kernel import games as at
from gpkit.vm.keyed import keyed_uniform_readable


@dataclass(frozen=True, slots=True)
class Difference:
    """The first difference in a game.

    Attributes:
        line: the actions before it, those of chance among them.
        part: the function of the kernel block that differs.
        readable, compiled: what both say.
    """

    line: tuple[int, ...]
    part: str
    readable: object
    compiled: object


def first_difference(
    game: Any, kernel: Kernel, key: int, longest: int = 500, *, compiled: bool = True
) -> Difference | None:
    """The first difference in the random game of a key, by the default rules; None if there is none.

    Args:
        game: the readable game.
        kernel: the other one.
        key: of the game.
        longest: actions after which it is called off.
        compiled: whether the kernel is compiled; run as Python it raises where it would write beyond its arrays, but
            sums of truth values differ.
    """
    rules = game.make_rules({})
    state = game.first(0, rules, ())
    line: list[int] = []

    def chosen(state: Any) -> int:
        choices = (
            [action for action, _ in state.chance_outcomes()]
            if state.current_player == CHANCE
            else list(legal_of(state))
        )
        line.append(choices[int(keyed_uniform_readable(key, len(line), at.CHOICES) * len(choices))])
        return line[-1]

    states = [state, *(after for _, _, after in islice(played(state, chosen), longest))]
    seats = game.players(rules)
    record = recorded(kernel, states[0], line, len(game.sensors), seats, compiled=compiled)
    for step, before in enumerate(states):
        for part, readable, other in _said(game, kernel, before, record, step):
            if readable != other:
                return Difference(tuple(line[:step]), part, readable, other)
    return None


def _said(
    game: Any, kernel: Kernel, state: Any, record: at.Record, step: int
) -> Iterator[tuple[str, object, object]]:
    """By part what the readable state and the kernel say of a state."""
    yield "apply", kernel.packed(state).tolist(), record.games[step].tolist()
    count = int(record.counts[step])
    actions = record.actions[step, :count].tolist()
    if state.is_terminal:
        yield "score", list(map(float, state.returns())), record.scores.tolist()
    elif state.current_player == CHANCE:
        outcomes = [(int(action), float(weight)) for action, weight in state.chance_outcomes()]
        yield "chance", outcomes, list(zip(actions, record.weights[step, :count].tolist(), strict=True))
    else:
        legal = list(state.legal_actions())
        yield "legal", legal, actions
        sensor_values = [[float(each.sense(state, action)) for each in game.sensors] for action in legal]
        yield "sense", sensor_values, record.values[step, :count].tolist()
