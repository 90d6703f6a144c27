"""Declarations that make a game: ``@sensor``, ``option`` and ``game``.

The first state of a game, and every one that follows, is immutable and has ``current_player`` (a seat from 0, or
``CHANCE``), ``decision``, ``is_terminal``, ``legal_actions()``, ``apply(action)`` and ``returns()``
(``gpkit.gamekit.state.State``). If wanted, it has ``observation(player)`` where something is hidden,
``resample(rng, player)`` to prove that it stays so, ``chance_outcomes()``, ``action_text(action)``,
``parse_action(text)``, ``board_text(player)``, ``board_svg(player)``, for pages ``question_text()``
(what is to be chosen) and ``ending_text()`` (why the game ended so), and ``action_count``, the number of actions, where
players learn from numbers (``gpkit.adapters.pettingzoo``). ``gpkit doctor --game FILE`` says which of this a
game does not keep (``gpkit.user_games.contract``).
"""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial, wraps
from types import MappingProxyType
from typing import Any

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.primitives import PORTABLE, Alphabet, HostInstruction, Offers, PrimitiveSet, operators
from gpkit.core.registry import DEFAULT_LANGUAGE, PrimitiveSets, language_of_genome
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.facts import Fact
from gpkit.gamekit.game import Builtin, Game, Metric, Plans, undeclared
from gpkit.gamekit.options import Option, OptionRules, options_of
from gpkit.gamekit.players import Player
from gpkit.gamekit.sensors import SensorFunction
from gpkit.gamekit.state import ObservableState, State, end_of

WIN_SHARE = Metric("win_share", 0.0, 1.0, total=1.0)
"""The metric of a game that says none: 1 for the winner, divided between all who win."""

LANGUAGE = DEFAULT_LANGUAGE
"""Language of the programs: formulas that score legal actions."""


def game(
    name: str,
    begin: Callable[..., State],
    *,
    sensors: Sequence[SensorFunction],
    facts: Sequence[Fact] = (),
    options: Sequence[Option] | type[OptionRules] = (),
    players: int = 2,
    decisions: Sequence[str] = (),
    metric: Metric | Callable[[Any], Metric] = WIN_SHARE,
    opponents: Mapping[str, str | Callable[[Any], int]] | Sequence[str] = MappingProxyType({}),
) -> Game:
    """A game of its states: everything else that it has is a field of the value, which can be replaced.

    A game whose options are a class of rules (``gpkit.gamekit.options.OptionRules``) deals and plays itself: its
    ``begin`` is that of ``Game``, and ``offers`` and ``play`` at least are to be replaced.

    Args:
        name: small letters, digits and ``_``.
        begin: gives the first state, from the options by name.
        sensors: what programs read.
        facts: what conditions and traces read of a step.
        options: the rules that can be set; ``opening`` and ``longest`` (``rules.DEFAULT_OPTIONS``) always can.
        players: how many; an option ``players`` says otherwise.
        decisions: the sections of a program; without them, the decision of the first state.
        metric: name and bounds of what ``returns()`` gives each player; where the rules decide it, a function of them.
        opponents: by name a formula for each decision, as in a ``.tree`` file, or a function from a state to a legal
            action; or names of program files. Every game of states has the player ``random`` besides, and one in which
            nothing is hidden (its states have no ``observation``) a tree search, ``mcts``.

    Raises:
        UsageError: two sensors, facts or options have the same name.
    """
    _check_unique(name, "sensors", [each.sensor.name for each in sensors])
    _check_unique(name, "facts", [each.name for each in facts])
    known = opponents if isinstance(opponents, Mapping) else {}
    texts = {key: each for key, each in known.items() if isinstance(each, str)}
    functions = {key: each for key, each in known.items() if callable(each)}
    programs = tuple(texts if known else opponents)
    rivals = tuple(dict.fromkeys(("random", *programs, *functions)))
    seats = partial(_seats, players)
    declared = Game(
        name=name,
        offers={},
        options=(),
        make_rules=undeclared,
        players=seats,
        seatings=seats,
        rivals=lambda rules: rivals,
        metric=metric if callable(metric) else lambda rules: metric,
        deal=Deals.drawn,
        begin=begin,
        opponents=programs,
        texts=texts,
        functions=functions,
        sensors=tuple(sensors),
        facts=tuple(facts),
    )
    if isinstance(options, type):
        return replace(declared, options=options_of(options), make_rules=options.from_options)
    return _of_states(declared, begin, options, tuple(decisions))


