"""The yardsticks of grammars: string match, Santa Fe trail, multiplexers and Pagie-1, beside alogos and geneticengine.

A run makes 20,000 programs in 40 generations of 500, and ends earlier when it succeeds. All toolkits score the same
things in the same way, and keep their defaults, except: alogos (system ``cfggpst``) has at most 200 nodes, as its
default of 10,000 ends in a RecursionError; geneticengine's trees have at most 15 levels for the ant, 8 for Pagie-1 and
6 for the multiplexers, and its string match is a list of letters. gpkit evolves the files of
``tests/user_languages/yardsticks``; its default selection was chosen on seeds 1 to 4, and confirmed on seeds 61,101 to
61,105.

Criterion, named before the runs: seeds 60,001 to 60,030. The difference in the share of runs that succeed (Newcombe's
95 % interval), and on Pagie-1 in the mean of the absolute error (10,000 bootstrap samples), gpkit's less theirs: gpkit
is worse if the interval lies on their side of 0, better if it lies on gpkit's. gpkit is worse than neither on any
yardstick, and better than each on two.

    python -m gpkit_experiments.grammar_yardsticks run TOOLKIT FILE FIRST LAST [PROBLEM...]

appends a line for each run to FILE; alogos 0.2.1 and geneticengine 0.8.10 run without gpkit, in an environment of their
own. ``python -m gpkit_experiments.grammar_yardsticks verdict FILE`` prints the table and the verdicts.
"""

import json
import random
import re
import sys
import time
from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import numpy as np

SIZE, GENERATIONS = 500, 40
FILES = Path(__file__).parents[2] / "tests" / "user_languages" / "yardsticks"
TARGET, LETTERS = "any grammar evolves", "abcdefghijklmnopqrstuvwxyz "
ROWS = """70000000 10000000 10000070 10000084 10000084 1ef80600 80004 80800 80804 80800 800 80004 80000 80838
80900 4000 0 80080 88010 88000 88000 88020 80100 80000 19f08000 40008000 40008000 40fe0000 41000000 1000000
3c000000 0"""
FOOD = {(x, y) for y, row in enumerate(ROWS.split()) for x in range(32) if int(row, 16) >> (31 - x) & 1}


@dataclass
class Yardstick:
    """A problem of the rivals: its rules, the score of a text, the best score, gpkit's file, and the most levels."""

    rules: dict[str, list[str]]
    score: Callable[[str], float]
    best: float
    file: str
    levels: int = 15


def letters(text: str) -> float:
    """The letters in their places, less what is too long or too short."""
    return sum(a == b for a, b in zip(text, TARGET, strict=False)) - abs(len(text) - len(TARGET))


def walk(text: str) -> float:
    """The food that an ant eats in 600 steps: 0 turns left, 1 right, 2 moves, and a pair looks ahead."""
    x, y, dx, dy, food, steps = 0, 0, 1, 0, set(FOOD), 600
    code, waiting = eval(text), list[Any]()  # noqa: S307 - a text of our grammar
    while steps and food:
        node = waiting.pop() if waiting else code
        ahead = (x + dx) % 32, (y + dy) % 32
        if isinstance(node, list):
            waiting.append(node[ahead not in food])
        elif isinstance(node, tuple):
            waiting += reversed(node)
        elif node == 2:
            (x, y), steps = ahead, steps - 1
            food.discard(ahead)
        else:
            dx, dy, steps = dy * (1 - 2 * node), dx * (2 * node - 1), steps - 1
    return float(len(FOOD) - len(food))


def multiplexer(address: int) -> Yardstick:
    """The multiplexer with so many address bits."""
    names = [f"a{k}" for k in range(address)] + [f"d{k}" for k in range(2**address)]
    rows = np.array([*product((False, True), repeat=len(names))]).T
    words = dict(zip(names, rows, strict=True))
    words |= {"both": np.logical_and, "either": np.logical_or, "inverse": np.logical_not, "choice": np.where}
    wanted = rows[address + sum(rows[k].astype(int) << k for k in range(address)), np.arange(rows.shape[1])]
    bits = ["both(<bit>,<bit>)", "either(<bit>,<bit>)", "inverse(<bit>)", "choice(<bit>,<bit>,<bit>)", "<s>"]
    return Yardstick(
        {"bit": bits, "s": names},
        lambda text: float((eval(text, words) == wanted).sum()),  # noqa: S307
        float(rows.shape[1]),
        "multiplexer",
        6,
    )


