"""Languages from one file: what follows from a grammar, its meanings, and what is refused."""

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Transformer, v_args

import gpkit
from gpkit.core import plugins
from gpkit.core.errors import GpkitError
from gpkit.core.registry import language_entry, offers_of
from gpkit.core.rng import stream
from gpkit.langkit.grammars import finite, read_grammar

WAYS = r"""
program: step+
step: "go" -> go  // weight: 3
    | "turn" SIDE -> turn
    | "again" NUMBER step -> again
    | "do" step+ "end" -> block
SIDE: "left" | "right"
%import common.INT -> NUMBER  // range: 2 5
%ignore /[ \t\n]+/
%ignore /#[^\n]*/
"""

SUMS = r"""
program: sum
?sum: sum "+" product -> add | sum "-" product -> take | product
?product: product "*" atom -> times | atom
?atom: NUMBER | SENSOR | "(" sum ")"
%import common.NUMBER  // range: 0 5
SENSOR: /[a-z]+/
%ignore " "
"""


SMALL = {"population": {"size": 40}}


@pytest.fixture(autouse=True)
def fresh() -> Any:
    """Forget the languages of a test."""
    before = dict(plugins.here.languages)
    yield
    plugins.here.languages.clear()
    plugins.here.languages.update(before)


@v_args(inline=True)
class Steps(Transformer):
    """The steps of a way."""

    NUMBER = int

    def go(self) -> int:
        """One."""
        return 1

    def turn(self, side: str) -> int:
        """None."""
        return 0

    def again(self, times: int, steps: int) -> int:
        """Some."""
        return times * steps

    def block(self, *steps: int) -> int:
        """All."""
        return sum(steps)

    program = block


def steps(tree: Any, most: int = 99) -> int:
    """The steps of a way, by a function."""
    return min(Steps().transform(tree), most)


def test_a_function_and_a_transformer_mean_the_same() -> None:
    text = "go again 3 do go turn left go end"
    gpkit.language("ways", WAYS, meaning=steps)
    program = gpkit.parse(text, language="ways")
    assert (program(), program(most=5), program(2)) == (7, 5, 2)
    gpkit.language("ways", WAYS, meaning=Steps)
    assert gpkit.parse(text, language="ways")() == 7


def test_texts_of_derivations_read_back() -> None:
    grammar = read_grammar(WAYS, "ways")
    rules = grammar.productions
    assert grammar.certain
    for number in range(60):
        room = 3 + number
        nodes = rules.drawn(stream(number, "test"), rules.start, room, is_full=number % 2 == 0)
        found = rules.derivation(nodes)
        assert len(found) <= room and grammar.parsed(grammar.print(found)) == found


@pytest.mark.parametrize(
    "grammar",
    [
        WAYS,
        SUMS.replace("/[a-z]+/", "/[xy]/"),
        'program: (one "," | _two)* \n?one: "a" | B one -> twice\n_two: "." B* "!"\nB: "b"',
        'program: _list\n_list: (NUMBER | "[" _list "]" _NL)+\nNUMBER: "1" | "2"\n_NL: /;/',
        '?program: "x" | "(" program program ")" | "-" program\n',
        '!program: "not" program | "b" -> leaf',
    ],
)
def test_functions_get_the_trees_that_lark_builds(grammar: str) -> None:
    language, alone = (
        gpkit.language("trees", grammar, meaning=lambda tree: tree),
        Lark(grammar, start="program"),
    )
    rules = read_grammar(grammar, "trees").productions
    for number in range(30):
        nodes = rules.drawn(stream(number, "trees"), rules.start, 2 + number, is_full=number % 2 == 0)
        text = language.print_program(rules.derivation(nodes)).rstrip("\n")
        assert gpkit.parse(text, language="trees")() == alone.parse(text)


def test_layout_breaks_long_programs_and_keeps_comments() -> None:
    gpkit.language("ways", WAYS, meaning=steps)
    long = "// seed: 1\n\ngo #one\n do again 2 do " + "go turn   left " * 7 + "end end"
    laid = gpkit.parse(long, language="ways").print()
    inner = "\n".join(["    go", "    turn left"] * 7)
    assert laid == f"// seed: 1\ngo\n#one\ndo\n  again 2 do\n{inner}\n  end\nend"
    again = gpkit.parse(laid, language="ways")
    assert again == gpkit.parse(long, language="ways") and again.print() == laid


