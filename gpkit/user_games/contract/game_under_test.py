"""Games prepared for contract checks, and checks that compare a kernel with the readable game."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import unwrap
from itertools import islice
from pathlib import Path
from pkgutil import iter_modules
from typing import Any

from gpkit.core.diagnostics import shortened
from gpkit.core.primitives import Sensor
from gpkit.core.registry import DEFAULT_LANGUAGE, game_entry
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.sensors import PREFIX as SENSOR_PREFIX
from gpkit.gamekit.sensors import SensorFunction
from gpkit.gamekit.state import CHANCE, ObservableState, end_of, legal_of, played
from gpkit.gamekit.view import View
from gpkit.user_games.arena import Kernel, first_of, functions_of, recorded
from gpkit.user_games.contract.findings import Fault
from gpkit.user_games.faults import compiler_fault
from gpkit.user_games.kernel import counters
from gpkit.user_games.kernel import games as at
from gpkit.user_games.rules import DEFAULT_OPTIONS, WrappedState
from gpkit.vm.keyed import keyed_uniform_readable

GAMES_COMPARED = 10
"""The number of games to compare."""

LONGEST_COMPARED = 500
"""The number of actions after which such a game stops."""

PREFIX = "kernel."
"""The prefix of the names of functions in a kernel block."""


def kernel_functions(game: Game) -> dict[str, Callable[..., Any]]:
    """The functions of a game's kernel block, by name; empty if the game has none."""
    if game.kernel is None:
        return {}
    own = {"pack": game.kernel.pack, **game.kernel.parts._asdict()}
    return {f"{PREFIX}{name}": function for name, function in own.items()}


def check_twins(game: Game) -> Iterator[Fault]:
    """Yield a fault for each sensor without compiled code or Lua code, in a game that has a folder.

    Both are found by the name of the sensor. A constant in the package ``kernel`` has the sensor's name in capital
    letters, with the prefix ``SENSED_`` if that name already has another meaning; its value is the sensor's slot. A Lua
    file in the folder ``lua``, which is used in exported players, sets the field with the sensor's name.
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
    """The first difference between the kernel block and the readable states, with the actions before it.

    The block first runs as Python, where writing beyond the end of an array raises an error that names the line.
    """
    for key in range(GAMES_COMPARED):
        first_difference(game, game.kernel, key, compiled=False)
        if time_is_up():
            break
    try:
        for key in range(GAMES_COMPARED):
            found = first_difference(game, game.kernel, key)
            if found is not None:
                yield found
                return
    except Exception as error:
        if not type(error).__module__.startswith("numba"):
            raise
        yield Fault("kernel", compiler_fault(game, str(error))), ()


def first_difference(
    game: Game, kernel: Kernel, key: int, *, compiled: bool = True
) -> tuple[Fault, tuple[int, ...]] | None:
    """The first difference between rules and kernel in a random game, and the actions before it; None if they agree.

    Args:
        game: the readable game.
        kernel: the kernel to compare.
        key: the key of the random game.
        compiled: whether the kernel is compiled; as Python, it raises an error before it writes beyond the end of its
            arrays, but sums of Booleans differ.
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
        line.append(choices[int(keyed_uniform_readable(key, len(line), counters.CHOICES) * len(choices))])
        return line[-1]

    states = [state, *(after for _, _, after in islice(played(state, chosen), LONGEST_COMPARED))]
    record = recorded(kernel, states[0], line, len(game.sensors), game.players(rules), compiled=compiled)
    for step, before in enumerate(states):
        for part, readable, other in _said(game, kernel, before, record, step):
            if readable != other:
                given, expected = (shortened(repr(each)) for each in (other, readable))
                return Fault(f"{PREFIX}{part}", f"gives {given}; the readable game gives {expected}"), tuple(
                    line[:step]
                )
    return None


def _said(
    game: Game, kernel: Kernel, state: Any, record: at.Record, step: int
) -> Iterator[tuple[str, object, object]]:
    """Yield the results of the readable state and of the kernel for the same state, part by part."""
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


FACT = "fact."
"""The prefix of the names of facts."""

