"""Whole games of one's own, compiled: a kernel is built around the parts that the file of a game brings.

``gpkit.user_games.arena`` says what it means. A game is an int64 array whose first numbers are ``PLAYER`` and
``DECISION``; all others are the game's own.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpkit.core.compiled import inlined, kernel, kernel_from
from gpkit.core.kernel.choosing import is_higher
from gpkit.vm.keyed import HALF, keyed_uniform
from gpkit.vm.machine import run

PLAYER, DECISION = 0, 1
"""Places in a game: who is to choose, or one of the two below; and the number of the decision among the sections."""

NOBODY, CHANCE = -1, -2
"""In the place ``PLAYER``: the game is over; chance is to act."""

CHOICES, EVENTS, OPENINGS, FORMULAS = range(4)
"""Purposes of random numbers: the choices of the player ``random``, events of chance, openings, and formulas."""

PLACE_BITS = 16
"""Bits of an action in the counter of a formula's random number."""

ENTRY, RESULT, RANDOMS, COLUMNS = range(4)
"""Columns of a program: its first row, the slot of its value, its random inputs; and how many columns there are."""

AT_RANDOM = -1
"""Instead of the first row of a program: the player chooses any legal action."""


class Parts(NamedTuple):
    """Functions of a game that are compiled into the kernel, each marked as ``@kernel``.

    Attributes:
        legal: (game, actions): fills int64 actions, ascending, and returns how many; at least one until the end.
        apply: (game, action): changes the game.
        score: (game, scores): fills float64 (players,) at the end.
        sense: (game, action, values): fills float64 (sensors,).
        chance: (game, actions, weights): fills the outcomes with their probabilities, and returns how many.
    """

    legal: Callable[..., Any]
    apply: Callable[..., Any]
    score: Callable[..., Any]
    sense: Callable[..., Any]
    chance: Callable[..., Any]


class Setting(NamedTuple):
    """Setting of all games.

    Attributes:
        first: int64 (size,), the beginning.
        opening: actions that are drawn at random.
        longest: actions after which a game is stopped.
        middle: what everybody has of such a game.
        sensors: their number.
    """

    first: NDArray[np.int64]
    opening: int
    longest: int
    middle: float
    sensors: int


class Linked(NamedTuple):
    """The players.

    Attributes:
        table: int64 (players, sections, COLUMNS).
        code: uint32 (rows, 5), the linked programs.
        memory: float64 (players, sections, slots), changed in place.
    """

    table: NDArray[np.int64]
    code: NDArray[np.uint32]
    memory: NDArray[np.float64]


class Scratch(NamedTuple):
    """Room for one game.

    Attributes:
        game: int64 (size,).
        actions: int64 (most legal actions,).
        weights: float64 (most legal actions,).
        scores: float64 (players,).
    """

    game: NDArray[np.int64]
    actions: NDArray[np.int64]
    weights: NDArray[np.float64]
    scores: NDArray[np.float64]


@kernel
def drawn_number(key, number, purpose):  # type: ignore[no-untyped-def]
    """A uniform double of [0, 1): ``keyed_uniform_readable`` of a key, a number and its purpose."""
    return keyed_uniform(key, number, purpose)


@inlined
def no_chance(game, actions, weights):  # type: ignore[no-untyped-def]
    """Chance in a game that has none."""
    return 0


@inlined
def outcome(actions, weights, count, number):  # type: ignore[no-untyped-def]
    """The outcome that chance takes, by a uniform number of [0, 1)."""
    below = 0.0
    for place in range(count):
        below += weights[place]
        if number < below:
            return actions[place]
    return actions[count - 1]


def _chooser(sense: Callable[..., Any]) -> Callable[..., Any]:
    """The choice of a program in a game with these sensors."""

    @inlined
    def choose(scratch, count, programs, code, memory, key, taken, sensors):  # type: ignore[no-untyped-def]
        """The first action of the highest value; NaN is below everything."""
        section = scratch.game[DECISION]
        slots = memory[section]
        row = programs[section]
        best_action = scratch.actions[0]
        best = np.nan
        for place in range(count):
            action = scratch.actions[place]
            sense(scratch.game, action, slots)
            for k in range(row[RANDOMS]):
                counter = (FORMULAS + (k << PLACE_BITS) + action) % HALF
                slots[sensors + k] = keyed_uniform(key, taken % HALF, counter)
            run(code, slots, row[ENTRY], code.shape[0])
            value = slots[row[RESULT]]
            if is_higher(value, best):
                best = value
                best_action = action
        return best_action

    return choose


