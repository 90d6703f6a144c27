"""Games and sensors that do what none should: every function of a small game, each with bodies of many kinds."""

import re
from collections.abc import Mapping
from pathlib import Path

from case_files import case_tables
from web_clients import guest

CARDS = (Path(__file__).parent / "user_games" / "cards.py").read_text()

TEXTS = case_tables("hostile_games.toml")
HEAD, EVOLVE, SENSORS = TEXTS["head"], TEXTS["evolve"], TEXTS["sensors"]
COMMANDS: Mapping[str, str] = TEXTS["commands"]
SENSED: Mapping[str, str] = TEXTS["sensed"]

BODIES: Mapping[str, str] = TEXTS["bodies"]
"""What a function does instead of what it should, by a name for it."""

QUICK = ("exits", "quits", "recurses", "raises surrogates", "gives very many")
"""Those of the quick test."""

MEMBERS = (
    *("current_player", "is_terminal", "legal_actions", "chance_outcomes", "apply", "returns", "observation"),
    *("resample", "action_text", "parse_action", "board_text", "card", "risk", "bold"),
)
"""Functions of the game, of which the last are sensors and an opponent."""

ADDED: Mapping[str, str] = TEXTS["added"]
"""Methods that the game does without."""


def game_with(member: str, body: str) -> str:
    """The text of the game in which a function does something else."""
    text = HEAD + CARDS
    if member in ADDED:
        text = text.replace("@sensor(0, 2", ADDED[member].lstrip("\n") + "\n@sensor(0, 2", 1)
        text = text.replace("\n\n\n    def ", "\n\n    def ", 1)
    made, times = re.subn(
        rf'(def {member}\(.*\):\n(?P<gap> +)(?:""".*"""\n(?P=gap))?)',
        lambda m: m[1] + f"{body}\n{m['gap']}",
        text,
    )
    assert times == 1, member
    return made


def forms() -> dict[str, str]:
    """Texts of games, by a name for what is wrong."""
    found = {
        f"{member} {name}": game_with(member, body)
        for member in (*MEMBERS, *ADDED)
        for name, body in BODIES.items()
    }
    for name, body in BODIES.items():
        doing = re.sub("return (.*)", r"GAME = \1", body)
        found[f"the file {name}"] = HEAD + doing + "\n"
        found[f"the first state {name}"] = (
            (HEAD + CARDS)
            .replace(
                "GAME = game(", f"def begin():\n    {doing.replace('GAME =', 'return')}\n\n\nGAME = game("
            )
            .replace("    State,\n", "    begin,\n")
        )
    return found


THREAD = "threading.Thread(target=going_on).start()"

THREADS = {
    "of the file": f"{HEAD}{CARDS}{THREAD}\n",
    "of a state": game_with("apply", f"threading.active_count() > 9 or {THREAD}"),
}
"""Games of which a thread goes on; in a process of tests it would keep that."""


def prepare(folder: Path, text: str) -> None:
    """A folder with a game, a program for it, and a configuration."""
    (folder / "g.py").write_text(text)
    (folder / "p.tree").write_text("say: env.risk + env.card\n")
    (folder / "c.toml").write_text(f"preset = 'cards'\nrules.longest = 30\n{EVOLVE}")


Asked = tuple[int, str]
"""The status of an answer, and its text."""


def asked_pages(folder: Path) -> list[Asked]:
    """What the pages answer to one who plays the game, follows it, and looks at all others."""
    client, _ = guest(folder)
    found: list[Asked] = []

    def note(answer: object) -> None:
        found.append((answer.status_code, answer.text))  # type: ignore[attr-defined]

    note(client.get("/"))
    seated = client.post("/play/cards", params={"seed": "5", "rule.longest": "30"})
    note(seated)
    if seated.status_code == 303:
        path = seated.headers["location"]
        note(client.get(path))
        for turn, word in enumerate(("pass", "bet", "no such word")):
            note(client.post(f"{path}/act", data={"turn": str(turn), "text": word}))
        note(client.get(f"{path}/say/hint"))
        note(client.get(f"{path}/transcript"))
        note(client.get(path))
    note(client.get("/trace?game=cards&program=p.tree&vs=random&rule.longest=30"))
    note(client.get("/trace/step?game=cards&program=p.tree&vs=random&rule.longest=30&step=1"))
    note(client.post("/heat?game=cards"))
    return found


def sensors() -> dict[str, str]:
    """Texts of sensors for Sevens, by a name for what is wrong."""
    found = {
        f"{member} {name}": HEAD
        + SENSORS.replace(f"    return {value}", f"    {body}".replace("            ", "        "))
        for member, value in (("court", "card > 10"), ("held", "len(seen.hand)"))
        for name, body in BODIES.items()
    }
    for name, body in BODIES.items():
        found[f"the file {name}"] = HEAD + re.sub("return (.*)", r"held = \1", body) + "\n"
    return found
