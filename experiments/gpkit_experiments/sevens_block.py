"""The speed of Sevens with a kernel block, as in a user's game, compared with its own kernel.

    python -m gpkit_experiments.sevens_block

The block has the compiled rules and sensors of the game; chance deals one card after another. The two versions play in
turn, ``TURNS`` times after a first time that compiles, and they take turns going first. A rate is the number of games
per second of CPU time, including the deals, with three ``PROGRAM`` players in every seating.

Criterion, fixed before anything was measured: Sevens uses the block if the median of the ratios of the rates, block to
kernel, is at least ``LEAST``; otherwise, it keeps its kernel. To check that both play the same game, the script
compares the score of ``PROGRAM`` against ``OTHER``: the difference of the means must be at most ``MOST_APART``.
"""

import json
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import gpkit
from gpkit.core.compiled import inlined
from gpkit.core.files import write_atomic
from gpkit.core.kernel.shared import ones
from gpkit.core.rng import stream
from gpkit.gamekit.game import Game
from gpkit.games.sevens.game import GAME, rules_vector
from gpkit.games.sevens.kernel import games as sensed
from gpkit.games.sevens.kernel import rules as at
from gpkit.games.sevens.rules import SevensRules
from gpkit.games.sevens.sensors import SENSORS
from gpkit.playing.players import player_of_program, program_of_name
from gpkit.user_games.kernel.games import CHANCE, DECISION, NOBODY, PLAYER
from gpkit_experiments.papers.page import DATA

SEED, TURNS, DEALS, LEAST = 53_207, 9, 40_000, 0.9
PROGRAM, OTHER, MOST_APART = "champion", "simple", 0.01

PACK, RULES = 2, 3
HANDS = RULES + at.RULES_SIZE
STATE = HANDS + at.MOST_PLAYERS
SIZE = STATE + at.STATE_SIZE
"""Positions in the array: the cards still to deal, the rules, the hands and the state of the kernel; and its length."""

USED = (1 << sensed.SENSOR_COUNT) - 1


@inlined
def filled(mask, actions):  # type: ignore[no-untyped-def]
    """Fill in the cards of a mask, and return their number."""
    count = 0
    for card in range(at.CARDS):
        if mask >> card & 1:
            actions[count] = card
            count += 1
    return count


@inlined
def legal(game, actions):  # type: ignore[no-untyped-def]
    """The cards that the player may choose."""
    return filled(game[STATE + at.LEGAL], actions)


@inlined
def chance(game, actions, weights):  # type: ignore[no-untyped-def]
    """The cards that may be dealt next, all equally likely."""
    count = filled(game[PACK], actions)
    for place in range(count):
        weights[place] = 1.0 / count
    return count


@inlined
def apply(game, card):  # type: ignore[no-untyped-def]
    """Deal a card, or carry out a choice."""
    rules, state = game[RULES:HANDS], game[STATE:]
    if game[PLAYER] == CHANCE:
        seat = (at.CARDS - ones(game[PACK])) % rules[at.PLAYERS]
        game[HANDS + seat] |= 1 << card
        game[PACK] &= ~(1 << card)
        if game[PACK] != 0:
            return
        at.begin(state, game[HANDS:STATE], rules)
    else:
        at.apply(state, card, rules, game[:0].reshape((0, at.LOG_SIZE)))
    game[DECISION] = state[at.PHASE]
    game[PLAYER] = NOBODY if state[at.PHASE] == at.OVER else state[at.ACTOR]


@inlined
def score(game, scores):  # type: ignore[no-untyped-def]
    """The scores of all seats."""
    for seat in range(scores.shape[0]):
        scores[seat] = at.score(game[STATE:], seat, game[RULES:HANDS])


@inlined
def sense(game, card, values):  # type: ignore[no-untyped-def]
    """All sensors of a card."""
    sensed.sense_table(values, USED, game[STATE:], game[RULES:HANDS])
    sensed.sense_card(values, USED, game[STATE:], card, game[RULES:HANDS])


def pack(state: Any) -> list[int]:
    """The array before the first card is dealt."""
    rules = rules_vector(SevensRules()).tolist()
    return [CHANCE, 0, (1 << at.CARDS) - 1, *rules, *[0] * (SIZE - HANDS)]


BLOCK = gpkit.game(
    "sevens_block",
    lambda: None,  # type: ignore[arg-type,return-value]  # only the block plays
    sensors=SENSORS,
    decisions=("play", "send"),
    players=SevensRules().players,
    kernel=gpkit.Kernel(pack, SIZE, at.CARDS, legal, apply, score, sense, chance),
)


def played(game: Game, names: Sequence[str], turn: int) -> tuple[float, float]:
    """The games per second of CPU time, and the mean score of the first of these programs."""
    rules: Any = game.make_rules({"longest": "10000"} if game is BLOCK else {})
    players = [player_of_program(program_of_name(name, GAME), game, name) for name in names]
    began = time.process_time()
    found = game.play(players, game.deal(stream(SEED, str(turn)), DEALS, rules), rules).values
    return found.size / (time.process_time() - began), float(found.mean())


def main() -> None:
    """Measure, print and write the record."""
    means = {game.name: played(game, [PROGRAM, OTHER, OTHER], 0)[1] for game in (GAME, BLOCK)}
    rates: dict[str, list[float]] = {GAME.name: [], BLOCK.name: []}
    turned: Callable[[int], list[Game]] = lambda turn: [GAME, BLOCK][:: 1 if turn % 2 else -1]  # noqa: E731
    for turn in range(TURNS + 1):
        for game in turned(turn):
            rates[game.name].append(played(game, [PROGRAM] * 3, 1 + turn)[0])
    ratios = [block / own for own, block in zip(*rates.values(), strict=True)][1:]
    record = {
        "command": "python -m gpkit_experiments.sevens_block",
        "seed": SEED,
        "games": DEALS * SevensRules().players,
        "means": means,
        "rates": {name: round(statistics.median(each[1:])) for name, each in rates.items()},
        "ratios": [round(each, 4) for each in sorted(ratios)],
        "ratio": round(statistics.median(ratios), 4),
    }
    text = json.dumps(record, indent=1) + "\n"
    write_atomic(DATA / "sevens-block.json", text)
    print(text, end="")


if __name__ == "__main__":
    main()