def pagie() -> Yardstick:
    """Pagie-1; the score is the mean absolute error, below 0."""
    x, y = map(np.ravel, np.meshgrid(*[np.linspace(-5, 5, 26)] * 2))
    wanted = 1 / (1 + x**-4) + 1 / (1 + y**-4)
    words = {"x": x, "y": y, "div": lambda a, b: np.where(b == 0.0, 1.0, np.divide(a, b))}

    def score(text: str) -> float:
        try:
            found = -np.mean(np.abs(eval(text, words) - wanted))  # noqa: S307
            return float(np.nan_to_num(found, nan=-1e9, neginf=-1e9))
        except (MemoryError, RecursionError, SyntaxError):  # more levels than Python's parser takes
            return -1e9

    sums = ["(<e>+<e>)", "(<e>-<e>)", "(<e>*<e>)", "div(<e>,<e>)", "x", "y", "<n>"]
    return Yardstick({"e": sums, "n": [f"{k / 10}" for k in range(21)]}, score, 0.0, "pagie", 8)


YARDSTICKS = {
    "letters": Yardstick(
        {"text": ["<letter>", "<letter><text>"], "letter": [*LETTERS]}, letters, float(len(TARGET)), "letters"
    ),
    "ant": Yardstick(
        {"code": ["<line>", "<line><code>"], "line": ["0,", "1,", "2,", "[(<code>),(<code>)],"]},
        walk,
        float(len(FOOD)),
        "ant",
    ),
    "multiplexer6": multiplexer(2),
    "multiplexer11": multiplexer(3),
    "pagie": pagie(),
}


def by_alogos(name: str, seed: int) -> tuple[float, int]:
    """The best score of a run, and the number of programs that it made."""
    import alogos

    given = YARDSTICKS[name]
    texts = {
        rule: " | ".join(['" "' if each == " " else each for each in of]) for rule, of in given.rules.items()
    }
    bnf = "\n".join(f"<{rule}> ::= {text}" for rule, text in texts.items())
    random.seed(seed)
    np.random.seed(seed)
    search = alogos.EvolutionaryAlgorithm(
        alogos.Grammar(bnf_text=bnf),
        given.score,
        "max",
        population_size=SIZE,
        offspring_size=SIZE,
        max_generations=GENERATIONS,
        max_or_min_fitness=given.best,
        max_nodes=200,
    )
    return float(search.run().fitness), search.state.generation * SIZE


def by_geneticengine(name: str, seed: int) -> tuple[float, int]:
    """The best score of a run, and the number of programs that it made."""
    from geneticengine.evaluation.budget import EvaluationBudget
    from geneticengine.prelude import GeneticProgramming, NativeRandomSource, extract_grammar
    from geneticengine.problems import SingleObjectiveProblem
    from geneticengine.representations.tree.initializations import MaxDepthDecider
    from geneticengine.representations.tree.treebased import TreeBasedRepresentation

    given, source = YARDSTICKS[name], NativeRandomSource(seed)
    rules = {rule: type(rule, (ABC,), {}) for rule in given.rules}
    nodes = [_node(rules, rule, each) for rule, alternatives in given.rules.items() for each in alternatives]
    grammar = extract_grammar(
        [_letters(rules["text"])] if name == "letters" else nodes, rules[next(iter(given.rules))]
    )
    search = GeneticProgramming(
        problem=SingleObjectiveProblem(
            lambda program: given.score(str(program)), minimize=False, target=given.best
        ),
        budget=EvaluationBudget(SIZE * GENERATIONS),
        representation=TreeBasedRepresentation(grammar, MaxDepthDecider(source, grammar, given.levels)),
        random=source,
        population_size=SIZE,
    )
    (best,) = search.search()
    return best.get_fitness(search.problem).fitness_components[0], search.tracker.get_number_evaluations()


def _node(rules: dict[str, type], rule: str, alternative: str) -> type:
    """The class of an alternative, whose text is the alternative with the texts of its parts."""
    pieces = re.split("<([a-z]+)>", alternative)
    fields = [(f"part{k}", rules[each]) for k, each in enumerate(pieces[1::2])]
    return make_dataclass(
        f"{rule}{len(rules[rule].__subclasses__())}",
        fields,
        bases=(rules[rule],),
        namespace={
            "__str__": lambda self: "{}".join(pieces[::2]).format(
                *[getattr(self, field) for field, _ in fields]
            )
        },
    )


