"""Exact results of games of any length: by definition, counted as they are looked at, and refused in time."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from gpkit.cli.main import main
from gpkit.core.errors import UsageError
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import stream
from gpkit.gamekit.state import CHANCE
from gpkit.playing.contest import Match
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.playing.results import expect_match
from gpkit.user_games import exact

pytestmark = pytest.mark.usefixtures("nobodys")

WALK = '''"""A walk: who takes a step pays for it, or draws a number; less is better."""
from dataclasses import dataclass, replace
from gpkit import CHANCE, Metric, game, option, sensor

PAID = {paid!r}

@dataclass(frozen=True, slots=True)
class State:
    length: int
    at: int = 0
    paid: int = 0
    decision = "step"

    @property
    def current_player(self):
        return CHANCE if self.at % {every} == {every} - 1 else self.at % 2

    @property
    def is_terminal(self):
        return self.at >= self.length

    def chance_outcomes(self):
        return [(0, 0.5), (1, 0.5)]

    def legal_actions(self):
        return [] if self.is_terminal else [0, 1]

    def apply(self, action):
        if self.is_terminal or action not in (0, 1):
            raise ValueError("no")
        due = PAID[self.at % len(PAID)] if action and self.current_player in (0, CHANCE) else 0
        return replace(self, at=self.at + 1, paid=min(self.paid + due, 3))
    {hidden}
    def returns(self):
        return (self.paid / 3, 1 - self.paid / 3)

@sensor(0, 1, "the step")
def one(state, action):
    return action

GAME = game("walk", State, sensors=[one], options=[option("length", {length}, "steps", low=1, high=100000)],
    metric=Metric("paid", 0.0, 1.0, lower_is_better={lower}, total=1.0), opponents={{"pays": "step: env.one"}})
'''

HIDDEN = """
    def observation(self, player):
        return (player, self.at, self.paid)
"""


def drawn(seed: int, length: int) -> tuple[str, list[int], int]:
    """The file of a walk, and what its steps cost, and how often chance takes one."""
    rng = stream(seed, "walks")
    paid, every = rng.integers(0, 2, 7).tolist(), int(rng.integers(2, 5))
    hidden, lower = HIDDEN if seed % 2 else "", seed % 3 > 0
    Path("walk.py").write_text(WALK.format(paid=paid, every=every, hidden=hidden, length=length, lower=lower))
    return "walk.py", paid, every


def by_definition(paid: list[int], every: int, length: int, pays: float) -> float:
    """The expected cost where the player pays with a probability: by the distribution of what has been paid."""
    chances = [1.0, 0.0, 0.0, 0.0]
    for at in range(length):
        by_chance = at % every == every - 1
        share = (0.5 if by_chance else pays if at % 2 == 0 else 0.0) * paid[at % len(paid)]
        chances = [
            chances[k] * (1 - share * (k < 3)) + (chances[k - 1] * share if k else 0.0) for k in range(4)
        ]
    return sum(k * chance for k, chance in enumerate(chances)) / 3


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(each, marks=pytest.mark.release) for each in range(2, 8))]
)
def test_long_games_are_computed(seed: int) -> None:
    length = 550 + 150 * seed
    path, paid, every = drawn(seed, length)
    game, counts = game_of(name_game(path)), list[int]()
    rules = game.make_rules({})
    for text, pays in (("step: env.one", 1.0), ("step: -env.one", 0.0)):
        player = player_of_text(text, game, filename="mine.tree")
        found = expect_match(game, Match(player, (player_of_name("random", game),)), rules, counts.append)
        wanted = by_definition(paid, every, length, pays)
        assert found.expected.seatings[0] == pytest.approx(wanted)
        assert found.expected.details["exploitability"] >= -1e-12
    assert counts[0] == 1_000
    assert max(counts) < 20_000


@pytest.mark.parametrize("seed", range(2))
def test_too_many_states_are_refused_when_they_are_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path, *_ = drawn(seed, 100_000)
    monkeypatch.setattr("gpkit.user_games.exact.MOST_STATES", 3_000)
    monkeypatch.setattr("gpkit.user_games.exact.MOST_HIDDEN", 3_000)
    game, counts = game_of(name_game(path)), list[int]()
    match = Match(player_of_name("pays", game), (player_of_name("random", game),))
    with pytest.raises(UsageError, match="more than 3,000 states"):
        expect_match(game, match, game.make_rules({}), counts.append)
    assert 0 < len(counts) <= 6


def test_the_command_computes_a_long_game(capsys: pytest.CaptureFixture[str]) -> None:
    path, *_ = drawn(4, 600)
    assert main(["run", "pays", "--game", path, "--exact"]) == 0
    assert "exploitability" in capsys.readouterr().out


@dataclass(frozen=True)
class Deal:
    """A game in which chance deals some cards of a pack, one after another, and nobody acts."""

    pack: int
    size: int
    cards: tuple[int, ...] = ()
    current_player = CHANCE

    @property
    def is_terminal(self) -> bool:
        return len(self.cards) == self.size

    def chance_outcomes(self) -> list[tuple[int, float]]:
        left = [card for card in range(self.pack) if card not in self.cards]
        return [(card, 1 / len(left)) for card in left]

    def apply(self, card: int) -> "Deal":
        return replace(self, cards=(*self.cards, card))


@pytest.mark.parametrize("seed", range(8))
def test_too_many_deals_are_refused_before_anything_is_looked_at(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = stream(seed, "packs")
    first = Deal(int(rng.integers(5, 40)), int(rng.integers(1, 6)))
    deals, most = math.perm(first.pack, first.size), int(rng.integers(50, 300))
    monkeypatch.setattr("gpkit.user_games.exact.MOST_STATES", most)
    if deals > 60 * most:
        with pytest.raises(UsageError, match=f"more than {most:,} states"):
            exact.check_deals(first)
    elif deals <= most:
        exact.check_deals(first)
