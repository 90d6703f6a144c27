"""The parts of shipped games that are found by their names, each assigned to its type.

mypy reads this file; `tests/test_house.py` finds what is missing in it.
"""

from collections.abc import Callable, Sequence

import gpkit.games.battleship.commands
import gpkit.games.battleship.primitives
import gpkit.games.build_order.primitives
import gpkit.games.dots_and_boxes.commands
import gpkit.games.dots_and_boxes.learning
import gpkit.games.dots_and_boxes.primitives
import gpkit.games.mastermind.primitives
import gpkit.games.sevens.primitives
from gpkit.core.layout import Tabular
from gpkit.core.primitives import Offers
from gpkit.gamekit.forms import Learning

OFFERS: list[Offers] = [
    gpkit.games.battleship.primitives.OFFERS,
    gpkit.games.build_order.primitives.OFFERS,
    gpkit.games.dots_and_boxes.primitives.OFFERS,
    gpkit.games.mastermind.primitives.OFFERS,
    gpkit.games.sevens.primitives.OFFERS,
]
COMMANDS: list[Sequence[Callable[..., Tabular]]] = [
    gpkit.games.battleship.commands.COMMANDS,
    gpkit.games.dots_and_boxes.commands.COMMANDS,
]
LEARNING: list[Learning] = [gpkit.games.dots_and_boxes.learning.LEARNING]
