"""What editors are told of a text: findings, meanings, completions, definitions, parts, changes."""

from pathlib import Path

import pytest
from recovery_texts import MISTAKES, VALID, with_mistakes

from gpkit.core.diagnostics import meant
from gpkit.core.errors import UsageError
from gpkit.core.registry import LANGUAGES, find
from gpkit.editing.document import (
    Document,
    Findings,
    all_findings,
    first_findings,
    layout,
    mentions,
    prepare,
    quick_fix,
)
from gpkit.editing.reading_aids import completions_at, definition_at, folds, meaning_at, parts, renamed_at

NOTHING = Findings("", ())


def document(name: str, text: str) -> Document:
    return Document(text, find(LANGUAGES, name, "language").load())


def marked(name: str, text: str) -> tuple[Document, int]:
    """A document, and the place of the bar in its text, which is not part of it."""
    return document(name, text.replace("|", "", 1)), text.index("|")


def offered(name: str, text: str) -> list[str]:
    return [each.inserted for each in completions_at(*marked(name, text))]


@pytest.mark.parametrize("name", VALID)
def test_what_is_told_at_once_is_part_of_what_is_told_later(name: str) -> None:
    for mistake in MISTAKES[name]:
        wrong = document(name, with_mistakes(VALID[name], [mistake]))
        now, later = first_findings(wrong, NOTHING).found, all_findings(wrong).found
        assert {(each.span.line, each.code) for each in now} <= {
            (each.span.line, each.code) for each in later
        }
        if mistake[2] in {"E001", "E010", "E121", "E130", "E160", "E350", "E360", "E310", "E321"}:
            assert (mistake[0], mistake[2]) in {(each.span.line, each.code) for each in now}


def test_findings_in_lines_that_stay_move_with_them() -> None:
    text = "// game: sevens\nplay: env.rank - env.rank\nsend: env.rank\n"
    before = all_findings(document("arithmetic", text))
    assert [(each.code, each.span.line) for each in before.found] == [("W031", 2)]
    moved = document("arithmetic", text.replace("\nplay", "\n// more\n\nplay"))
    now = first_findings(moved, before)
    assert [(each.code, moved.text[each.span.start : each.span.end]) for each in now.found] == [
        ("W031", "env.rank - env.rank")
    ]
    assert now.found[0].span.line == 4
    prepare(moved)


@pytest.mark.parametrize(
    ("name", "text", "usage", "said"),
    [
        ("arithmetic", "// game: sevens\nplay: env.ra|nk * * 2", "env.rank", "the rank"),
        ("arithmetic", "// game: sevens\nplay: if|le(1, 2, 3, 4)", "ifle(a, b, x, y)", "x if a <= b, else"),
        ("arithmetic", "// game: sevens\nse|nd: 1", "send:", "A decision of `sevens`."),
        ("sinking", "// game: battleship\ntargeting:\n  Sho|ot", "Shoot", "shoot"),
        ("sinking", "// game: battleship\n|locking:", "locking:", "direction"),
        ("rulegraph", "l_|0(3+) n => l_0 - n", "l_0(2+)", "chain"),
        ("decision", "// game: sevens\nplay: test env.de|pth <= 3", "env.depth", ""),
        ("execution", "// game: build_order\nre|peat 3", "repeat NUMBER ... end", "this many times"),
        ("execution", "// game: build_order\ndo dro|ne", "drone", ""),
    ],
)
def test_meanings(name: str, text: str, usage: str, said: str) -> None:
    found = meaning_at(*marked(name, text))
    assert found is not None
    assert found.word.usage == usage
    assert said.lower() in found.word.meaning.lower()
    assert usage in found.markdown


def test_completions_are_what_the_grammar_takes_there() -> None:
    assert "env.rank" in offered("arithmetic", "// game: sevens\nplay: 2 * env.r|")
    assert "ifle" in offered("arithmetic", "// game: sevens\nplay: 2 * |")
    assert offered("arithmetic", "// game: sevens\nplay: 2\ns|") == ["send:"]
    assert offered("arithmetic", "// game: sev|") == ["sevens"] or "sevens" in offered(
        "arithmetic", "// game: |"
    )
    assert {"Target", "Shoot"} <= set(offered("sinking", "// game: battleship\ntargeting:\n  |"))
    assert "targeting:" not in offered("sinking", "// game: battleship\ntargeting:\n  |")
    assert "drone" in offered("execution", "// game: build_order\ndo |")
    assert offered("execution", "// game: build_order\nuse |\nplan army:\n  do drone") == ["army"]
    assert {"do", "repeat", "use"} <= set(offered("execution", "// game: build_order\n|"))
    assert "env.larvae" in offered("execution", "// game: build_order\nwait env.la|")
    assert "env.depth" in offered("decision", "// game: sevens\nplay: test |")
    assert "env.depth" not in offered("decision", "// game: sevens\nplay: |")
    assert {"x_", "l_"} <= set(offered("rulegraph", "take: x_0 |"))
    assert "&safe" in offered("rulegraph", "&safe = t_0 t_1\ntake: &|")
    assert offered("arithmetic", "// game: sevens\nplay: 2 // env.r|") == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("execution", "use ar|my\nplan army:\n  do drone\n", (2, 6)),
        ("rulegraph", "&safe = t_0 t_1\na: x_0 w ; !&sa|fe => x_0 - w\n", (1, 1)),
        ("rulegraph", "a: x_0 w => x_0 - w\nb: x_1 x_0 => x_|0 - x_1\n", (2, 8)),
        ("arithmetic", "play: env.ra|nk", None),
    ],
)
def test_definitions(name: str, text: str, found: tuple[int, int] | None) -> None:
    span = definition_at(*marked(name, text))
    assert (span and (span.line, span.column)) == found


