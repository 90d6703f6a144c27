"""Seats: whoever asks for one in which nobody plays is refused, in every game, and is not told of a fault of gpkit."""

from itertools import islice

import numpy as np
import pytest
from conversations import said

from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES, shipped_programs
from gpkit.core.rng import stream
from gpkit.playing.players import Seating, check_seat
from gpkit.playing.session import seat_all
from gpkit.playing.trace import followed

NAMES = [entry.name for entry in GAMES]


def seating_drawn(name: str, rng: np.random.Generator) -> Seating:
    """Who plays a person by rules of which one in three options with choices is another than usual."""
    options = seat_all(None, (), game=name).game.all_options
    chosen = {
        each.name: str(rng.choice(each.choices)) for each in options if each.choices and rng.random() < 0.3
    }
    return seat_all(None, (), game=name, options=chosen)


@pytest.mark.parametrize("name", NAMES)
def test_a_person_plays_in_a_seat_or_is_refused(name: str) -> None:
    rng = stream(NAMES.index(name), "played")
    for seat in range(4):
        try:
            seating = seating_drawn(name, rng)
            check_seat(seat, len(seating.players) + 1)
            assert said(seating, ["?", "", "1", "q"], seed=int(rng.integers(100)), seat=seat)
        except UsageError as refused:
            assert seat == 0 or f"--seat {seat}: " in str(refused)


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_followed_in_a_seat_or_refused(name: str) -> None:
    rng = stream(NAMES.index(name), "followed")
    programs = sorted(map(str, shipped_programs(name).values()))
    for seat in range(3):
        try:
            seating = seat_all(str(rng.choice(programs)), (), game=name)
            found = followed(seating, seat=seat, seed=int(rng.integers(100)), deal=0)
            steps = list(islice(found.steps, 10_000))
            assert steps[-1].values["over"]
            assert steps[-1].words()
        except UsageError as refused:
            assert seat == 0 or f"--seat {seat}: " in str(refused) or "random numbers" in str(refused)
