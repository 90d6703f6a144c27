"""The contract of kernels: the same game as the readable state, side by side with it, and every sensor compiled."""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from gpkit.core.diagnostics import shortened
from gpkit.core.registry import game_entry
from gpkit.gamekit.game import Game
from gpkit.gamekit.sensors import PREFIX as SENSOR_PREFIX
from gpkit.gamekit.state import CHANCE, legal_of, played
from gpkit.user_games.arena import first_of
from gpkit.user_games.compiled_games import Kernel, recorded
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.faults import compiler_fault
from gpkit.user_games.kernel import games as at
from gpkit.vm.keyed import keyed_uniform_readable

GAMES = 10
"""Games that are played side by side."""

PREFIX = "kernel."
"""Beginning of the names of a kernel block's functions."""


def kernel_functions(game: Game) -> dict[str, Callable[..., Any]]:
    """The functions of a game's kernel block, by name; none without one."""
    if game.kernel is None:
        return {}
    own = {"pack": game.kernel.pack, **game.kernel.parts._asdict()}
    return {f"{PREFIX}{name}": function for name, function in own.items()}


def check_twins(game: Game) -> Iterator[Fault]:
    """Sensors of a game in a folder of its own that lack a compiled line, or Lua for exported players.

    Both are found by the sensor's name: a constant of the package ``kernel`` is called so, in capital letters, behind
    ``SENSED_`` where that means something else, and is the sensor's slot; a file of the folder ``lua`` sets that field.
    """
    entry = game_entry(game.name)
    folder = Path(str(import_module(entry.module).__file__)).parent
    kernel = f"{entry.folder}.kernel"
    has_kernel = entry.has_part("kernel")
    modules = iter_modules(import_module(kernel).__path__) if has_kernel else ()
    slots = {
        (name.lower().removeprefix("sensed_"), value)
        for module in modules
        for name, value in vars(import_module(f"{kernel}.{module.name}")).items()
        if name.isupper() and isinstance(value, int)
    }
    lua = "".join(path.read_text(encoding="utf-8") for path in folder.glob("lua/*.lua"))
    for slot, sensor in enumerate(each.sensor for each in game.sensors):
        name = sensor.name.removeprefix(SENSOR_PREFIX)
        if has_kernel and (name, slot) not in slots:
            message = f"has no compiled line; expected {name.upper()} = {slot} in {kernel}"
            yield Fault(sensor.name, f"{sensor.name} {message}")
        if lua and not re.search(rf"\b{name}\b[^=\n]*= ", lua):
            message = (
                f"has no Lua, which exported players read; expected a field {name} in {entry.folder}/lua"
            )
            yield Fault(sensor.name, f"{sensor.name} {message}")


def check_kernel(game: Game, time_is_up: Callable[[], bool]) -> Iterator[tuple[Fault, tuple[int, ...]]]:
    """The first difference of the kernel block from the readable states, with the actions before it.

    It is run as Python before: so it cannot write beyond its arrays, but raises an error that says in which line.
    """
    for key in range(GAMES):
        first_difference(game, game.kernel, key, compiled=False)
        if time_is_up():
            break
    try:
        for key in range(GAMES):
            found = first_difference(game, game.kernel, key)
            if found is not None:
                yield found
                return
    except Exception as error:
        if not type(error).__module__.startswith("numba"):
            raise
        yield Fault("kernel", compiler_fault(game, str(error))), ()


def first_difference(
    game: Any, kernel: Kernel, key: int, longest: int = 500, *, compiled: bool = True
) -> tuple[Fault, tuple[int, ...]] | None:
    """The first difference in the random game of a key by the default rules, and the actions before; None without one.

    Args:
        game: the readable game.
        kernel: the other one.
        key: of the game.
        longest: actions after which it is called off.
        compiled: whether the kernel is compiled; run as Python it raises where it would write beyond its arrays, but
            sums of truth values differ.
    """
    rules = game.make_rules({})
    state = first_of(game, 0, rules)
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
                given, expected = (shortened(repr(each)) for each in (other, readable))
                message = f"gives {given}; the readable game gives {expected}"
                return Fault(f"{PREFIX}{part}", message), tuple(line[:step])
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
