"""Configurations: strict reading with messages that help, round trips, presets, and the search they describe."""

from dataclasses import fields, is_dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpkit.core.errors import UsageError
from gpkit.core.registry import GAMES
from gpkit.core.settings import attributes_of, print_config, to_data, to_toml
from gpkit.core.work_folder import versions
from gpkit.evolution.config import Config, RaceSettings, StopSettings, shipped_presets
from gpkit.evolution.game_subject import GameProblem
from gpkit.evolution.parts import registered
from gpkit.evolution.schemes import (
    Article,
    DoubleTournament,
    Generational,
    Lexicase,
    ParetoTournament,
    Plus,
    Roulette,
    Tournament,
    Truncation,
)
from gpkit.evolution.subjects import config_from_data, parse_config, resolve
from gpkit.languages.arithmetic.forms.evolution import TreeRepresentation


@pytest.mark.parametrize(
    ("text", "message"),
    [("seed = " + "9" * 5000, "integer string conversion"), ("x = " + "[" * 100_000, "nested too deep")],
    ids=["digits", "depth"],
)
def test_texts_without_end_are_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        parse_config(text, shipped_presets(), "my.toml")
    assert str(caught.value).startswith("my.toml: ")


@pytest.mark.parametrize("name", shipped_presets())
def test_presets_round_trip(name: str) -> None:
    config = shipped_presets()[name]
    assert parse_config(print_config(config), {}) == config
    assert config_from_data(to_data(config), Config()) == config
    assert parse_config(f'preset = "{name}"', shipped_presets()) == config


def test_a_game_implies_the_preset_of_its_name() -> None:
    assert parse_config('game = "mastermind"\nseed = 9', shipped_presets()) == replace(
        shipped_presets()["mastermind"], seed=9
    )
    assert (
        parse_config('game = "sevens"\npreset = "article"', shipped_presets()) == shipped_presets()["article"]
    )
    assert parse_config("seed = 9", shipped_presets()) == Config(seed=9)


def test_a_preset_is_changed_key_by_key_but_shares_as_a_whole() -> None:
    text = 'preset = "sevens"\nseed = 7\n[limits]\nsize = false\n[operators]\nclone = 1\n[rules]\nplayers = 4'
    config = parse_config(text, shipped_presets())
    sevens = shipped_presets()["sevens"]
    assert config.limits.size is None
    assert dict(config.operators) == {"clone": 1.0}
    assert dict(config.rules) == {"players": 4}
    assert replace(
        config, seed=sevens.seed, limits=sevens.limits, operators=sevens.operators, rules=sevens.rules
    ) == (sevens)


def test_every_key_is_explained() -> None:
    def explain(table: Any) -> None:
        explanation = attributes_of(type(table))
        for field in fields(table):
            value = getattr(table, field.name)
            if is_dataclass(value):
                explain(value)
            else:
                assert explanation.get(field.name) or "see ``" in (type(table).__doc__ or ""), field.name

    explain(Config())


texts = st.text(max_size=8)
plain = st.booleans() | st.integers(-9, 9) | st.floats(allow_nan=False, allow_infinity=False) | texts


@given(rules=st.dictionaries(texts, plain, max_size=3), opponents=st.lists(texts, min_size=1, max_size=3))
@settings(max_examples=60, deadline=None)
def test_any_strings_round_trip(rules: dict[str, Any], opponents: list[str]) -> None:
    data = {"rules": rules, "fitness": {"opponents": opponents}}
    config = config_from_data(data, Config())
    assert parse_config(print_config(config), {}) == config
    assert parse_config(to_toml(data), {}) == config


@pytest.mark.parametrize("name", ["article", "sevens"])
def test_presets_for_sevens_describe_a_search(name: str) -> None:
    search = resolve(shipped_presets()[name]).search()
    problem = search.problem
    assert isinstance(problem, GameProblem)
    assert isinstance(search.representation, TreeRepresentation)
    assert problem.game.name == "sevens"
    assert search.representation.sections == ("play", "send")
    assert search.representation.alphabet.name == "article"
    assert [agent.name for agent in problem.opponents] == ["random", "simple"]


