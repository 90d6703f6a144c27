"""Matches: seats, deals that do not depend on who plays or how many there are, intervals by deal, stalled games."""

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.core.statistics import mean_interval
from gpkit.games.sevens.game import GAME, log_game
from gpkit.games.sevens.rules import SevensRules
from gpkit.playing.contest import BLOCK, Match, play_match, play_matches

RULES = GAME.make_rules({})
HOARDER = ("-(env.block + env.selfblock)", "-env.dist")


def test_games_are_rounded_up_to_whole_deals(player) -> None:
    result = play_match(GAME, player("simple"), [player("random")], rules=RULES, seed=0, games=100)
    assert result.games == 102
    assert result.by_deal.shape == (34,)
    assert result.interval.units == 34
    assert (result.program, result.game, result.opponent, result.metric.name) == (
        "simple",
        "sevens",
        "random",
        "win_share",
    )


def test_the_unit_is_the_deal(player) -> None:
    deals = GAME.deal(stream(1, "match", 0), 400, RULES)
    scores = GAME.play([player("own-minus-others"), player("simple"), player("simple")], deals, RULES)
    result = play_match(
        GAME, player("own-minus-others"), [player("simple")], rules=RULES, seed=1, games=scores.values.size
    )
    assert np.array_equal(result.by_deal, scores.values.mean(axis=1))
    assert result.interval == mean_interval(result.by_deal, support=(0.0, 1.0))
    by_game = mean_interval(scores.values.ravel())
    assert result.interval.mean == pytest.approx(by_game.mean)
    assert (
        result.interval.half_width < 0.85 * by_game.half_width
    )  # hands are shared: what one wins the others lose


def test_more_games_begin_with_the_same_deals(player) -> None:
    fewer, more = (
        play_match(GAME, player("simple"), [player("random")], rules=RULES, seed=3, games=3 * deals)
        for deals in (BLOCK - 5, BLOCK + 70)
    )
    assert np.array_equal(more.by_deal[: BLOCK - 5], fewer.by_deal)


def test_a_search_meets_the_same_deals(player) -> None:
    """Matches with a search are cut into smaller blocks; the other matches of the same call must not notice."""
    plain = Match(player("simple"), (player("random"),))
    searching = Match(player("pimc:2"), (player("random"),))
    alone = play_matches(GAME, [plain], rules=RULES, seed=4, games=90)[0]
    beside, _ = play_matches(GAME, [plain, searching], rules=RULES, seed=4, games=90)
    assert np.array_equal(alone.by_deal, beside.by_deal)


def test_seed_decides_everything(player) -> None:
    def play(seed: int) -> list[float]:
        return play_match(
            GAME, player("random"), [player("simple")], rules=RULES, seed=seed, games=300
        ).by_deal.tolist()

    assert play(1) == play(1)
    assert play(1) != play(2)


def test_opponents_sit_in_the_order_given(player) -> None:
    rules = GAME.make_rules({"players": "4"})
    match = Match(player("simple"), (player("random"), player("hold"), player("far-first")))
    assert [each.name for each in match.players(4)] == ["simple", "random", "hold", "far-first"]
    single = Match(player("simple"), (player("random"),))
    assert [each.name for each in single.players(4)] == ["simple", "random", "random", "random"]
    result = play_matches(GAME, [match], rules=rules, seed=0, games=8)[0]
    assert result.opponent == "random,hold,far-first"
    assert result.games == 8


@pytest.mark.parametrize("end", ["first", "ranks", "points"])
@pytest.mark.parametrize("players", ["2", "3", "5", "7"])
def test_a_program_is_even_with_its_copies(players: str, end: str, player) -> None:
    rules = GAME.make_rules({"players": players, "end": end})
    result = play_match(GAME, player("simple"), [player("simple")], rules=rules, seed=0, games=420)
    even = {"first": 1 / int(players), "ranks": 0.5, "points": 0.0}[end]
    assert result.stalled == 0
    assert result.by_deal == pytest.approx(np.full(len(result.by_deal), even))
    assert result.interval.low < even < result.interval.high
    low, high = GAME.metric(rules).support
    assert low <= result.interval.low
    assert result.interval.high <= high


def test_watch_is_told_all_games(player) -> None:
    told: list[int] = []
    matches = [Match(player("simple"), (player(name),)) for name in ("random", "hold")]
    play_matches(GAME, matches, rules=RULES, seed=0, games=3 * BLOCK + 3, watch=told.append)
    assert told == [3 * BLOCK, 6 * BLOCK, 6 * BLOCK + 3, 6 * BLOCK + 6]


def test_hoarding_is_stopped_by_the_cap_on_laps_and_reported(program) -> None:
    """Players who play what opens least and send what can be played soonest pass the same cards round and round."""
    hoarder = program(*HOARDER)
    result = play_match(GAME, hoarder, [hoarder], rules=RULES, seed=0, games=3000)
    assert 0.10 < result.stalled / result.games < 0.17
    assert result.to_json()["stalled"] == result.stalled
    assert result.interval.mean == pytest.approx((1 - result.stalled / result.games) / 3)


@pytest.mark.parametrize("laps", [10, 100])
def test_a_stalled_game_has_as_many_turns_as_the_cap_allows(laps: int, program) -> None:
    hoarder = program(*HOARDER)
    rules = SevensRules(laps=laps)
    deals = GAME.deal(stream(0, "match", 0), 60, rules)
    lengths = [len(log_game([hoarder] * 3, deals[k : k + 1], rules)) for k in range(60)]
    scores = [GAME.play([hoarder] * 3, deals[k : k + 1], rules) for k in range(60)]
    stalled = [length for length, score in zip(lengths, scores, strict=True) if score.stalled]
    assert stalled
    assert set(stalled) == {laps * 3}  # every turn is one action: a play, a card sent, or a pass
    assert max(lengths) == laps * 3


def test_numbers_of_the_result_as_json(player) -> None:
    result = play_match(GAME, player("simple"), [player("random")], rules=RULES, seed=0, games=300)
    fields = result.to_json()
    assert list(fields) == [
        "program", "game", "opponent", "metric", "mean", "ci95", "games", "different_games", "stalled", "invalid",
    ]  # fmt: skip
    assert fields["ci95"] == [result.interval.low, result.interval.high]
    assert 0.7 < result.interval.mean < 0.88
