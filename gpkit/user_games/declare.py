"""Declarations that make a game: ``@sensor``, ``option`` and ``game``.

The first state of a game, and every one that follows, is immutable and has the members of
``gpkit.gamekit.state.State``, and those others of ``gpkit.gamekit.state.MEMBERS`` that are wanted. ``gpkit doctor
--game FILE`` says which of this a game does not keep (``gpkit.user_games.contract``).
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import lru_cache, partial, wraps
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpkit.core.errors import UsageError
from gpkit.core.primitives import PORTABLE, Alphabet, HostInstruction, Offers, PrimitiveSet, operators
from gpkit.core.registry import DEFAULT_LANGUAGE, PrimitiveSets, language_of_genome
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.encoding import Encoding
from gpkit.gamekit.facts import Fact
from gpkit.gamekit.game import Builtin, Exact, Game, Memory, Metric, Plans, Scores, undeclared
from gpkit.gamekit.options import Option, OptionRules
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import SensorFunction
from gpkit.gamekit.state import State

WIN_SHARE = Metric("win_share", 0.0, 1.0, total=1.0)
"""The metric of a game that says none: 1 for the winner, divided between all who win."""

LANGUAGE = DEFAULT_LANGUAGE
"""Language of the programs: formulas that score legal actions."""

RANDOM = "random"
"""The player that every game of states has."""

Opponent = str | Callable[[Any], int] | Builtin


def game(
    name: str,
    begin: Callable[..., State],
    *,
    sensors: Sequence[SensorFunction],
    facts: Sequence[Fact] = (),
    options: Sequence[Option] | type[OptionRules] = (),
    players: int | Callable[[Any], int] = 2,
    decisions: Sequence[str] = (),
    metric: Metric | Callable[[Any], Metric] = WIN_SHARE,
    opponents: Mapping[str, Opponent] | Sequence[str] = MappingProxyType({}),
    rivals: Sequence[str] | Callable[[Any], tuple[str, ...]] = (),
    title: str = "",
    kernel: Any = None,
    plans: Plans | None = None,
    offers: Offers = MappingProxyType({}),
    deal: Callable[[np.random.Generator, int, Any], Any] = Deals.drawn,
    play: Callable[[Sequence[Player], Any, Any], Scores] = undeclared,
    choose: Callable[[Player, Any, Any], Any] | None = None,
    courses: Callable[[Sequence[Player], Any, Any], NDArray[np.int64] | None] | None = None,
    exact: Exact | None = None,
    memory: Memory | None = None,
    check: Callable[[Sequence[Player], Any], object] = lambda players, rules: None,
    view: Any = None,
    encoding: Encoding | None = None,
) -> Game:
    """A game that is played by its states; whatever the arguments leave out follows from these.

    A game whose options are a class of rules (``gpkit.gamekit.options.OptionRules``) brings its own ``offers`` and
    ``play``, at least.

    Args:
        name: small letters, digits and ``_``.
        begin: gives the first state, from the options by name; of a class of rules, from (players, deals, rules).
        sensors: what programs read.
        facts: what conditions and traces read of a step.
        options: the rules that can be set; ``opening`` and ``longest`` (``rules.DEFAULT_OPTIONS``) always can.
        players: how many, or (rules) how many; an option ``players`` says otherwise.
        decisions: the sections of a program; without them, the decision of the first state.
        metric: name and bounds of what ``returns()`` gives each player; where the rules decide it, a function of them.
        opponents: by name a formula for each decision, as in a ``.tree`` file, empty for a program file of that name; a
            function from a state to a legal action; or a ``Builtin``. Or names of program files. Every game of states
            has the player ``random`` besides, and one in which nothing is hidden (its states have no ``observation``) a
            tree search, ``mcts``.
        rivals: the opponents that programs meet if none are named, or (rules) these; without them ``random`` and all
            that are programs or functions.
        title: what it is, in a few words; without it, the first line of the file.
        kernel: the same game for the compiler (``gpkit.Kernel``).
        plans: the actions that plans ask for; only for games for one player. Plans read the sensors of the state alone.
        offers: the primitive sets for programs, by language; without them, formulas and decision trees of all sensors.
        deal: (rng, count, rules) that many deals, which have keys (``gpkit.gamekit.deals.Deals``).
        play: (players, deals, rules) the scores of the first player in every deal and seating.
        choose: (player, state, deals) the legal action that a player chooses.
        courses: (players, deals, rules) for each deal a number, the same for deals whose games are all the same:
            int64 (deals,).
        exact: how results are computed.
        memory: what players carry through a series.
        check: (players, rules) raises a UsageError where these players cannot play by these rules.
        view: the face of the game (``gpkit.gamekit.view.View``).
        encoding: what players know as numbers (``gpkit.gamekit.encoding.Encoding``).

    Raises:
        UsageError: two sensors, facts or options have the same name; the tick of plans is none of their actions, or the
            game has more players.
    """
    _check_unique(name, "sensors", [each.sensor.name for each in sensors])
    _check_unique(name, "facts", [each.name for each in facts])
    known = dict(opponents) if isinstance(opponents, Mapping) else dict.fromkeys(opponents, "")
    strategies = {key: _strategy(each) for key, each in known.items() if not isinstance(each, str)}
    programs = {key: each for key, each in known.items() if isinstance(each, str)}
    usual = (RANDOM, *programs, *(key for key, each in strategies.items() if each.function))
    named = tuple(dict.fromkeys(usual if callable(rivals) else rivals or usual))
    declared = Game(
        name=name,
        offers=offers,
        options=options if isinstance(options, type) else tuple(options),
        first=begin,
        players=players if callable(players) else partial(_seats, players),
        rivals=rivals if callable(rivals) else lambda rules: named,
        metric=metric if callable(metric) else lambda rules: metric,
        deal=deal,
        play=play,
        title=title,
        opponents={**programs, **strategies},
        choose=choose,
        courses=courses,
        exact=exact,
        memory=memory,
        plans=plans,
        sensors=tuple(sensors),
        facts=tuple(facts),
        check=check,
        kernel=kernel,
        view=view,
        encoding=encoding,
    )
    return declared if isinstance(options, type) else _of_states(declared, begin, tuple(decisions))


def _of_states(declared: Game, begin: Callable[..., State], sections: tuple[str, ...]) -> Game:
    """A game that is played by its states.

    Raises:
        UsageError: two options have the same name, or plans cannot play it.
    """
    from gpkit.gamekit.uct import MCTS, STRATEGY  # as below
    from gpkit.user_games.game import StateGame  # which loads the machine
    from gpkit.user_games.rules import DEFAULT_OPTIONS, Rules

    name, plans = declared.name, declared.plans
    names = [each.name for each in declared.all_options]
    _check_unique(name, "options", names)
    options = (*declared.all_options, *(each for each in DEFAULT_OPTIONS if each.name not in names))
    rules = Rules.from_options({}, options, name)
    state = begin(**rules.arguments())
    offers = declared.offers or offers_of(name, sections or (str(state.decision),), declared.sensors)
    if plans is not None:
        _check_plans(name, plans, declared.players(rules))
        offers = PrimitiveSets(
            {**offers, language_of_genome("plan"): _planned(name, plans, declared.sensors)}
        )

    @wraps(begin)
    def first(players: Sequence[Player], deals: Deals, rules: Rules) -> State:
        return begin(**rules.arguments())

    usual = {RANDOM: Builtin("chooses any legal action")}
    usual |= {} if hasattr(state, "observation") else {MCTS: STRATEGY}
    values = {each.name: getattr(declared, each.name) for each in fields(declared)}
    values |= {
        "title": declared.title or _first_line(sys.modules.get(begin.__module__)),
        "offers": offers,
        "options": options,
        "opponents": {**declared.programs, **usual, **declared.opponents},
        "first": first,
    }
    return StateGame(**values)


def _strategy(given: Callable[[Any], int] | Builtin) -> Builtin:
    """An opponent that is not a program, from a function."""
    return given if isinstance(given, Builtin) else Builtin(_first_line(given), function=given)


@lru_cache(maxsize=64)
def _seats(usual: int, rules: Any) -> int:
    """The number of players by some rules."""
    return int(rules.to_options().get("players", usual))


def _check_unique(game: str, kind: str, names: Sequence[str]) -> None:
    """Check that nothing has the name of another.

    Raises:
        UsageError: something has.
    """
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UsageError(f"two {kind} of {game} are called `{name}`")


def offers_of(name: str, sections: tuple[str, ...], sensors: Sequence[SensorFunction]) -> Offers:
    """Primitive sets of a game: formulas of all operators or the plainest, and trees that value actions."""
    own = tuple(each.sensor for each in sensors)
    names = tuple(each.name for each in own)
    alphabets = (Alphabet("all", names, PORTABLE), Alphabet("sums", names, operators("+", "-", "*")))
    trees = PrimitiveSet(name, sections, own, (Alphabet("trees", names),))
    return PrimitiveSets(
        {LANGUAGE: PrimitiveSet(name, sections, own, alphabets), language_of_genome("decision"): trees}
    )


def _first_line(documented: object) -> str:
    """First line of the docstring of a function or module, without the point at its end."""
    return (documented.__doc__ or "").strip().split("\n")[0].removesuffix(".") if documented else ""


def _check_plans(name: str, plans: Plans, players: int) -> None:
    """Check that plans can play a game.

    Raises:
        UsageError: the tick is none of the actions, or the game has more players.
    """
    if plans.tick not in plans.actions:
        raise UsageError(
            f"{name}: the tick `{plans.tick}` is not one of the actions, which are {', '.join(plans.actions)}"
        )
    if players != 1:
        raise UsageError(f"{name} has several players; plans play games for one")


def _planned(name: str, plans: Plans, sensors: Sequence[SensorFunction]) -> PrimitiveSet:
    """The primitive set for plans: the actions but the tick, and the sensors of the state alone."""
    shared = tuple(each.sensor for each in sensors if each.sensor.shared)
    words = tuple(
        HostInstruction(*each, acts=True) for each in plans.actions.items() if each[0] != plans.tick
    )
    names = tuple(each.name for each in words)
    alphabet = Alphabet("plans", tuple(each.name for each in shared), instructions=names)
    starts = (plans.start,) if isinstance(plans.start, str) and plans.start else ()
    return PrimitiveSet(name, (), shared, (alphabet,), words, starts=starts)
