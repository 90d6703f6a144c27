"""Settings for all tests.

Generated examples have no deadline, as the first call of a kernel compiles it, and are 30 where a test does not say
otherwise. Programs that a shell starts in the background ignore interrupts, and so would all that tests start and then
interrupt: here they do not. With ``--without-fcntl`` the tests run as on a platform that lacks that module.

All that was collected stays alive, and the collector of garbage looks at it again and again: it is called less often.
"""

import gc
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("gpkit", deadline=None, max_examples=30)
settings.load_profile("gpkit")

gc.set_threshold(50_000)

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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the sessions of documents, the longest tests: no worker is left with one while others have ended."""
    items.sort(key=lambda item: item.path.name not in ("test_docs.py", "test_readme.py"))


@pytest.fixture
def none_named() -> Iterator[None]:
    """No file of a game or of sensors is named before a test, nor after it."""
    from gpkit.core import guests  # when all that is to be blocked is

    guests.forget_files()
    yield
    guests.forget_files()
