"""Games a second on one core, of Sevens, Battleship, Dots and Boxes and Mastermind: compiled, and by readable rules."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from gpkit.core.arrays import Floats
from gpkit.core.registry import game_of, shipped_programs
from gpkit.core.rng import below, stream
from gpkit.gamekit.game import Deals, Game
from gpkit.gamekit.players import Player, strategy_player
from gpkit.gamekit.state import end_of, played
from gpkit.games.battleship.primitives import PRIMITIVES
from gpkit.games.battleship.rules import BattleshipRules, FleetDeals
from gpkit.games.dots_and_boxes.facts import decide
from gpkit.games.dots_and_boxes.opponents import POLICIES, Policy, drawn_edge
from gpkit.games.dots_and_boxes.rules import DotsAndBoxesRules, DotsAndBoxesState
from gpkit.games.mastermind.game import SecretDeals
from gpkit.games.mastermind.rules import MastermindRules
from gpkit.games.sevens.game import PackDeals
from gpkit.games.sevens.rules import SevensRules, SevensState, deal
from gpkit.genomes.linear import LinearProgram
from gpkit.genomes.tree import TreeProgram
from gpkit.langkit.formulas import evaluate
from gpkit.languages.arithmetic.text import parse
from gpkit.languages.sinking.compiler import compile_program
from gpkit.languages.sinking.forms.playing import turns
from gpkit.languages.sinking.text import dialect_of
from gpkit.playing import decisions
from gpkit.playing.players import player_of_name, player_of_program, program_of_name
from gpkit.vm.program import verify
from gpkit_experiments.bench.measure import Measure, Outcome, Session, Target, Work, interleaved, rate, times
from gpkit_experiments.readable.sevens import choose, play_out


def beside_rules(
    session: Session, kernel: Work, readable: Work, rounds: int, target: Target | None = None
) -> tuple[Measure, ...]:
    """Games a second in the kernel and by the readable rules, and how many times as many the kernel plays."""
    fast, slow = interleaved([kernel, readable], rounds, session.clock)
    return (
        rate("kernel", "the kernel", fast, target),
        rate("readable", "the readable rules and interpreter", slow),
        times("kernel_over_readable", "the kernel / the readable rules", slow, fast),
    )


SEVENS: Game = game_of("sevens")

SIMPLE = "simple"
"""Sits in all three seats."""

SEVENS_A_SECOND = Target("at least", required=100_000.0, aim=150_000.0)


def sevens(session: Session) -> Outcome:
    """Time games of three equal players; every deal is played in every seating."""
    rounds, many, few = (3, 500, 2) if session.quick else (9, 10_000, 20)
    session.watch(f"sevens: {rounds} times {3 * many:,} games in the kernel, {3 * few} by the readable rules")
    rules, program = SevensRules(), sevens_program()
    deals = SEVENS.deal(stream(0, "bench deals"), many, rules)
    agreed = program, deals[:few], rules
    assert np.array_equal(sevens_in_kernel(*agreed), sevens_by_rules(*agreed)), "same games"

    def kernel(_: int) -> float:
        return float(sevens_in_kernel(program, deals, rules).size)

    def readable(number: int) -> float:
        return float(sevens_by_rules(program, deals[number * few : (number + 1) * few], rules).size)

    task = (
        f"3 players, all `{SIMPLE}`, every deal in every seating; in each of {rounds} rounds "
        f"{3 * many:,} games in the kernel and {3 * few} by the readable rules"
    )
    return Outcome(task, beside_rules(session, kernel, readable, rounds, SEVENS_A_SECOND))


def sevens_program() -> TreeProgram:
    """The program of ``SIMPLE``."""
    path = shipped_programs(SEVENS.name)[SIMPLE]
    return parse(path.read_text(encoding="utf-8"), path.name).program


def sevens_in_kernel(program: TreeProgram, deals: PackDeals, rules: SevensRules) -> Floats:
    """Values that the first of equal players reaches: float64 (deals, seatings)."""
    players = [player_of_program(program, SEVENS, SIMPLE)] * rules.players
    return SEVENS.play(players, deals, rules).values


def sevens_by_rules(program: TreeProgram, deals: PackDeals, rules: SevensRules) -> Floats:
    """The same as ``sevens_in_kernel``, by the readable rules."""
    scores = np.empty((len(deals), rules.players))
    for row, deck, key in zip(scores, deals.decks.tolist(), deals.keys.tolist(), strict=True):
        for seat in range(rules.players):
            row[seat] = _sevens_game(program, deck, key, rules).returns()[seat]
    return scores


def _sevens_game(program: TreeProgram, deck: list[int], key: int, rules: SevensRules) -> SevensState:
    """The end of one game."""

    def chosen(state: SevensState) -> int:
        tree = program.parts[state.decision]
        return choose(state, lambda sensors, card: evaluate(tree, sensors, state.random_numbers(key, card)))

    return play_out(deal(deck, rules), chosen)


BATTLESHIP: Game = game_of("battleship")

DIALECT = dialect_of({}, PRIMITIVES)

BOARD = BattleshipRules()

BATTLESHIP_A_SECOND = Target("at least", aim=100_000.0)
OVER_PYTHON = Target("at least", aim=45.0)


def battleship(session: Session) -> Outcome:
    """Time games of the corrected Figure 8, plain and padded with lines that have no effect, and of random programs."""
    rounds, many, few, programs = (3, 2_000, 2, 10) if session.quick else (9, 20_000, 10, 200)
    session.watch(
        f"battleship: {rounds} times 3 x {many:,} games in the kernel, and {few} by the readable rules"
    )
    corrected = program_of_name("corrected", BATTLESHIP)
    padded = with_introns(corrected)
    deals = BATTLESHIP.deal(stream(0, "bench boards"), many, BOARD)
    plain, kept = shooter(corrected), shooter(padded, keep_introns=True)
    removed = shooter(padded)
    assert np.array_equal(shots(plain, deals[:100]), shots(removed, deals[:100])), "introns do not matter"
    assert np.array_equal(shots(plain, deals[:few]), readable_shots(corrected, deals[:few])), "same games"
    random = [random_program(number) for number in range(programs)]
    players = [shooter(program) for program in random]
    board = deals[:1]
    told = [readable_shots(program, board)[0] for program in random[:5]]
    assert [shots(each, board)[0] for each in players[:5]] == told, "same games"

    def of(player: Player) -> Work:
        return lambda _: float(len(shots(player, deals)))

    def readable(number: int) -> float:
        return float(len(readable_shots(corrected, deals[number * few : (number + 1) * few])))

    def machine(_: int) -> float:
        return float(len([shots(each, board) for each in players]))

    def interpreter(number: int) -> float:
        some = random[number % programs :: max(1, programs // 5)]
        return float(len([readable_shots(each, board) for each in some]))

    works: list[Work] = [of(plain), of(removed), of(kept), readable, machine, interpreter]
    fast, without, with_them, slow, compiled, interpreted = interleaved(works, rounds, session.clock)
    task = (
        f"solitaire on uniform boards by the corrected Figure 8; padded is the same with {len(padded)} lines; random "
        f"programs have 50 lines and play one game each; {rounds} rounds"
    )
    return Outcome(
        task,
        (
            rate("kernel", "the kernel", fast, BATTLESHIP_A_SECOND),
            rate("without_introns", "padded, introns removed", without),
            rate("with_introns", "padded, introns kept", with_them),
            times("removal", "padded, removed / kept", with_them, without),
            rate("readable", "the readable rules and interpreter", slow),
            times("kernel_over_readable", "the kernel / the readable rules", slow, fast),
            rate("programs", "random programs in the machine", compiled, unit="programs/s"),
            times(
                "programs_over_python",
                "random programs, machine / plain Python",
                interpreted,
                compiled,
                OVER_PYTHON,
            ),
        ),
    )


def shooter(program: LinearProgram, *, keep_introns: bool = False) -> Player:
    """The compiled player of a program."""
    compiled = compile_program(program, DIALECT, PRIMITIVES, keep_introns=keep_introns)
    verify(compiled)
    return Player("program", (compiled,), program=program, header=DIALECT)


def shots(player: Player, deals: FleetDeals) -> Sequence[float]:
    """The shots of every game, in the kernel."""
    scores = BATTLESHIP.play([player, player_of_name("uniform", BATTLESHIP)], deals, BOARD)
    return [float(value) for value in scores.values[:, 0]]


def readable_shots(program: LinearProgram, deals: FleetDeals) -> Sequence[float]:
    """The shots of every game, by the readable rules and the interpreter."""
    player, found = shooter(program), []
    for k in range(len(deals)):
        deal = deals[k : k + 1]
        state = BATTLESHIP.begin([player, Player("uniform")], deal, BOARD)
        shoot = turns(player, PRIMITIVES, state.board, deal.key(0))
        while not state.is_terminal:
            state = shoot(state)[-1].after
        found.append(state.returns()[0])
    return found


def with_introns(program: LinearProgram) -> LinearProgram:
    """The program with a ``Nop`` before every line that no condition decides about, as far as the blocks hold them."""
    blocks = []
    for block, capacity in zip(program.blocks, PRIMITIVES.capacities, strict=True):
        lines: list[str] = []
        for k, word in enumerate(block):
            guarded = k > 0 and block[k - 1].startswith("If")
            room = capacity - len(lines) - (len(block) - k)
            lines += [word] if guarded or room < 1 else ["Nop", word]
        blocks.append(tuple(lines))
    return LinearProgram(program.names, tuple(blocks))


def random_program(number: int) -> LinearProgram:
    """Full blocks of random instructions of the source's alphabet."""
    rng = stream(number, "bench program")
    words = PRIMITIVES.alphabets[0].instructions
    blocks = tuple(
        tuple(words[below(rng, len(words))] for _ in range(capacity)) for capacity in PRIMITIVES.capacities
    )
    return LinearProgram(PRIMITIVES.sections, blocks)


