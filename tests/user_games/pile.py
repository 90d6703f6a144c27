"""A game in a file that sets every keyword of ``gpkit.game`` but those of ``walk.py`` in the same folder."""

from dataclasses import dataclass

import numpy as np

from gpkit import NOBODY, Builtin, Kernel, Metric, fact, game, kernel, option, sensor
from gpkit.core.primitives import operators
from gpkit.gamekit.forms import GameForms, Trial
from gpkit.types import (
    Alphabet,
    Deals,
    Exact,
    Expected,
    Memory,
    Number,
    PrimitiveSet,
    Scores,
    UsageError,
    View,
)
from gpkit.user_games.game import choose as usual

UNLUCKY = 13


@dataclass(frozen=True, slots=True)
class State:
    """Sticks on a pile, of which one to three are taken in turns; an action is one less."""

    left: int
    current_player: int = 0
    decision = "take"

    @property
    def is_terminal(self):
        return self.left == 0

    def legal_actions(self):
        return list(range(min(3, self.left)))

    def apply(self, action):
        if action not in self.legal_actions():
            raise ValueError(f"{action + 1} sticks cannot be taken")
        return State(self.left - action - 1, 1 - self.current_player)

    def returns(self):
        return (2.0 * self.current_player, 2.0 - 2.0 * self.current_player)


def begin(sticks):
    """The pile."""
    return State(sticks)


@sensor(0, 99, "sticks that are left")
def rest(state, action):
    return state.left - action - 1


@fact("sticks on the pile after it")
def pile(after):
    return after.left


def giver(state):
    """Takes one stick"""
    return 0


def choose(player, state, deals):
    """As many sticks as the player ``taker`` is told; all others as usual."""
    if player.strategy == "taker":
        return min(player.number, state.position.left) - 1
    return usual(GAME, player, state, deals)


def play(players, deals, rules):
    """Every deal with each player first, action by action."""
    scores = np.zeros((len(deals), 2))
    for number, seat in np.ndindex(*scores.shape):
        dealt, seated = deals[number : number + 1], [*players[seat:], *players[:seat]]
        state = GAME.begin(seated, dealt, rules)
        while not state.is_terminal:
            state = state.apply(choose(seated[state.current_player], state, dealt))
        scores[number, seat] = state.returns()[seat]
    return Scores(scores, 0, 0)


def deal(rng, count, rules):
    """Even keys."""
    return Deals(Deals.drawn(rng, count).keys // 2 * 2)


def courses(players, deals, rules):
    """One course: nobody draws."""
    return None if "random" in [player.name for player in players] else np.zeros(len(deals), dtype=np.int64)


def check(players, rules):
    """Nobody plays with 13 sticks."""
    if dict(rules.values)["sticks"] == UNLUCKY:
        raise UsageError("13 sticks are unlucky")


def expect(players, rules):
    """What one game of each seating gives."""
    return Expected(tuple(play(players, Deals(np.zeros(1, dtype=np.int64)), rules).values[0].tolist()))


def first_memory(players, series, rules):
    """The games so far, by series, seating and player."""
    return np.zeros((series, 2, 2))


def play_on(players, deals, rules, memory):
    """The next game of each series."""
    return play(players, deals, rules), memory + 1.0


def text(state, action):
    """An action."""
    return ["one", "two", "three"][action]


def parse(state, said):
    """The action of a word."""
    found = {text(state, action): action for action in state.legal_actions()}
    if said not in found:
        raise UsageError(f"`{said}` is none of {', '.join(found)}")
    return found[said]


def board(state, player=None, names=()):
    """The pile."""
    return f"{state.position.left} sticks\n"


def picture(state, player=None, names=(), overlay=None):
    """The pile."""
    return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{state.position.left}</text></svg>'


def sensed(state, action):
    """The sensors by name."""
    return {rest.sensor.name: float(rest(state.position, action))}


class Numbers:
    """Encoding: three actions and their sensor."""

    def columns(self):
        return (rest.sensor,)

    def actions(self, rules):
        return 3

    def encode(self, state, player):
        table = np.zeros((3, 1))
        for action in state.legal_actions():
            table[action] = rest(state.position, action)
        return table


PLAYER, DECISION, LEFT, WINNER, SIZE = 0, 1, 2, 3, 4


def pack(state):
    """The array of a state."""
    ends = (NOBODY, 0, 0, 1 - state.current_player)
    return ends if state.is_terminal else (state.current_player, 0, state.left, NOBODY)


@kernel
def fast_legal(game, actions):
    """Fill in the actions."""
    found = min(3, game[LEFT])
    for action in range(found):
        actions[action] = action
    return found


@kernel
def fast_apply(game, action):
    """Take sticks."""
    game[LEFT] -= action + 1
    if game[LEFT] == 0:
        game[WINNER] = game[PLAYER]
        game[PLAYER] = NOBODY
    else:
        game[PLAYER] = 1 - game[PLAYER]


@kernel
def fast_score(game, scores):
    """Fill in the scores."""
    scores[0] = 2.0 if game[WINNER] == 0 else 0.0
    scores[1] = 2.0 - scores[0]


@kernel
def fast_sense(game, action, values):
    """Fill in the sensor."""
    values[0] = game[LEFT] - action - 1


GAME = game(
    "pile",
    begin,
    sensors=[rest],
    facts=[pile],
    options=[option("sticks", 7, "sticks at the beginning", low=1, high=99)],
    players=lambda rules: 2,
    metric=lambda rules: Metric("points", 0.0, 2.0, total=2.0),
    opponents={
        "greedy": "take: -env.rest",
        "giver": giver,
        "taker": Builtin("takes so many sticks", Number("sticks", 1, 3)),
        "counter": Builtin("greedy, which counts its games", policy="greedy", remembers=True),
        "lake": Builtin("sticks in a lake", decides=False),
    },
    rivals=("taker:2", "giver"),
    title="sticks on a pile",
    kernel=Kernel(pack, SIZE, 3, fast_legal, fast_apply, fast_score, fast_sense),
    offers={
        "arithmetic": PrimitiveSet(
            "pile", ("take",), (rest.sensor,), (Alphabet("plain", ("env.rest",), operators("+", "-")),)
        )
    },
    deal=deal,
    play=play,
    choose=choose,
    courses=courses,
    exact=Exact(check, expect),
    memory=Memory(first_memory, play_on),
    check=check,
    view=View(text, parse, board, picture, sensed),
    encoding=Numbers(),
    forms=GameForms(suites=lambda: (Trial("giver", {"sticks": "9"}, games=8),)),
)