def _player(parts: Parts) -> Callable[..., Any]:
    """The play of one game with these parts."""
    legal, apply, chance = parts.legal, parts.apply, parts.chance
    choose = _chooser(parts.sense)

    @inlined
    def play_one(key, seat, seats, setting, linked, scratch):  # type: ignore[no-untyped-def]
        """Play until the game is over or called off; the first player sits in ``seat``."""
        game, actions = scratch.game, scratch.actions
        taken = 0
        events = 0
        while game[PLAYER] != NOBODY and (taken < setting.longest or game[PLAYER] == CHANCE):
            if game[PLAYER] == CHANCE:
                count = chance(game, actions, scratch.weights)
                number = keyed_uniform(key, events, EVENTS)
                apply(game, outcome(actions, scratch.weights, count, number))
                events += 1
                continue
            count = legal(game, actions)
            player = game[PLAYER] - seat
            if player < 0:
                player += seats
            programs = linked.table[player]
            if taken < setting.opening:
                action = actions[int(keyed_uniform(key, taken, OPENINGS) * count)]
            elif programs[0, ENTRY] == AT_RANDOM:
                action = actions[int(keyed_uniform(key, taken, CHOICES) * count)]
            elif count == 1:
                action = actions[0]
            else:
                memory = linked.memory[player]
                action = choose(scratch, count, programs, linked.code, memory, key, taken, setting.sensors)
            apply(game, action)
            taken += 1

    return play_one


@cache
def games_kernel(parts: Parts, sources: tuple[Path, ...]) -> Callable[..., Any]:
    """Kernel that plays every deal in all seatings.

    Args:
        parts: of the game.
        sources: the files that they stand in; compiled kernels are kept for them.
    """
    play_one, score = _player(parts), parts.score

    def play_deals(keys, setting, linked, scratch, scores):  # type: ignore[no-untyped-def]
        """Play every deal once with the first player in each seat; the others follow it in order.

        Args:
            keys: int64 (deals,).
            setting, linked, scratch: see their classes.
            scores: float64 (deals, seats), those of the first player, filled.

        Returns:
            Number of games that were called off.
        """
        game = scratch.game
        seats = scores.shape[1]
        stalled = 0
        for deal in range(keys.shape[0]):
            for seat in range(seats):
                for place in range(game.shape[0]):
                    game[place] = setting.first[place]
                play_one(keys[deal], seat, seats, setting, linked, scratch)
                if game[PLAYER] == NOBODY:
                    score(game, scratch.scores)
                    scores[deal, seat] = scratch.scores[seat]
                else:
                    stalled += 1
                    scores[deal, seat] = setting.middle
        return stalled

    return kernel_from(play_deals, sources)


class Record(NamedTuple):
    """Record of what the parts of a game said along a line of actions, by step.

    Attributes:
        games: int64 (steps + 1, size): before each action, and at the end.
        counts: int64 (steps + 1,): how many actions, or outcomes of chance, there were.
        actions: int64 (steps + 1, most legal actions).
        weights: float64 (steps + 1, most legal actions): probabilities, where chance is to act.
        values: float64 (steps + 1, most legal actions, sensors): of each action, where a player is to choose.
        scores: float64 (players,).
    """

    games: NDArray[np.int64]
    counts: NDArray[np.int64]
    actions: NDArray[np.int64]
    weights: NDArray[np.float64]
    values: NDArray[np.float64]
    scores: NDArray[np.float64]


@cache
def record_kernel(parts: Parts, sources: tuple[Path, ...]) -> Callable[..., Any]:
    """The kernel that records what the parts say along a line of actions; arguments as of ``games_kernel``."""
    legal, apply, score, sense, chance = parts

    def replay(line, first, record):  # type: ignore[no-untyped-def]
        """Apply a line of actions, int64 (steps,), from the first game on, and record every step."""
        game = record.games[0]
        for place in range(first.shape[0]):
            game[place] = first[place]
        for step in range(line.shape[0] + 1):
            game = record.games[step]
            actions = record.actions[step]
            count = 0
            if game[PLAYER] == CHANCE:
                count = chance(game, actions, record.weights[step])
            elif game[PLAYER] != NOBODY:
                count = legal(game, actions)
                for place in range(count):
                    sense(game, actions[place], record.values[step, place])
            record.counts[step] = count
            if step < line.shape[0]:
                after = record.games[step + 1]
                for place in range(first.shape[0]):
                    after[place] = game[place]
                apply(after, line[step])
        if game[PLAYER] == NOBODY:
            score(game, record.scores)

    return kernel_from(replay, sources)
