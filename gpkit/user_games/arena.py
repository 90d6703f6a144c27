"""Complete games, played with the readable states, which define the semantics of a game's kernel.

If a user's game has a kernel block, the compiled kernel can also play complete games.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.arrays import Floats, Ints
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.rng import stream
from gpkit.gamekit import uct
from gpkit.gamekit.game import Deals, Game
from gpkit.gamekit.plans import follow_plan, is_plan
from gpkit.gamekit.players import Player, machine_programs
from gpkit.gamekit.sensors import SensorFunction
from gpkit.gamekit.state import CHANCE, ObservableState, best_place, end_of
from gpkit.user_games.kernel import games as at
from gpkit.user_games.kernel.counters import CHOICES, OPENINGS
from gpkit.user_games.kernel.games import drawn_number
from gpkit.user_games.positions import Position
from gpkit.user_games.rules import Rules, WrappedState, drawn
from gpkit.vm.isa import JUMP, JUMP_IF_ZERO, JUMP_UNLESS_ZERO
from gpkit.vm.keyed import HALF, KeyedDraws, keyed_uniform_readable
from gpkit.vm.machine import evaluate_rows, run_readable
from gpkit.vm.program import Program, link, slots_read

Choose = Callable[[Any, Sequence[int], int, int], int]
"""A function of (state, legal actions, key of the deal, number of earlier actions) that returns a player's action."""

JUMPS = (JUMP, JUMP_IF_ZERO, JUMP_UNLESS_ZERO)
"""The opcodes of jump instructions."""

_EMPTY: Floats = np.empty((0, 0))


def first_of(game: Game, key: int, rules: Rules, players: Sequence[Player] = ()) -> Any:
    """The first state of the game with this key, before any chance event; ``players`` are in seat order."""
    return game.first(players, Deals(np.array([key])), rules)


def chooser_of(player: Player, game: Game, rules: Rules) -> Choose:
    """A function that chooses for a player: with programs, a function in the game's file, a search, or at random."""
    if player.is_program:
        programs = machine_programs([player])
        if is_plan(programs[0]):
            return by_plan(programs, player, game, rules)
        sections = next(iter(game.offers.values())).sections
        formulas = {
            section: Formula(program, game.sensors)
            for section, program in zip(sections, programs, strict=True)
        }
        return Formulas(formulas)
    if player.name in (functions := functions_of(game)):
        return by_function(functions[player.name])
    stakes = uct.Stakes(game.metric(rules), game.players(rules), rules.longest)
    if player.strategy == uct.MCTS:
        return by_search(player.number, stakes)
    if worlds := player.worlds or player.number:
        return by_worlds(
            worlds, chooser_of(player.policy, game, rules) if player.policy else at_random, stakes
        )
    return at_random


def draws(player: Player, game: Game) -> bool:
    """Whether a player draws random numbers: in its programs, in a search, or because it chooses at random.

    A plan also counts, because its actions are not a function of the state alone.
    """
    if player.is_program:
        return any(is_plan(each) or Formula(each, game.sensors).draws for each in machine_programs([player]))
    return player.name not in functions_of(game)


def functions_of(game: Game) -> dict[str, Callable[[Any], int]]:
    """The opponents that are functions, by name; each function takes a state and returns a legal action."""
    return {name: each.function for name, each in game.builtins.items() if each.function is not None}