DOTS_AND_BOXES: Game = game_of("dots_and_boxes")

POLICY, RULE_LIST, OPPONENT = "safe", "double-dealer", "chain"

BOXES = DotsAndBoxesRules()


def dots_and_boxes(session: Session) -> Outcome:
    """Time games of a policy and of a rule list against a policy; every deal is played in both seatings."""
    rounds, many, few = (3, 200, 1) if session.quick else (9, 4_000, 4)
    session.watch(
        f"dots_and_boxes: {rounds} times {4 * many:,} games in the kernel, {4 * few} by the readable rules"
    )
    deals = DOTS_AND_BOXES.deal(stream(0, "bench keys"), many, BOXES)
    for name in (POLICY, RULE_LIST):
        fast = boxes_in_kernel(boxes_seated(name), deals[:few])
        assert np.array_equal(fast, boxes_by_rules(name, deals[:few])), "same games"

    def kernel(name: str) -> Work:
        players = boxes_seated(name)
        return lambda _: float(boxes_in_kernel(players, deals).size)

    def readable(name: str) -> Work:
        return lambda number: float(boxes_by_rules(name, deals[number * few : (number + 1) * few]).size)

    works = [kernel(POLICY), readable(POLICY), kernel(RULE_LIST), readable(RULE_LIST)]
    policy, slow_policy, rules, slow_rules = interleaved(works, rounds, session.clock)
    task = (
        f"`{POLICY}` and the rule list `{RULE_LIST}` against `{OPPONENT}` on {BOXES.width}x{BOXES.height} boxes, every "
        f"deal in both seatings; {rounds} rounds"
    )
    return Outcome(
        task,
        (
            rate("policy", "a policy in the kernel", policy),
            times("policy_over_readable", "a policy, kernel / readable", slow_policy, policy),
            rate("rule_list", "a rule list in the kernel", rules),
            times("rule_list_over_readable", "a rule list, kernel / readable", slow_rules, rules),
        ),
    )


