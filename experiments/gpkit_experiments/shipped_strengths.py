"""The strength of each shipped program, as shown on the page of all programs: ``programs/strengths.json``.

    python -m gpkit_experiments.shipped_strengths [GAME ...]

The strength of a program is its score against the last default opponent of the game, with the default rules, ``SEED``
and ``GAMES``. In a game for several players, a program beats another if it wins more than an even share against the
other in the tournament of all programs. In a game for one player, a program beats another if it is better on the same
deals. In both cases, the 95 % interval must exclude equality. Values include the SHA-256 of the measured program. The
script measures the named games again; other games keep their values.
"""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import gpkit
from gpkit.core.codec import print_json
from gpkit.core.files import write_atomic
from gpkit.core.registry import GAMES as SHIPPED
from gpkit.core.registry import data_folder, game_of, shipped_programs
from gpkit.core.statistics import mean_interval
from gpkit.gamekit.game import Game

SEED, GAMES = 62_801, 600

FILE = data_folder("programs") / "strengths.json"


def measured(game: Game, names: list[str]) -> dict[str, Any]:
    """The metric, the opponent, and each program's mean, interval, and number of programs that it beats."""
    rules = game.make_rules({})
    against = game.rivals(rules)[-1]
    scores = gpkit.run(names, [against], game=game.name, games=GAMES, seed=SEED)
    by_name: dict[str, Any] = {each.program: each for each in scores}
    metric = scores[0].metric
    sign = -1 if metric.lower_is_better else 1
    beaten = dict.fromkeys(names, 0)
    if game.seatings(rules) > 1:
        league = gpkit.tournament(names, game=game.name, games=GAMES, seed=SEED)
        even = 1 / game.players(rules)
        for each in league.table.results:
            beaten[each.program] += each.interval.low > even
    else:
        for one in names:
            for other in names:
                gain = sign * (by_name[one].by_deal - by_name[other].by_deal)
                beaten[one] += one != other and mean_interval(gain).low > 0
    paths = shipped_programs(game.name)
    return {
        "against": against,
        "games": scores[0].games,
        "lower is better": sign < 0,
        "metric": metric.name,
        "programs": {
            name: {
                "beats": beaten[name],
                "interval": [round(end, 6) for end in (each.mean, each.interval.low, each.interval.high)],
                "sha256": hashlib.sha256(paths[name].read_bytes()).hexdigest(),
            }
            for name, each in by_name.items()
        },
        "seed": SEED,
    }


def main(arguments: list[str]) -> None:
    """Measure, and write the file after each game."""
    known = json.loads(FILE.read_text("utf-8")) if FILE.is_file() else {}
    for name in arguments or [entry.name for entry in SHIPPED]:
        known[name] = measured(game_of(name), [*shipped_programs(name)])
        write_atomic(Path(FILE), print_json(known))


if __name__ == "__main__":
    main(sys.argv[1:])
