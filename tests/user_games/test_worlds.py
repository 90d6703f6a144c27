"""Searches in random deals: the player ``pimc`` of games with ``resample``."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpkit.cli.main import main
from gpkit.core.registry import game_of, name_game
from gpkit.core.rng import below, stream
from gpkit.gamekit.state import CHANCE, outcome
from gpkit.playing.contest import play_match
from gpkit.playing.players import default_name, player_of_name, player_of_text
from gpkit.user_games.arena import chooser_of, first_of
from gpkit.user_games.contract.examine import examine
from gpkit.user_games.contract.game_under_test import subject_of

GAMES = Path(__file__).parents[2] / "programs" / "games"
SECRETS = Path(__file__).with_name("secrets_game.py")
CARDS = Path(__file__).with_name("cards.py")

RULES = st.fixed_dictionaries(
    {
        "mode": st.sampled_from(["revealed", "secret", "partial"]),
        "size": st.sampled_from(["2", "3", "4"]),
        "players": st.sampled_from(["2", "3"]),
        "resampled": st.just("yes"),
    }
)


def game_in(path: Path) -> Any:
    return game_of(name_game(str(path)))


def alike_choices(game: Any, rules: Any, seed: int, worlds: int) -> list[tuple[int, int]]:
    """The choices of a search in the states of a random game, and in others that look the same to the player."""
    choose = chooser_of(player_of_name(f"pimc:{worlds}", game), game, rules)
    state, rng, found = first_of(game, seed, rules), stream(seed, "walk"), []
    while not state.is_terminal:
        if state.current_player == CHANCE:
            state = state.apply(outcome(state, float(rng.random())))
            continue
        legal = state.legal_actions()
        other = state.resample(rng, state.current_player)
        if other != state:
            found.append((choose(state, legal, seed, 3), choose(other, legal, seed, 3)))
        state = state.apply(legal[below(rng, len(legal))])
    return found


@pytest.mark.parametrize(
    "path", [CARDS, GAMES / "leduc_poker.py", GAMES / "liars_dice.py"], ids=lambda p: p.stem
)
def test_states_that_look_alike_give_the_same_choice(path: Path) -> None:
    game = game_in(path)
    found = [each for seed in range(12) for each in alike_choices(game, game.make_rules({}), seed, 8)]
    assert len(found) > 5
    assert all(one == other for one, other in found)


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=RULES, seed=st.integers(0, 999))
def test_generated_games_give_the_same_choice(rules: dict[str, str], seed: int) -> None:
    game = game_in(SECRETS)
    found = alike_choices(game, game.make_rules(rules), seed, 4)
    assert all(one == other for one, other in found)


@pytest.mark.release
def test_200_generated_games_give_the_same_choice() -> None:
    game, compared = game_in(SECRETS), []

    @settings(max_examples=200, deadline=None)
    @given(rules=RULES, seed=st.integers(0, 9999))
    def play(rules: dict[str, str], seed: int) -> None:
        found = alike_choices(game, game.make_rules(rules), seed, 4)
        assert all(one == other for one, other in found)
        compared.extend(found)

    play()
    assert len(compared) > 200


@pytest.mark.release
def test_more_worlds_are_stronger() -> None:
    game = game_in(GAMES / "liars_dice.py")
    rules = game.make_rules({})
    random, few, many = (player_of_name(each, game) for each in ("random", "pimc:1", "pimc:30"))
    for one, other in ((few, random), (many, few)):
        found = play_match(game, one, [other], rules=rules, seed=61203, games=400)
        assert found.interval.low > 0.5, found


def test_a_program_may_play_the_worlds_out(nobodys: None) -> None:
    text = (GAMES / "liars_dice.py").read_text()
    searching = 'opponents={"deep": Builtin("plays out by careful", policy="careful"), '
    Path("dice.py").write_text(
        text.replace("opponents={", searching, 1).replace(
            "from gpkit import", "from gpkit import Builtin,", 1
        )
    )
    game = game_in(Path("dice.py"))
    player = player_of_name("deep:5", game)
    assert (player.worlds, player.policy and player.policy.name) == (5, "opponent careful of dice.py")
    by_policy, at_random = (
        [
            chooser_of(each, game, game.make_rules({}))(state, state.legal_actions(), key, 0)
            for key in range(30)
            for state in [first_of(game, key, game.make_rules({})).apply(key % 6).apply(2)]
        ]
        for each in (player, player_of_name("pimc:5", game))
    )
    assert by_policy != at_random


def test_the_contract_finds_deals_by_what_is_hidden(nobodys: None) -> None:
    text = CARDS.read_text().replace("if card != self.cards[player]]", "if card not in self.cards] * 2")
    Path("peeking.py").write_text(text.replace('    "cards",', '    "peeking",'))
    game = game_in(Path("peeking.py"))
    found = examine(subject_of(game, game.make_rules({})), 1, 4, lambda: False)
    assert ("hidden", "resample") in {(each.check, each.member) for each in found.findings}


def test_the_search_gives_hints_where_no_program_does(nobodys: None) -> None:
    Path("silent.py").write_text(
        CARDS.read_text().replace('opponents={"bold": bold},', "").replace('    "cards",', '    "silent",')
    )
    assert default_name("champion", (), game_in(Path("silent.py"))) == "pimc"


def test_the_search_plays_by_command(nobodys: None, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(GAMES / "leduc_poker.py")
    assert main(["run", "pimc:4", "--opponent", "greedy", "--game", path, "--games", "20"]) == 0
    assert "pimc:4" in capsys.readouterr().out
    assert main(["run", "pimc:0", "--game", path, "--games", "2"]) == 2
    assert "worlds after the colon" in capsys.readouterr().err


@pytest.mark.slow
def test_the_search_beats_the_best_of_all_small_formulas() -> None:
    """In a game of cards that has no shipped programs; every formula of at most three nodes is tried.

    The best are found against random players, then among themselves; seeds 61301 to 61303 were named before.
    """
    game = game_in(Path(__file__).with_name("nimmt.py"))
    rules = game.make_rules({"players": "2", "size": "5"})
    leaves = [f"env.{each}" for each in ("card", "gap", "length", "cost", "between", "left", "low")]
    pairs = [(one, other) for one in leaves for other in leaves]
    texts = [sign + each for each in leaves for sign in ("", "-")]
    texts += [f"{one} {operator} {other}" for one, other in pairs for operator in "+-*/"]
    texts += [f"{name}({one}, {other})" for one, other in pairs for name in ("min", "max")]
    players = [
        player_of_text(f"card: {text}\nrow: -env.cost", game, filename=f"{number}.tree")
        for number, text in enumerate(texts)
    ]

    def scores(player: Any, other: Any, seed: int, games: int) -> Any:
        return play_match(game, player, [other], rules=rules, seed=seed, games=games)

    random = player_of_name("random", game)
    first = [scores(each, random, 61301, 100).mean for each in players]
    best = [
        players[place] for place in sorted(range(len(players)), key=first.__getitem__)[:8]
    ]  # few bulls are good
    second = [
        sum(scores(each, other, 61302, 400).mean for other in best if other is not each) for each in best
    ]
    top = best[second.index(min(second))]
    found = scores(player_of_name("pimc:30", game), top, 61303, 400)
    beaten = scores(top, player_of_name("pimc:30", game), 61303, 400)
    assert found.interval.high < beaten.interval.low, (texts[players.index(top)], found, beaten)
