"""Languages and commands: each takes the programs that come with gpkit, or refuses them by their language."""

from pathlib import Path

import pytest

from gpkit.api.catalogue import capabilities
from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM
from gpkit.core.registry import GAMES, LANGUAGES, shipped_programs
from gpkit.evolution.config import evolved

OPTIONS = {"run": ("--games", "2"), "trace": ("--json",), "fmt": ("--diff",)}
CHECK = ("--evaluations", "2", "--games", "1")

pytestmark = pytest.mark.usefixtures("few_games")


def shipped(suffix: str) -> Path:
    """The shortest program of a language that comes with gpkit and draws no random numbers: it can be followed."""
    found = (path for game in GAMES for path in shipped_programs(game.name).values() if path.suffix == suffix)
    certain = (path for path in found if RANDOM not in path.read_text(encoding="utf-8"))
    return min(certain, key=lambda path: path.stat().st_size)


def configuration(language: str) -> str:
    """A tiny run of a game that takes programs of a language."""
    game = next(game for game in (entry.load() for entry in GAMES) if language in game.offers)
    alphabets = game.offers[language].alphabets
    *_, operator = evolved(language).OPERATORS
    return f"""
        game = "{game.name}"
        alphabet = "{alphabets[0].name}"
        operators = {{{operator} = 1}}
        population = {{size = 4}}
        scheme = {{elites = 1}}
        fitness = {{opponents = ["{game.rivals(game.make_rules({}))[0]}"], deals = 2, blocks = 1, validation_deals = 2}}
        guide = {{exercises = []}}
        islands = {{count = 1}}
        refinement = {{finish = false}}
        stop = {{generations = 1}}
    """


LONG = {"trace", "draw --trace", "export --to python", "export --to c", "export --to c --check"} | {
    f"export --to lua{check}" for check in ("", " --check")
}
"""Commands of formulas that have tests of their own, too."""

CASES = [
    pytest.param(
        entry,
        command,
        can,
        id=f"{entry.name}-{command}",
        marks=[pytest.mark.release] * (entry.name == "arithmetic" and command in LONG),
    )
    for entry in LANGUAGES
    for command, can in capabilities(entry.name).items()
    if command not in ("evolve", "export --to python --check")  # a configuration; another process
]


@pytest.mark.parametrize(("entry", "command", "can"), CASES)
def test_a_command_takes_programs_of_a_language_or_refuses_them(
    gpkit, entry, command: str, can: bool
) -> None:
    program = str(shipped(entry.suffix))
    words = command.split()
    given = (
        (program,) if words[-1] == "--diff" else CHECK if words[-1] == "--check" else OPTIONS.get(command, ())
    )
    outcome = gpkit(words[0], program, *words[1:], *given)
    if can:
        assert outcome.code == 0, outcome.err
        assert outcome.out or command in ("check", "fmt")
    else:
        assert outcome.code == 2
        assert f"programs in {entry.name}" in outcome.err or "cannot be run" in outcome.err


@pytest.mark.parametrize("entry", LANGUAGES, ids=lambda entry: entry.name)
def test_evolution_takes_programs_of_a_language_or_refuses_them(gpkit, entry, tmp_path: Path) -> None:
    path = tmp_path / "tiny.toml"
    if capabilities(entry.name)["evolve"]:
        path.write_text(configuration(entry.name))
        outcome = gpkit("evolve", path, "--out", tmp_path / "run")
        assert outcome.code == 0, outcome.err
        assert (tmp_path / "run" / "best" / f"champion{entry.suffix}").exists()
    else:
        with pytest.raises(UsageError, match=f"gpkit cannot evolve programs in {entry.name}"):
            evolved(entry.name)
