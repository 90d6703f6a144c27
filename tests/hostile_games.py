"""Games and sensors that do what none should: every function of a small game, each with bodies of many kinds."""

import re
from collections.abc import Mapping
from pathlib import Path

from web_clients import guest

CARDS = (Path(__file__).parent / "user_games" / "cards.py").read_text()

HEAD = '''\
import threading
import time


class Quit(BaseException):
    """What no `except Exception` holds up."""


class Mute(Exception):
    """An error that cannot be told."""

    def __str__(self):
        raise SystemExit(0)


def deeper(depth=0):
    """Calls itself."""
    return deeper(depth + 1)


def going_on():
    """Never comes back."""
    while True:
        time.sleep(0.05)


class Endless(list):
    """A list that says it is long."""

    def __len__(self):
        return 10**12


'''

BODIES: Mapping[str, str] = {
    "raises": 'raise KeyError("gone")',
    "exits": "raise SystemExit(0)",
    "quits": 'raise Quit("gone")',
    "closes": 'raise GeneratorExit("gone")',
    "stops": 'raise StopIteration("gone")',
    "is mute": "raise Mute",
    "recurses": "return deeper()",
    "hangs": "while True: pass",
    "shouts": 'raise ValueError("x" * 1_000_000)',
    "raises surrogates": 'raise RuntimeError("\\ud800\\x1b[2J")',
    "gives nothing": "return None",
    "gives surrogates": 'return "\\ud800\\x1b[2J"',
    "gives very many": "return range(10**15)",
    "says it is endless": "return Endless()",
    "gives NaN": 'return float("nan")',
    "gives a huge number": "return 10**400",
}
"""What a function does instead of what it should, by a name for it."""

QUICK = ("exits", "quits", "recurses", "raises surrogates", "gives very many")
"""Those of the quick test."""

MEMBERS = (
    *("current_player", "is_terminal", "legal_actions", "chance_outcomes", "apply", "returns", "observation"),
    *("resample", "action_text", "parse_action", "board_text", "card", "risk", "bold"),
)
"""Functions of the game, of which the last are sensors and an opponent."""

ADDED = {
    "board_svg": '    def board_svg(self, player):\n        """A picture."""\n        return ""\n\n',
    "squares": '    def squares(self):\n        """Places of actions."""\n        return {}\n\n',
    "__hash__": '    def __hash__(self):\n        """Equal for all."""\n        return 1\n\n',
    "__repr__": '    def __repr__(self):\n        """A word."""\n        return "state"\n\n',
}
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


EVOLVE = """
[population]
size = 8
[fitness]
deals = 2
validation_deals = 2
hall = 0
[race]
first = 0
[refinement]
finish = false
[stop]
generations = 1
"""
"""A very short evolution, of which the line of the preset is to stand first."""


def prepare(folder: Path, text: str) -> None:
    """A folder with a game, a program for it, and a configuration."""
    (folder / "g.py").write_text(text)
    (folder / "p.tree").write_text("say: env.risk + env.card\n")
    (folder / "c.toml").write_text(f"preset = 'cards'\nrules.longest = 30\n{EVOLVE}")


COMMANDS = {
    "run": "run p.tree --opponent random --opponent bold --games 4 --rules longest=30 --game ./g.py",
    "doctor": "doctor --rules longest=30 --game ./g.py",
    "play": "play ./g.py --rules longest=30",
    "trace": "trace p.tree --opponent random --rules longest=30 --game ./g.py",
    "evolve": "evolve c.toml --out run --game ./g.py",
}

Asked = tuple[int, str]
"""The status of an answer, and its text."""


def asked_pages(folder: Path) -> list[Asked]:
    """What the pages answer to one who plays the game, follows it, and looks at all others."""
    client, _ = guest(folder)
    found: list[Asked] = []

    def note(answer: object) -> None:
        found.append((answer.status_code, answer.text))  # type: ignore[attr-defined]

    note(client.get("/"))
    seated = client.get("/play/cards", params={"seed": "5", "rule.longest": "30"})
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
    note(client.get("/heat?game=cards"))
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


SENSORS = """\
from gpkit import sensor


@sensor(0, 1, "1 if the card is a court card")
def court(seen, card):
    return card > 10


@sensor(1, 52, "cards in the own hand")
def held(seen):
    return len(seen.hand)
"""

SENSED = {
    "run": "run p.tree --opponent random --players 3 --games 1 --game sevens --sensors ./s.py",
    "trace": "trace p.tree --opponent random --players 3 --game sevens --sensors ./s.py",
    "list": "list sensors --game sevens --sensors ./s.py",
}
