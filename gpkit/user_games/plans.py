"""Plans in games of one's own: they ask for actions by their names, and wait until these can begin."""

from collections.abc import Mapping
from dataclasses import replace

from gpkit.core.errors import GuestError, UsageError
from gpkit.core.offers import PrimitiveSets
from gpkit.core.primitives import Alphabet, HostInstruction, PrimitiveSet
from gpkit.core.registry import language_of_genome
from gpkit.gamekit.game import Game, Plans
from gpkit.gamekit.state import end_of
from gpkit.user_games.wrapped_state import WrappedState


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
        raise UsageError(f"{game.name} has several players; plans play games of one")
    numbers = {name: number for number, name in enumerate(actions)}

    def ask(state: WrappedState, action: str) -> WrappedState:
        def wait(each: WrappedState) -> int | None:
            legal = each.legal_actions()
            if numbers[action] in legal:
                return None
            if numbers[tick] not in legal:
                raise GuestError(
                    f"{game.name}: the tick `{tick}` cannot be chosen; legal are {list(legal)[:20]}"
                )
            return numbers[tick]

        ready: WrappedState = end_of(state, wait)
        return ready if ready.is_terminal else ready.apply(numbers[action])

    sensors = tuple(each.sensor for each in game.sensors if each.sensor.shared)
    words = tuple(HostInstruction(*each, acts=True) for each in actions.items() if each[0] != tick)
    names = tuple(each.name for each in words)
    alphabet = Alphabet("plans", tuple(each.name for each in sensors), instructions=names)
    offered = PrimitiveSet(game.name, (), sensors, (alphabet,), words, starts=(start,) if start else ())
    having = replace(
        game,
        offers=PrimitiveSets({**game.offers, language_of_genome("plan"): offered}),
        plans=Plans(numbers, tick, ask, lambda rules: start, lambda deals: int(deals.keys[0])),
    )
    return having if having.derive is None else having.derive(having)
