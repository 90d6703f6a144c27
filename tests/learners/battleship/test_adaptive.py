"""The adaptive player: it plays by the seam of learners, learns what it is told and no more, and shoots better."""

from dataclasses import replace

import numpy as np
import pytest

from gpkit.core.rng import stream
from gpkit.gamekit.players import Player
from gpkit.games.battleship.arena import (
    TargetAnswers,
    first_memory,
    fleets_of,
    play_sides,
    running_sums,
    shots_at,
    side_of,
    sums_of,
    turns_at,
)
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.learner.adaptive import (
    Adaptive,
    Experience,
    SavedGames,
    evolved_programs,
    hardest,
    rehearsing,
    shooter_of,
    shots_needed,
    told_fleet,
)
from gpkit.games.battleship.learner.targeting import (
    LearnerSettings,
    Targeting,
    drawn_fleets,
    log_likelihoods,
    mixed_rates,
    predictions,
    shares,
    square_weights,
    wave_order,
    wave_rates,
    wave_target,
)
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.rules import BattleshipRules, Board, is_legal, squares_of
from gpkit.playing.players import player_of_name, program_of_name
from gpkit_experiments.turn_by_turn import SourceSettings, TurnAnswers, cleared_by_turns

SMALL = BattleshipRules(width=6, height=6, fleet=(3, 2, 2))
QUICK = SourceSettings(generations=2, rounds=1, particles=20)
CORRECTED = program_of_name("corrected", GAME)


def adaptive() -> Player:
    """The player of that name."""
    player = player_of_name("adaptive", GAME)
    assert player.remembers
    return player


def fleets(pattern: str, count: int, rules: BattleshipRules = SMALL) -> list[tuple[int, ...]]:
    """Fleets of a pattern."""
    deals = GAME.deal(stream(7, "adaptive"), count, rules)
    found = fleets_of(deals.keys[:, 1], running_sums(pattern, rules), rules)
    return [tuple(row) for row in found.tolist()]


def after_games(
    pattern: str, count: int, settings: LearnerSettings = QUICK
) -> list[tuple[Board, Experience]]:
    """Boards and experience of a series of solitaire games."""
    learning, player, found = Adaptive(settings), adaptive(), []
    memory = learning.begin(player, SMALL)
    for number, fleet in enumerate(fleets(pattern, count)):
        side = learning.side(player, (number, 0, number), SMALL, memory)
        board = side.clear(fleet)
        memory = side.remember(board, None)
        found.append((board, memory))
    return found


@pytest.mark.release
def test_it_learns_where_ships_stand() -> None:
    games = after_games("wall", 6)
    last = games[-1][1]
    rates = mixed_rates(predictions(last.seen, last.waves[0], SMALL, QUICK), last.logs).reshape(6, 6)
    assert rates[3:].mean() > 2.0 * rates[:3].mean()
    assert (last.games, len(last.saved), last.received.games) == (6, 6, 0)
    assert last.seen.known == (6,) * 36
    assert games == after_games("wall", 6), "the same keys, the same games"


@pytest.mark.release
def test_a_duel_adds_what_the_other_shot_at_and_the_referee_is_obeyed() -> None:
    rules = replace(SMALL, mode="duel")
    players = [adaptive(), player_of_name("raster", GAME)]
    keys = (1, 2, 3), (4, 5, 6)
    before = first_memory(players[0], rules)
    (home, board), (after, nothing) = play_sides(players, keys, [before, None], 1, rules)
    assert nothing is None
    assert sum(after.received.times) == len({shot.square for shot in home.shots})
    assert sum(after.seen.ships) == sum(shot.hit and not shot.known for shot in board.shots)
    assert side_of(players[0], keys[1], rules, after).fleet() != home.fleet, "another weight, another fleet"
    named = player_of_name("adaptive:wall", GAME)
    laid = side_of(named, keys[0], rules, first_memory(named, rules)).fleet()
    assert all(placement & 1 for placement in laid)


def test_of_several_fleets_the_hardest_for_hard_coded_players_is_laid() -> None:
    rules = replace(SMALL, mode="duel")
    side = Adaptive(QUICK).side(adaptive(), (1, 2, 3), rules, Adaptive(QUICK).begin(adaptive(), rules))
    weights = square_weights(side.experience.received, rules, caution=QUICK.caution)
    drawn = [tuple(row) for row in drawn_fleets(stream(1, "fleet", 2), weights, rules, 20).tolist()]
    assert replace(side, settings=replace(QUICK, rehearsed=1)).fleet() == drawn[0]
    needed = [shots_needed(drawn, player, rules, QUICK.rehearsals) for player in rehearsing()]
    standing = sum((shots - shots.mean()) / shots.std() for shots in needed)
    assert side.fleet() == drawn[int(np.argmax(standing))] == side.fleet()
    assert hardest(drawn[:1], rules, 1) == drawn[0]


