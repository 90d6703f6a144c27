"""Whole games by the readable states: the meaning of what the kernel of a game does."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import GuestError
from gpkit.gamekit import uct
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.game import Game
from gpkit.gamekit.plans import follow_plan, is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.state import CHANCE, ObservableState, best_place, end_of, legal_of, outcome
from gpkit.user_games.kernel.games import CHOICES, EVENTS, OPENINGS, drawn_number
from gpkit.user_games.rules import Rules
from gpkit.user_games.wrapped_state import WrappedState, drawn
from gpkit.vm.isa import JUMP, JUMP_IF_ZERO, JUMP_UNLESS_ZERO
from gpkit.vm.keyed import KeyedDraws, keyed_uniform_readable
from gpkit.vm.machine import evaluate_rows, run_readable
from gpkit.vm.program import Program, slots_read

Choose = Callable[[Any, Sequence[int], int, int], int]
"""The action of a player: given the state, the legal actions, the key of the deal and the number of actions before."""

JUMPS = (JUMP, JUMP_IF_ZERO, JUMP_UNLESS_ZERO)
"""Opcodes by which a program does not go straight on."""

_EMPTY: NDArray[np.float64] = np.empty((0, 0))


def first_of(game: Game, key: int, rules: Rules, players: Sequence[Player] = ()) -> Any:
    """The first state of the game of a key, before chance has acted; players are by seat."""
    return game.first(players, Deals(np.array([key])), rules)


def chooser_of(player: Player, game: Any, rules: Any) -> Choose:
    """Choices of a player: by its programs, by a function of the game's file, by search, or at random."""
    if player.is_program:
        programs = machine_programs([player])
        if is_plan(programs[0]):
            return by_plan(programs, player, game, rules)
        sections = next(iter(game.offers.values())).sections
        formulas = {
            section: Formula(program, game.sensors)
            for section, program in zip(sections, programs, strict=True)
        }
        return by_formulas(formulas)
    if player.name in (functions := functions_of(game)):
        return by_function(functions[player.name])
    if player.strategy == uct.MCTS:
        stakes = uct.Stakes(game.metric(rules), game.players(rules), rules.longest)
        return by_search(player.number, stakes)
    return at_random


def draws(player: Player, game: Any) -> bool:
    """Whether a player draws random numbers: in programs, by a search, or as one that chooses anything.

    A plan counts as such a one, too: what it does is not a function of the state alone.
    """
    if player.is_program:
        return any(is_plan(each) or Formula(each, game.sensors).draws for each in machine_programs([player]))
    return player.name not in functions_of(game)


def functions_of(game: Game) -> dict[str, Callable[[Any], int]]:
    """The opponents that are functions of a state, by name."""
    return {name: each.function for name, each in game.builtins.items() if each.function is not None}


