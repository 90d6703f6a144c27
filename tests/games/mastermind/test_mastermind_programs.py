"""Programs break codes: readable and compiled ones guess alike, and the known strategies have their known means."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_marks import compiled_only

from gpkit.core.errors import UsageError
from gpkit.core.primitives import RANDOM, Alphabet
from gpkit.core.registry import data_folder
from gpkit.core.rng import stream
from gpkit.gamekit.game import Expected
from gpkit.gamekit.players import Player, machine_programs
from gpkit.games.mastermind import programs
from gpkit.games.mastermind.game import GAME, MAKER, SecretDeals, expect
from gpkit.games.mastermind.players import expected_mean, guess_by_chance
from gpkit.games.mastermind.primitives import FULL, PRIMITIVES
from gpkit.games.mastermind.programs import guesses_for, guesses_for_all, sense_codes
from gpkit.games.mastermind.rules import (
    VARIANTS,
    Code,
    Feedback,
    MastermindRules,
    Turn,
    code_of_number,
    code_text,
    feedback,
    number_of_code,
    parts,
)
from gpkit.games.mastermind.sensors import sense
from gpkit.games.mastermind.state import MastermindState
from gpkit.genomes.tree import Tree, random_tree
from gpkit.langkit.formulas import evaluate
from gpkit.languages.arithmetic.compiler import compile_tree
from gpkit.languages.arithmetic.text import parse
from gpkit.playing.decisions import choose as choose_of
from gpkit.playing.players import player_of_name, player_of_text
from gpkit.vm.program import Program
from gpkit_experiments.readable.mastermind import candidates, choose

SMALL = [
    MastermindRules(3, 3),
    MastermindRules(2, 5),
    MastermindRules(3, 4, False),
    MastermindRules(1, 4),
    MastermindRules(4, 2),
    MastermindRules(3, 3, guesses=3),
]
FORMULAS = Alphabet("formulas", (*FULL.sensors, RANDOM), FULL.operators)
CODEMAKER = Player(MAKER, placement=MAKER)


def _compiled(tree: Tree) -> Program:
    return compile_tree(tree, PRIMITIVES.sensor_names)


def _guesses_readable(tree: Tree, secret: int, key: int, rules: MastermindRules) -> int:
    """The guesses of a formula for a secret, by the readable rules, sensors and interpreter."""
    state = MastermindState.begin(code_of_number(secret, rules), rules)
    while not state.is_terminal:
        turns = state.turns

        def utility(sensors: dict[str, float], number: int, state: MastermindState = state) -> float:
            return evaluate(tree, sensors, state.random_numbers(key, number))

        state = state.apply(number_of_code(choose(candidates(turns, rules), turns, rules, utility), rules))
    return int(state.returns()[0])


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(SMALL), st.data())
def test_readable_and_compiled_programs_take_the_same_guesses(
    seed: int, rules: MastermindRules, data: st.DataObject
) -> None:
    tree = random_tree(stream(seed, "formula"), FORMULAS, 4, "grow")
    secret, key = data.draw(st.integers(0, rules.codes - 1)), data.draw(st.integers(0, (1 << 26) - 1))
    expected = _guesses_readable(tree, secret, key, rules)
    assert guesses_for(_compiled(tree), secret, key, rules) == expected
    if RANDOM not in tree.symbols:
        assert guesses_for_all(_compiled(tree), rules)[secret] == expected


@compiled_only
@pytest.mark.parametrize("rows", [0, 100, programs.BOOK_ROWS])
def test_by_a_book_programs_take_the_same_guesses_whatever_room_it_has(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = MastermindRules(3, 5, guesses=6)
    trees = [random_tree(stream(seed, "formula"), FULL, 4, "grow") for seed in range(40)]
    monkeypatch.setattr(programs, "TABLED", 0)
    without = [programs.guesses_for_all(_compiled(tree), rules).tolist() for tree in trees]
    monkeypatch.setattr(programs, "BOOK_ROWS", rows)
    programs.book_of.cache_clear()
    monkeypatch.setattr(programs, "TABLED", rules.codes)
    assert [programs.guesses_for_all(_compiled(tree), rules).tolist() for tree in trees] == without
    assert programs.book_of.cache_info().currsize == 2
    programs.book_of.cache_clear()


def _nodes(rules: MastermindRules, seed: int) -> tuple[tuple[Turn, ...], list[Code]]:
    """Some guesses about a secret, and what they leave."""
    rng = stream(seed, "node")
    secret, *guesses = (
        code_of_number(int(number), rules) for number in rng.integers(rules.codes, size=2 + seed % 3)
    )
    turns = tuple(Turn(guess, feedback(guess, secret)) for guess in guesses)
    return turns, list(candidates(turns, rules))


@pytest.mark.parametrize("rules", [*SMALL, MastermindRules(5, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_readable_and_compiled_sensors_agree(rules: MastermindRules, seed: int) -> None:
    turns, left = _nodes(rules, seed)
    numbers = np.array([number_of_code(code, rules) for code in left], dtype=np.int32)
    compiled = sense_codes(turns, numbers, rules)
    for number in range(rules.codes):
        readable = sense(code_of_number(number, rules), left, turns, rules)
        assert tuple(readable) == PRIMITIVES.sensor_names
        assert compiled[:, number].tolist() == list(readable.values())
        for sensor, value in zip(PRIMITIVES.sensors, readable.values(), strict=True):
            if sensor.name != "env.left":  # nobody asks about one or two codes
                assert sensor.low <= value <= sensor.high
            assert not sensor.integer or value == int(value)


def test_sensors_with_and_without_a_table_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = MastermindRules(3, 4)
    turns, left = _nodes(rules, 1)
    numbers = np.array([number_of_code(code, rules) for code in left], dtype=np.int32)
    tabled = sense_codes(turns, numbers, rules)
    monkeypatch.setattr("gpkit.games.mastermind.programs.TABLED", 0)
    more = MastermindRules(3, 4, guesses=14)  # whose tables nobody has asked for
    assert sense_codes(turns, numbers, more).tolist() == tabled.tolist()


KNOWN = {
    "knuth": ("1122", 5801, [1, 6, 62, 533, 694]),
    "irving": ("1123", 5696, [1, 10, 54, 645, 583, 3]),
    "entropy": ("1234", 5722, [1, 4, 71, 612, 596, 12]),
    "kooi": ("1123", 5668, [1, 12, 72, 635, 569, 7]),
    "first-consistent": ("1111", 7471, [1, 4, 25, 108, 305, 602, 196, 49, 6]),
}
"""First guess, guesses over all 1296 secrets, and secrets by guesses: as in Kooi (2005), where it has them."""


def _guess(name: str, turns: tuple[Turn, ...]) -> Code:
    """The guess of a program in the classic game, whose code is the first that fits these answers."""
    state = MastermindState(MastermindRules(), candidates(turns, MastermindRules())[0], turns)
    deals = SecretDeals(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    return code_of_number(choose_of(GAME, player_of_name(name, GAME), state, deals), MastermindRules())


@compiled_only
@pytest.mark.parametrize("name", KNOWN)
def test_known_strategies_are_programs_with_their_known_means(name: str) -> None:
    first, total, counts = KNOWN[name]
    assert code_text(_guess(name, ()), MastermindRules()) == first
    path = data_folder("programs") / "mastermind" / f"{name}.tree"
    agent = player_of_text(path.read_text(encoding="utf-8"), GAME, filename=path.name)
    exact = expect([agent, CODEMAKER], MastermindRules())
    assert exact == Expected(
        (total / 1296,), {"secrets": 1296, "most": len(counts), "lost": 0, "distribution": counts}
    )
    named, read = machine_programs([player_of_name(name, GAME), agent])
    assert named.code.tolist() == read.code.tolist()


SUPER = {
    "knuth": (183_966, [1, 5, 79, 1376, 11371, 18193, 1743]),
    "irving": (180_287, [1, 8, 105, 1477, 13804, 16584, 789]),
    "entropy": (179_863, [1, 9, 113, 1575, 14136, 16014, 919, 1]),
    "kooi": (181_834, [1, 14, 163, 1424, 12882, 16787, 1488, 9]),
}
"""Over all 32,768 secrets of the super game: 5.6142, 5.5019, 5.4890 and 5.5491 guesses on average."""


@compiled_only
@pytest.mark.slow
@pytest.mark.parametrize("name", SUPER)
def test_known_strategies_in_the_super_game(name: str) -> None:
    total, counts = SUPER[name]
    exact = expect([player_of_name(name, GAME), CODEMAKER], MastermindRules.from_options(VARIANTS["super"]))
    assert (exact.mean, exact.details["distribution"]) == (total / 32768, counts)


@compiled_only
def test_knuth_told_what_follows_one_white_peg() -> None:
    turns = (Turn((0, 0, 1, 1), feedback((0, 0, 1, 1), (1, 2, 3, 4))),)
    assert turns[0].feedback == Feedback(0, 1)
    left = candidates(turns, MastermindRules())
    assert len(left) == 256
    guess = _guess("knuth", turns)
    assert code_text(guess, MastermindRules()) == "2344", "as printed by Knuth"
    assert max(parts(guess, left)) == 44


def test_where_nothing_is_learned_the_code_is_lost() -> None:
    rules = MastermindRules(2, 3, guesses=4)
    tree = parse("guess: -env.parts").program.parts["guess"]
    guesses = guesses_for_all(_compiled(tree), rules)
    assert [guesses_for(_compiled(tree), secret, 0, rules) for secret in range(9)] == guesses.tolist()
    assert [_guesses_readable(tree, secret, 0, rules) for secret in range(9)] == guesses.tolist()
    assert max(guesses) == 5


def _expected(left: tuple[int, ...], allowed: int, rules: MastermindRules) -> float:
    """The expected guesses for all of these secrets, by the definition."""
    if allowed == 0:
        return len(left)
    total = float(len(left))
    for guess in left:
        parts: dict[int, list[int]] = {}
        for secret in left:
            answer = feedback(code_of_number(guess, rules), code_of_number(secret, rules)).number
            parts.setdefault(answer, []).append(secret)
        total += sum(_expected(tuple(p), allowed - 1, rules) for p in parts.values() if p != [guess]) / len(
            left
        )
    return total


@pytest.mark.parametrize(
    "rules",
    [
        MastermindRules(2, 3),
        MastermindRules(3, 2),
        MastermindRules(2, 4, False),
        MastermindRules(2, 4, guesses=2),
        MastermindRules(1, 3),
    ],
)
def test_chance_is_followed_as_the_definition_says(rules: MastermindRules) -> None:
    expected = _expected(tuple(range(rules.codes)), rules.guesses, rules) / rules.codes
    assert expected_mean(rules) == pytest.approx(expected, abs=1e-12)


@pytest.mark.release
def test_games_of_chance_have_the_expected_mean() -> None:
    rules = MastermindRules(2, 4)
    deals = GAME.deal(stream(1, "test"), 4000, rules)
    scores = GAME.play([player_of_name("consistent-random", GAME), CODEMAKER], deals, rules).values[:, 0]
    error = scores.std() / np.sqrt(len(scores))
    assert abs(scores.mean() - expected_mean(rules)) < 4 * error


def test_guesses_by_chance_are_any_candidate() -> None:
    rules = MastermindRules(3, 3)
    turns = (Turn((0, 0, 1), feedback((0, 0, 1), (0, 1, 2))),)
    left = candidates(turns, rules)
    drawn = Counter(guess_by_chance(turns, key, rules) for key in range(100 * len(left)))
    assert set(drawn) == set(left)
    assert len(left) == 4
    deviation = sum((count - 100) ** 2 / 100 for count in drawn.values())
    assert deviation < 16.3  # 0.1% of the chi-squared distribution of 3 degrees
    assert guess_by_chance(turns, 7, rules) == guess_by_chance(turns, 7, rules)


@pytest.mark.release
@compiled_only
def test_chance_in_the_classic_game() -> None:
    assert expected_mean(MastermindRules()) == pytest.approx(4.643523338214966, abs=1e-9)


def test_a_program_can_say_consistent_random() -> None:
    rules = MastermindRules(2, 4)
    program = player_of_text("guess: env.possible + math.random()", GAME, filename="a.tree")
    deals = GAME.deal(stream(2, "test"), 2000, rules)
    scores = GAME.play([program, CODEMAKER], deals, rules).values[:, 0]
    assert abs(scores.mean() - expected_mean(rules)) < 4 * scores.std() / np.sqrt(len(scores))


def test_deals_are_uniform_and_the_same_for_larger_counts() -> None:
    rules = MastermindRules(2, 3)
    deals = GAME.deal(stream(1, "test"), 9000, rules)
    assert GAME.deal(stream(1, "test"), 10, rules).secrets.tolist() == deals[:10].secrets.tolist()
    counts = np.bincount(deals.secrets, minlength=9)
    assert len(counts) == 9
    assert ((counts - 1000) ** 2 / 1000).sum() < 26.1  # 0.1% of the chi-squared distribution of 8 degrees


@pytest.mark.parametrize(
    ("text", "rules", "message"),
    [
        ("guess: math.random()", MastermindRules(2, 3), "draws random numbers, so its exact mean is unknown"),
        ("guess: env.parts", MastermindRules(12, 26), "95,428,956,661,682,176 codes are too many"),
        (
            "guess: env.parts",
            MastermindRules(6, 9),
            "531,441 codes are too many: programs play games of up to 131,072",
        ),
    ],
)
def test_what_cannot_be_computed_is_told(text: str, rules: MastermindRules, message: str) -> None:
    agent = player_of_text(text, GAME, filename="a.tree")
    with pytest.raises(UsageError, match=message):
        expect([agent, CODEMAKER], rules)


def test_who_does_not_fit_is_told() -> None:
    random, knuth = player_of_name("consistent-random", GAME), player_of_name("knuth", GAME)
    rules = MastermindRules(2, 3)
    deals = GAME.deal(stream(1, "test"), 1, rules)
    for agents, message in (
        ([CODEMAKER, CODEMAKER], "codemaker only hides a code"),
        ([knuth, random], "consistent-random breaks codes; name a player that hides them: codemaker"),
        ([random, knuth], "knuth breaks codes"),
    ):
        with pytest.raises(UsageError, match=message):
            GAME.play(agents, deals, rules)
    with pytest.raises(UsageError, match="exact for up to 1,296 codes, but this game has 32,768"):
        expect([random, CODEMAKER], MastermindRules(5, 8))
    far = MastermindRules(6, 12)
    with pytest.raises(UsageError, match="lists all codes, and 2,985,984 are too many"):
        GAME.play([random, CODEMAKER], GAME.deal(stream(1, "test"), 1, far), far)


@compiled_only
def test_the_optimal_tree_is_a_player() -> None:
    exact = expect([player_of_name("optimal", GAME), CODEMAKER], MastermindRules())
    assert exact.mean == 5625 / 1296
    assert (exact.details["secrets"], exact.details["most"], exact.details["lost"]) == (1296, 6, 0)
    deals = GAME.deal(stream(1, "test"), 50, MastermindRules())
    guesses = GAME.play([player_of_name("optimal", GAME), CODEMAKER], deals, MastermindRules()).values
    assert 1 <= guesses.min() <= guesses.max() <= 6
    with pytest.raises(UsageError, match="optimal plays only the classic game: --rules variant=classic"):
        expect([player_of_name("optimal", GAME), CODEMAKER], MastermindRules(5, 8))


@pytest.mark.release
@compiled_only
def test_the_tree_of_the_super_game_is_a_player() -> None:
    rules = MastermindRules(5, 8)
    exact = expect([player_of_name("beam", GAME), CODEMAKER], rules)
    assert exact.mean == 179113 / 32768
    assert (exact.details["most"], exact.details["lost"]) == (7, 0)


@pytest.mark.release
@compiled_only
@pytest.mark.parametrize(
    "name",
    [
        "evolutionary",
        *(
            pytest.param(f"evolutionary-{kind}", marks=pytest.mark.release)
            for kind in ("parts", "size", "entropy")
        ),
    ],
)
def test_evolutionary_breakers_are_players(name: str) -> None:
    agents = [player_of_name(name, GAME), CODEMAKER]
    for rules in (MastermindRules(), MastermindRules(6, 12)):
        deals = GAME.deal(stream(1, "test"), 2, rules)
        scores = GAME.play(agents, deals, rules)
        assert scores.values.tolist() == GAME.play(agents, deals, rules).values.tolist()
        assert scores.stalled == 0
        assert scores.values.max() <= 11
    with pytest.raises(UsageError, match="draw random numbers: leave --exact out"):
        expect(agents, MastermindRules())
