"""The shape of the house in numbers: rooms, what belongs to each game and language, and which way imports point.

    .venv/bin/python tests/house/structure.py [--checkout DIR] [--lists] [--json]

`--lists` names what is counted. All is read from the text of the files, with no import of gpkit, so any checkout and
any layout will do: rooms are the folders of the package and the files beside them, layers those of pyproject.toml with
the files beside the rooms on top, slices (games and languages) the entries of the module of registries, whose own texts
do not count. Imports inside functions count, and those for types.

A file belongs to a slice if a part of its path is the slice's name or has it among its words, as in `sevens_study.py`.
"""

import argparse
import ast
import json
import re
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

REGISTRY = "gpkit.core.registry"
"""The one module that may name slices."""

SLICE_ROOMS = ("games", "languages")
ROOF = ("__init__", "__main__")
NAMING = ("gpkit.games.", "gpkit.languages.", "gpkit.adapters.")
"""Beginnings of texts that name a module which nobody below should know."""


@dataclass(frozen=True, slots=True)
class Module:
    """A file of the package: its dotted name, its room, its path below the package, its text as a tree."""

    name: str
    room: str
    path: str
    tree: ast.Module
    is_package: bool
    nodes: Sequence[ast.AST]


class House:
    """The package of a checkout; everything is counted when it is asked for."""

    def __init__(self, checkout: Path) -> None:
        self.checkout = checkout
        self.package = checkout / "gpkit"

    @cached_property
    def files(self) -> list[str]:
        """The paths of all files of the package, below it."""
        found = (
            path for path in self.package.rglob("*") if path.is_file() and "__pycache__" not in path.parts
        )
        return sorted(path.relative_to(self.package).as_posix() for path in found)

    @cached_property
    def modules(self) -> dict[str, Module]:
        """The modules by their names."""
        found = {}
        for path in (each for each in self.files if each.endswith(".py")):
            parts = ["gpkit", *path.removesuffix(".py").split("/")]
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            tree = ast.parse((self.package / path).read_text(encoding="utf-8"))
            found[name] = Module(name, self.room_of(path), path, tree, is_package, tuple(ast.walk(tree)))
        return found

    @staticmethod
    def room_of(path: str) -> str:
        """The top-level folder of a file, or its own name."""
        return path.split("/")[0].removesuffix(".py")

    @cached_property
    def rooms(self) -> list[str]:
        """The folders of the package that hold Python."""
        return sorted({path.split("/")[0] for path in self.files if "/" in path and path.endswith(".py")})

    @cached_property
    def project(self) -> Mapping[str, Any]:
        """The text of pyproject.toml."""
        return tomllib.loads((self.checkout / "pyproject.toml").read_text(encoding="utf-8"))

    @cached_property
    def floors(self) -> dict[str, int]:
        """The number of the layer of each room, the lowest 0."""
        contracts = self.project["tool"]["importlinter"]["contracts"]
        layers = next(each["layers"] for each in contracts if each["type"] == "layers")
        found = dict.fromkeys(ROOF, len(layers))
        for number, layer in enumerate(reversed(layers)):
            found |= {room.strip(" ()").removeprefix("gpkit."): number for room in re.split(r"[|:]", layer)}
        return found

    @cached_property
    def slices(self) -> dict[str, str]:
        """The names of games and languages, each with its room."""
        tree = self.modules[REGISTRY].tree
        found = {}
        for node in tree.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            room = target.id.lower() if isinstance(target, ast.Name) else ""
            if room in SLICE_ROOMS and isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                calls = (each for each in ast.walk(node.value) if isinstance(each, ast.Call) and each.args)
                found |= {
                    call.args[0].value: room for call in calls if isinstance(call.args[0], ast.Constant)
                }
        return found

    def is_of(self, path: str, slice_name: str) -> bool:
        """Whether a file belongs to a slice by its path."""
        word = re.compile(rf"(^|[_-]){re.escape(slice_name)}([_-]|$)")
        return any(word.search(part.split(".")[0]) for part in path.split("/"))

    def own(self, slice_name: str) -> list[str]:
        """The files of a slice."""
        return [path for path in self.files if self.is_of(path, slice_name)]

    @cached_property
    def imports(self) -> set[tuple[str, str]]:
        """Which module imports which, wherever in its text."""
        return self._imports(lambda module: module.nodes)

    @cached_property
    def imports_that_run(self) -> set[tuple[str, str]]:
        """Which module imports which, but for types alone."""
        return self._imports(lambda module: running(module.nodes))

    def _imports(self, nodes_of: Callable[[Module], Iterable[ast.AST]]) -> set[tuple[str, str]]:
        found = (
            (module.name, self.known(target))
            for module in self.modules.values()
            for target in targets(module, nodes_of(module))
        )
        return {(importer, imported) for importer, imported in found if imported not in ("", importer)}

    def known(self, target: str) -> str:
        """The module of the package that holds a dotted name, or nothing."""
        while target and target not in self.modules:
            target = target.rpartition(".")[0]
        return target

    def slice_of(self, module: str) -> str:
        """The slice in whose folder a module lies, or nothing."""
        room, _, rest = module.removeprefix("gpkit.").partition(".")
        name = rest.split(".")[0]
        return name if self.slices.get(name) == room else ""

    @cached_property
    def named_in_types(self) -> set[tuple[str, str]]:
        """The imports that break the layers but that pyproject.toml allows, because they only import types."""
        contracts = self.project["tool"]["importlinter"]["contracts"]
        allowed = {
            tuple(each.split(" -> ")) for found in contracts for each in found.get("ignore_imports", ())
        }
        return (self.imports & allowed) - self.imports_that_run

    @cached_property
    def imports_of_slices(self) -> list[str]:
        """Imports of what lies in a slice's folder, from other rooms but by files of the same slice."""
        return sorted(
            f"{importer} -> {imported}"
            for importer, imported in self.imports
            if (name := self.slice_of(imported))
            and self.modules[importer].room not in SLICE_ROOMS
            and not self.is_of(self.modules[importer].path, name)
        )

    @cached_property
    def texts(self) -> list[tuple[Module, int, str]]:
        """The texts in the code of all modules but the registry, with their lines."""
        modules = (module for module in self.modules.values() if module.name != REGISTRY)
        return [(module, line, text) for module in modules for line, text in texts(module.nodes)]

    @cached_property
    def names_of_slices(self) -> list[str]:
        """Texts that equal a slice's name or name its module, in other rooms but in files of the same slice."""
        return sorted(
            f"{module.path}:{line} {text!r}"
            for module, line, text in self.texts
            if module.room not in SLICE_ROOMS
            and (text in self.slices or text.startswith(NAMING))
            and not text.startswith(f"gpkit.{module.room}.")
            and not self.is_of(module.path, text.split(".")[2] if text.startswith(NAMING) else text)
        )

    @cached_property
    def arrows(self) -> Counter[tuple[str, str]]:
        """How many imports go from which room to which other one."""
        found = self.imports - self.named_in_types
        pairs = ((self.modules[a].room, self.modules[b].room) for a, b in found)
        return Counter(pair for pair in pairs if pair[0] != pair[1])

    def up(self, importer: str, room: str) -> bool:
        """Whether a module lies on a lower floor than a room, or on the same in another one."""
        own = self.modules[importer].room
        floor, other = self.floors.get(own), self.floors.get(room)
        return own != room and floor is not None and other is not None and floor <= other

    @cached_property
    def arrows_up(self) -> list[str]:
        """Rooms of which a module imports one of a room that is not below it."""
        pairs = ((a, self.modules[b].room) for a, b in self.imports - self.named_in_types)
        return sorted({f"{self.modules[a].room} -> {room}" for a, room in pairs if self.up(a, room)})

    @cached_property
    def imports_up(self) -> list[str]:
        """Imports against the layers."""
        found = self.imports - self.named_in_types
        return sorted(f"{a} -> {b}" for a, b in found if self.up(a, self.modules[b].room))

    @cached_property
    def names_up(self) -> list[str]:
        """Texts that name a module of a floor above."""
        return sorted(
            f"{module.path}:{line} {text!r}"
            for module, line, text in self.texts
            if re.match(r"gpkit\.\w+\.", text) and self.up(module.name, text.split(".")[1])
        )

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """By module of the package those that import it."""
        found: dict[str, set[str]] = {name: set() for name in self.modules}
        for importer, imported in self.imports:
            found[imported].add(importer)
        return found

    def doors(self, fewest: int) -> list[str]:
        """The modules of fewer lines that a single one imports."""
        return sorted(
            name
            for name, module in self.modules.items()
            if len(self.importers[name]) == 1
            and self.importers[name] != {name.rpartition(".")[0]}  # a form, which only its package imports
            and not module.is_package
            and len((self.package / module.path).read_bytes().splitlines()) < fewest
        )

    @cached_property
    def beside_their_importer(self) -> list[str]:
        """The modules that a single one imports, which lies in the same folder."""
        pairs = ((name, *found) for name, found in self.importers.items() if len(found) == 1)
        return sorted(name for name, own in pairs if name.rpartition(".")[0] == own.rpartition(".")[0])

    @cached_property
    def functions(self) -> list[tuple[Module, ast.FunctionDef]]:
        """All functions, each with its module."""
        nodes = ((each, node) for each in self.modules.values() for node in each.nodes)
        return [(module, node) for module, node in nodes if isinstance(node, ast.FunctionDef)]

    @cached_property
    def called_once(self) -> list[str]:
        """The private functions whose name stands once in their module."""
        names = {
            module.name: Counter(getattr(node, "id", getattr(node, "attr", "")) for node in module.nodes)
            for module in self.modules.values()
        }
        return sorted(
            f"{module.path} {node.name}"
            for module, node in self.functions
            if re.match("_(?!_)", node.name) and names[module.name][node.name] == 1
        )

    @cached_property
    def loops(self) -> list[str]:
        """The functions that play a game: they loop, call ``apply`` and ask ``is_terminal``; kernels are apart."""
        return sorted(
            f"{module.path}:{node.lineno} {node.name}"
            for module, node in self.functions
            if "/kernel/" not in module.path and plays(node)
        )

    @cached_property
    def implementers(self) -> dict[str, list[str]]:
        """For each Protocol, the classes and the modules of slices that have the names of all its members."""
        trees = self.modules.values()
        classes: dict[str, list[ast.ClassDef]] = defaultdict(list)
        for node in (node for each in trees for node in each.nodes):
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(node)

        def bases(node: ast.ClassDef) -> list[str]:
            return [ast.unparse(each).split("[")[0].split(".")[-1] for each in node.bases]

        def members(node: ast.ClassDef) -> set[str]:
            above = (each for name in bases(node) for each in classes[name] if each is not node)
            return bound(node).union(*map(members, above))

        known = [node for found in [*classes.values()] for node in found]
        offered = [(each.name, members(each)) for each in known if "Protocol" not in bases(each)]
        offered += [(each.name, bound(each.tree)) for each in trees if self.slice_of(each.name)]
        protocols = {each.name: members(each) for each in known if "Protocol" in bases(each)}
        return {
            name: [each for each, names in offered if wanted <= names] for name, wanted in protocols.items()
        }

    @cached_property
    def packed(self) -> list[Path]:
        """The files that hatch would put into the wheel."""
        from hatchling.builders.wheel import WheelBuilder

        return [Path(each.path) for each in WheelBuilder(str(self.checkout)).recurse_included_files()]


