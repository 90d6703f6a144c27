"""Decisions on cards, in readable form."""

from functools import partial
from typing import Any

from gpkit.gamekit.players import Player, by_program
from gpkit.games.sevens.decisions import Chooser, random_numbers
from gpkit.games.sevens.game import DOUBTS, Deals
from gpkit.games.sevens.rules import State
from gpkit.games.sevens.sensors import sense
from gpkit.games.sevens.worlds import search, total_scores
from gpkit.playing.decisions import Decision, decide


def follow(state: State, program: Any, deal_key: int) -> tuple[int, Decision | None]:
    """The card that a program chooses for who is to choose, and its decision; None where there is only one card."""
    legal = state.legal_actions()
    if len(legal) == 1:
        return legal[0], None
    seen = state.observation(state.current_player)
    found = decide(state, program, partial(sense, seen), partial(random_numbers, deal_key, state.actions))
    return found.action, found


def program_chooser(program: Any, deal_key: int) -> Chooser:
    """Chooses, for whoever is to choose, as a program does."""
    return lambda state: follow(state, program, deal_key)[0]


def explain(player: Player, state: State, deals: Deals) -> tuple[int, Decision | None]:
    """The card that a player chooses, and its decision; None of a search, and where there is only one card."""
    key, legal = int(deals.keys[0]), state.legal_actions()
    if player.is_program:
        return follow(state, player.program, key)
    return legal[0] if len(legal) == 1 else search(state, **_settings(player, key)), None


def searched_scores(player: Player, state: State, deal_key: int) -> dict[int, float]:
    """The mean score of every legal card, ascending, in the worlds that a search samples for who is to choose."""
    totals = total_scores(state, **_settings(player, deal_key))
    return {card: total / player.worlds for card, total in totals.items()}


def _settings(player: Player, deal_key: int) -> Any:
    """Arguments of a search, but for the state."""
    return {
        "worlds": player.worlds,
        "deal_key": deal_key,
        "policy": partial(program_chooser, by_program(player).program),
        "doubt": DOUBTS[player.strategy],
    }
