"""Settings for all tests.

Generated examples have no deadline, as the first call of a kernel compiles it, and are 30 where a test does not say
otherwise. Programs that a shell starts in the background ignore interrupts, and so would all that tests start and then
interrupt: here they do not. With ``--without-fcntl`` the tests run as on a platform that lacks that module.

All that is collected stays alive: the collector of garbage waits until then, never looks at it, and is called less
often.

Bytecode is written whatever the environment says: tests start hundreds of processes, and each would compile all modules
anew; rewritten assertions take longer still.
"""

import gc
import os
import shutil
import signal
import sys
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from gpkit.core import plugins

settings.register_profile("gpkit", deadline=None, max_examples=30)
settings.load_profile("gpkit")

gc.set_threshold(50_000)

sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of this suite."""
    parser.addoption(
        "--without-fcntl", action="store_true", help="block the module fcntl, which Windows lacks"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Block what is to be blocked, before any module of gpkit is imported."""
    if config.getoption("--without-fcntl"):
        sys.modules["fcntl"] = None  # type: ignore[assignment]


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without the collector of garbage, which never looks at what was there by then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the sessions of documents, the longest tests: no worker is left with one while others have ended."""
    items.sort(key=lambda item: item.path.name not in ("test_docs.py", "test_readme.py"))


@pytest.fixture(scope="module", autouse=True)
def modules_share_no_games() -> Generator[None, None, None]:
    """Games, sensors and languages that a module names are unknown to the next one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))
        yield


@pytest.fixture
def none_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file of a game or of sensors is named before a test, nor after it."""
    monkeypatch.setattr(plugins, "here", plugins.Discovery(installed=plugins.here.installed))


@pytest.fixture
def nobodys(none_named: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty folder to work in, and no file of a game or of sensors that others have named."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def brief_doctor(monkeypatch: pytest.MonkeyPatch) -> None:
    """What examines a game begins no further one after a moment."""
    monkeypatch.setattr("gpkit.user_games.contract.examine.PLAYED_FOR", 0.2)
    monkeypatch.setattr("gpkit.api.health.TWINS_FOR", 0.2)
    monkeypatch.setattr("gpkit.api.health.PATIENCE", 0.1)
    monkeypatch.setattr("gpkit.api.health.ENOUGH", 0.001)


@pytest.fixture(scope="module")
def ended(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny run of Sevens that has ended after so many ``GENERATIONS`` of the module."""
    from tiny_run import evolve_tiny  # when all that is to be blocked is

    folder = tmp_path_factory.mktemp("runs") / "ended"
    evolve_tiny(folder, generations=request.module.GENERATIONS)
    return folder


@pytest.fixture
def run(ended: Path, tmp_path: Path) -> Path:
    """A copy to be damaged."""
    return Path(shutil.copytree(ended, tmp_path / "run"))
