"""The language as the registry knows it."""

import pytest

from gpkit.core.primitives import Offers, PrimitiveSet
from gpkit.core.registry import GAMES, LANGUAGES, Entry, find
from gpkit.languages.arithmetic.checks import check
from gpkit.languages.arithmetic.language import LANGUAGE
from gpkit.languages.arithmetic.parser import parse


def test_it_is_what_the_registry_says() -> None:
    entry = find(LANGUAGES, "arithmetic", "language")
    assert entry.load() is LANGUAGE
    assert (LANGUAGE.name, LANGUAGE.suffix) == (entry.name, entry.suffix)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in GAMES if LANGUAGE.name in entry.load().offers],
    ids=lambda entry: entry.name,
)
def test_the_template_is_a_faultless_program(entry: Entry) -> None:
    offers: Offers = entry.load().offers
    primitives = offers[LANGUAGE.name]
    text = LANGUAGE.template(primitives)
    source = parse(text)
    assert check(source, offers) == ()
    assert source.header == {"game": primitives.game}
    assert all(sensor.name in text for sensor in primitives.sensors)
    assert LANGUAGE.format_source(LANGUAGE.parse(text)) == text


def test_the_template_without_a_game_is_the_articles_first_example() -> None:
    text = LANGUAGE.template(None)
    assert check(parse(text), None) == ()
    assert text.endswith("\nA + B * 7\n")


def test_a_game_of_another_language_is_said_once() -> None:
    of_blocks = {"sinking": PrimitiveSet("ships", ("targeting",), (), ())}
    (found,) = check(parse("A + B"), of_blocks)
    assert (found.code, found.severity) == ("E015", "error")
    assert "`sinking`" in found.message
