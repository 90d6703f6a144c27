"""Speed of tic-tac-toe played at random, by its readable state and by its kernel, beside other toolkits.

    pytest -m slow -s experiments/tests/test_speed_of_states.py

Rates are games in a second of CPU time, the best of five turns that alternate; other toolkits take part where they are
installed.
"""

import json
import random
import time
from collections.abc import Callable

import pytest

from gpkit.core import plugins
from gpkit.core.registry import data_folder, game_of, name_game
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.playing.players import player_of_name
from gpkit.user_games.game import play_readable

GAMES, TURNS = 1_000, 5

pytestmark = pytest.mark.slow


def through_states(game: Game) -> Callable[[], int]:
    """Games of gpkit, as matches play them."""
    rules, players = game.make_rules({}), [player_of_name("random", game)] * 2
    deals = game.deal(stream(1, "speed"), GAMES // 2, rules)
    return lambda: play_readable(game, players, deals, rules).values.size


def by_kernel(game: Game) -> Callable[[], int]:
    """Games of gpkit by the kernel."""
    rules, players = game.make_rules({}), [player_of_name("random", game)] * 2
    deals = game.deal(stream(1, "speed"), 50 * GAMES, rules)
    return lambda: game.play(players, deals, rules).values.size


def openspiel_in_python() -> Callable[[], int]:
    """Games of the tic-tac-toe that OpenSpiel has in Python."""
    pytest.importorskip("open_spiel.python.games.tic_tac_toe")
    import pyspiel

    game = pyspiel.load_game("python_tic_tac_toe")

    def play() -> int:
        for _ in range(GAMES):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(random.choice(state.legal_actions()))  # noqa: S311
        return GAMES

    return play


def easyai() -> Callable[[], int]:
    """Games of the tic-tac-toe that easyAI gives as its example, without a screen."""
    easy = pytest.importorskip("easyAI")
    from easyAI.games.TicTacToe import TicTacToe

    def play() -> int:
        for _ in range(GAMES):
            game = TicTacToe([easy.Human_Player(), easy.Human_Player()])
            while not game.is_over():
                game.make_move(random.choice(game.possible_moves()))  # noqa: S311
                game.switch_player()
        return GAMES

    return play


def pettingzoo() -> Callable[[], int]:
    """Games of PettingZoo's tic-tac-toe."""
    pytest.importorskip("pettingzoo")
    tictactoe = pytest.importorskip("pettingzoo.classic.tictactoe_v3")
    env = tictactoe.raw_env()

    def play() -> int:
        for _ in range(GAMES // 5):
            env.reset()
            for _agent in env.agent_iter():
                seen, _, over, cut, _ = env.last()
                legal = [] if over or cut else [k for k, ok in enumerate(seen["action_mask"]) if ok]
                env.step(random.choice(legal) if legal else None)  # noqa: S311
        return GAMES // 5

    return play


def test_states_are_played_fast(capsys: pytest.CaptureFixture[str]) -> None:
    plugins.here = plugins.Discovery()
    game: Game = game_of(name_game(str(data_folder("programs") / "games" / "tic_tac_toe.py")))
    toolkits = {"states": through_states(game), "kernel": by_kernel(game)}
    for name, make in (
        ("OpenSpiel, Python", openspiel_in_python),
        ("easyAI", easyai),
        ("PettingZoo", pettingzoo),
    ):
        try:
            toolkits[name] = make()
        except pytest.skip.Exception:
            continue
    best = dict.fromkeys(toolkits, 0.0)
    for play in toolkits.values():
        play()
    for _ in range(TURNS):
        for name, play in toolkits.items():
            began = time.process_time()
            games = play()
            best[name] = max(best[name], games / (time.process_time() - began))
    with capsys.disabled():
        print(json.dumps({name: round(rate) for name, rate in best.items()}))
    assert best["states"] > 25_000
    assert best["kernel"] > 50 * 25_000
    assert best["states"] > max(
        (rate for name, rate in best.items() if name not in ("states", "kernel")), default=0.0
    )
