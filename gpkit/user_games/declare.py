"""Declarations of games: ``@sensor``, ``option`` and ``game``.

All states of a game are immutable. States must have the members of ``gpkit.gamekit.state.State``, and can have the
other members in ``gpkit.gamekit.state.MEMBERS``. ``gpkit doctor --game FILE`` finds violations
(``gpkit.user_games.contract``).
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache, partial, wraps
from types import MappingProxyType
from typing import Any

import numpy as np

from gpkit.core.arrays import Ints
from gpkit.core.errors import UsageError
from gpkit.core.primitives import PORTABLE, Alphabet, HostInstruction, Offers, PrimitiveSet, operators
from gpkit.core.registry import DEFAULT_LANGUAGE, PrimitiveSets, language_of_genome
from gpkit.gamekit.facts import USUAL, Fact
from gpkit.gamekit.forms import NO_FORMS, GameForms
from gpkit.gamekit.game import Builtin, Deals, Exact, Game, Memory, Metric, Plans, Scores, undeclared
from gpkit.gamekit.options import Option, OptionRules
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import Encoding, SensorFunction
from gpkit.gamekit.state import State
from gpkit.gamekit.view import View

WIN_SHARE = Metric("win_share", 0.0, 1.0, total=1.0)
"""The metric of a game that declares none: winners share 1 equally."""

LANGUAGE = DEFAULT_LANGUAGE
"""The language of the programs: formulas that score legal actions."""

RANDOM = "random"
"""The name of an opponent that every state-based game has."""

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
    courses: Callable[[Sequence[Player], Any, Any], Ints | None] | None = None,
    exact: Exact | None = None,
    memory: Memory | None = None,
    check: Callable[[Sequence[Player], Any], object] = lambda players, rules: None,
    view: View | None = None,
    encoding: Encoding | None = None,
    forms: GameForms = NO_FORMS,
) -> Game:
    """Declare a game that gpkit plays through its states, so that most arguments can be left out.

    A game whose options are a class of rules (``gpkit.gamekit.options.OptionRules``) must set at least ``offers`` and
    ``play``.

    Args:
        name: the name of the game: lowercase letters, digits and ``_``.
        begin: a function that returns the first state; its arguments are the options by name, or (players, deals,
            rules) if the options are a class of rules.
        sensors: the sensors that programs read.
        facts: the game's own facts about a step, for conditions and traces.
        options: the options of the rules; every game also has the options ``opening`` and ``longest``
            (``rules.DEFAULT_OPTIONS``).
        players: the number of players, or a function of (rules) that returns it; if the game has an option ``players``,
            this option overrides the number.
        decisions: the sections of a program; by default, one section for the decision of the first state.
        metric: the name and the bounds of the scores that a state's ``returns()`` returns, or a function of (rules) if
            these depend on the rules.
        opponents: the opponents by name. Each is a string with a formula for each decision, as in a ``.tree`` file; an
            empty string, which stands for the program file of that name; a function that takes a state and returns a
            legal action; or a ``Builtin``. The argument can also be a list of names of program files. Every state-based
            game also has ``random``. If its states have no ``observation``, the game also has the tree search ``mcts``.
            If its states have ``resample``, the game also has ``pimc``, a search over random deals.
        rivals: the default opponents, or a function of (rules) that returns them; by default, ``random`` and all
            opponents that are programs or functions.
        title: a short description; by default, the first line of the file.
        kernel: a compilable version of the game (``gpkit.Kernel``).
        plans: the actions that plans ask for; only one-player games can have plans. Plans read only sensors that do not
            depend on an action.
        offers: the primitive sets for programs, by language; by default, formulas and decision trees with all sensors.
        deal: (rng, count, rules) returns ``count`` deals with keys (``gpkit.gamekit.game.Deals``).
        play: (players, deals, rules) returns the scores of the first player in every deal and seating.
        choose: (player, state, deals) returns the legal action that a player chooses.
        courses: (players, deals, rules) returns a number for each deal, with the same number for deals that lead to
            identical games: int64 (deals,).
        exact: computes exact results.
        memory: the memory that players carry through a series.
        check: (players, rules) raises a UsageError if these players cannot play by these rules.
        view: the view that shows the game to people (``gpkit.gamekit.view.View``).
        encoding: the encoding of a player's knowledge as numbers (``gpkit.gamekit.sensors.Encoding``).
        forms: the parts that exports, pictures, held-out tables and conversations need
            (``gpkit.gamekit.forms.GameForms``).

    Raises:
        UsageError: two sensors, facts or options have the same name; a fact has the name of a fact of every game; the
            tick of the plans is not one of their actions; or a game with plans has several players.
    """
    _check_unique(name, "sensors", [each.sensor.name for each in sensors])
    _check_unique(name, "facts", [each.name for each in facts])
    usual_facts = {each.name: each.meaning for each in USUAL}
    for each in facts:
        if each.name in usual_facts:
            raise UsageError(
                f"every game has the fact `{each.name}`, {usual_facts[each.name]}; "
                f"rename the function in {each.place}"
            )
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
        forms=replace(
            forms,
            view=forms.view if view is None else lambda: view,
            encoding=forms.encoding if encoding is None else lambda: encoding,
        ),
    )
    return declared if isinstance(options, type) else _of_states(declared, begin, tuple(decisions))


def _of_states(declared: Game, begin: Callable[..., State], sections: tuple[str, ...]) -> Game:
    """The declared game as a state-based game.

    Raises:
        UsageError: two options have the same name, or plans cannot play the game.
    """
    from gpkit.gamekit.uct import MCTS, PIMC, STRATEGY, WORLDS  # imported late, as below
    from gpkit.user_games.game import StateGame  # this import loads the machine
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
    usual |= {PIMC: WORLDS} if hasattr(state, "resample") else {}
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
    """The ``Builtin`` for an opponent that is not a program; a function is converted to a ``Builtin``."""
    return given if isinstance(given, Builtin) else Builtin(_first_line(given), function=given)


@lru_cache(maxsize=64)
def _seats(usual: int, rules: Any) -> int:
    """The number of players under these rules."""
    return int(rules.to_options().get("players", usual))


def _check_unique(game: str, kind: str, names: Sequence[str]) -> None:
    """Check that no two names are the same.

    Raises:
        UsageError: two names are the same.
    """
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UsageError(f"two {kind} of {game} are called `{name}`")


def offers_of(name: str, sections: tuple[str, ...], sensors: Sequence[SensorFunction]) -> Offers:
    """The default primitive sets: formulas with all or only the basic operators, and trees that score actions."""
    own = tuple(each.sensor for each in sensors)
    names = tuple(each.name for each in own)
    alphabets = (Alphabet("all", names, PORTABLE), Alphabet("sums", names, operators("+", "-", "*")))
    trees = PrimitiveSet(name, sections, own, (Alphabet("trees", names),))
    return PrimitiveSets(
        {LANGUAGE: PrimitiveSet(name, sections, own, alphabets), language_of_genome("decision"): trees}
    )


def _first_line(documented: object) -> str:
    """The first line of a function's or module's docstring, without its full stop."""
    return (documented.__doc__ or "").strip().split("\n")[0].removesuffix(".") if documented else ""


def _check_plans(name: str, plans: Plans, players: int) -> None:
    """Check that plans can play a game.

    Raises:
        UsageError: the tick is not one of the actions, or the game has several players.
    """
    if plans.tick not in plans.actions:
        raise UsageError(
            f"{name}: the tick `{plans.tick}` is not one of the actions, which are {', '.join(plans.actions)}"
        )
    if players != 1:
        raise UsageError(f"{name} has several players, but plans can play only one-player games")


def _planned(name: str, plans: Plans, sensors: Sequence[SensorFunction]) -> PrimitiveSet:
    """The primitive set for plans: all actions except the tick, and only sensors that do not depend on an action."""
    shared = tuple(each.sensor for each in sensors if each.sensor.shared)
    words = tuple(
        HostInstruction(*each, acts=True) for each in plans.actions.items() if each[0] != plans.tick
    )
    alphabet = Alphabet(
        "plans", tuple(each.name for each in shared), instructions=tuple(each.name for each in words)
    )
    starts = (plans.start,) if isinstance(plans.start, str) and plans.start else ()
    return PrimitiveSet(name, (), shared, (alphabet,), words, starts=starts)
