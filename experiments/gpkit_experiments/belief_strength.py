"""The strength of the player that uses the posterior, of its parts, and of greedy shots, on the same boards.

    python -m gpkit_experiments.belief_strength FILE [ROW[=BOARDS] ...]

writes ``experiments/data/strength-belief.json``. FILE stores the boards that were played, one in each line, so you can
stop the script at any time. The rows are the keys of ``ROWS``. If FILE does not have a row of the record, the record
keeps that row. All rows of a set of rules play the boards of the same seed, beginning with the first, and differences
are computed over the boards that both rows have played.

``belief`` learns which ships sink, and ``mcs`` ignores this information. On ``ten-ships-hits``, sinkings are not
announced.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.rng import stream
from gpkit.games.battleship.agents import MCS, MENDED
from gpkit.games.battleship.arena import fleets_of, running_sums
from gpkit.games.battleship.belief.player import DEFAULT, BeliefSettings, best_shot, within
from gpkit.games.battleship.belief.posterior import Facts, posterior_of
from gpkit.games.battleship.game import GAME
from gpkit.games.battleship.rules import BattleshipRules, Board
from gpkit_experiments.papers.units import mean_interval, paired_difference, told, write_record

COMMAND = "python -m gpkit_experiments.belief_strength FILE"
PATH = Path(__file__).parents[1] / "data" / "strength-belief.json"
SEED = 73_001
"""The seed, fixed before any of its boards was played; we chose the settings on seeds 100 to 302."""

SEEDS = {"ten-ships-hits": 73_002}
"""The seeds for rules that we added later, fixed before any of their boards was played."""

LEAST_BOARDS = 50
"""The number of boards from which the shots are corrected for luck."""

FIRST = 10
"""The number of boards whose shots are listed one by one."""

CHUNK = 10
"""The number of boards after which the file is written."""

GREEDY = replace(DEFAULT, stages=())
NESTED, WIDE, NARROW = DEFAULT.stages
RULES = {
    "small": {"board": "6x6", "fleet": "3,2,2"},
    "classic": {},
    "not-announced": {"announce": "hit"},
    "ten-ships": {"variant": "ten-ships"},
    "hundred-ships": {
        "board": "50x50",
        "touch": "no",
        "fleet": ",".join("4" * 10 + "3" * 20 + "2" * 30 + "1" * 40),
    },
    "ten-ships-hits": {"variant": "ten-ships", "announce": "hit"},
}


@dataclass(frozen=True, slots=True)
class Informed(BeliefSettings):
    """The settings of a player that values information from the answer, a hit or a miss.

    Attributes:
        information: the value of a bit: each chance increases by this much for each bit of uncertainty in the answer.
    """

    information: float = 0.5


SETTINGS: dict[str, BeliefSettings] = {
    "belief": DEFAULT,
    "greedy": GREEDY,
    "information": Informed(GREEDY.effort, GREEDY.stages),
    "rollouts": replace(DEFAULT, stages=(NARROW,)),
    "wide-rollouts": replace(DEFAULT, stages=(replace(NARROW, squares=16, margin=0.4),)),
    "nested": replace(DEFAULT, stages=(replace(NESTED, fleets=300), NARROW)),
    "sampled-lists": replace(DEFAULT, stages=(NESTED, WIDE, replace(NARROW, sample=3_000))),
    "belief:50": within(50),
}
SAMPLERS = {
    "mcs:10": (MCS, 10),
    "mcs:100": (MCS, 100),
    **{f"mcs-mended:{number}": (MENDED, number) for number in (100, 20_000)},
}
"""The samplers of the second source with their numbers of samples: 20,000 samples take as long as ``belief:50`` on ten
ships."""
ROWS = {f"{rules} {player}": (rules, player) for rules in RULES for player in (*SETTINGS, *SAMPLERS)}


def boards(rules: BattleshipRules, first: int, count: int, seed: int = SEED) -> Iterator[tuple[Board, int]]:
    """Boards by number, and the key for the shots at each board."""
    keys = GAME.deal(stream(seed, "strength"), first + count, rules).keys[first:]
    fleets = fleets_of(keys[:, 1], running_sums("uniform", rules), rules)
    for fleet, (_, _, shots) in zip(fleets.tolist(), keys[:, 0].tolist(), strict=True):
        yield Board.of(tuple(fleet), rules), shots


def play(board: Board, key: int, settings: BeliefSettings) -> tuple[int, float]:
    """The shots until a board is cleared, and the luck: the hits minus the sum of their chances, with mean zero."""
    luck = 0.0
    while board.status == "playing":
        facts = Facts.of(board)
        belief = posterior_of(facts, key, settings.effort)
        square = best_shot(belief, facts, settings)
        if isinstance(settings, Informed):
            unshot = np.array(facts.unshot)
            found = belief.chances[unshot]
            inside = np.clip(found, 1e-12, 1.0 - 1e-12)
            bits = inside * np.log2(inside) + (1.0 - inside) * np.log2(1.0 - inside)
            square = int(unshot[np.argmax(found - settings.information * bits)])
        board = board.shoot(square)
        luck += board.shots[-1].hit - float(belief.chances[square])
    return board.turns, round(luck, 4)


def play_sampler(board: Board, key: int, sampler: str) -> tuple[int, float]:
    """The number of shots of a sampler of the second source until a board is cleared; the luck is not known."""
    agent, samples = SAMPLERS[sampler]
    while board.status == "playing":
        board = board.shoot(agent.consider(board, samples, key)[0])
    return board.turns, 0.0


def games_of(player: str, some: Iterable[tuple[Board, int]]) -> list[tuple[int, float]]:
    """The shots of a player on some boards, and its luck."""
    if player in SAMPLERS:
        return [play_sampler(board, key, player) for board, key in some]
    return [play(board, key, SETTINGS[player]) for board, key in some]


def play_on(path: Path, row: str, count: int) -> None:
    """Play the boards of a row, beginning with the first that the file does not have, and append them to the file."""
    rules, player = ROWS[row]
    done = len(played(path).get(row, []))
    for first in range(done, count, CHUNK):
        made, seed = GAME.make_rules(RULES[rules]), SEEDS.get(rules, SEED)
        some = boards(made, first, min(CHUNK, count - first), seed)
        with path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps([row, *game]) + "\n" for game in games_of(player, some))
            file.flush()
            os.fsync(file.fileno())


def played(path: Path) -> dict[str, Floats]:
    """The boards in a file for each row, in order: float64 (boards, 2), shots and luck."""
    found: dict[str, list[list[float]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        row, *game = json.loads(line)
        found.setdefault(row, []).append(game)
    return {row: np.array(games) for row, games in found.items()}


def adjusted(games: Floats) -> Floats:
    """The shots without luck, float64 (boards,), by regression of shots on luck if there are enough boards."""
    shots: Floats = games[:, 0]
    luck = games[:, 1]
    if len(games) < LEAST_BOARDS or np.ptp(luck) == 0.0:
        return shots
    slope = float(np.cov(shots, luck)[0, 1] / luck.var(ddof=1))
    found: Floats = shots - slope * luck
    return found


def fewer(others: Floats, games: Floats) -> dict[str, object]:
    """The number of shots that a row saves compared with another one, over the boards that both have played."""
    both = min(len(others), len(games))
    return {"boards": both, **told(paired_difference(adjusted(others[:both]), adjusted(games[:both])))}


def report(path: Path) -> dict[str, object]:
    """The contents of the data file; ``fewer`` is another row minus this one, on the boards of both."""
    games = played(path)
    rows: dict[str, object] = dict(json.loads(PATH.read_text(encoding="utf-8"))["rows"])
    for row, each in games.items():
        rules, player = ROWS[row]
        rows[row] = {
            "rules": RULES[rules],
            "player": player,
            "boards": len(each),
            "first": each[:FIRST, 0].astype(int).tolist(),
            "shots": told(mean_interval(each[:, 0])),
            "adjusted": told(mean_interval(adjusted(each))),
            "fewer": {
                other: fewer(games[f"{rules} {other}"], each)
                for other in ("greedy", "belief", *SAMPLERS)
                if other != player and f"{rules} {other}" in games
            },
        }
    head = {"schema": "gpkit/strength-belief/1", "command": COMMAND, "seed": SEED, "seeds": SEEDS}
    return {**head, "rows": rows}


def main() -> None:
    """Play the named rows, and write the report."""
    path = Path(sys.argv[1])
    for word in sys.argv[2:]:
        row, _, count = word.partition("=")
        play_on(path, row, int(count or 10_000))
    write_record(PATH, report(path))


if __name__ == "__main__":
    main()
