"""The declaration of Dots and Boxes, with its metric, built-in players, compiled games, and exact results.

Two players take turns to draw edges. A player is a rule list, a policy of the ladder, or a search.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gpkit.core.errors import UsageError
from gpkit.gamekit.forms import DemoRun, GameForms, Trial
from gpkit.gamekit.game import BEST_RESPONSE, Builtin, Deals, Exact, Expected, Metric, Scores
from gpkit.gamekit.players import Player
from gpkit.gamekit.uct import MCTS, STRATEGY
from gpkit.games.dots_and_boxes import forms
from gpkit.games.dots_and_boxes.classes import CLASS_BOXES, TABLE_EDGES
from gpkit.games.dots_and_boxes.exact import (
    best_response,
    check_board,
    choices_of,
    choices_of_plan,
    considered,
    margins,
    result,
    searches_of,
)
from gpkit.games.dots_and_boxes.facts import FACTS, RuleDecision, decide
from gpkit.games.dots_and_boxes.opponents import PERFECT, drawn_edge, leads_by_table
from gpkit.games.dots_and_boxes.primitives import OFFERS
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.playing.decisions import Valued
from gpkit.user_games.declare import game

BUILTINS: Mapping[str, Builtin] = MappingProxyType(
    {
        "random": Builtin("draws any edge"),
        "greedy": Builtin("takes a box, else draws any edge"),
        "safe": Builtin("takes a box, else draws a safe edge, else any"),
        "safe+min": Builtin("takes a box, else draws a safe edge, else gives away as little as it can"),
        "chain": Builtin(
            "like safe+min, but gives up the last two boxes of the last chain if that wins more boxes later"
        ),
        "control": Builtin(
            "like chain, but takes short runs first, gives up four boxes of a loop, and opens pairs by the middle side"
        ),
        "chain+ex8": Builtin("plays like chain, and perfectly once 8 edges are left"),
        "chain+ex12": Builtin("plays like chain, and perfectly once 12 edges are left"),
        "optimal": Builtin(
            "plays perfectly, on boards of at most 24 edges",
            plays=lambda rules: rules.edges <= TABLE_EDGES,
            is_exact=True,
        ),
        MCTS: STRATEGY,
    }
)
"""The policies of the ladder, ``opponents.POLICIES``, and a search."""


METRIC = Metric("win_rate", 0.0, 1.0, total=1.0)
"""A player scores 1 for more boxes than the opponent, and ½ for the same number."""


def play(players: Sequence[Player], deals: Deals, rules: DotsAndBoxesRules) -> Scores:
    """Play every deal in both seatings.

    Raises:
        UsageError: the board is too large for a perfect player.
    """
    found, _ = margins(players, deals.keys, rules)
    return Scores((np.sign(found) + 1) / 2, stalled=0, invalid=0)


def choose(player: Player, state: DotsAndBoxesState, deals: Deals) -> int | RuleDecision | Valued:
    """The edge that a player draws, with a rule list's matching rules or the perfect player's final leads."""
    key = deals.key(state.current_player)
    if player.is_program:
        return decide(player.program, state, key, player.source.texts if player.source else ())
    edge = drawn_edge(considered(player, state, key), state, key)
    if player.strategy != PERFECT:
        return edge
    leads = leads_by_table(state)
    shares = {each: (1.0 + float(np.sign(lead))) / 2.0 for each, lead in leads.items()}
    return Valued(edge, leads, "lead at the end", shares)


def check_exact(players: Sequence[Player], rules: DotsAndBoxesRules) -> None:
    """Check that gpkit can compute an exact result.

    Raises:
        UsageError: the board is too large, or a player is a search.
    """
    check_classes(rules)
    if any(player.number for player in players):
        raise UsageError(f"{MCTS} draws random numbers, so its results are not exact: leave --exact out")


def expect(players: Sequence[Player], rules: DotsAndBoxesRules) -> Expected:
    """The expected scores of the first player and of the best response to it, computed over all classes of the board.

    Raises:
        UsageError: the board is too large, or a player is a search.
    """
    check_exact(players, rules)
    first, second = (
        choices_of(player.name, rules) if player.strategy else choices_of_plan(searches_of(player), rules)
        for player in players
    )
    found, best = result(first, second, rules), best_response(first, rules)
    return Expected(found.seatings, {BEST_RESPONSE: list(best.seatings)})


def check_classes(rules: DotsAndBoxesRules) -> None:
    """Check that a board is small enough for visiting all its positions.

    Raises:
        UsageError: the board is too large.
    """
    if rules.edges > TABLE_EDGES or rules.boxes > CLASS_BOXES:
        raise UsageError(
            f"exact results exist for boards of at most {TABLE_EDGES} edges and {CLASS_BOXES} boxes, such as "
            f"3x3; {rules.width}x{rules.height} has {rules.edges} edges and {rules.boxes} boxes"
        )


SUITES = (
    *(
        Trial(name, exact=True, quick=True)
        for name in ("chain", "chain+ex12", "control", "greedy", "safe+min", "optimal")
    ),
    Trial("mcts:1000", games=40),
    Trial("chain", {"board": "4x3"}),
    Trial("chain", {"board": "4x4"}),
    Trial("chain", {"board": "5x5"}, games=2_000),
)
"""The trials. The trials of Dots and Boxes; learners train against ``chain`` and ``chain+ex12`` on 3x3 boxes, and the
other trials are held out."""

GAME = game(
    "dots_and_boxes",
    lambda players, deals, rules: DotsAndBoxesState.begin(rules),
    sensors=(),
    facts=FACTS,
    options=DotsAndBoxesRules,
    metric=METRIC,
    opponents=BUILTINS,
    rivals=("greedy", "chain"),
    offers=OFFERS,
    play=play,
    choose=choose,
    check=check_board,
    exact=Exact(check_exact, expect),
    forms=GameForms(
        view=lambda: forms.view.VIEW,
        encoding=lambda: forms.view,
        suites=lambda: SUITES,
        conversation=lambda: forms.talk.DotsConversation,
        demo=DemoRun("champion", "learn dots_and_boxes short --games 10000 --seed 1", "best.rules"),
        player_recorder=lambda: forms.record.RULES,
        file_picture=lambda: forms.draw.file_picture,
        chosen_picture=lambda: forms.draw.chosen_picture,
        work=lambda: forms.work.WORK,
    ),
)
