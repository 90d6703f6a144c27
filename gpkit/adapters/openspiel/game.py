"""Games of OpenSpiel by name, with their parameters: ``connect_four`` or ``connect_four(rows=4)``."""

import re
import zlib
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from typing import Any

from gpkit.core.diagnostics import suggestion
from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import PORTABLE, Alphabet
from gpkit.core.registry import PrimitiveSets
from gpkit.core.wording import install_command

try:
    import pyspiel
except ModuleNotFoundError as error:
    raise UsageError(
        f"OpenSpiel games need the package {error.name}: {install_command('openspiel')}"
    ) from error

from gpkit.adapters.openspiel.sensors import SLOW, sensors_of
from gpkit.adapters.openspiel.state import DECISION, State, is_open
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.uct import MCTS, STRATEGY
from gpkit.user_games.declare import Opponent, game, offers_of

VERSION = f"OpenSpiel {version('open_spiel')}"

SPIEL_MCTS = "spiel-mcts"
"""Name of OpenSpiel's own tree search among the opponents."""

SIMULATIONS = 50
"""Games that it plays out before it chooses."""

OTHER = 0x2A5A5A5
"""Makes the seed of random games another than that of the tree."""

GREEDY = "greedy"
"""Name of the opponent that looks ahead one action."""


def __getattr__(words: str) -> Game:
    """The game of a name, as an attribute of this module."""
    if words.startswith("_"):
        raise AttributeError(words)
    return game_of_text(words)


def game_of_text(text: str) -> Game:
    """The game with this name; the name may have parameters in parentheses.

    Raises:
        UsageError: there is no such game, or it has no such parameter.
        GuestError: its players move simultaneously or enter text, or it gives no probabilities for its chance events.
    """
    return _game("".join(text.split()).removesuffix("()"))


@cache
def _game(words: str) -> Game:
    spiel = _loaded(words)
    kind = spiel.get_type()
    _check(words, spiel)
    names = set(re.findall(r"(\w+)\(", str(spiel)))
    known = str(spiel) if names <= set(pyspiel.registered_names()) else words
    sensors = sensors_of(spiel)
    offers = {
        language: replace(offered, alphabets=_alphabets(offered.alphabets))
        for language, offered in offers_of(f"openspiel:{words}", (DECISION,), sensors).items()
    }
    return game(
        f"openspiel:{words}",
        lambda: State(known),
        sensors=sensors,
        players=spiel.num_players(),
        metric=Metric("returns", spiel.min_utility(), spiel.max_utility(), total=spiel.utility_sum()),
        opponents=_opponents(spiel),
        rivals=("random", GREEDY) if is_open(spiel) else ("random",),  # without the slow searches
        title=f"{kind.long_name}, of {VERSION}",
        offers=PrimitiveSets(offers),
    )


def _loaded(words: str) -> Any:
    """The game of OpenSpiel.

    Raises:
        UsageError: there is no such game, or it has no such parameter.
    """
    name, parenthesis, _ = words.partition("(")
    known = pyspiel.registered_names()
    if name not in known:
        raise UsageError(f"OpenSpiel has no game `{name}`; {suggestion(name, known)}")
    try:
        return pyspiel.load_game(words)
    except Exception as error:  # OpenSpiel also raises C++ errors
        needs = f" needs parameters in parentheses, as in {_example(name)}"
        raise UsageError(f"openspiel:{words}{f': {_reason(error)}' if parenthesis else needs}") from error


def _example(name: str) -> str:
    """An example of a game with all its parameters, as a person types it."""
    (kind,) = (each for each in pyspiel.registered_games() if each.short_name == name)
    usual = {"str": "TEXT", "dict": "tic_tac_toe()"}  # by the type of the default
    values = (
        f"{key}={'FILE' if key.startswith('file') else usual.get(type(default).__name__, default)}"
        for key, default in kind.parameter_specification.items()
    )
    return f"{name}({','.join(values)})"


def _reason(error: Exception) -> str:
    """The first line of an OpenSpiel error, or a sentence instead if that line is only for programmers."""
    line = (str(error).splitlines() or [""])[0]
    return (
        "OpenSpiel cannot load this game or read its file" if "::" in line or line.startswith("/") else line
    )


def _check(words: str, spiel: Any) -> None:
    """Check that a game can be played here.

    Raises:
        GuestError: it cannot.
    """
    kind = spiel.get_type()
    if kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        inner = words if "(" in words else f"{words}()"
        raise GuestError(
            f"the players of openspiel:{words} move simultaneously, which gpkit does not support; in "
            f"`openspiel:turn_based_simultaneous_game(game={inner})` they move in turn, unseen by each other"
        )
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        raise GuestError(f"openspiel:{words} is not a turn-based game")
    if not spiel.num_distinct_actions():
        raise GuestError(
            f"openspiel:{words} has no numbered actions: its players enter text, which gpkit does not support"
        )
    if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
        raise GuestError(f"openspiel:{words} does not give the probabilities of its chance events")


def _alphabets(usual: tuple[Alphabet, ...]) -> tuple[Alphabet, ...]:
    """The usual alphabets without the slow sensors, and one with them."""
    quick = tuple(
        replace(each, sensors=tuple(name for name in each.sensors if name not in SLOW)) for each in usual
    )
    everything = usual[0].sensors
    return quick if quick[0].sensors == everything else (*quick, Alphabet("rollouts", everything, PORTABLE))


def _opponents(spiel: Any) -> dict[str, Opponent]:
    """The opponents of a game without hidden information: one that looks ahead one action, and two that search."""
    if not is_open(spiel):
        return {}

    def mcts(state: State) -> int:
        seed = zlib.crc32(repr(state.history).encode()) >> 1  # an int of C
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed ^ OTHER)
        bot = pyspiel.MCTSBot(spiel, evaluator, 2.0, SIMULATIONS, 100, True, seed, False)
        return int(bot.step(state.inner))

    mcts.__doc__ = f"OpenSpiel's own tree search: {SIMULATIONS} simulations per choice"
    return {GREEDY: f"{DECISION}: env.gain - env.losses", SPIEL_MCTS: mcts, MCTS: STRATEGY}