def test_evolution_finds_a_way_and_its_folder_reads_without_the_file(tmp_path: Path) -> None:
    ways = gpkit.language("ways", WAYS, meaning=Steps)
    problem = gpkit.problem(lambda program: -abs(program() - 30), name="thirty", language=ways)
    best, run = gpkit.evolve(problem, seed=2, generations=8, settings=SMALL, folder=tmp_path / "run")
    assert run.score == 0 and best() == 30
    del plugins.here.languages["ways"]
    again = gpkit.load(tmp_path / "run")
    assert again.language == "ways" and again.print() == best.print()
    described = json.loads((tmp_path / "run" / "run.json").read_text())
    assert described["config"]["problem"]["grammar"] == WAYS
    with pytest.raises(GpkitError, match="ways have no meaning"):
        again()


def test_templates_make_formulas_with_their_calls_and_exports() -> None:
    sums = gpkit.language("sums", SUMS, into="arithmetic", templates={"take": "max({0} - {1}, 0)"})
    program = gpkit.parse("(x + 2) * y - 3", language="sums")
    assert program(x=1.0, y=2.0) == 3.0 and program(x=[1.0, -9.0], y=[2.0, 2.0]).tolist() == [3.0, 0.0]
    lua = program.export("lua")
    assert "x + 2" in lua and "gpkit" in lua
    problem = gpkit.problem(
        lambda program: -sum(abs(program(x=x) - (x * x + x)) for x in range(-3, 4)),
        language=sums,
        sensors="x",
    )
    best, run = gpkit.evolve(problem, seed=1, generations=10, settings=SMALL)
    assert run.score > -20, best


def test_pictures_json_and_completion_follow(tmp_path: Path) -> None:
    from gpkit.editing.document import Document
    from gpkit.editing.reading_aids import completions_at

    gpkit.language("ways", WAYS, meaning=steps)
    program = gpkit.parse("again 2 turn left", language="ways")
    shown = "derivation\nprogram\n└─ again\n   ├─ 2\n   └─ turn\n      └─ left"
    assert str(program.draw()).strip() == shown
    changed = gpkit.parse("again 3 go", language="ways").draw(before=program)
    assert "again" in str(changed)
    member = json.loads(program.export("json"))["derivation"]
    assert member == {"text": "again 2 turn left", "tree": ["program", ["again", "2", ["turn", "left"]]]}
    (tmp_path / "a.json").write_text(program.export("json"))
    assert gpkit.exports(tmp_path / "a.json", to="tree").text.endswith("again 2 turn left\n")
    document = Document("go t", language_entry("ways").load(), None)
    assert [each.inserted for each in completions_at(document, 4)] == ["turn"]


def test_all_errors_of_a_text_are_found() -> None:
    from gpkit.langkit.checking import check_text

    gpkit.language("ways", WAYS, meaning=steps)
    language = language_entry("ways").load()
    found = check_text("go gu\nturn left\nagain two go\ngo", "a.ways", language, None)
    assert [(each.code, each.span.line) for each in found] == [("E521", 1), ("E521", 3)]
    assert found[0].help == "did you mean `go`?"


def test_simplified_programs_do_the_same_in_all_cases() -> None:
    gpkit.language("ways", WAYS, meaning=steps, cases=[{}, {"most": 4}])
    program = gpkit.parse("turn left do turn right go end again 2 do go end", language="ways")
    smaller = program.simplify()
    assert smaller() == program() == 3 and smaller.size < program.size


def test_children_with_a_finding_are_drawn_again() -> None:
    def spins(tree: Any) -> str | None:
        return "it never goes" if not [*tree.find_data("go")] else None

    ways = gpkit.language("ways", WAYS, meaning=steps, check=spins)
    (found,) = (
        each for each in gpkit.parse("turn left", language="ways").check() if each.severity == "error"
    )
    assert (found.code, found.message) == ("E523", "it never goes")
    seen = []
    problem = gpkit.problem(lambda program: seen.append(str(program)) or 0, name="seen", language=ways)
    gpkit.evolve(problem, seed=1, generations=3, settings=SMALL)
    assert seen and all("go" in text.split() for text in seen)


