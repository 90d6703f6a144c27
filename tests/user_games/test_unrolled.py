"""Exploitability by arrays of all states: equal to that of the readable best response, in any game of two players."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.gamekit.game import Game
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.user_games.arena import first_of
from gpkit.user_games.exact import best_response, exploitability, first_best, policies_of, unrolled

LEDUC = {
    "bet: env.raises": ".tree",
    "bet: env.folds": ".tree",
    "bet: (env.card + env.pair * 3 - 1.5) * (env.raises - env.folds)": ".tree",
    "bet: (env.raises - env.folds) / env.card": ".tree",
    "bet: test env.card > 0.5\n  yes: test env.raises > 0.5\n    yes: 1\n    no: 0\n  no: 0\n": ".decide",
    "random": "",
}

DICE = ("bold", "careful", "say: env.die * env.held - env.liar", "say: env.liar / 0 - env.bids")

ONE_CARD = """\
from dataclasses import dataclass, replace

from gpkit import CHANCE, Metric, game, sensor


@dataclass(frozen=True, slots=True)
class State:
    '''Kuhn poker: three cards, a bet of one chip.'''

    cards: tuple = ()
    said: str = ""
    current_player: int = CHANCE
    decision = "bet"
    action_count = 2

    @property
    def is_terminal(self):
        return self.said in ("pp", "bp", "bb", "pbp", "pbb")

    def chance_outcomes(self):
        left = [card for card in range(3) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def legal_actions(self):
        return [] if self.is_terminal else [0, 1]

    def apply(self, action):
        if self.current_player == CHANCE:
            cards = (*self.cards, action)
            return replace(self, cards=cards, current_player=CHANCE if len(cards) == 1 else 0)
        return replace(self, said=self.said + "pb"[action], current_player=1 - self.current_player)

    def returns(self):
        higher = 1.0 if self.cards[0] > self.cards[1] else -1.0
        won = {"pp": higher, "bp": 1.0, "bb": 2 * higher, "pbp": -1.0, "pbb": 2 * higher}[self.said]
        return (won, -won)

    def observation(self, player):
        return (player, self.cards[player : player + 1], self.said, self.current_player)


@sensor(0, 1, "1 for a bet")
def bets(state, action):
    return action


@sensor(0, 2, "the own card")
def card(state):
    return state.cards[state.current_player]


GAME = game("kuhn", State, sensors=[bets, card], metric=Metric("chips", -2.0, 2.0, total=0.0))
"""

pytestmark = pytest.mark.usefixtures("none_named")


@cache
def named(name: str) -> Game:
    """A game of ``programs/games``."""
    game: Game = game_of(name_game(str(data_folder("programs") / "games" / f"{name}.py")))
    return game


def check(game: Game, text: str, suffix: str = ".tree") -> float:
    """The exploitability of a player, which both ways agree on."""
    rules = game.make_rules({})
    formula = game.programs.get(text, text)
    player = (
        player_of_name(text, game)
        if text == "random"
        else player_of_text(formula, game, filename=f"mine{suffix}")
    )
    first = first_of(game, 0, rules)
    (policy,) = policies_of(game, [player], rules)
    won = [best_response(first, policy, seat, game.metric(rules)) for seat in range(2)]
    readable = sum(won) / 2.0 - game.metric(rules).total / 2.0
    found = exploitability(game, [player], rules)
    assert found == pytest.approx(readable, abs=1e-12)
    return found


@pytest.mark.parametrize(
    "text",
    [pytest.param(text, marks=[pytest.mark.release] * (0 < number < 5)) for number, text in enumerate(LEDUC)],
)
def test_it_is_that_of_the_readable_best_response_with_cards(text: str) -> None:
    check(named("leduc_poker"), text, LEDUC[text])


@pytest.mark.release
@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.release] * (text != DICE[2])) for text in DICE]
)
def test_it_is_that_of_the_readable_best_response_with_dice(text: str) -> None:
    check(named("liars_dice"), text)


@pytest.mark.parametrize(
    "text", ["random", "bet: env.bets * (env.card - 1)", "bet: env.card - env.card * env.bets"]
)
def test_it_is_that_of_the_readable_best_response_in_a_file(text: str, tmp_path: Path) -> None:
    path = tmp_path / "kuhn.py"
    path.write_text(ONE_CARD)
    found = check(game_of(name_game(str(path))), text)
    if text == "random":
        assert found == pytest.approx(11 / 12 / 2), (
            "Kuhn poker's exploitability of random bets, as in OpenSpiel"
        )


@pytest.mark.parametrize("text", [pytest.param("random", marks=pytest.mark.release), "place: env.lines"])
def test_states_that_are_reached_in_several_ways_are_looked_at_once(text: str) -> None:
    game = named("tic_tac_toe")
    check(game, text)
    found = unrolled(first_of(game, 0, game.make_rules({})))
    assert found is not None
    assert sum(level.returns.shape[1] for level in found.levels) == 5478


def test_where_a_state_is_met_after_other_numbers_of_actions_the_readable_one_is_asked() -> None:
    game = named("nim")
    assert unrolled(first_of(game, 0, game.make_rules({}))) is None
    check(game, next(iter(game.programs)))


def test_the_first_of_the_highest_is_chosen_and_nan_is_below_everything() -> None:
    values = np.array([1.0, 1.0, np.nan, -np.inf, np.nan, np.nan, 0.0, 2.0, 2.0])
    assert first_best(values, np.array([0, 2, 4, 6])).tolist() == [1, 0, 0, 1, 1, 0, 0, 1, 0]


def test_a_game_with_too_many_states_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpkit.user_games.exact.MOST_STATES", 2000)
    game = named("connect_four")
    first = first_of(game, 0, game.make_rules({}))
    with pytest.raises(UsageError, match="the game has more than 2,000 states"):
        unrolled(first)
