"""Tree search on states: of players who act alone or against each other, of chance, and of games without an end."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpkit.gamekit.game import Metric
from gpkit.gamekit.state import CHANCE, NOBODY
from gpkit.gamekit.uct import Node, Stakes, choose, search
from gpkit.vm.keyed import KeyedDraws

WIN = Metric("win_share", 0.0, 1.0, total=1.0)
SHOTS = Metric("shots", 0.0, 10.0, lower_is_better=True)


@dataclass(frozen=True, slots=True)
class Nim:
    """One heap, of which 1 to 3 are taken; whoever takes the last one wins, and the others share nothing."""

    left: int
    current_player: int = 0
    players: int = 2

    @property
    def is_terminal(self) -> bool:
        return self.left == 0

    def legal_actions(self) -> tuple[int, ...]:
        return tuple(range(1, min(3, self.left) + 1))

    def apply(self, action: int) -> "Nim":
        return replace(self, left=self.left - action, current_player=(self.current_player + 1) % self.players)

    def returns(self) -> tuple[float, ...]:
        last = (self.current_player - 1) % self.players
        return tuple(float(player == last) for player in range(self.players))


@dataclass(frozen=True, slots=True)
class Bet:
    """A choice between 4 shots for sure and a coin with 1 or 10, or a walk without an end; fewer shots are better."""

    current_player: int = 0
    shots: int = 0
    walked: int = 0

    @property
    def is_terminal(self) -> bool:
        return self.current_player == NOBODY

    def legal_actions(self) -> tuple[int, ...]:
        return (0, 1, 2)

    def chance_outcomes(self) -> tuple[tuple[int, float], ...]:
        return ((1, 0.25), (10, 0.75))

    def apply(self, action: int) -> "Bet":
        if self.current_player == CHANCE:
            return Bet(NOBODY, action)
        return (Bet(NOBODY, 4), Bet(CHANCE), replace(self, walked=self.walked + 1))[action]

    def returns(self) -> tuple[float, ...]:
        return (float(self.shots),)


def drawn(key: int) -> KeyedDraws:
    """Numbers of a key."""
    return KeyedDraws(key, 0)


@pytest.mark.parametrize("heap", [5, 6, 7, 9, 10, 11])
def test_it_leaves_a_multiple_of_four(heap: int) -> None:
    assert choose(Nim(heap), 2000, Stakes(WIN, 2, 100), drawn(heap)) == heap % 4


def test_each_of_three_players_wants_to_win() -> None:
    assert choose(Nim(3, players=3), 300, Stakes(WIN, 3, 100), drawn(1)) == 3
    assert choose(Nim(5, 1, players=3), 3000, Stakes(WIN, 3, 100), drawn(1)) == 1


def test_chance_is_averaged_and_fewer_can_be_better() -> None:
    root = search(Bet(), 2000, Stakes(SHOTS, 1, 5), drawn(3))
    sure, coin = root.children[0], root.children[1]
    assert sure.mean == pytest.approx(0.6)
    assert coin.mean == pytest.approx(0.25 * 0.9, abs=0.13)
    assert choose(Bet(), 500, Stakes(SHOTS, 1, 5), drawn(3)) == 0
    assert {child.mover for child in coin.children.values()} == {NOBODY}


def test_a_game_without_an_end_is_called_off() -> None:
    assert search(Bet(walked=1), 50, Stakes(SHOTS, 1, 0), drawn(2)).visits == 50


@given(st.integers(1, 60), st.integers(0, 1000))
def test_every_simulation_is_counted_once_in_each_state_that_it_passes(simulations: int, key: int) -> None:
    root = search(Nim(6), simulations, Stakes(WIN, 2, 100), drawn(key))
    assert root.visits == simulations or root.proved is not None

    def check(node: Node, below: int) -> None:
        assert node.proved is not None or node.visits == below + sum(
            child.visits for child in node.children.values()
        )
        for child in node.children.values():
            assert 0 <= child.total <= child.visits
            check(child, child.visits if child.state.is_terminal else 1)

    check(root, 0)


def test_what_the_end_proves_is_kept() -> None:
    won, lost = (search(Nim(heap), 3000, Stakes(WIN, 2, 100), drawn(1)) for heap in (7, 8))
    assert (won.proved, lost.proved) == ([1.0, 0.0], [0.0, 1.0])
    assert won.visits < 500 and lost.visits < 500
    assert search(Bet(), 300, Stakes(SHOTS, 1, 5), drawn(3)).proved is None


def test_the_same_numbers_choose_the_same() -> None:
    chosen = [choose(Nim(8), 40, Stakes(WIN, 2, 100), drawn(5)) for _ in range(2)]
    assert chosen[0] == chosen[1]
