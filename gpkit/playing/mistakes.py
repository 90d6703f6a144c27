"""Mistakes in a followed game: choices after which a search expects a lower score than after its own choice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpkit.core.errors import UsageError
from gpkit.core.rng import stream
from gpkit.gamekit.game import Deals, Game
from gpkit.gamekit.players import Player
from gpkit.gamekit.uct import LONGEST, MCTS, PIMC, Stakes
from gpkit.gamekit.uct import worths as uct_worths
from gpkit.playing.decisions import choose
from gpkit.playing.trace import Step
from gpkit.vm.keyed import KeyedDraws

MARKS = ((0.2, "???"), (0.1, "??"), (0.05, "?"))
"""The marks of mistakes, each with its lowest cost as a share of the range of scores; the highest cost comes first."""


def worths(
    game: Any, adviser: Player, state: Any, actions: Sequence[int], deals: Deals, rules: Any
) -> Mapping[int, float]:
    """The values that a search gives to legal actions, as shares of the range of scores."""
    if game.is_of_states:
        found: Mapping[int, float] = game.worths(adviser, state, actions, rules)
        return found
    if adviser.strategy == MCTS:
        stakes = Stakes(game.metric(rules), game.players(rules), LONGEST)
        draws = KeyedDraws(deals.key(state.current_player), 0)
        return uct_worths(state, actions, adviser.number, stakes, draws)
    key = deals.key(state.current_player)
    values = game.choose(adviser, state, game.deal(stream(key, "worths"), 1, rules)).values  # in other worlds
    return {action: values[action] for action in actions}


def judged(steps: Iterator[Step], game: Game, adviser: Player, deals: Deals, rules: object) -> Iterator[Step]:
    """The steps of a game, each with the cost of the followed player's choice, and with a mark if it is a mistake.

    The adviser knows only what the player knows, and chooses first. Then it evaluates both choices, its own and the
    player's, each in the same number of new games.

    Raises:
        UsageError: the adviser does not search.
    """
    if not (adviser.worlds or adviser.strategy in (MCTS, PIMC)):
        known = [name for name, each in game.builtins.items() if each.searches or name in (MCTS, PIMC)]
        has = f"`{'`, `'.join(known)}`" if known else "none"
        raise UsageError(
            f"{adviser.name} is not a search, so it cannot find mistakes; searches of {game.name}: {has}"
        )
    return _judged(steps, game, adviser, deals, rules)


def _judged(
    steps: Iterator[Step], game: Game, adviser: Player, deals: Deals, rules: object
) -> Iterator[Step]:
    metric = game.metric(rules)
    for step in steps:
        if step.action is None or not step.is_mine or step.choices < 2:
            yield step
            continue
        best = choose(game, adviser, step.before, deals)
        both = worths(game, adviser, step.before, (best, step.action), deals, rules)
        cost = max(0.0, both[best] - both[step.action])
        mark = next((sign for least, sign in MARKS if cost >= least), "")
        if mark:
            better = step.seated.view.action_text(step.before, best)
            gain = cost * (metric.high - metric.low)
            more = (
                f"wins {100 * cost:.0f} more of 100 games"
                if metric.is_share
                else f"{metric.name} {gain:.2g} better"
            )
            step = replace(step, told=(f"{step.words()} {mark} ({better}: {more})",))
        yield replace(step, mistake=cost)
