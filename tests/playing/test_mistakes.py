"""Mistakes: what a choice cost, as judged by a search."""

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import below, stream
from gpkit.playing.contest import deal_of
from gpkit.playing.mistakes import MARKS, judged, worths
from gpkit.playing.players import player_of_name
from gpkit.playing.trace import Seated, Step

GAMES = Path(__file__).parents[2] / "programs" / "games"


def game_in(name: str) -> Any:
    return game_of(name_game(str(GAMES / f"{name}.py")))


@cache
def value(position: Any) -> tuple[float, ...]:
    """The scores at the end if both play best."""
    if position.is_terminal:
        return tuple(position.returns())
    player = position.current_player
    return max(
        (value(position.apply(each)) for each in position.legal_actions()), key=lambda scores: scores[player]
    )


def exact(state: Any) -> dict[int, float]:
    position = state.position
    return {each: value(position.apply(each))[position.current_player] for each in position.legal_actions()}


def planted(game: Any, worths: Callable[[Any], dict[int, float]], seed: int, least: float) -> Step | None:
    """A step of a random game in which a player chooses an action that is worse by at least this much."""
    rules, rng = game.make_rules({}), stream(seed, "planted")
    seated = Seated(game.view, (player_of_name("random", game),) * 2, ("one", "other"), 0)
    state = game.begin(seated.players, deal_of(game, rules, seed, 0), rules)
    found = []
    while not state.is_terminal:
        legal = state.legal_actions()
        known = worths(state) if len(legal) > 1 and state.current_player == 0 else {}
        best = max(known.values(), default=0.0)
        bad = [each for each, worth in known.items() if best - worth >= least]
        if bad:
            action = bad[below(rng, len(bad))]
            found.append(Step(1, seated, state, state.apply(action), action))
        state = state.apply(legal[below(rng, len(legal))])
    return found[below(rng, len(found))] if found else None


def named(game: Any, adviser: str, steps: Iterator[Step | None]) -> list[bool]:
    rules = game.make_rules({})
    player, deals = player_of_name(adviser, game), deal_of(game, rules, 7, 0)
    found = judged(filter(None, steps), game, player, deals, rules)
    return [(step.mistake or 0.0) >= MARKS[-1][0] and "?" in step.words() for step in found]


@pytest.mark.parametrize("games", [10, pytest.param(200, marks=pytest.mark.release)])
def test_planted_blunders_are_named(games: int) -> None:
    """By exact values: what was a win or a draw is a loss."""
    game = game_in("tic_tac_toe")
    found = named(game, "mcts:300", (planted(game, exact, seed, 0.5) for seed in range(games)))
    assert len(found) > games / 2
    assert sum(found) >= 0.95 * len(found)


@pytest.mark.slow
def test_planted_blunders_with_hidden_cards_are_named() -> None:
    """As judged by ten times the worlds: what costs a tenth of the range of scores, or more."""
    game = game_in("leduc_poker")
    rules = game.make_rules({})
    judge, deals = player_of_name("pimc:4000", game), deal_of(game, rules, 7, 0)

    def judged_by(state: Any) -> dict[int, float]:
        return dict(worths(game, judge, state, state.legal_actions(), deals, rules))

    found = named(game, "pimc:400", (planted(game, judged_by, seed, 0.1) for seed in range(200)))
    assert len(found) > 50
    assert sum(found) >= 0.95 * len(found)


def test_an_exact_choice_is_no_mistake() -> None:
    """The search proves that the best action wins, and that nothing else does."""
    game = game_in("tic_tac_toe")
    (step,) = filter(None, [planted(game, exact, 4, 1.0)])
    best = max(exact(step.before), key=exact(step.before).__getitem__)
    right = Step(1, step.seated, step.before, step.before.apply(best), best)
    assert named(game, "mcts:300", iter([right, step])) == [False, True]


def test_traces_mark_mistakes(nobodys: None, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["trace", "random", "--opponent", "random", "--game", str(GAMES / "tic_tac_toe.py")]
    assert main([*words, "--mistakes", "mcts:300"]) == 0
    told = capsys.readouterr().out
    assert "step 5: random 1: b3 (threats 2) ??? (b2: wins 100 more of 100 games)\n" in told
    assert "mistakes among 4 choices of random 1; the largest in step 5: " in told
    assert main([*words, "--mistakes", "mcts:300", "--json", "--until", "mistake > 0.9"]) == 0
    *_, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (last["step"], last["values"]["mistake"]) == (5, 1.0)
    assert main([*words, "--mistakes", "mcts:300", "--html", "game.html"]) == 0
    assert "b3 (threats 2) ??? (b2: wins 100 more of 100 games)" in Path("game.html").read_text()


def test_exact_values_find_mistakes_in_dots_and_boxes(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["trace", "random", "--opponent", "safe", "--game", "dots_and_boxes", "--rules", "board=2x2"]
    assert main([*words, "--seed", "1", "--mistakes", "optimal", "--json"]) == 0
    _, *steps = map(json.loads, capsys.readouterr().out.splitlines())
    costs = [each["values"]["mistake"] for each in steps if "mistake" in each["values"]]
    assert len(costs) == 4
    assert {*costs} <= {0.0, 0.5, 1.0}
    assert sum(each > 0.0 for each in costs) == 2


@pytest.mark.parametrize(
    ("game", "adviser", "said"),
    [
        ("sevens", "simple", "searches of sevens: `pimc`, `pimc-certain`, `pimc-blind`"),
        ("battleship", "hunt", "searches of battleship: none"),
    ],
)
def test_who_does_not_search_finds_no_mistakes(
    game: str, adviser: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["trace", "champion", "--game", game, "--mistakes", adviser]) == 2
    assert said in capsys.readouterr().err
