"""The shipped rule lists against the opponents that they stand for, and what they and the page about them claim."""

import re
from pathlib import Path

import numpy as np
import pytest
from kernel_marks import compiled_only
from result_pages import results
from rule_rates import choices_in

from gpkit.core.registry import GAMES, data_folder, find
from gpkit.gamekit.game import Game
from gpkit.gamekit.state import NOBODY
from gpkit.games.dots_and_boxes.classes import classes
from gpkit.games.dots_and_boxes.exact import best_response, choices_of, result
from gpkit.games.dots_and_boxes.facts import decide
from gpkit.games.dots_and_boxes.opponents import POLICIES
from gpkit.games.dots_and_boxes.rule_lists import choose
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.languages.rulegraph.text import RuleSource, parse
from gpkit.matching.plan import plan
from gpkit.playing.contest import play_match
from gpkit.playing.players import player_of_name, player_of_program

GAME: Game = find(GAMES, "dots_and_boxes", "game").load()
FOLDER = data_folder("programs") / "dots_and_boxes"
ROOT = Path(__file__).resolve().parents[2]
PAGE = results("dots-and-boxes")
BOARD = DotsAndBoxesRules(3, 3)

pytestmark = compiled_only


def source_of(name: str) -> RuleSource:
    return parse((FOLDER / f"{name}.rules").read_text(encoding="utf-8"), f"{name}.rules")


def test_greedy_is_the_opponent_on_every_class() -> None:
    assert np.array_equal(choices_in(source_of("greedy").program), choices_of("greedy", BOARD))


def test_safe_is_the_opponent_on_every_class() -> None:
    assert np.array_equal(choices_in(source_of("safe").program), choices_of("safe", BOARD))


@pytest.mark.parametrize("board", [BOARD, DotsAndBoxesRules(4, 5)], ids=str)
def test_safe_proposes_what_the_readable_opponent_does(board: DotsAndBoxesRules) -> None:
    program, rng = source_of("safe").program, np.random.default_rng(1)
    for _ in range(100):
        drawn = frozenset(rng.permutation(board.edges)[: rng.integers(board.edges)].tolist())
        state = DotsAndBoxesState(board, drawn, (NOBODY,) * board.boxes)
        assert decide(program, state).edges == POLICIES["safe"](state)


def test_every_rule_of_the_written_lists_acts_somewhere() -> None:
    for name in ("safe", "endgame", "double-dealer", "printed"):
        rules = [named.rule for named in source_of(name).program.rules]
        _, acting = choose(plan(rules), classes(BOARD).positions, (0,), BOARD)
        assert set(range(len(rules))) <= set(acting.ravel().tolist()), name


def test_the_double_dealer_is_as_strong_as_its_header_says() -> None:
    """21 rules of level 0; such a list is to reach 0.60 against chain."""
    source = source_of("double-dealer")
    assert len(source.program.rules) == 21
    assert source.program.level == 0
    mine = choices_in(source.program)
    said = dict(re.findall(r"([a-z+0-9]+) (0\.\d{4})", source.header["rates"]))
    assert list(said) == ["greedy", "safe", "chain", "chain+ex12", "optimal"]
    for name, rate in said.items():
        assert result(mine, choices_of(name, BOARD), BOARD).mean == pytest.approx(float(rate), abs=6e-5)
    assert float(said["chain"]) > 0.8
    rate = f"{float(said['chain']):.3f}"
    assert f"21 rules, wins {rate} of the games; the table below has the larger boards." in PAGE


@pytest.mark.parametrize("name", ["learned-21", pytest.param("double-dealer", marks=pytest.mark.slow)])
def test_lists_win_as_often_on_larger_boards_as_their_headers_say(name: str) -> None:
    source = source_of(name)
    header = re.fullmatch(
        r"against chain over ([0-9,]+) games of seed (\d+): (.+)", source.header["larger-boards"]
    )
    assert header is not None
    rates = [part.split(" on ") for part in header[3].split(", ")]
    assert {"4x4", "5x5"} <= {board for _, board in rates}
    for rate, board in rates:
        found = play_match(
            GAME,
            player_of_program(source.program, GAME, name),
            [player_of_name("chain", GAME)],
            rules=GAME.make_rules({"board": board}),
            seed=int(header[2]),
            games=int(header[1].replace(",", "")),
        )
        assert found.interval.mean == pytest.approx(float(rate), abs=6e-4)


def test_the_table_of_the_ladder_is_computed() -> None:
    text = PAGE.text.partition("<!-- rates: the ladder -->\n")[2].partition("\n\n")[0]
    heading, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines())
    opponents = heading[1:]
    assert [row[0] for row in rows] == [*POLICIES, "best response"]
    known: dict[tuple[str, str], float] = {}
    for name, *rates in rows:
        for opponent, rate in zip(opponents, rates, strict=True):
            theirs = choices_of(opponent, BOARD)
            if name == "best response":
                expected = best_response(theirs, BOARD).mean
            elif (opponent, name) in known:
                expected = 1 - known[opponent, name]
            else:
                expected = result(choices_of(name, BOARD), theirs, BOARD).mean
            known[name, opponent] = expected
            assert float(rate) == pytest.approx(expected, abs=6e-5)