SEARCHES = re.compile(r"/uct\.py|/exact\.py|chance|_meets_|_reached|_roll_?out|endgame")
"""Loops that follow chance or search a tree, by their paths and names."""


def bound(node: ast.Module | ast.ClassDef) -> set[str]:
    """The names that a module or class binds at its top, and those of attributes that its functions set."""
    found: set[str] = set()
    for each in node.body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef):
            found.add(each.name)
            attributes = (part for part in ast.walk(each) if isinstance(part, ast.Attribute))
            found |= {part.attr for part in attributes if isinstance(part.ctx, ast.Store)}
        elif isinstance(each, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in each.names}
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            names = (name for target in targets for name in ast.walk(target))
            found |= {name.id for name in names if isinstance(name, ast.Name)}
    return found - {"__slots__"}


def plays(function: ast.FunctionDef) -> bool:
    """Whether a function loops, calls ``apply`` and asks ``is_terminal``."""
    nodes = list(ast.walk(function))
    called = {getattr(node.func, "attr", "") for node in nodes if isinstance(node, ast.Call)}
    return (
        any(isinstance(node, ast.For | ast.While) for node in nodes)
        and not called.isdisjoint({"apply", "apply_action"})
        and any(isinstance(node, ast.Attribute) and node.attr == "is_terminal" for node in nodes)
    )


