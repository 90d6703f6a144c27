"""Settings that people write as KEY=VALUE: rules of a game, switches of a dialect."""

from collections.abc import Mapping, Sequence

from gpkit.core.diagnostics import check_known
from gpkit.core.errors import UsageError
from gpkit.core.registry import all_games, all_languages, offers_of


def options_of(players: str | None, rules: Sequence[str]) -> dict[str, str]:
    """The rules that ``--players`` and ``--rules`` set, as text.

    Raises:
        UsageError: one of them is not KEY=VALUE, or a rule is set twice.
    """
    options = {} if players is None else {"players": players}
    return _pairs("--rules", rules, options, example="players=4")


def dialect_of(switches: Sequence[str]) -> dict[str, str]:
    """The lines of headers that ``--dialect`` sets.

    Raises:
        UsageError: one of them is not KEY=VALUE, no language and no game has such a switch, or it is set twice.
    """
    if not switches:
        return {}  # without loading every game
    pairs = _pairs("--dialect", switches, {}, example="target=uniform")
    questions = [entry.load().switches for entry in all_languages()]
    questions += [each.switches for entry in all_games() for each in offers_of(entry.name).values()]
    known = ["dialect", "placement", *dict.fromkeys(switch.name for each in questions for switch in each)]
    for name in pairs:
        check_known("switch", name, known, f"--dialect {name}=…: ")
    return pairs


def _pairs(option: str, texts: Sequence[str], known: Mapping[str, str], *, example: str) -> dict[str, str]:
    pairs = dict(known)
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not (key and equals and value):
            raise UsageError(f"{option} {text}: expected KEY=VALUE, such as {example}")
        if key in pairs:
            raise UsageError(f"`{key}` is set twice: {pairs[key]} and {value}")
        pairs[key] = value
    return pairs
