"""The forms of the language; each module is imported when it is first used."""

from typing import TYPE_CHECKING

from gpkit.core.registry import modules_of

if TYPE_CHECKING:
    from gpkit.languages.arithmetic.forms import draw as draw
    from gpkit.languages.arithmetic.forms import elsewhere as elsewhere
    from gpkit.languages.arithmetic.forms import evolution as evolution
    from gpkit.languages.arithmetic.forms import exports as exports
    from gpkit.languages.arithmetic.forms import fitting as fitting
    from gpkit.languages.arithmetic.forms import joining as joining
else:
    __getattr__ = modules_of(__name__)