def test_an_ambiguous_grammar_evolves_what_its_texts_mean() -> None:
    grammar = read_grammar('program: e\ne: e "+" e | e "*" e | "x"\n%ignore " "', "twice")
    assert not grammar.certain
    language = gpkit.language("twice", grammar.text, meaning=lambda tree: len([*tree.subtrees()]))
    problem = gpkit.problem(lambda program: -abs(len(str(program)) - 40), name="long", language=language)
    best, run = gpkit.evolve(problem, seed=1, generations=5, settings=SMALL)
    assert gpkit.parse(best.print(), language="twice") == best and run.score > -40


def test_a_language_goes_to_another_process() -> None:
    ways = gpkit.language("ways", WAYS, meaning=steps)
    del plugins.here.languages["ways"]
    again = pickle.loads(pickle.dumps(ways))  # noqa: S301 - our own
    assert language_entry("ways").load() is again and gpkit.parse("go", language="ways")() == 1


def test_files_bring_languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import gpkit\n\nLANGUAGE = gpkit.language('mine', 'program: \"a\"+', meaning=lambda tree: 3)\n"
    )
    (tmp_path / "one.mine").write_text("aa\n")
    with pytest.raises(GpkitError, match=r"no language has the suffix `\.mine`"):
        gpkit.load(tmp_path / "one.mine")
    monkeypatch.setenv("GPKIT_LANGUAGES", str(file))
    assert gpkit.load(tmp_path / "one.mine")() == 3
    assert "mine" in str(gpkit.list("languages"))


def test_short_patterns_give_their_words() -> None:
    assert finite("[ab]{1,2}") == ("a", "b", "aa", "ab", "ba", "bb")
    assert finite("[0-9]+") == finite("[^a]") == finite("(a|b){9}") == ()


