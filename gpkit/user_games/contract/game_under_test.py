"""A game as the contract tries it: its states before chance has acted, and what is shown of them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import unwrap
from typing import Any

from gpkit.core.primitives import Sensor
from gpkit.core.registry import DEFAULT_LANGUAGE
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game, Metric
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.state import end_of
from gpkit.gamekit.view import View, view_of
from gpkit.user_games.arena import first_of, functions_of
from gpkit.user_games.contract.kernels import kernel_functions
from gpkit.user_games.rules import DEFAULT_OPTIONS
from gpkit.user_games.wrapped_state import WrappedState

OPPONENT = "opponent."
"""Beginning of the names of opponents that are functions."""

Sense = Callable[[Any, int], Mapping[str, Any]]
"""Values of sensors by name, of a state and a legal action."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A game and its rules.

    Attributes:
        game: the game.
        begin: the first state, of a seed and the number of a game.
        shown: the state that the view takes.
        view: the face of the game.
        sensors: by name, as they are declared.
        senses: functions of a state and a legal action that give values of sensors by name, by their own names.
        sections: the decisions that are declared; empty if none are.
        seats: players who choose, or only see and are scored.
        metric: their name and bounds.
        longest: actions after which games are called off.
        may_stall: whether the game says itself that games are called off then.
        functions: those that are no attributes of a state, by name.
    """

    game: Any
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


LONGEST = 10_000
"""Actions after which a game is called off that does not say when."""


def subject_of(game: Any, rules: Any) -> Subject:
    """A game under these rules."""
    return _by_states(game, rules) if game.is_of_states else _dealt(game, rules)


def _by_states(game: Game, rules: Any) -> Subject:
    primitives = next(iter(game.offers.values()))

    def sense(each: Any) -> Sense:
        return lambda state, action: {each.sensor.name: each.sense(state, action)}

    seats = game.players(rules)
    random = [strategy_player("random")] * seats
    return Subject(
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
            **{f"{OPPONENT}{name}": function for name, function in functions_of(game).items()},
        },
    )


def _dealt(game: Game, rules: Any) -> Subject:
    view = view_of(game.name)
    players = game.players(rules)
    formulas = game.offers.get(DEFAULT_LANGUAGE)

    def begin(seed: int, number: int) -> Any:
        deals = game.deal(stream(seed, "contract deals", number), 1, rules)
        return game.begin([Player("")] * players, deals, rules)

    faces = ("action_text", "parse_action", "board_text", "board_svg", "sensors")
    return Subject(
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
            **{each.sensor.name: each.function for each in game.sensors},
        },
    )
