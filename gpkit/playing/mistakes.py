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
from gpkit.playing.players import player_of_name
from gpkit.playing.trace import Step
from gpkit.vm.keyed import KeyedDraws

MARKS = ((0.2, "???"), (0.1, "??"), (0.05, "?"))
"""The marks for mistakes, each with its minimum cost as a share of the range of scores, in descending order of cost."""


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
    valued = game.choose(adviser, state, game.deal(stream(key, "worths"), 1, rules))  # in other worlds
    values = valued.shares or valued.values
    return {action: values[action] for action in actions}


def _is_exact(adviser: Player, game: Game) -> bool:
    return adviser.strategy in game.builtins and game.builtins[adviser.strategy].is_exact


def judge_of(game: Game, rules: object, games: int = 0, *, exact: bool = True) -> Player | None:
    """The player that judges choices: one that knows exact values, or otherwise a search; None if the game has neither.

    Args:
        game: the game.
        rules: the rules.
        games: the number of games that a search plays for each choice; 0 for the default of the search.
        exact: whether a player that knows exact values may judge. In a position that is lost against perfect play, no
            choice costs anything then, however much it helps another opponent.
    """
    known = (name for name, each in game.builtins.items() if each.is_exact and each.plays(rules))
    if exact and (found := next(known, None)):
        return player_of_name(found, game)
    name = next((each for each in (MCTS, PIMC) if each in game.builtins), "")
    return player_of_name(f"{name}:{games}" if games else name, game) if name else None


def mark_of(cost: float) -> str:
    """The mark for a choice with this cost; empty if the choice is not a mistake."""
    return next((sign for least, sign in MARKS if cost >= least), "")


def gain_told(cost: float, game: Game, rules: object) -> str:
    """The gain from a better choice, in words.

    Args:
        cost: the gain as a share of the range of scores.
        game: the game.
        rules: the rules.
    """
    metric = game.metric(rules)
    if metric.is_share:
        return f"wins {100 * cost:.0f} more of 100 games"
    return f"{metric.name} {cost * (metric.high - metric.low):.2g} better"


def judged(steps: Iterator[Step], game: Game, adviser: Player, deals: Deals, rules: object) -> Iterator[Step]:
    """The steps of a game, each with the cost of the followed player's choice, and with a mark if this is a mistake.

    The adviser knows only what the player knows, and chooses first. Then the adviser evaluates both choices, its own
    and the player's, exactly or in the same number of new games.

    Raises:
        UsageError: the adviser is not a search, and knows no exact values.
    """
    if not (adviser.worlds or adviser.strategy in (MCTS, PIMC) or _is_exact(adviser, game)):
        known = [
            name
            for name, each in game.builtins.items()
            if each.searches or each.is_exact or name in (MCTS, PIMC)
        ]
        has = f"`{'`, `'.join(known)}`" if known else "none"
        raise UsageError(
            f"{adviser.name} is not a search, so it cannot find mistakes; searches of {game.name}: {has}"
        )
    return _judged(steps, game, adviser, deals, rules)


def _judged(
    steps: Iterator[Step], game: Game, adviser: Player, deals: Deals, rules: object
) -> Iterator[Step]:
    for step in steps:
        if step.action is None or not step.is_mine or step.choices < 2:
            yield step
            continue
        best = choose(game, adviser, step.before, deals)
        both = worths(game, adviser, step.before, (best, step.action), deals, rules)
        cost = max(0.0, both[best] - both[step.action])
        if mark := mark_of(cost):
            better = step.seated.view.action_text(step.before, best)
            step = replace(step, told=(f"{step.words()} {mark} ({better}: {gain_told(cost, game, rules)})",))
        yield replace(step, mistake=cost)