def boxes_seated(name: str) -> list[Player]:
    """A policy or a compiled rule list, and ``OPPONENT``."""
    if name in POLICIES:
        return [strategy_player(name), strategy_player(OPPONENT)]
    return [
        player_of_program(program_of_name(name, DOTS_AND_BOXES), DOTS_AND_BOXES, name),
        strategy_player(OPPONENT),
    ]


def boxes_in_kernel(players: Sequence[Player], deals: Deals) -> Floats:
    """Scores of the first of two players, in the kernel: float64 (deals, seatings)."""
    return DOTS_AND_BOXES.play(players, deals, BOXES).values


def boxes_by_rules(name: str, deals: Deals) -> Floats:
    """Scores of a policy or a rule list against ``OPPONENT``, by the readable rules: float64 (deals, seatings)."""
    pair = (readable_policy(name), POLICIES[OPPONENT])
    scores = np.empty((len(deals), 2))
    for row, key in zip(scores, deals.keys.tolist(), strict=True):
        for seat, (first, second) in enumerate((pair, pair[::-1])):
            *_, (state, edge) = play_readable(first, second, key, BOXES)
            row[seat] = state.apply(edge).returns()[seat]
    return scores


def readable_policy(name: str) -> Policy:
    """The policy of a name, or that of a rule list, in plain Python."""
    if name in POLICIES:
        return POLICIES[name]
    program = program_of_name(name, DOTS_AND_BOXES)
    return lambda state: decide(program, state).edges