def _letters(base: type) -> type:
    """The class of a list of letters."""
    from geneticengine.prelude import ListSizeBetween, VarRange

    given = Annotated[list[Annotated[str, VarRange([*LETTERS])]], ListSizeBetween(1, 40)]
    return make_dataclass(
        "Letters",
        [("letters", given)],
        bases=(base,),
        namespace={"__str__": lambda self: "".join(self.letters)},
    )


def by_gpkit(name: str, seed: int) -> tuple[float, int]:
    """The best score of a run, and the number of programs that it made."""
    import gpkit
    from gpkit.core.plugins import imported_file

    given, seen = YARDSTICKS[name], list[float]()
    module = imported_file(str(FILES / f"{given.file}.py"))
    problem = module.multiplexer(3) if name == "multiplexer11" else module.PROBLEM
    gpkit.evolve(
        problem,
        seed=seed,
        settings={
            "population": {"size": SIZE},
            "stop": {"fitness": given.best, "generations": GENERATIONS - 1},
        },
        callback=lambda summary, _: seen.append(summary.best),
    )
    return max(seen), len(seen) * SIZE


TOOLKITS = {"gpkit": by_gpkit, "alogos": by_alogos, "geneticengine": by_geneticengine}


def run(toolkit: str, file: Path, seeds: range, names: list[str]) -> None:
    """Append the runs that the file lacks, seed by seed."""
    known = {(each["toolkit"], each["yardstick"], each["seed"]) for each in cells(file)}
    for seed in seeds:
        for name in names or YARDSTICKS:
            if (toolkit, name, seed) in known:
                continue
            began = time.process_time()
            with np.errstate(all="ignore"):
                score, made = TOOLKITS[toolkit](name, seed)
            cell = {"toolkit": toolkit, "yardstick": name, "seed": seed, "score": score, "made": made}
            with file.open("a") as lines:
                lines.write(json.dumps(cell | {"seconds": round(time.process_time() - began, 2)}) + "\n")


def cells(file: Path) -> list[dict[str, Any]]:
    """The runs in a file."""
    lines = file.read_text().splitlines() if file.exists() else []
    return [cell for cell in map(json.loads, lines) if "toolkit" in cell]


def difference(name: str, mine: list[float], theirs: list[float]) -> tuple[float, float, float]:
    """gpkit's advantage over a rival with its 95 % interval: in the share of successes, on Pagie-1 in the error."""
    from gpkit.core.statistics import share_interval

    if name == "pagie":
        rng = np.random.default_rng(60)
        means = [rng.choice(each, (10_000, len(each))).mean(axis=1) for each in (mine, theirs)]
        low, high = np.quantile(means[0] - means[1], (0.025, 0.975))
        return float(np.mean(mine) - np.mean(theirs)), float(low), float(high)
    hits = [sum(score >= YARDSTICKS[name].best for score in each) for each in (mine, theirs)]
    (p, a, b), (q, c, d) = share_interval(hits[0], len(mine)), share_interval(hits[1], len(theirs))
    return p - q, p - q - np.hypot(p - a, d - q), p - q + np.hypot(b - p, q - c)


def verdict(file: Path) -> None:
    """Print a line for each yardstick and rival, over the seeds that both have."""
    for name in YARDSTICKS:
        scores = {
            toolkit: {
                each["seed"]: each["score"]
                for each in cells(file)
                if (each["toolkit"], each["yardstick"]) == (toolkit, name)
            }
            for toolkit in TOOLKITS
        }
        for rival in ("alogos", "geneticengine"):
            seeds = sorted({*scores["gpkit"]} & {*scores[rival]})
            mine, theirs = ([scores[each][seed] for seed in seeds] for each in ("gpkit", rival))
            if seeds:
                mean, low, high = difference(name, mine, theirs)
                said = "better" if low > 0 else "worse" if high < 0 else "not distinguished"
                medians = f"median {np.median(mine):.4g} and {np.median(theirs):.4g}"
                print(
                    f"{name} {rival} {len(seeds)} seeds: {mean:+.3f} ({low:+.3f} to {high:+.3f}), {medians}: {said}"
                )


def main() -> None:
    """Run what the arguments say."""
    what, *words = sys.argv[1:]
    if what == "verdict":
        verdict(Path(words[0]))
    else:
        run(words[0], Path(words[1]), range(int(words[2]), int(words[3]) + 1), words[4:])


if __name__ == "__main__":
    main()
