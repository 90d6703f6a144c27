"""The forms of the game; each module is imported on first use."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.games.mastermind.forms import record as record
    from gpkit.games.mastermind.forms import talk as talk
    from gpkit.games.mastermind.forms import view as view
else:
    __getattr__ = modules_of(__name__)
