"""The forms of the game; each module is imported on first use."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.games.battleship.forms import draw as draw
    from gpkit.games.battleship.forms import memory as memory
    from gpkit.games.battleship.forms import record as record
    from gpkit.games.battleship.forms import talk as talk
    from gpkit.games.battleship.forms import view as view
else:
    __getattr__ = modules_of(__name__)