@pytest.mark.parametrize(
    ("grammar", "code", "said", "fix"),
    [
        ("main: 'a'", "E502", "no rule `program` or `start`", "call the rule"),
        ('program: x\nx: x "a"', "E508", "rule `program` never ends", "add an alternative"),
        ('program: "a"\nx: "b"', "E503", "no text uses the rule `x`", "use `x`"),
        ("program: A\nA: /a*/", "E505", "zero-width", "write `+`"),
        ('program: a | b\na: "x"\nb: "x"', "E504", "Reduce/Reduce", "join them"),
        ('program: "a" x', "E507", "'x' used but not defined", "define it"),
        ("program: N\nN: /[a-z]+/ // words: X", "E512", "does not match the word `X`", ""),
        ("program: N\nN: /[0-9]+/ // range: -1 5", "E511", "does not match -1", "SIGNED_NUMBER"),
        ("program: N\nN: /[0-9]+/ // range: 5", "E511", "the smallest and the largest", "two numbers"),
        ('program: "a"  // weight: 3', "E510", "this weight is in the wrong place", "name the alternative"),
        ('program: "a" -> b  // weight: -3', "E511", "a weight must be a number above 0", ""),
        ("program: N\n%import .other.N", "E501", "import only the grammars", "write its rules here"),
        ('program: "a" | "a', "E509", "Unexpected input at line 1", ""),
    ],
)
def test_wrong_grammars_are_refused_with_line_and_remedy(
    grammar: str, code: str, said: str, fix: str
) -> None:
    with pytest.raises(GpkitError) as refused:
        gpkit.language("wrong", grammar)
    text = str(refused.value)
    assert f"error[{code}]" in text and said in text and fix in text and "the grammar of wrong:" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"name": "Big"}, "`Big` is not a valid language name"),
        ({"name": "arithmetic"}, "a language `arithmetic` exists already"),
        ({"meaning": 3}, "meaning=3: expected a function"),
        ({"templates": {"go": "1"}}, "add into="),
        ({"into": "arithmetic", "templates": {"gone": "1"}}, "no alternative `gone`"),
        ({"into": "arithmetic", "templates": {"turn": "{1}"}}, "`{0}` is the first of 1"),
        ({"into": "arithmetic", "templates": {"go": "1 +"}}, "is not a program in arithmetic"),
        ({"into": "arithmetic", "meaning": steps}, "not both"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(GpkitError, match=said.replace("{", r"\{").replace("(", r"\(")):
        gpkit.language(**{"name": "ways", "grammar": WAYS, **arguments})


def test_a_terminal_without_words_is_refused_when_it_is_to_evolve() -> None:
    free = gpkit.language("free", "program: NAME\nNAME: /[a-z]+/", meaning=steps)
    assert gpkit.parse("abc", language="free").print() == "abc"
    with pytest.raises(GpkitError, match=r"the words of `NAME` are unknown(.|\n)*:1:10"):
        gpkit.evolve(gpkit.problem(lambda program: 0, name="none", language=free), generations=1)


def test_the_file_that_new_prints_evolves(tmp_path: Path) -> None:
    text = gpkit.new("language")
    assert len(text.splitlines()) <= 80
    (tmp_path / "trail.py").write_text(text.replace('"ant"', '"trail"'))
    best, run = gpkit.evolve(tmp_path / "trail.py", seed=1, generations=1, settings=SMALL, language="trail")
    assert best() == run.score > 0
    with pytest.raises(GpkitError, match="programs of this run are in trail, not arithmetic"):
        gpkit.evolve(tmp_path / "trail.py", generations=1, language="arithmetic")


HUNT = r"""
program: "targeting:" NL line+ "locking:" NL line+ "sinking:" NL line+
line: WORD NL
NL: "\n"
WORD: "SavePos" | "LoadPos" | "SetTrue" | "SetFalse" | "IfHit" | "IfMiss" | "IfTrue" | "IfFalse" | "Jump"
    | "Target" | "Shoot" | "MoveFwd" | "RandDir" | "VertDir" | "HorzDir" | "OppDir"
%ignore " "
"""


def test_a_short_grammar_makes_sinking_programs() -> None:
    hunt = gpkit.language("hunt", HUNT, into="sinking")
    assert len(HUNT.strip().splitlines()) <= 12
    rules, sinking = read_grammar(HUNT, "hunt").productions, language_entry("sinking").load()
    primitives = offers_of("battleship")["sinking"]
    for number in range(20):
        nodes = rules.drawn(stream(number, "hunt"), rules.start, 30 + number, is_full=True)
        program = rules.derivation(nodes)
        (own,) = hunt.compile(program, {}, primitives)
        (same,) = sinking.compile(sinking.parse(hunt.print_program(program)).program, {}, primitives)
        assert own.code.tolist() == same.code.tolist()


@pytest.mark.release
def test_programs_of_a_short_grammar_evolve_in_the_game_of_their_language(tmp_path: Path) -> None:
    gpkit.language("hunt", HUNT, into="sinking")
    small = {
        "population": {"size": 8},
        "islands": {"count": 2, "interval": 1},
        "fitness": {"deals": 5, "validation_deals": 5},
        "guide": {"exercises": []},
        "refinement": {"rounds": 0, "candidates": 1},
        "limits": {"size": 60},
    }
    best, run = gpkit.evolve(
        "battleship", language="hunt", settings=small, generations=1, seed=1, folder=tmp_path / "run"
    )
    again = gpkit.parse(best.print(), language="hunt")
    assert again == best and best.language == "hunt" and best.game == "battleship"
    assert gpkit.parse(again.print(), language="sinking").language == "sinking"
    assert -200 <= run.score <= -17 and gpkit.load(tmp_path / "run") == best
    language = language_entry("hunt").load()
    space: Any = language.evolution()
    space = space.representation_of_problem(offers_of("battleship")["hunt"], space.DEFAULTS, 60)
    sent = pickle.loads(pickle.dumps(space))  # noqa: S301 - our own
    assert sent.create(stream(1, "sent"), 3) == space.create(stream(1, "sent"), 3)


def test_rules_that_the_start_does_not_need_may_have_free_terminals() -> None:
    text = 'one: "a" one | "b"\nfile: block\nblock: _INDENT file one | "b"\n%declare _INDENT\n// start: one'
    grammar = read_grammar(text, "part")
    assert not grammar.free and grammar.certain and grammar.text_of(grammar.parsed("aab").symbols) == "aab"


def test_weights_are_shares_of_all_draws() -> None:
    text = 'program: "a" -> a  // weight: 1.9\n    | "b" -> b  // weight: 0.1'
    rules = read_grammar(text, "uneven").productions
    drawn = [rules.drawn(stream(k, "weight"), "program", 9, is_full=False)[0] for k in range(400)]
    assert 360 <= drawn.count(0) <= 395


@pytest.mark.parametrize("line", ["%import\\\n .other.RULE", "\f%import .other.RULE", "%import other.RULE"])
def test_a_grammar_reads_no_other_file(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("other.lark").write_text('RULE: "a"\n')
    with pytest.raises(GpkitError, match="import only the grammars that come with Lark"):
        read_grammar(f"program: RULE\n{line}\n", "reading")


def test_long_patterns_are_given_up_at_once() -> None:
    assert finite("(?:[a-z][a-z][a-z][a-z][a-z][a-z][a-z][a-z])?") == ()


@pytest.mark.parametrize("name", ["formulas", "header", "schema"])
def test_a_language_may_be_called_like_a_member_of_json(name: str, tmp_path: Path) -> None:
    gpkit.language(name, WAYS, meaning=steps)
    for program in (gpkit.parse("again 2 go", language=name), gpkit.parse("x + 1", language="arithmetic")):
        (tmp_path / "a.json").write_text(program.export("json"))
        again = gpkit.exports(tmp_path / "a.json", to="json").text
        assert json.loads(again) == json.loads(program.export("json")) | {"name": json.loads(again)["name"]}


def test_a_language_takes_no_suffix_of_gpkits() -> None:
    with pytest.raises(GpkitError, match=r"the suffix \.tree belongs to arithmetic"):
        gpkit.language("tree", 'program: "a"')


def test_a_transformer_is_known_by_its_source() -> None:
    first, second = (gpkit.language("ways", WAYS, meaning=Steps()) for _ in range(2))
    assert first.sha256 == second.sha256 != gpkit.language("ways", WAYS).sha256


def test_runs_keep_the_grammars_of_their_own_languages(tmp_path: Path) -> None:
    """Two runs may have languages of the same name, and neither is in the way of a declaration."""
    for folder, words in (("a", "go"), ("b", "stop")):
        gpkit.language("bot", f'begin: step+\nstep: "{words}" | "wait"', meaning=str, start="begin")
        problem = gpkit.problem(lambda program: -len(program()), language="bot", settings=SMALL)
        gpkit.evolve(problem, folder=tmp_path / folder, seed=1, settings={"stop": {"generations": 1}})
        plugins.here.languages.clear()
    for folder, words in (("a", "go"), ("b", "stop"), ("a", "go")):
        champion = gpkit.load(tmp_path / folder)
        assert champion.language == "bot" and set(champion.print().splitlines()[-1].split()) <= {
            words,
            "wait",
        }
    assert gpkit.language("bot", 'program: "a"').name == "bot"


def test_a_package_offers_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    info = tmp_path / "robolang-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: robolang\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[gpkit.languages]\nrobot = robolang:LANGUAGE\n")
    (tmp_path / "robolang.py").write_text(
        'import gpkit\n\nTEXT = \'program: ("go" | "turn")+\'\n'
        "LANGUAGE = gpkit.language('robot', TEXT, meaning=lambda tree: 7)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(plugins, "here", plugins.Discovery())
    assert gpkit.parse("goturn", language="robot")() == 7
    problem = gpkit.problem(lambda program: -len(program.print()), language="robot", settings=SMALL)
    champion, _ = gpkit.evolve(problem, seed=1, settings={"stop": {"generations": 1}})
    assert champion.language == "robot"
    with pytest.raises(GpkitError, match="a language `robot` exists already"):
        gpkit.language("robot", 'program: "a"')