def _of_states(
    declared: Game, begin: Callable[..., State], options: Sequence[Option], sections: tuple[str, ...]
) -> Game:
    """A game that is played by its states.

    Raises:
        UsageError: two options have the same name.
    """
    from gpkit.gamekit.uct import MCTS, STRATEGY  # as below
    from gpkit.user_games.game import played_by_states  # which loads the machine
    from gpkit.user_games.rules import DEFAULT_OPTIONS, Rules

    name, names = declared.name, [each.name for each in options]
    _check_unique(name, "options", names)
    options = (*options, *(each for each in DEFAULT_OPTIONS if each.name not in names))
    make_rules = partial(Rules.from_options, declared=options, game=name)

    @wraps(begin)
    def first(key: int, rules: Rules, players: Sequence[Player]) -> State:
        return begin(**rules.arguments())

    state = first(0, make_rules({}), ())
    strategies = {} if hasattr(state, "observation") else {MCTS: STRATEGY}
    functions = {key: Builtin(_first_line(value)) for key, value in declared.functions.items()}
    return played_by_states(
        replace(
            declared,
            title=_first_line(sys.modules.get(begin.__module__)),
            offers=_offered(name, sections or (str(state.decision),), declared.sensors),
            options=options,
            make_rules=make_rules,
            builtins={"random": Builtin("chooses any legal action"), **strategies, **functions},
            first=first,
            explain=explained,
            hosted=True,
        )
    )


@lru_cache(maxsize=64)
def _seats(usual: int, rules: Any) -> int:
    """The number of players by some rules."""
    return int(rules.to_options().get("players", usual))


def explained(game: Any, error: BaseException) -> GuestError | None:
    """The reason for an error, if the game breaks the contract of games."""
    from gpkit.user_games.contract.explain import (
        explained_by,  # which plays games, and is needed after errors alone
    )

    return explained_by(game, error)


def _check_unique(game: str, kind: str, names: Sequence[str]) -> None:
    """Check that nothing has the name of another.

    Raises:
        UsageError: something has.
    """
    for place, name in enumerate(names):
        if name in names[:place]:
            raise UsageError(f"two {kind} of {game} are called `{name}`")


def _offered(name: str, sections: tuple[str, ...], sensors: Sequence[SensorFunction]) -> Offers:
    """Primitive sets of the game: formulas of all operators or the plainest, and trees that value actions."""
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


def planned(game: Game, actions: Mapping[str, str], tick: str, *, start: str = "") -> Game:
    """A game of one player that is played by plans, too.

    Args:
        game: as ``gpkit.game`` gives it. Plans read its sensors of the state alone.
        actions: by the name of each action what it does, in the order of their numbers from 0.
        tick: the name of the action in which time passes; it can always be chosen.
        start: the leaf at which a plan that goes up begins; empty for its first.

    Raises:
        UsageError: the tick is none of the actions, or the game has more players.
    """
    if tick not in actions:
        raise UsageError(
            f"{game.name}: the tick `{tick}` is not one of the actions, which are {', '.join(actions)}"
        )
    if game.players(game.make_rules({})) != 1:
        raise UsageError(f"{game.name} has several players; plans play games for one")
    numbers = {name: number for number, name in enumerate(actions)}

    def ask(state: ObservableState, action: str) -> Any:
        def wait(each: Any) -> int | None:
            legal = each.legal_actions()
            if numbers[action] in legal:
                return None
            if numbers[tick] not in legal:
                raise GuestError(
                    f"{game.name}: the tick `{tick}` cannot be chosen; legal: {list(legal)[:20]}"
                )
            return numbers[tick]

        ready = end_of(state, wait)
        return ready if ready.is_terminal else ready.apply(numbers[action])

    sensors = tuple(each.sensor for each in game.sensors if each.sensor.shared)
    words = tuple(HostInstruction(*each, acts=True) for each in actions.items() if each[0] != tick)
    names = tuple(each.name for each in words)
    alphabet = Alphabet("plans", tuple(each.name for each in sensors), instructions=names)
    offered = PrimitiveSet(game.name, (), sensors, (alphabet,), words, starts=(start,) if start else ())
    having = replace(
        game,
        offers=PrimitiveSets({**game.offers, language_of_genome("plan"): offered}),
        plans=Plans(numbers, tick, ask, lambda rules: start),
    )
    return having if having.derive is None else having.derive(having)
