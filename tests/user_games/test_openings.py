"""Openings of games of one's own: drawn between two numbers, mixed in evolution, and left out where chance moves."""

import itertools
import json
from pathlib import Path
from typing import Any

import pytest

from gpkit.analysis.evaluation import held_out, table_of_run
from gpkit.cli.main import main
from gpkit.core.errors import UsageError
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.core.rng import stream
from gpkit.evolution.config import all_presets
from gpkit.evolution.config_files import evolution_config
from gpkit.evolution.subjects import resolve
from gpkit.gamekit.game import Game
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.players import player_of_name
from gpkit.user_games.game import play_readable

FOLDER = data_folder("programs") / "games"
CARDS = Path(__file__).parent / "cards.py"


pytestmark = pytest.mark.usefixtures("nobodys")


def named(path: Path) -> Game:
    """The game of a file."""
    game: Game = game_of(name_game(str(path)))
    return game


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        (FOLDER / "nim.py", {"opening": "0-2"}),
        (FOLDER / "tic_tac_toe.py", {"opening": "0-2"}),
        (FOLDER / "leduc_poker.py", {}),
        (CARDS, {}),
    ],
    ids=lambda each: each.stem if isinstance(each, Path) else "",
)
def test_evolution_mixes_openings_unless_chance_moves(path: Path, rules: dict[str, str]) -> None:
    game = named(path)
    assert all_presets()[game.name].rules == rules


def test_each_deal_draws_an_opening() -> None:
    game = named(FOLDER / "nim.py")
    rules = game.make_rules({"opening": "0-2"})
    deals = game.deal(stream(3, "openings"), 120, rules)
    drawn = [rules.opening(key) for key in deals.keys.tolist()]
    assert all(25 < drawn.count(opening) < 55 for opening in range(3))
    players = [player_of_name("greedy", game), player_of_name("random", game)]
    compiled, readable = game.play(players, deals, rules), play_readable(game, players, deals, rules)
    assert (compiled.values == readable.values).all()
    for opening in range(3):
        (number, *_) = (place for place, each in enumerate(drawn) if each == opening)
        some = deals[number : number + 1]
        assert game.begin(players, some, rules).actions == opening
        alone = game.play(players, some, game.make_rules({"opening": str(opening)}))
        assert (alone.values == compiled.values[number : number + 1]).all()


@pytest.mark.parametrize("text", ["2-1", "0-101", "101", "-2", "two", "0-", "0-1-2"])
def test_what_is_no_opening_is_refused(text: str) -> None:
    with pytest.raises(
        UsageError, match=f"opening={text}: expected a whole number from 0 to 100, or a range such as 0-2"
    ):
        named(FOLDER / "nim.py").make_rules({"opening": text})


def test_equal_ends_are_one_number() -> None:
    game = named(FOLDER / "nim.py")
    assert game.make_rules({"opening": "02-2"}) == game.make_rules({"opening": "2"})


@pytest.mark.release
def test_the_closing_table_says_what_a_run_was_trained_under_and_is_that_of_run(
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = str(FOLDER / "nim.py")
    Path("small.toml").write_text(
        'preset = "nim"\n[population]\nsize = 8\n[fitness]\ndeals = 4\nvalidation_deals = 4\nhall = 0\n'
        "[refinement]\nfinish = false\n[stop]\ngenerations = 1\n"
    )

    def told(*words: str) -> dict[str, Any]:
        assert main([*words, "--game", file, "--seed", "5", "--json"]) == 0
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    table = told("evolve", "small.toml", "--out", "player")["table"]
    rows = table["rows"]
    assert table["trained"] == "random, greedy on opening=0-2"
    assert [(row["opponent"], row["rules"]) for row in rows] == [
        ("random", {}),
        ("greedy", {}),
        ("random", {"opening": "0-2"}),
        ("greedy", {"opening": "0-2"}),
        ("mcts:100", {}),
    ]
    assert [row["held_out"] for row in rows[:4]] == [["deals"]] * 4, "some openings had no action"
    assert "opponent" in rows[4]["held_out"]
    plain = ("run", "player/best/champion.tree", "--games", "20000")
    again = told(*plain)["results"] + told(*plain, "--rules", "opening=0-2")["results"]
    assert [each["mean"] for each in again] == [row["mean"] for row in rows[:4]]


@pytest.mark.release
def test_a_run_says_how_to_train_against_the_search(capsys: pytest.CaptureFixture[str]) -> None:
    """The search has to know everything, so a game with hidden cards has no such row and no such sentence."""
    small = "[population]\nsize = 8\n[fitness]\ndeals = 4\nvalidation_deals = 4\nhall = 0\n"
    for game in ("nim", "leduc_poker"):
        Path("small.toml").write_text(
            f'preset = "{game}"\n{small}[refinement]\nfinish = false\n[stop]\ngenerations = 1\n'
        )
        assert main(["evolve", "small.toml", "--game", str(FOLDER / f"{game}.py"), "--out", game]) == 0
        out, err = capsys.readouterr()
        told = 'a configuration with [fitness] opponents = ["random", "greedy", "mcts:100"] does'
        assert (told in err, "\nmcts:100 " in out) == (game == "nim",) * 2


def test_a_search_that_is_slow_gets_a_set_of_games_or_none() -> None:
    run = resolve(evolution_config(name_game(str(FOLDER / "nim.py"))))
    games, program = held_out(run), parse("take: env.left").program
    results, moments = games.strengths([program], 3), itertools.count()
    rows = [
        table_of_run(
            games, run.training, "mine", program, results, 1_000, lambda: float(next(moments)), seconds
        ).rows
        for seconds in (0.5, 2.0, 7.0, 100.0)
    ]
    counts = [[row.games for row in each if row.trial.opponent == "mcts:100"] for each in rows]
    assert counts == [[], [], [16], [20]]