def test_the_articles_preset_is_the_articles() -> None:
    search = resolve(shipped_presets()["article"]).search()
    scheme, bloat = search.parameters.scheme, search.parameters.bloat
    assert isinstance(scheme, Article)
    assert scheme.shares == (("clone", 0.1), ("constants", 0.45), ("subtree", 0.225), ("crossover", 0.225))
    assert (bloat.penalty, bloat.free) == (0.0004, 20)
    assert search.representation.admits(
        search.representation.parse("play: " + "1.0 + " * 999 + "1.0\nsend: 1.0")
    )
    assert shipped_presets()["article"].stop == StopSettings(generations=111)


def with_lines(*lines: str) -> Config:
    return parse_config("\n".join(lines), shipped_presets())


def test_names_become_values() -> None:
    expected = {
        "tournament": Tournament(7),
        "double-tournament": DoubleTournament(7, 1.5),
        "truncation": Truncation(0.25),
        "roulette": Roulette(),
        "lexicase": Lexicase(0.5),
        "pareto": ParetoTournament(),
    }
    assert set(expected) == set(registered("selector"))
    for name, selector in expected.items():
        values = "size = 7\nparsimony = 1.5\nshare = 0.25\ntolerance = 0.5"
        search = resolve(with_lines("[selection]", f'name = "{name}"', values)).search()
        scheme = search.parameters.scheme
        assert isinstance(scheme, Generational)
        assert scheme.selector == selector
    plus = resolve(with_lines('scheme = {name = "plus", order = "pareto"}')).search().parameters.scheme
    assert isinstance(plus, Plus)
    assert plus.order == "pareto"
    search = resolve(
        with_lines(
            "limits = {size = 25}", "representation = {max_depth = 6}", "race = {first = 10, keep = 0.2}"
        )
    ).search()
    assert isinstance(search.representation, TreeRepresentation)
    assert isinstance(search.problem, GameProblem)
    assert (search.representation.max_size, search.representation.settings.max_depth) == (25, 6)
    assert search.problem.race == RaceSettings(first=10, keep=0.2)
    assert resolve(Config()).search().problem.race.first == 0  # type: ignore[attr-defined]


def test_rules_of_the_game_are_options() -> None:
    config = with_lines("[rules]", "players = 4", "ace_high = true", 'end = "ranks"')
    rules = resolve(config).search().problem.rules  # type: ignore[attr-defined]
    assert (rules.players, rules.ace_high, rules.end) == (4, True, "ranks")
    assert resolve(config).header == {
        "game": "sevens",
        "alphabet": "article",
        "rules": "players=4 ace_high=yes end=ranks",
        "trained": "random, simple on players=4 ace_high=yes end=ranks",
        "seed": "1",
    }


def test_the_header_of_a_champion_names_the_preset() -> None:
    config = parse_config('preset = "sevens"\nseed = 7\n[stop]\ngenerations = 3', shipped_presets())
    assert resolve(config).header == {
        "game": "sevens",
        "alphabet": "article",
        "preset": "sevens",
        "seed": "7",
    }
    assert (
        "preset"
        not in resolve(parse_config('preset = "sevens"\n[limits]\nsize = 40', shipped_presets())).header
    )


def test_a_preset_with_its_operators_in_another_order_is_not_the_preset() -> None:
    config = shipped_presets()["sevens"]
    turned = replace(config, operators=dict(reversed(config.operators.items())))
    assert "preset" in resolve(config).header
    assert "preset" not in resolve(turned).header


def test_versions_say_what_a_run_depends_on() -> None:
    assert set(versions()) == {"gpkit", "python", "numpy", "numba"}


def test_every_game_with_an_alphabet_has_the_default_configuration_of_its_name() -> None:
    assert {
        entry.name for entry in GAMES if any(each.alphabets for each in entry.load().offers.values())
    } <= set(shipped_presets())


def test_elites_are_for_schemes_that_clone_them() -> None:
    few = {"population": {"size": 3}}
    with pytest.raises(UsageError, match=r"scheme\.elites = 4: expected less than population\.size = 3"):
        config_from_data(few, Config())
    assert config_from_data({**few, "scheme": {"name": "plus"}}, Config()).population.size == 3
