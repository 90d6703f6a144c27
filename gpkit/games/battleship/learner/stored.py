"""Experience of the adaptive player as plain JSON values, and back."""

from collections.abc import Mapping, Sequence
from typing import Any

from gpkit.core.diagnostics import SourceError
from gpkit.core.errors import UsageError
from gpkit.core.json_values import items, member, number, table, text, whole
from gpkit.games.battleship.fleets import Placements, is_legal
from gpkit.games.battleship.learner.experience import Experience
from gpkit.games.battleship.learner.sinkers import parse_sinker
from gpkit.games.battleship.learner.targeting import PREDICTORS
from gpkit.games.battleship.memory import Memory
from gpkit.games.battleship.options import Rules
from gpkit.games.battleship.placing import Received
from gpkit.games.battleship.waves.wave import HARMONICS, Harmonic, Wave
from gpkit.genomes.linear import LinearProgram
from gpkit.languages.sinking.printer import print_program

MOST_GAMES = 1_000_000
"""The most games that are believed of a folder."""

MOST_GENOMES = 1_000
"""The most waves, and the most programs, that are read."""


def encode(experience: Experience) -> dict[str, Any]:
    """The experience as JSON values; ``decode`` gives it back."""
    seen, received = experience.seen, experience.received
    return {
        "games": experience.games,
        "seen": {"ships": list(seen.ships), "known": list(seen.known)},
        "saved": [list(fleet) for fleet in experience.saved],
        "received": {
            "games": received.games,
            "times": list(received.times),
            "turns": list(received.turns),
        },
        "logs": dict(zip(PREDICTORS, experience.logs, strict=True)),
        "waves": encode_waves(experience.waves),
        "programs": encode_programs(experience.programs),
    }


def decode(value: Any, rules: Rules) -> Experience:
    """The experience of JSON values.

    Raises:
        ValueError: they are not that of an experience under these rules.
    """
    seen, received, logs = member(value, "seen"), member(value, "received"), table(member(value, "logs"))
    games = whole(member(value, "games"), 0, MOST_GAMES)
    return Experience(
        games,
        Memory(_counts(seen, "ships", rules, games), _counts(seen, "known", rules, games)),
        tuple(_fleet(fleet, rules) for fleet in items(member(value, "saved"))),
        Received(
            whole(member(received, "games"), 0, games),
            _counts(received, "times", rules, games),
            _counts(received, "turns", rules, games * rules.squares),
        ),
        tuple(number(member(logs, name)) for name in PREDICTORS),
        decode_waves(member(value, "waves")),
        decode_programs(member(value, "programs")),
    )


def encode_waves(waves: Sequence[Wave]) -> list[Any]:
    """Waves, each as its harmonics of four coefficients."""
    return [[list(harmonic) for harmonic in wave.harmonics] for wave in waves]


def decode_waves(value: Any) -> tuple[Wave, ...]:
    """The waves of JSON values.

    Raises:
        ValueError: they are none, or too many, or one has other than ``HARMONICS`` harmonics of four numbers.
    """
    return tuple(_wave(each) for each in _some(value, "wave"))


def encode_programs(programs: Sequence[LinearProgram]) -> list[list[str]]:
    """Sinking programs, each as the lines of its text."""
    return [print_program(program).splitlines() for program in programs]


def decode_programs(value: Any) -> tuple[LinearProgram, ...]:
    """The sinking programs of JSON values.

    Raises:
        ValueError: they are none, or too many, or one is no program of Battleship.
    """
    found = []
    for place, lines in enumerate(_some(value, "program"), 1):
        try:
            found.append(parse_sinker("\n".join(map(text, items(lines))) + "\n"))
        except (SourceError, UsageError) as error:
            raise ValueError(f"program {place}: {error}") from error
    return tuple(found)


def _some(value: Any, what: str) -> Sequence[Any]:
    found = items(value)
    if not 0 < len(found) <= MOST_GENOMES:
        raise ValueError(f"there are {len(found):,} {what}s; expected 1 to {MOST_GENOMES:,}")
    return found


def _wave(value: Any) -> Wave:
    rows = items(value)
    if len(rows) != HARMONICS or any(len(items(row)) != len(Harmonic._fields) for row in rows):
        raise ValueError(f"a wave has {HARMONICS} rows of {len(Harmonic._fields)} numbers")
    return Wave(tuple(Harmonic(*map(number, row)) for row in rows))


def _counts(value: Mapping[str, Any], name: str, rules: Rules, most: int) -> tuple[int, ...]:
    counts = items(member(value, name))
    if len(counts) != rules.squares:
        raise ValueError(f"`{name}` has {len(counts):,} counts; the board has {rules.squares:,} squares")
    return tuple(whole(count, 0, most) for count in counts)


def _fleet(value: Any, rules: Rules) -> Placements:
    fleet = tuple(whole(placement, 0, 2 * rules.squares - 1) for placement in items(value))
    if len(fleet) != len(rules.fleet) or not is_legal(fleet, rules):
        raise ValueError(f"{list(fleet)} is no legal fleet")
    return fleet