def play_readable(
    first: Policy, second: Policy, key: int, rules: DotsAndBoxesRules
) -> Iterator[tuple[DotsAndBoxesState, int]]:
    """Every position of a game in which the first policy draws first, with the edge that is drawn next."""

    def choose(state: DotsAndBoxesState) -> int:
        return drawn_edge((first, second)[state.current_player](state), state, key)

    yield from ((before, edge) for before, edge, _ in played(DotsAndBoxesState.begin(rules), choose))


MASTERMIND: Game = game_of("mastermind")

BREAKER = "knuth"

CODES = MastermindRules()


def mastermind(session: Session) -> Outcome:
    """Time games of a program for all secrets."""
    rounds, few = (3, 2) if session.quick else (9, 20)
    session.watch(
        f"mastermind: {rounds} times {CODES.codes:,} games in the kernel, {few} by the readable rules"
    )
    players, some = codes_seated(), MASTERMIND.deal(stream(0, "bench secrets"), rounds * few, CODES)
    assert np.array_equal(codes_in_kernel(players, some[:few]), codes_by_rules(some[:few])), "same games"
    secrets = np.arange(CODES.codes)
    whole = SecretDeals(np.zeros_like(secrets), secrets)

    def kernel(_: int) -> float:
        return float(codes_in_kernel(players, whole).size)

    def readable(number: int) -> float:
        return float(codes_by_rules(some[number * few : (number + 1) * few]).size)

    task = f"`{BREAKER}` for all {CODES.codes:,} secrets in the kernel, for {few} by the readable rules"
    return Outcome(f"{task}; {rounds} rounds", beside_rules(session, kernel, readable, rounds))


def codes_seated() -> list[Player]:
    """The compiled ``BREAKER``, and who hides codes."""
    return [player_of_name(BREAKER, MASTERMIND), player_of_name("codemaker", MASTERMIND)]


def codes_in_kernel(players: Sequence[Player], deals: SecretDeals) -> Floats:
    """Guesses of players for these secrets, in the kernel: float64 (deals,)."""
    return MASTERMIND.play(players, deals, CODES).values[:, 0]


def codes_by_rules(deals: SecretDeals) -> Floats:
    """The same as ``codes_in_kernel``, by the readable rules."""
    player = player_of_name(BREAKER, MASTERMIND)
    scores = []
    for one in (deals[k : k + 1] for k in range(len(deals))):
        begun = MASTERMIND.begin([], one, CODES)
        scores.append(end_of(begun, partial(decisions.choose, MASTERMIND, player, deals=one)).returns()[0])
    return np.array(scores)