def at_random(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
    """A random legal action."""
    return legal[int(keyed_uniform_readable(key, actions, CHOICES) * len(legal))]


def by_function(function: Callable[[Any], int]) -> Choose:
    """A player that chooses its actions with a function of the state.

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


@dataclass(frozen=True, slots=True)
class Searcher:
    """A player that uses a search.

    Attributes:
        choose: the function that chooses an action.
        worths: a function of (state, actions, key, number of earlier actions) that returns the expected share of the
            player to act after each action, estimated from new games.
    """

    choose: Choose
    worths: Callable[[Any, Sequence[int], int, int], dict[int, float]]

    def __call__(self, state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        """The chosen action; if only one action is legal, it is returned without a search."""
        return legal[0] if len(legal) == 1 else self.choose(state, legal, key, actions)


def by_search(simulations: int, stakes: uct.Stakes) -> Searcher:
    """A player that uses a tree search."""

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        left = replace(stakes, longest=stakes.longest - actions)
        return uct.choose(state, simulations, left, KeyedDraws(key, uct.SEARCHES + actions))

    def worths(state: Any, actions: Sequence[int], key: int, number: int) -> dict[int, float]:
        left = replace(stakes, longest=stakes.longest - number - 1)
        return uct.worths(state, actions, simulations, left, KeyedDraws(key, 2 * uct.SEARCHES + number))

    return Searcher(choose, worths)


def by_worlds(worlds: int, policy: Choose, stakes: uct.Stakes) -> Searcher:
    """A player that evaluates actions by playing games from states that look the same to the player (Ginsberg 2001).

    These states come from ``resample``. In each state, the policy plays the game to its end after every action. The
    player chooses the action with the highest mean share, and among equal means, the action with the lowest number.

    Raises:
        UsageError: under these rules, the states have no ``resample``.
    """

    def worths(
        state: Any, actions: Sequence[int], key: int, number: int, purpose: str = "worths"
    ) -> dict[int, float]:
        if not hasattr(state, "resample"):
            raise UsageError(f"{uct.PIMC} needs the method `resample`, which a {type(state).__name__} lacks")
        player, rng = state.current_player, stream(key, purpose, number)
        totals, left = dict.fromkeys(actions, 0.0), stakes.longest - number - 1
        for _ in range(worlds):
            world, luck = state.resample(rng, player), int(rng.integers(HALF))
            for action in actions:
                end, stalled = play_game(
                    Position(world.apply(action)), [policy] * stakes.seats, luck, 0, left
                )
                totals[action] += 0.5 if stalled else stakes.shares(end.returns())[player]
        return {action: total / worlds for action, total in totals.items()}

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        found = worths(state, legal, key, actions, "worlds")
        return max(found, key=found.__getitem__)

    return Searcher(choose, worths)


def by_plan(programs: Sequence[Program], player: Player, game: Any, rules: Rules) -> Choose:
    """A player that follows a plan in a one-player game; for each deal, the plan runs once from the beginning.

    Ticks pass after the plan has ended, and while an action cannot begin yet.
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

        for _ in follow_plan(
            program, game.begin((player,), Deals(np.array([key])), rules), key, features, apply
        ):
            pass
        return found

    tick = numbers.index(plans.tick)

    def choose(state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        action = line(key).get(actions, tick)
        return action if action in legal else tick

    return choose


class Formula:
    """A formula or tree for one decision, prepared for scoring actions."""

    def __init__(self, program: Program, sensors: Sequence[SensorFunction]) -> None:
        read = slots_read(program)
        self.program = program
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

    def values(self, position: Position, legal: Sequence[int], key: int, actions: int) -> list[float]:
        """The values of the legal actions."""
        count = len(legal)
        if self._memory.shape[1] < count:
            self._memory = np.repeat(self.program.memory[:, None], 2 * count, axis=1)
        memory = self._memory
        state, sensed = position.state, position.sensed
        for slot, each in self._shared:
            if slot not in sensed:
                value = each.function(state)
                each.check((value,))
                sensed[slot] = value
            memory[slot] = sensed[slot]
        for slot, each in self._own:
            if slot not in sensed:
                function = each.function
                sensor_values = [function(state, action) for action in legal]
                each.check(sensor_values)
                sensed[slot] = np.array(sensor_values, dtype=np.float64)
            memory[slot, :count] = sensed[slot]
        for place, slot in enumerate(self._drawn):
            memory[slot, :count] = [drawn(key, actions, place, action) for action in legal]
        if self._jumps:
            return [self._run(memory[:, row].copy()) for row in range(count)]
        evaluate_rows(self.program.code, memory)
        values: list[float] = memory[self.program.result, :count].tolist()
        return values

    def _run(self, memory: Floats) -> float:
        run_readable(self.program.code, memory, 0, len(self.program.code))
        return float(memory[self.program.result])


class Formulas:
    """A player that chooses the first action to which its program gives the highest value; NaN counts as lowest."""

    def __init__(self, formulas: Mapping[str, Formula]) -> None:
        self._formulas = formulas

    def __call__(self, state: ObservableState, legal: Sequence[int], key: int, actions: int) -> int:
        """The chosen action in a state."""
        return self.at(Position(state), legal, key, actions)

    def at(self, position: Position, legal: Sequence[int], key: int, actions: int) -> int:
        """The chosen action in a position; it is computed only once unless the program draws random numbers."""
        if len(legal) == 1:
            return legal[0]
        formula = self._formulas[position.state.decision]
        if position.kept is None or formula.draws:
            return legal[best_place(formula.values(position, legal, key, actions))]
        answers, question = position.kept.answers, (position, formula.program)
        found: int | None = answers.get(question)
        if found is None:
            found = legal[best_place(formula.values(position, legal, key, actions))]
            answers[question] = found
        return found


def play_game(
    first: Position, choosers: Sequence[Choose], key: int, opening: int, longest: int
) -> tuple[Any, bool]:
    """Play a game, and return its last state and whether it was stopped for being too long.

    Args:
        first: the first position.
        choosers: the functions that choose actions, by seat.
        key: the key of the deal.
        opening: the number of random actions at the beginning.
        longest: the number of actions after which the game stops.
    """
    actions = events = 0
    position = first
    while not position.is_terminal:
        player = position.current_player
        if player == CHANCE:
            position, events = position.after_chance(key, events)
            continue
        if actions == longest:
            return position.state, True
        legal, choose = position.legal_actions(), choosers[player]
        if actions < opening or choose is at_random:
            action = legal[
                int(drawn_number(key, actions, OPENINGS if actions < opening else CHOICES) * len(legal))
            ]
        else:
            action = chosen(choose, position, legal, key, actions)
        actions += 1
        position = position.apply(int(action))
    return position.state, False


def chosen(choose: Choose, position: Position, legal: Sequence[int], key: int, actions: int) -> int:
    """The action that a function chooses in a position."""
    if isinstance(choose, Formulas):
        return choose.at(position, legal, key, actions)
    return int(choose(position.state, legal, key, actions))


def meets_chance(first: Position, choosers: Sequence[Choose], longest: int, key: int = 0) -> bool:
    """Whether a chance event occurs within the first ``longest`` actions of a game; ``choosers`` are in seat order."""
    taken = count()

    def act(position: Position) -> int | None:
        player = position.current_player
        legal: Sequence[int] = () if player == CHANCE else position.legal_actions()
        return chosen(choosers[player], position, legal, key, next(taken)) if len(legal) else None

    last = end_of(first, act, longest)
    return not last.is_terminal and bool(last.current_player == CHANCE)


RANDOM = "random"
"""The name of the player that chooses a legal action at random."""


@dataclass(frozen=True, slots=True, eq=False)
class Kernel:
    """Compilable functions with the same effects as the methods of a readable state, but on an int64 array.

    The first number in the array is the player to act, ``CHANCE``, or ``NOBODY`` at the end. The second number is the
    number of the decision in the game's ``decisions``. The game defines the other numbers. The functions are marked
    with ``@kernel``; they allocate no memory and never raise errors.

    Attributes:
        pack: a function of a readable state that returns the integers of its array.
        size: the length of the array.
        most: the maximum number of legal actions or chance outcomes in any state.
        legal: a function of (game, actions) that fills int64 ``actions`` in ascending order, and returns their number.
        apply: a function of (game, action) that changes the game.
        score: a function of (game, scores) that fills float64 ``scores``, by player, at the end of the game.
        sense: a function of (game, action, values) that fills float64 ``values``, in the order of the sensors.
        chance: a function of (game, actions, weights) that fills in the outcomes and their probabilities, and returns
            their number; None if the game has no chance events.
    """

    pack: Callable[[Any], Sequence[int]]
    size: int
    most: int
    legal: Callable[..., Any]
    apply: Callable[..., Any]
    score: Callable[..., Any]
    sense: Callable[..., Any]
    chance: Callable[..., Any] | None = None

    @property
    def parts(self) -> at.Parts:
        """The compiled functions."""
        return at.Parts(self.legal, self.apply, self.score, self.sense, self.chance or at.no_chance)

    @property
    def sources(self) -> tuple[Path, ...]:
        """The files of the game that contain these functions."""
        own = [each for each in self.parts if each is not at.no_chance]
        return tuple(dict.fromkeys(Path(inspect.getfile(each)) for each in own))

    def packed(self, state: ObservableState) -> Ints:
        """The array of a readable state: int64 (size,).

        Raises:
            UsageError: the array does not have the length ``size``.
        """
        row = np.array(self.pack(state), dtype=np.int64)
        if row.shape != (self.size,):
            raise UsageError(f"{self.pack.__name__} gives {row.size} numbers; expected size={self.size}")
        return row


def can_play(players: Sequence[Player]) -> bool:
    """Whether the kernel can play for all players: programs other than plans, and the player ``random``."""
    return all(
        not any(map(is_plan, machine_programs([player]))) if player.is_program else player.name == RANDOM
        for player in players
    )


def play_compiled(
    kernel: Kernel, game: Game, players: Sequence[Player], keys: Ints, rules: Rules
) -> tuple[Floats, int]:
    """The first player's scores in every deal and seating, float64 (deals, seats), and the number of stopped games."""
    seats = len(players)
    sensors = len(game.sensors)
    first = kernel.packed(game.first(players, Deals(keys), rules))
    metric = game.metric(rules)
    actions, weights = np.zeros(kernel.most, dtype=np.int64), np.zeros(kernel.most)
    scratch = first.copy(), actions, weights, np.zeros(seats)
    scores, stalled = np.zeros((len(keys), seats)), 0
    linked, play = _linked(players, game), at.games_kernel(kernel.parts, kernel.sources)
    openings = np.array(rules.openings_of(keys.tolist()))
    for opening in np.unique(openings).tolist():
        alike = openings == opening
        setting = first, opening, rules.longest, metric.middle, sensors
        found = scores[alike]
        stalled += int(play(keys[alike], setting, linked, scratch, found))
        scores[alike] = found
    return scores, stalled


def _linked(players: Sequence[Player], game: Game) -> tuple[Ints, NDArray[np.uint32], Floats]:
    """The players in the form that the kernel needs, each with a separate memory; see ``games_kernel``."""
    primitives = next(iter(game.offers.values()))
    sections, sensors = len(primitives.sections), len(primitives.sensors)
    table = np.full((len(players), sections, at.COLUMNS), at.AT_RANDOM, dtype=np.int64)
    programs: list[Program] = []
    rows: list[tuple[int, int]] = []
    for number, player in enumerate(players):
        if player.is_program:
            own = machine_programs([player])
            rows += [(number, section) for section in range(len(own))]
            programs += own
    if not programs:
        return table, np.zeros((1, 5), dtype=np.uint32), np.zeros((len(players), sections, sensors))
    code, images, entries = link(programs)
    memory = np.zeros((len(players), sections, max(images.shape[1], sensors)))
    for (number, section), program, image, entry in zip(rows, programs, images, entries, strict=True):
        table[number, section] = entry, program.result, len(program.inputs) - sensors
        memory[number, section, : len(image)] = image
    return table, code, memory


def recorded(
    kernel: Kernel,
    first: ObservableState,
    line: Sequence[int],
    sensors: int,
    seats: int,
    *,
    compiled: bool = True,
) -> at.Record:
    """Record the results of the kernel's functions along a sequence of actions and chance outcomes.

    If ``compiled`` is False, the functions run as Python.
    """
    steps = len(line) + 1
    record = at.Record(
        np.zeros((steps, kernel.size), dtype=np.int64),
        np.zeros(steps, dtype=np.int64),
        np.zeros((steps, kernel.most), dtype=np.int64),
        np.zeros((steps, kernel.most)),
        np.zeros((steps, kernel.most, sensors)),
        np.zeros(seats),
    )
    run = at.record_kernel(kernel.parts, kernel.sources)
    (run if compiled else getattr(run, "py_func", run))(
        np.array(line, np.int64), kernel.packed(first), record
    )
    return record
