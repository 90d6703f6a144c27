"""The pages of ``docs/`` tell the truth: their sessions run as printed, and their references lack nothing."""

import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import pytest
from sessions import blocks, follow, write_files

import gpkit
from gpkit.api.catalogue import KINDS, capabilities
from gpkit.api.inquiries import explanations
from gpkit.cli.commands import all_commands
from gpkit.core.plugins import Entry
from gpkit.core.registry import GAMES
from gpkit.core.rng import stream
from gpkit.core.settings import to_data
from gpkit.evolution.config import shipped_presets
from gpkit.export.registry import EXPORTERS
from gpkit.gamekit.players import Player
from gpkit.gamekit.state import MEMBERS
from gpkit.games.dots_and_boxes.learning import PRESETS as LEARNED
from gpkit.user_games.declare import LANGUAGE
from gpkit_experiments import held_out_tables
from gpkit_experiments.papers.page import page_of

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
PAGES = {
    path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in sorted(DOCS.rglob("*.md"))
}
PEOPLE = ("assistants", "data-scientists", "game-makers", "players", "python", "researchers", "writers")
"""Folders of pages on which people make something."""

OWN_TEST = ("python/programs.md", "python/runs.md", "reference/own-games.md")
"""Pages with a test of their own: a notebook of two, and one whose examples make up a game."""

RUN = [name for name, text in PAGES.items() if any(block.is_session for block in blocks(text))]

sys.path.append(str(DOCS / "hooks"))  # as MkDocs does
from observed import observed  # noqa: E402
from pages import on_page_markdown  # noqa: E402
from reference import SECTIONS  # noqa: E402
from the_loop import SECTIONS as STEPS  # noqa: E402


@pytest.mark.release
@pytest.mark.parametrize("name", RUN)
def test_sessions_run_as_printed(name: str, tmp_path: Path) -> None:
    for text in PAGES.values():
        write_files(blocks(text), tmp_path)
    for earlier in re.findall(r"^<!-- continues: (\S+) -->$", PAGES[name], re.M):
        follow(blocks(PAGES[earlier]), tmp_path)
    follow(blocks(PAGES[name]), tmp_path)


def test_every_block_is_a_session_or_a_file_that_one_runs() -> None:
    for name, text in PAGES.items():
        found = [block for block in blocks(text) if name not in OWN_TEST]
        lines = " ".join(block.text for block in found if block.is_session)
        for block in found:
            assert block.language == "console" or block.key in ("file", "more"), f"{name}\n{block.text}"
            if block.language == "python":
                runs = f"{lines} {' '.join(each.text for each in found if each.language == 'toml')}"
                assert block.value in runs, f"{name} does not run {block.value}"


def test_every_section_is_on_one_page() -> None:
    asked = [
        section
        for text in PAGES.values()
        for section in re.findall(r"^<!-- generated: (\w+) -->$", text, re.M)
    ]
    assert sorted(asked) == sorted(SECTIONS)


def keys(table: Mapping[str, object]) -> set[str]:
    """The keys of a configuration, in all its tables."""
    nested = [keys(value) for value in table.values() if isinstance(value, Mapping)]
    return set(table).union(*nested)


def rows(kind: str) -> list[str]:
    """The names that ``gpkit list`` shows."""
    return [row["name"] for row in KINDS[kind](GAMES)]


NAMES: Mapping[str, Callable[[], Iterable[str]]] = {
    "commands": lambda: [f"gpkit {line.name}" for line in all_commands()],
    "games": lambda: [*rows("games"), *rows("opponents"), *rows("rules"), *rows("programs")],
    "examples": lambda: [path.name for path in (ROOT / "programs" / "games").glob("*.py")],
    "languages": lambda: [*rows("languages"), *capabilities("arithmetic")],
    "sensors": lambda: rows("sensors"),
    "facts": lambda: rows("facts"),
    "observations": lambda: [entry.name for entry in GAMES if LANGUAGE in entry.load().offers],
    "operators": lambda: rows("operators"),
    "instructions": lambda: rows("instructions"),
    "switches": lambda: rows("switches"),
    "alphabets": lambda: rows("alphabets"),
    "presets": lambda: [*shipped_presets(), *LEARNED],
    "configuration": lambda: set().union(
        *(keys(to_data(each)) for each in (*shipped_presets().values(), *LEARNED.values()))
    ),
    "findings": explanations,
    "formats": lambda: [name for each in EXPORTERS for name in (each.name, *each.modes)],
    "papers": lambda: rows("papers"),
    "state_members": lambda: MEMBERS,
    "game_keywords": lambda: inspect.signature(gpkit.game).parameters,
    "declarations": lambda: ["@sensor", "@fact"],
    **{name: lambda name=name: [f"def {name}"] for name in STEPS},  # type: ignore[misc]
    "python": lambda: [f"gpkit.{name}" for name in gpkit.__all__],
    "held_out": lambda: [name for pair in held_out_tables.tables() for name in pair],
}
"""What a section has to name."""


