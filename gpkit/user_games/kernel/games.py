"""Compiled kernels that play complete games, built around the functions in a user's game file.

``gpkit.user_games.arena`` defines the semantics of a kernel. A game is an int64 array that starts with ``PLAYER`` and
``DECISION``; the game defines all other numbers.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from gpkit.core.arrays import Floats, Ints
from gpkit.core.compiled import inlined, kernel, kernel_from
from gpkit.core.kernel.shared import is_higher
from gpkit.user_games.kernel.counters import CHOICES, EVENTS, FORMULAS, OPENINGS, PLACE_BITS
from gpkit.vm.kernel.keyed import keyed_uniform
from gpkit.vm.keyed import HALF
from gpkit.vm.machine import run

PLAYER, DECISION = 0, 1
"""Indexes into a game's array: the player to act (or ``NOBODY`` or ``CHANCE``), and the number of the decision."""

NOBODY, CHANCE = -1, -2
"""Special values of ``PLAYER``, which mean that the game is over, and that chance acts next."""

ENTRY, RESULT, RANDOMS, COLUMNS = range(4)
"""The columns of a program (first row, slot of its value, number of random inputs), and the number of columns."""

AT_RANDOM = -1
"""The value, in place of a program's first row, for a player that chooses a legal action at random."""


class Parts(NamedTuple):
    """The functions of a game that are compiled into the kernel, each marked with ``@kernel``.

    Attributes:
        legal: a function of (game, actions) that fills int64 actions in ascending order, and returns their number, at
            least 1 until the end.
        apply: a function of (game, action) that changes the game.
        score: a function of (game, scores) that fills float64 (players,) at the end.
        sense: a function of (game, action, values) that fills float64 (sensors,).
        chance: a function of (game, actions, weights) that fills in the outcomes and their probabilities, and returns
            their number.
    """

    legal: Callable[..., Any]
    apply: Callable[..., Any]
    score: Callable[..., Any]
    sense: Callable[..., Any]
    chance: Callable[..., Any]


@kernel
def drawn_number(key, number, purpose):  # type: ignore[no-untyped-def]
    """A uniform random double in [0, 1): ``keyed_uniform_readable`` of a key, a number and its purpose."""
    return keyed_uniform(key, number, purpose)


@inlined
def no_chance(game, actions, weights):  # type: ignore[no-untyped-def]
    """The chance function of a game without chance events."""
    return 0


@inlined
def outcome(actions, weights, count, number):  # type: ignore[no-untyped-def]
    """The chance outcome for a uniform random number in [0, 1)."""
    below = 0.0
    for place in range(count):
        below += weights[place]
        if number < below:
            return actions[place]
    return actions[count - 1]


def _chooser(sense: Callable[..., object]) -> Callable[..., Any]:
    """A function that chooses actions for a program, in a game with these sensors."""

    @inlined
    def choose(game, actions, count, programs, code, memory, key, taken, sensors):  # type: ignore[no-untyped-def]
        """The first action with the highest value; NaN counts as the lowest."""
        section = game[DECISION]
        slots = memory[section]
        row = programs[section]
        best_action = actions[0]
        best = np.nan
        for place in range(count):
            action = actions[place]
            sense(game, action, slots)
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
    """A function that plays a single game with these parts."""
    legal, apply, chance = parts.legal, parts.apply, parts.chance
    choose = _chooser(parts.sense)

    @inlined
    def play_one(key, seat, seats, setting, linked, scratch):  # type: ignore[no-untyped-def]
        """Play until the game is over or stopped; the first player sits in ``seat``."""
        game, actions, weights, _ = scratch
        _, opening, longest, _, sensors = setting
        table, code, memory = linked
        taken, events = 0, 0
        while game[PLAYER] != NOBODY and (taken < longest or game[PLAYER] == CHANCE):
            if game[PLAYER] == CHANCE:
                count = chance(game, actions, weights)
                apply(game, outcome(actions, weights, count, keyed_uniform(key, events, EVENTS)))
                events += 1
                continue
            count = legal(game, actions)
            player = game[PLAYER] - seat
            if player < 0:
                player += seats
            programs = table[player]
            if taken < opening:
                action = actions[int(keyed_uniform(key, taken, OPENINGS) * count)]
            elif programs[0, ENTRY] == AT_RANDOM:
                action = actions[int(keyed_uniform(key, taken, CHOICES) * count)]
            elif count == 1:
                action = actions[0]
            else:
                action = choose(game, actions, count, programs, code, memory[player], key, taken, sensors)
            apply(game, action)
            taken += 1

    return play_one


@cache
def games_kernel(parts: Parts, sources: tuple[Path, ...]) -> Callable[..., Any]:
    """A kernel that plays every deal in every seating.

    Args:
        parts: the functions of the game.
        sources: the files with these functions; the cache of compiled kernels depends on them.
    """
    play_one, score = _player(parts), parts.score

    def play_deals(keys, setting, linked, scratch, scores):  # type: ignore[no-untyped-def]
        """Play every deal once with the first player in each seat; the other players follow in order.

        Args:
            keys: int64 (deals,).
            setting: the first state, int64 (size,); the number of random actions at the beginning; the number of
                actions after which a game stops; the score of every player in a stopped game; and the number of
                sensors.
            linked: int64 (players, sections, COLUMNS), uint32 (rows, 5) and float64 (players, sections, slots): the
                table of programs, their linked code, and their memory, changed in place.
            scratch: the game, int64 (size,); actions, int64 (most legal actions,); their weights, float64 (most legal
                actions,); and the scores, float64 (players,).
            scores: float64 (deals, seats), which the kernel fills with the first player's scores.

        Returns:
            The number of stopped games.
        """
        game, _, _, finals = scratch
        first, _, _, middle, _ = setting
        seats = scores.shape[1]
        stalled = 0
        for deal in range(keys.shape[0]):
            for seat in range(seats):
                for place in range(game.shape[0]):
                    game[place] = first[place]
                play_one(keys[deal], seat, seats, setting, linked, scratch)
                if game[PLAYER] == NOBODY:
                    score(game, finals)
                    scores[deal, seat] = finals[seat]
                else:
                    stalled += 1
                    scores[deal, seat] = middle
        return stalled

    return kernel_from(play_deals, sources)


class Record(NamedTuple):
    """A record of the game's functions along a sequence of actions, step by step.

    Attributes:
        games: int64 (steps + 1, size): the game before each action, and at the end.
        counts: int64 (steps + 1,): the number of legal actions or chance outcomes.
        actions: int64 (steps + 1, most legal actions).
        weights: float64 (steps + 1, most legal actions): probabilities, if chance acts next.
        values: float64 (steps + 1, most legal actions, sensors): the values of each action, if a player chooses next.
        scores: float64 (players,).
    """

    games: Ints
    counts: Ints
    actions: Ints
    weights: Floats
    values: Floats
    scores: Floats


@cache
def record_kernel(parts: Parts, sources: tuple[Path, ...]) -> Callable[..., Any]:
    """A kernel that records the functions' results along a sequence of actions; for arguments, see ``games_kernel``."""
    legal, apply, score, sense, chance = parts

    def replay(line, first, record):  # type: ignore[no-untyped-def]
        """Apply a sequence of actions, int64 (steps,), to the first state, and record every step."""
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
