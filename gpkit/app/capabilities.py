"""Capabilities of languages: by command, whether it takes programs of a language."""

from collections.abc import Mapping

from gpkit.core.forms import has_form
from gpkit.core.registry import all_games
from gpkit.export.registry import EXPORTERS
from gpkit.playing.usual_trace import has_trace


def capabilities(language: str) -> Mapping[str, bool]:
    """By command whether it takes programs of a language, found by looking at games and forms."""
    games = [entry.name for entry in all_games() if language in entry.load().offers]
    return {
        "check": True,
        "fmt": True,
        "run": bool(games),
        "trace": any(map(has_trace, games)),
        "evolve": has_form("evolution", language, "representation"),
        "draw": has_form("draw", language, "picture"),
        "draw --diff": has_form("draw", language, "change"),
        "draw --trace": has_form("draw", language, "traced"),
        **{f"export --to {each.name}": bool(each.modes_of(language)) for each in EXPORTERS},
        "export --to tree": has_form("json", language, "read"),
        **{f"export --to {each.name} --check": each.checks(language) for each in EXPORTERS},
    }
