"""Programs of Sevens that the tests of exports share."""

from collections.abc import Callable

import pytest

from gpkit.core.registry import data_folder
from gpkit.export.subject import Subject
from gpkit.games.sevens.sensors import PRIMITIVES
from gpkit.languages.arithmetic.parser import parse

ALL_OPERATORS = """// game: sevens
// seed: 7
play: 5.0 * env.selfblock - min(env.block, 3.5) * math.random() + ifle(env.hand, env.smallest, -env.rank, env.run)
send: floor(env.dist * env.dist / env.left) + sqrt(abs(env.next - env.previous)) + max(env.receiver, math.random())
"""

PROGRAMS = ("medium", "simple", "thrifty", "opponents/hold", "opponents/random", "opponents/own-minus-others")


def subject_of(text: str, name: str = "sample", rules: dict[str, str] | None = None) -> Subject:
    """What is exported of a program file for Sevens."""
    source = parse(text)
    return Subject(source.program, name, dict(source.header), PRIMITIVES, rules or {})


@pytest.fixture(scope="session")
def sevens() -> Callable[..., Subject]:
    """Makes a subject of a program's text."""
    return subject_of


@pytest.fixture(scope="session")
def sample() -> Subject:
    """A program that uses every operator."""
    return subject_of(ALL_OPERATORS)


@pytest.fixture(scope="session", params=PROGRAMS)
def shipped(request: pytest.FixtureRequest) -> Subject:
    """Each of some program files that come with the package."""
    path = data_folder("programs") / "sevens" / f"{request.param}.tree"
    return subject_of(path.read_text(encoding="utf-8"), path.stem)