@pytest.mark.parametrize(
    ("name", "text", "new", "result"),
    [
        ("execution", "use ar|my\nplan army:\n  do army\n", "men", "use men\nplan men:\n  do army\n"),
        ("execution", "use a\nplan |a:\nplan b:\n", "b", "there is already a plan `b`"),
        ("execution", "merge from |a: do b end", "c", "merge from c: do b end"),
        ("rulegraph", "&a = t_0 t_1\nx_0 ; !|&a => x_0 - w", "&b", "&b = t_0 t_1\nx_0 ; !&b => x_0 - w"),
        ("rulegraph", "&a = t_0\nx_0 ; !|&a => x_0 - w", "b", "`b` cannot replace `&a`"),
        ("rulegraph", "x_{0} w => |x_0 - w\nx_0 w => n", "x_12", "x_12 w => x_12 - w\nx_0 w => n"),
        ("rulegraph", "x_0 x_1 => |x_0 - w", "x_1", "there is already a box `x_1`"),
        ("arithmetic", "pl|ay: 1", "send", "send: 1"),
        ("arithmetic", "// game: sevens\npl|ay: 1", "send", "not a name that the program defines"),
        ("decision", "a|: 1", "b", "b: 1"),
        ("sinking", "// game: battleship\nlock|ing:\n", "other", "not a name that the program defines"),
        ("sinking", "mi|ne:\n  Shoot\n", "other", "other:\n  Shoot\n"),
    ],
)
def test_a_name_of_a_program_is_changed_wherever_it_stands(
    name: str, text: str, new: str, result: str
) -> None:
    asked, place = marked(name, text)
    try:
        edits = renamed_at(asked, place, new)
    except UsageError as error:
        assert result in str(error)
        return
    found = asked.text
    for edit in reversed(edits):
        found = found[: edit.span.start] + edit.text + found[edit.span.end :]
    assert found == result


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("arithmetic", "// a\n// b\nplay: 1\n  + 2\n\nsend: 3\n", [(0, 1), (2, 3)]),
        (
            "decision",
            "a:\n  test x < 1\n    yes: 1\n    no: test y < 1\n      yes: 2\n",
            [(0, 4), (1, 4), (3, 4)],
        ),
        ("execution", "repeat 2\n  do a\nend\nplan b:\n  do c\n", [(0, 1), (3, 4)]),
        ("rulegraph", "a: x_0 w => x_0 - w\n| b: x_0 w => x_0 - w\n# why\nx_0 w => x_0 - w\n", [(0, 1)]),
        ("sinking", "targeting:\nShoot\n\nlocking:\n// why\nShoot\n", [(0, 1), (3, 5)]),
    ],
)
def test_folds(name: str, text: str, found: list[tuple[int, int]]) -> None:
    assert folds(document(name, text)) == found


def test_parts_reach_to_the_next_one_also_in_a_broken_text() -> None:
    broken = document("execution", "do drone\nplan a:\n  do do\n\nplan b:\n  do queen\n")
    found = [(part.name, part.role, broken.text[part.whole.start : part.whole.end]) for part in parts(broken)]
    assert found == [("a", "plan", "plan a:\n  do do"), ("b", "plan", "plan b:\n  do queen")]


@pytest.mark.parametrize("name", VALID)
@pytest.mark.parametrize(
    "text", ["", "\n", "1", "// why\n", "# why\n", "do drone\n", "x_0 w => x_0 - w\n", "? ?\n"]
)
def test_a_text_without_a_named_part_has_no_parts(name: str, text: str) -> None:
    assert parts(document(name, text)) == ()


@pytest.mark.parametrize("name", VALID)
def test_a_word_that_was_meant_takes_the_place_of_the_wrong_one_and_mends_it(name: str) -> None:
    changed = 0
    for mistake in MISTAKES[name]:
        wrong = document(name, with_mistakes(VALID[name], [mistake]))
        for found in all_findings(wrong).found:
            edit = quick_fix(wrong, found)
            if edit is not None and found.severity == "error":
                text = wrong.text[: edit.span.start] + edit.text + wrong.text[edit.span.end :]
                assert not any(each.severity == "error" for each in all_findings(document(name, text)).found)
                changed += 1
            else:
                assert meant(found, wrong.text) is None
    assert changed >= (name != "rulegraph")


def test_a_text_beyond_a_limit_has_one_finding_that_says_so() -> None:
    (found,) = all_findings(document("arithmetic", "1" * 31)).found
    assert (found.code, found.message) == ("E021", "this number has 31 characters; at most 30 are read")


def test_layout_is_one_change_and_none_where_nothing_can_be_read() -> None:
    edit = layout(document("arithmetic", "play:1\nsend:2\n"))
    assert edit is not None
    assert edit.text == "play: 1\nsend: 2\n"
    assert layout(document("arithmetic", edit.text)) is None
    assert layout(document("arithmetic", "play: * 1\n")) is None


def test_names_are_found_around_errors() -> None:
    found = [each.text for each in mentions(document("arithmetic", "play: env.a $ env.b\n) max(env.c"))]
    assert found == ["play", "env.a", "env.b", "max", "env.c"]


def test_a_header_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')\n")
    for game in ("./evil.py", "evil", "openspiel:hex"):
        text = f"// game: {game}\nplay: env.a\n"
        named = document("arithmetic", text)
        assert named.game is None
        assert named.primitives is None
        codes = [each.code for each in all_findings(named).found]
        assert "E013" in codes
        completions_at(named, len(text) - 1)
        meaning_at(named, len(text) - 3)