@pytest.mark.parametrize("section", SECTIONS)
def test_sections_name_every_entry(section: str) -> None:
    text = SECTIONS[section]()
    named = NAMES[section]()
    assert named
    assert [name for name in named if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)] == []


def test_papers_stand_as_their_command_prints_them() -> None:
    assert SECTIONS["papers"]() == "\n\n".join(page_of(name) for name in rows("papers"))


def test_links_lead_somewhere() -> None:
    for name, text in PAGES.items():
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
            assert (DOCS / name).parent.joinpath(target).exists(), f"{name}: {target}"
        for included in re.findall(r"^<!-- included: (\S+) -->$", text, re.M):
            assert (ROOT / included).is_file(), f"{name}: {included}"
            link = re.search(r"^\[The text of this page\]\((.*)\)$", text, re.M)
            is_whole = included.endswith(".md")
            assert not is_whole or (
                link and (DOCS / name).parent.joinpath(link[1]).samefile(ROOT / included)
            ), name
            assert (
                not is_whole or on_page_markdown(text).strip() == (ROOT / included).read_text("utf-8").strip()
            )


def test_where_a_section_is_generated_a_reader_of_the_file_finds_its_command() -> None:
    for name, text in PAGES.items():
        for section in re.findall(r"^<!-- generated: (\w+) -->$", text, re.M):
            assert section not in KINDS or f"gpkit list {section}" in " ".join(text.split()), (
                f"{name}: {section}"
            )


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_at_most_800_words_besides_its_tables(name: str) -> None:
    assert len(re.sub(r"^\|.*$", "", PAGES[name], flags=re.M).split()) <= 800


@pytest.mark.parametrize(
    "name", [each for each in PAGES if each.partition("/")[0] in PEOPLE and not each.endswith("/SKILL.md")]
)
def test_a_page_for_people_says_what_they_have_made(name: str) -> None:
    *_, last = PAGES[name].rstrip().split("\n\n")
    assert "You now " in last or "You can now " in last or name.endswith("/index.md")


def test_navigation_has_every_page() -> None:
    listed = re.findall(r": (\S+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)
    assert sorted(listed) == sorted(PAGES)


@pytest.mark.parametrize("entry", GAMES, ids=lambda entry: entry.name)
def test_sensors_can_ask_what_their_reference_lists(entry: Entry) -> None:
    told, game = observed(entry), entry.load()
    assert bool(told) == (LANGUAGE in game.offers)
    if not told:
        return
    rules = game.make_rules({})
    deals = game.deal(stream(1, "observed"), 1, rules)
    state = game.begin([Player("")] * game.players(rules), deals, rules)
    seen = state.observation(state.current_player)
    _, _, rows = told[0]
    for name, _, meaning in rows:
        assert hasattr(seen, name.partition("(")[0]), name
        assert meaning, name
    classes = {title for title, _, _ in told}
    assert {type(seen).__name__, "Turn"} & classes
    assert entry.name == "mastermind" or type(rules).__name__ in classes


TYPED = re.compile(r"(?:`|^\$ )gpkit ([a-z]\w*)(?!\w*:)", re.M)
"""A command in code marks or after a prompt."""

HEADER = re.compile(r"^(?:#|//) (?:title|source): (.*)$", re.M)


def unknown_commands(text: str) -> set[str]:
    """The commands that a text names and gpkit does not have; in headers of programs they have no code marks."""
    found = TYPED.findall(text)
    for line in HEADER.findall(text):
        found += re.findall(r"(?:^|[:,;] )(?:then )?gpkit ([a-z]\w*)", line)
    return set(found) - {line.name for line in all_commands()}


def test_every_command_that_a_text_names_exists() -> None:
    folders = [ROOT / name for name in ("gpkit", "programs", "docs", "grammars", "editors")]
    paths = [
        path for folder in folders for path in folder.rglob("*.*") if path.suffix not in (".png", ".pyc")
    ]
    paths += [
        path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"
    ]  # which names removed commands
    texts = {str(path): path.read_text(encoding="utf-8") for path in paths if path.is_file()}
    assert sum(bool(TYPED.search(text)) for text in texts.values()) > 100
    assert {path: names for path, text in texts.items() if (names := unknown_commands(text))} == {}


def test_unknown_commands_are_found() -> None:
    title = "# title: 21 rules: gpkit grow endgame, then gpkit select --seed 1, refined by gpkit with care\n"
    assert unknown_commands(f"{title}`gpkit run a` or `gpkit mend`\n$ gpkit sell\n`gpkit nim:take`") == {
        *("grow", "select", "mend", "sell")
    }
