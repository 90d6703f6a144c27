"""Dots and Boxes at the seam of games: rules from options, deals, whole games compiled, and exact results.

Two players draw edges in turns: rule lists, which the matcher carries out, or policies of the ladder.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.gamekit.deals import Deals
from gpkit.gamekit.game import BEST_RESPONSE, Builtin, Exact, Expected, Metric, Scores
from gpkit.gamekit.players import Player
from gpkit.gamekit.uct import MCTS, STRATEGY
from gpkit.games.dots_and_boxes.classes import CLASS_BOXES, TABLE_EDGES
from gpkit.games.dots_and_boxes.decisions import RuleDecision, decide
from gpkit.games.dots_and_boxes.exact import best_response, choices_of, choices_of_plan, result
from gpkit.games.dots_and_boxes.facts import FACTS
from gpkit.games.dots_and_boxes.ladder import check_board, considered, margins, searches_of
from gpkit.games.dots_and_boxes.opponents import PERFECT, drawn_edge, leads_by_table
from gpkit.games.dots_and_boxes.options import Rules
from gpkit.games.dots_and_boxes.primitives import OFFERS
from gpkit.games.dots_and_boxes.rules import State
from gpkit.playing.decisions import Valued
from gpkit.user_games.declare import game

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        "random": Builtin("draws any edge"),
        "greedy": Builtin("takes a box, else draws any edge"),
        "safe": Builtin("takes a box, else draws a safe edge, else any"),
        "safe+min": Builtin("takes a box, else draws a safe edge, else gives away as little as it can"),
        "chain": Builtin(
            "safe+min that leaves the last two boxes of the last chain where the rest brings more"
        ),
        "control": Builtin(
            "chain that takes short runs first, leaves four boxes of a loop, too, and gives two by the middle side"
        ),
        "chain+ex8": Builtin("chain, but perfect once 8 edges are left"),
        "chain+ex12": Builtin("chain, but perfect once 12 edges are left"),
        "optimal": Builtin("perfect, on boards of at most 24 edges"),
        MCTS: STRATEGY,
    }
)
"""The ladder, ``opponents.POLICIES``, and a search."""


METRIC = Metric("win_rate", 0.0, 1.0, total=1.0)
"""1 for more boxes than the other, ½ for as many."""


def play(players: Sequence[Player], deals: Deals, rules: Rules) -> Scores:
    """Play every deal in both seatings.

    Raises:
        UsageError: a perfect player on a board that is too large for it.
    """
    found, _ = margins(players, deals.keys, rules)
    return Scores((np.sign(found) + 1) / 2, stalled=0, invalid=0)


def choose(player: Player, state: State, deals: Deals) -> int | RuleDecision | Valued:
    """The edge that a player draws; a rule list says by which rules, the perfect player by how many boxes it leads."""
    key = deals.key(state.current_player)
    if player.is_program:
        return decide(player.program, state, key, player.source.texts if player.source else ())
    edge = drawn_edge(considered(player, state, key), state, key)
    return Valued(edge, leads_by_table(state), "lead at the end") if player.strategy == PERFECT else edge


def check_exact(players: Sequence[Player], rules: Rules) -> None:
    """Check that a result can be computed.

    Raises:
        UsageError: the board is too large, or a player searches.
    """
    check_classes(rules)
    if any(player.number for player in players):
        raise UsageError(f"{MCTS} draws random numbers, so its results are not exact: leave --exact out")


def expect(players: Sequence[Player], rules: Rules) -> Expected:
    """The expected score of the first player, on all classes of the board, and what the best response wins from it.

    Raises:
        UsageError: as for ``check_exact``.
    """
    check_exact(players, rules)
    first, second = (
        choices_of(player.name, rules) if player.strategy else choices_of_plan(searches_of(player), rules)
        for player in players
    )
    found, best = result(first, second, rules), best_response(first, rules)
    return Expected(found.seatings, {BEST_RESPONSE: list(best.seatings)})


def check_classes(rules: Rules) -> None:
    """Check that all positions of a board can be visited.

    Raises:
        UsageError: it is too large.
    """
    if rules.edges > TABLE_EDGES or rules.boxes > CLASS_BOXES:
        raise UsageError(
            f"exact results exist for boards of at most {TABLE_EDGES} edges and {CLASS_BOXES} boxes, such as "
            f"3x3; {rules.width}x{rules.height} has {rules.edges} and {rules.boxes}"
        )


GAME = game(
    "dots_and_boxes",
    lambda players, deals, rules: State.begin(rules),
    sensors=(),
    facts=FACTS,
    options=Rules,
    metric=METRIC,
    opponents=BUILTINS,
    rivals=("greedy", "chain"),
    offers=OFFERS,
    play=play,
    choose=choose,
    check=check_board,
    exact=Exact(check_exact, expect),
)