def at_random(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
    """Any legal action."""
    return legal[int(keyed_uniform_readable(key, actions, CHOICES) * len(legal))]


def by_function(function: Callable[[Any], int]) -> Choose:
    """Choices of a function of a state.

    Raises:
        GuestError: the function chooses an illegal action.
    """

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        action = function(state)
        if action not in legal:
            code = function.__code__
            raise GuestError(
                f"{code.co_filename}, line {code.co_firstlineno}: {function.__name__} chose {action!r}, which is not "
                f"legal; legal: {list(legal)[:20]}"
            )
        return action

    return choose


def by_search(simulations: int, stakes: uct.Stakes) -> Choose:
    """Choices of a tree search."""

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        if len(legal) == 1:
            return legal[0]
        left = replace(stakes, longest=stakes.longest - actions)
        return uct.choose(state, simulations, left, KeyedDraws(key, uct.SEARCHES + actions))

    return choose


def by_plan(programs: Sequence[Program], player: Player, game: Any, rules: Any) -> Choose:
    """Choices of a plan in a game of one player: its actions in a deal are followed once, from the beginning.

    Behind its end ticks pass, as they do until an action can begin.
    """
    plans, primitives = game.plans, game.offers[player.program.language]
    names, numbers = [*(each.name for each in primitives.instructions), plans.tick], list(plans.actions)
    start = plans.start_of(rules)
    program = programs[primitives.starts.index(start) if len(programs) > 1 and start else 0]
    own = [each for each in game.sensors if each.sensor in primitives.sensors]

    def features(state: WrappedState) -> list[float]:
        return [float(each.function(state.position)) for each in own]

    @lru_cache(maxsize=1)
    def line(key: int) -> Mapping[int, int]:
        found: dict[int, int] = {}

        def apply(state: WrappedState, number: int) -> WrappedState:
            after: WrappedState = plans.ask(state, names[number])
            found[after.actions - 1] = numbers.index(names[number])
            return after

        first = game.begin((player,), Deals(np.array([key])), rules)
        for _ in follow_plan(program, first, key, features, apply):
            pass
        return found

    tick = numbers.index(plans.tick)

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        action = line(key).get(actions, tick)
        return action if action in legal else tick

    return choose


class Formula:
    """A formula or a tree of one decision, ready to value actions."""

    def __init__(self, program: Program, sensors: Sequence[Any]) -> None:
        read = slots_read(program)
        self._program = program
        self._own = [
            (slot, each) for slot, each in enumerate(sensors) if slot in read and not each.sensor.shared
        ]
        self._shared = [
            (slot, each) for slot, each in enumerate(sensors) if slot in read and each.sensor.shared
        ]
        self._drawn = range(len(sensors), len(program.inputs))
        self._memory = _EMPTY
        self._jumps = bool(np.isin(program.code[:, 0], JUMPS).any())

    @property
    def draws(self) -> bool:
        """Whether the formula draws random numbers."""
        return len(self._drawn) > 0

    def values(self, state: ObservableState, legal: Sequence[int], key: int, actions: int) -> list[float]:
        """The values of legal actions."""
        count = len(legal)
        if self._memory.shape[1] < count:
            self._memory = np.repeat(self._program.memory[:, None], 2 * count, axis=1)
        memory = self._memory
        for slot, each in self._shared:
            value = each.function(state)
            each.check((value,))
            memory[slot] = value
        for slot, each in self._own:
            function = each.function
            sensor_values = [function(state, action) for action in legal]
            each.check(sensor_values)
            memory[slot, :count] = sensor_values
        for place, slot in enumerate(self._drawn):
            memory[slot, :count] = [drawn(key, actions, place, action) for action in legal]
        if self._jumps:
            return [self._run(memory[:, row].copy()) for row in range(count)]
        evaluate_rows(self._program.code, memory)
        values: list[float] = memory[self._program.result, :count].tolist()
        return values

    def _run(self, memory: NDArray[np.float64]) -> float:
        run_readable(self._program.code, memory, 0, len(self._program.code))
        return float(memory[self._program.result])


def by_formulas(formulas: Mapping[str, Formula]) -> Choose:
    """Choices of a program: the first action of the highest value; NaN is below everything."""

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        if len(legal) == 1:
            return legal[0]
        return legal[best_place(formulas[state.decision].values(state, legal, key, actions))]

    return choose


def play_game(
    state: ObservableState, choosers: Sequence[Choose], key: int, opening: int, longest: int
) -> tuple[Any, bool]:
    """The last state of a game, and whether it was called off for its length.

    Args:
        state: the first state.
        choosers: by seat.
        key: of the deal.
        opening: actions that are drawn at random.
        longest: actions after which it is called off.
    """
    actions = events = 0
    stalled = False

    def act(state: ObservableState) -> int | None:
        nonlocal actions, events, stalled
        player = state.current_player
        if player == CHANCE:
            events += 1
            return outcome(state, drawn_number(key, events - 1, EVENTS))
        if actions == longest:
            stalled = True
            return None
        legal = legal_of(state)
        choose, number = choosers[player], actions
        actions += 1
        if number < opening:
            return int(legal[int(drawn_number(key, number, OPENINGS) * len(legal))])
        if choose is at_random:
            return legal[int(drawn_number(key, number, CHOICES) * len(legal))]
        return int(choose(state, legal, key, number))

    return end_of(state, act), stalled


def meets_chance(state: ObservableState, choosers: Sequence[Choose], longest: int, key: int = 0) -> bool:
    """Whether chance moves within so many actions of a game; choosers are by seat, the key is that of the deal."""
    taken = count()

    def act(state: ObservableState) -> int | None:
        player = state.current_player
        legal: Sequence[int] = () if player == CHANCE else legal_of(state)
        return int(choosers[player](state, legal, key, next(taken))) if len(legal) else None

    last = end_of(state, act, longest)
    return not last.is_terminal and bool(last.current_player == CHANCE)
