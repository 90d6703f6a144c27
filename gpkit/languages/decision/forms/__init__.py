"""The forms of the language; each module is imported when it is first used."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.languages.decision.forms import draw as draw
    from gpkit.languages.decision.forms import evolution as evolution
    from gpkit.languages.decision.forms import exports as exports
    from gpkit.languages.decision.forms import fitting as fitting
else:
    __getattr__ = modules_of(__name__)