OPPONENT = "opponent."
"""The prefix of the names of opponents that are functions."""

Sense = Callable[[Any, int], Mapping[str, Any]]
"""A function that returns the values of sensors by name, for a state and a legal action."""


@dataclass(frozen=True, slots=True)
class GameUnderTest:
    """A game with its rules, prepared for the checks.

    Attributes:
        game: the game.
        begin: a function that returns the first state for a seed and the number of a game.
        shown: a function that returns the state that the view takes.
        view: the view of the game.
        sensors: the declared sensors, by name.
        senses: functions of a state and a legal action that return the values of sensors, by name.
        sections: the declared decisions; empty if there are none.
        seats: the number of players, including players that only observe the game and get scores.
        metric: the name and the bounds of the scores.
        longest: the number of actions after which games stop.
        may_stall: whether the game itself declares the limit ``longest``.
        functions: the functions that are not attributes of a state, by name.
        steps: a function that makes the steps of a trace from a state and a legal action, for facts.
    """

    game: Game
    begin: Callable[[int, int], Any]
    shown: Callable[[Any], Any]
    view: View
    sensors: Mapping[str, Sensor]
    senses: Mapping[str, Sense]
    sections: tuple[str, ...]
    seats: int
    metric: Metric
    longest: int
    may_stall: bool
    functions: Mapping[str, Any]
    steps: Callable[[ObservableState, int], Iterable[Any]] = lambda state, action: ()


LONGEST = 10_000
"""The number of actions after which a game stops if the game itself sets no limit."""


def subject_of(game: Game, rules: object) -> GameUnderTest:
    """A game with these rules, prepared for the checks."""
    return _by_states(game, rules) if game.is_of_states else _dealt(game, rules)


def _by_states(game: Game, rules: Any) -> GameUnderTest:
    primitives = next(iter(game.offers.values()))

    def sense(each: SensorFunction) -> Sense:
        return lambda state, action: {each.sensor.name: each.sense(state, action)}

    seats = game.players(rules)
    random = [strategy_player("random")] * seats
    return GameUnderTest(
        game=game,
        begin=lambda seed, number: first_of(game, number, rules, random),
        shown=lambda state: WrappedState(rules, state, 0, game),
        view=game.view,
        sensors={each.name: each for each in primitives.sensors},
        senses={each.sensor.name: sense(each) for each in game.sensors},
        sections=primitives.sections,
        seats=seats,
        metric=game.metric(rules),
        longest=rules.longest,
        may_stall=not any(each is usual for each in game.all_options for usual in DEFAULT_OPTIONS[1:]),
        functions={
            "begin": unwrap(game.first),
            **{each.sensor.name: each.function for each in game.sensors},
            **kernel_functions(game),
            **{f"{FACT}{each.name}": each.function for each in game.facts},
            **{f"{OPPONENT}{name}": function for name, function in functions_of(game).items()},
        },
    )


def _dealt(game: Game, rules: object) -> GameUnderTest:
    view = game.view
    players = game.players(rules)
    formulas = game.offers.get(DEFAULT_LANGUAGE)

    def begin(seed: int, number: int) -> Any:
        return game.begin(
            [Player("")] * players, game.deal(stream(seed, "contract deals", number), 1, rules), rules
        )

    faces = ("action_text", "parse_action", "board_text", "board_svg", "sensors")
    return GameUnderTest(
        game=game,
        begin=begin,
        shown=lambda state: state,
        view=view,
        sensors={each.name: each for offered in game.offers.values() for each in offered.sensors},
        senses={"sensors": view.sensors},
        sections=formulas.sections if formulas is not None else (),
        seats=len(end_of(begin(0, 0), lambda each: each.legal_actions()[0]).returns()),  # known at the end
        metric=game.metric(rules),
        longest=LONGEST,
        may_stall=False,
        functions={
            "begin": game.first,
            **{name: getattr(view, name) for name in faces},
            **{f"{FACT}{each.name}": each.function for each in game.facts},
            **{each.sensor.name: each.function for each in game.sensors},
        },
    )
