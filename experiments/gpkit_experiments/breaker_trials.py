"""Games that show how strong the evolutionary breaker of Mastermind is: what ``strength-breakers.json`` records.

python -m gpkit_experiments.breaker_trials 5x8 3       # so many passes over all secrets, settings of the player
python -m gpkit_experiments.breaker_trials 6x9 20000   # so many drawn games
"""

import json
import re
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gpkit.core.files import write_atomic
from gpkit.core.rng import below, stream
from gpkit.gamekit.state import end_of
from gpkit.games.mastermind.codes import Code, code_of_number, number_of_code
from gpkit.games.mastermind.exact import Distribution, distribution
from gpkit.games.mastermind.options import Rules
from gpkit.games.mastermind.players import EvolutionarySettings, evolved_guess, settings_for
from gpkit.games.mastermind.rules import Turn
from gpkit.games.mastermind.state import State
from gpkit.vm.keyed import HALF
from gpkit_experiments.papers.units import entry, mean_interval, write_record

DATA = Path(__file__).parents[1] / "data" / "strength-breakers.json"

TIMED, TIMED_SEED = 500, 2
"""Drawn games, and their seed, that are timed where passes are recorded."""


def game_key(seed: int, *place: int) -> int:
    """A key for one place of an experiment: at least 0 and below 2^26."""
    return below(stream(seed, "mastermind breaker", *place), HALF)


@dataclass(frozen=True, slots=True)
class Evolutionary:
    """The breaker with one key: an ``exact.Strategy``, since it draws the same after the same turns.

    Attributes:
        rules: the rules.
        settings: how codes are evolved.
        key: at least 0 and below 2^26.
    """

    rules: Rules
    settings: EvolutionarySettings
    key: int

    def __call__(self, turns: tuple[Turn, ...], left: NDArray[np.int32]) -> int:
        """The number of the code to guess; it does not look at the candidates."""
        return number_of_code(evolved_guess(turns, self.rules, self.settings, self.key), self.rules)


@dataclass(frozen=True, slots=True)
class Trial:
    """Games that show how strong the breaker is.

    Attributes:
        rules: the rules.
        settings: of the breaker.
        seed: of keys and secrets.
    """

    rules: Rules
    settings: EvolutionarySettings
    seed: int

    def whole(self, number: int) -> Distribution:
        """The guesses for every secret of a game whose codes can be listed, with the key of this number."""
        return distribution(Evolutionary(self.rules, self.settings, game_key(self.seed, number)), self.rules)

    def drawn(self, number: int) -> int:
        """The guesses for a secret of this number that is drawn, with a key of its own."""
        rng = stream(self.seed, "mastermind secret", number)
        secret = code_of_number(below(rng, self.rules.codes), self.rules)
        return guesses(secret, self.rules, self.settings, game_key(self.seed, number))


def guesses(secret: Code, rules: Rules, settings: EvolutionarySettings, key: int) -> int:
    """Number of guesses that find a secret: one more than are allowed if none does."""

    def guess(state: State) -> int:
        return number_of_code(evolved_guess(state.turns, rules, settings, key), rules)

    return int(end_of(State.begin(secret, rules), guess).returns()[0])


def main(name: str, count: int) -> None:
    """Play so many passes over all secrets, or drawn games, of a row anew, and record them."""
    data = json.loads(DATA.read_text(encoding="utf-8"))
    (row,) = [row for row in data["evolutionary"] if row["name"] == name]
    rules = Rules(row["length"], row["colours"])
    trial = Trial(rules, settings_for(rules, row["settings"]["score"]), row["seed"])
    row["settings"] = asdict(trial.settings)
    trial.drawn(0)  # compiles
    began = time.process_time()
    if "passes" in row:
        timed = replace(trial, seed=TIMED_SEED)
        for number in range(TIMED):
            timed.drawn(number)
        row["milliseconds_per_game"] = round(1000 * (time.process_time() - began) / TIMED, 1)
        passes = [trial.whole(number) for number in range(count)]
        row["passes"] = [list(each.secrets[: each.most]) for each in passes]
        values = [float(each.mean) for each in passes]
    else:
        row["games"] = games = [trial.drawn(number) for number in range(count)]
        row["milliseconds_per_game"] = round(1000 * (time.process_time() - began) / count, 1)
        values = list(map(float, games))
    row.update(entry(mean_interval(values)))
    write_record(DATA, data)
    write_atomic(DATA, re.sub(r"\[[\d\s,.]+\]", _in_a_line, DATA.read_text(encoding="utf-8")))


def _in_a_line(numbers: re.Match[str]) -> str:
    return f"[{' '.join(numbers[0][1:-1].split())}]"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