def code_lines(text: str) -> int:
    """The lines of a file without comments, blank lines and texts that stand alone, such as docstrings."""
    alone = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
    docs = {
        line
        for node in alone
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for line in range(node.lineno, (node.end_lineno or 0) + 1)
    }
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    return sum(bool(line) and not line.startswith("#") and number not in docs for number, line in lines)


def running(nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """The nodes of a module without those under ``if TYPE_CHECKING``."""
    typing = {
        id(each)
        for node in nodes
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"
        for each in ast.walk(node)
    }
    return (node for node in nodes if id(node) not in typing)


def targets(module: Module, nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The dotted names that a module imports in these nodes of it."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = module.name.split(".")[: None if module.is_package else -1]
            above = parents[: len(parents) - node.level + 1] if node.level else []
            start = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{start}.{each.name}" for each in node.names)


def texts(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, str]]:
    """The constants that are texts, with their lines; a text that stands alone, such as a docstring, is none."""
    alone = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def circles(arrows: Iterable[tuple[str, str]]) -> list[list[str]]:
    """What reaches itself by arrows: the groups of two and more that all reach each other."""
    after = defaultdict(set)
    for first, second in arrows:
        after[first].add(second)
    reached = {each: reach(after, each) for each in after}
    groups = {frozenset(b for b in reached[a] if a in reached.get(b, ())) for a in after if a in reached[a]}
    return sorted(sorted(group) for group in groups)


def reach(after: Mapping[str, set[str]], start: str) -> set[str]:
    """All that is reached from a start by one arrow or more."""
    found: set[str] = set()
    waiting = list(after[start])
    while waiting:
        if (each := waiting.pop()) not in found:
            found.add(each)
            waiting += after.get(each, ())
    return found


def by_room(named: Iterable[str], pattern: str) -> list[str]:
    """How many lines begin with each room."""
    rooms = Counter(found[1] for each in named if (found := re.match(pattern, each)))
    return [f"{room}: {count}" for room, count in rooms.most_common()]


def lines_in(paths: Iterable[Path]) -> int:
    """The lines of Python files, all together."""
    return sum(len(path.read_bytes().splitlines()) for path in paths if path.suffix == ".py")


def counted(house: House) -> dict[str, Any]:
    """All that is counted: a number, a list of what is counted, or for slices their numbers."""
    tests = house.checkout / "tests"
    found: dict[str, Any] = {
        "python files": len(house.modules),
        "lines": lines_in(house.package / path for path in house.files),
        "code lines": sum(
            code_lines((house.package / each.path).read_text(encoding="utf-8"))
            for each in house.modules.values()
        ),
        "loops that play": [each for each in house.loops if not SEARCHES.search(each)],
        "loops of search and chance": [each for each in house.loops if SEARCHES.search(each)],
        "private functions": sum(node.name.startswith("_") for _, node in house.functions),
        "private functions called once": house.called_once,
        "modules with one importer beside": house.beside_their_importer,
        "small modules with one importer": house.doors(40),
        "rooms": house.rooms,
        "rooms without a layer": sorted(set(house.rooms) - house.floors.keys()),
    }
    for name in house.slices:
        own = house.own(name)
        folders = {path.rpartition("/")[0] for path in own}
        found[f"of {name}"] = {
            "files": len(own),
            "lines": lines_in(house.package / path for path in own),
            "folders": sorted(folders),
            "rooms": sorted({house.room_of(path) for path in own}),
        }
    return found | {
        "imports of a slice from below": house.imports_of_slices,
        "rooms with such imports": by_room(house.imports_of_slices, r"gpkit\.(\w+)"),
        "names of a slice from below": house.names_of_slices,
        "rooms with such names": by_room(house.names_of_slices, r"(\w+)"),
        "arrows between rooms": sorted(f"{a} -> {b}: {count}" for (a, b), count in house.arrows.items()),
        "arrows up": house.arrows_up,
        "imports up": house.imports_up,
        "names of modules above": house.names_up,
        "circles of rooms": circles(house.arrows),
        "circles of modules": circles(house.imports_that_run),
        "files in the wheel": len(house.packed),
        "python files of these": sum(path.suffix == ".py" for path in house.packed),
        "lines in the wheel": lines_in(house.packed),
        "of these not in programs": lines_in(path for path in house.packed if house.package in path.parents),
        "lines in tests": lines_in(tests.rglob("*.py")),
        "bytes of JSON in tests": sum(path.stat().st_size for path in tests.rglob("*.json")),
    }


def table(found: Mapping[str, Any], with_lists: bool) -> Iterator[str]:
    """The lines of the table."""
    for name, value in found.items():
        if isinstance(value, dict):
            numbers = (f"{each if isinstance(each, int) else len(each)} {key}" for key, each in value.items())
            yield f"{name:32}{', '.join(numbers)}"
            listed = [each for part in value.values() if isinstance(part, list) for each in part]
        else:
            yield f"{name:32}{value if isinstance(value, int) else len(value):,}"
            listed = value if isinstance(value, list) else []
        if with_lists:
            yield from (f"    {', '.join(each) if isinstance(each, list) else each}" for each in listed)


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--checkout", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--lists", action="store_true", help="name what is counted")
    parser.add_argument("--json", action="store_true", help="print JSON, lists included")
    options = parser.parse_args()
    found = counted(House(options.checkout.resolve()))
    text = json.dumps(found, indent=1) if options.json else "\n".join(table(found, options.lists))
    sys.stdout.write(f"{text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