def test_shots_and_turns_are_of_the_same_games() -> None:
    order = wave_order(Adaptive().begin(adaptive(), SMALL).waves[0], SMALL)
    weights = np.ones((6, 36))
    sums = np.stack([[sums_of(fleet, SMALL)] * 2 for fleet in fleets("corner", 4)])
    counted = {}
    for name, answers in {
        "order": TargetAnswers(order=order),
        "weights": TargetAnswers(weights=weights),
        "own": TargetAnswers(),
    }.items():
        player = shooter_of(CORRECTED, answers)
        shots = [
            len(shots_at(fleet, player, key, SMALL, answers)) for key, fleet in enumerate(fleets("corner", 4))
        ]
        assert turns_at(sums, player, np.arange(4), SMALL, answers) == shots
        again = shooter_of(CORRECTED, answers, keep_introns=True)
        assert turns_at(sums, again, np.arange(4), SMALL, answers) == shots
        counted[name] = shots
    assert len(set(map(tuple, counted.values()))) == 3


def test_waves_are_shot_in_their_order_where_the_largest_ship_may_lie() -> None:
    wave = Adaptive().begin(adaptive(), SMALL).waves[0]
    answers = TargetAnswers(order=wave_order(wave, SMALL))
    shots = shots_at((0, 12, 24), shooter_of(program_of_name("random", GAME), answers), 5, SMALL, answers)
    places = [answers.order[0].tolist().index(square) for square in shots]
    assert places[:8] == list(range(8))


def test_the_mixture_goes_by_what_was_foretold() -> None:
    rules, settings = SMALL, LearnerSettings()
    wave = Adaptive().begin(adaptive(), rules).waves[0]
    seen = Memory.empty(rules).after(after_games("wall", 1)[0][0])
    foretold = predictions(seen, wave, rules, settings)
    assert all(rates.min() > 0.0 and rates.max() < 1.0 for rates in foretold.values())
    assert shares((0.0, 0.0)).tolist() == [0.5, 0.5]
    assert mixed_rates(foretold, (0.0, -1000.0)) == pytest.approx(foretold["counts"])
    logs = log_likelihoods({**foretold, "waves": np.full(36, 0.5)}, seen, rules)
    assert logs[1] == pytest.approx(36 * np.log(0.5) * 3 / 7)
    target = wave_target(seen, rules, 1.0)
    assert wave_rates(wave, target).mean() == pytest.approx(target.mean(), abs=0.02)


@pytest.mark.parametrize("targeting", ["waves", "counts", "filter"])
def test_every_targeting_clears_boards(targeting: Targeting) -> None:
    games = after_games("corner", 2, replace(QUICK, targeting=targeting))
    assert all(board.status == "cleared" for board, _ in games)


def test_told_fleets_explain_what_was_told_even_of_lost_games() -> None:
    for key, fleet in enumerate(fleets("uniform", 6)):
        board = Board.of(fleet, SMALL)
        for square in stream(key, "shots").permutation(36)[: 6 + 5 * key].tolist():
            if board.status == "playing":
                board = board.shoot(square)
        told = told_fleet(stream(key, "told"), board)
        assert told is not None and is_legal(told, SMALL)
        taken = {s for p, n in zip(told, SMALL.fleet, strict=True) for s in squares_of(p, n, SMALL)}
        assert taken >= {shot.square for shot in board.shots if shot.hit}
        assert not taken & {shot.square for shot in board.shots if not shot.hit}


def test_sinking_programs_only_get_better_on_the_saved_games() -> None:
    problem = SavedGames.of(fleets("wall", 3), TargetAnswers(weights=np.ones((6, 36))), SMALL)
    population = evolved_programs(problem, [CORRECTED], 3, seed=1)
    first = problem.evaluate([CORRECTED], 0, 0, None)[0]  # type: ignore[arg-type]
    assert len(population) == 20 and population[0].score >= first.score
    assert population[0].cases == problem.evaluate([population[0].genome], 0, 0, None)[0].cases  # type: ignore[arg-type]


@pytest.mark.parametrize("targeting", ["mixture", "waves", "filter"])
def test_turn_by_turn_they_are_the_games_of_the_kernel(targeting: Targeting) -> None:
    settings = replace(QUICK, targeting=targeting)
    before = replace(after_games("corner", 1)[0][1], programs=(CORRECTED,))
    for key, fleet in enumerate(fleets("corner", 3)):
        compiled = Adaptive(settings).side(adaptive(), (key, 0, key), SMALL, before).clear(fleet)
        answers = TurnAnswers(before, key, SMALL, settings)
        assert cleared_by_turns(fleet, CORRECTED, key, SMALL, answers) == compiled


def test_waves_go_on_evolving_and_a_checkerboard_comes_first() -> None:
    fleet, memory = fleets("corner", 1)[0], Adaptive(QUICK).begin(adaptive(), SMALL)
    memory = replace(memory, programs=(program_of_name("random", GAME),))
    waves = replace(QUICK, targeting="waves")

    def cleared(chosen: SourceSettings, before: Experience) -> Board:
        return cleared_by_turns(fleet, before.programs[0], 1, SMALL, TurnAnswers(before, 1, SMALL, chosen))

    squares = [shot.square for shot in cleared(replace(waves, parity="checkerboard"), memory).shots]
    assert all(sum(divmod(square, 6)) % 3 == 0 for square in squares[:6])
    evolves, later = replace(waves, turn_generations=1), replace(memory, games=1)
    board, still = cleared(evolves, later), Adaptive(waves).side(adaptive(), (0, 0, 1), SMALL, memory)
    assert cleared(evolves, memory).shots == still.clear(fleet).shots
    assert board.status == "cleared" and board == cleared(evolves, later)
    assert board.shots != still.clear(fleet).shots
