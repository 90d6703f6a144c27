"""Settings for the tests of experiments: those of the other tests, and their way to run commands."""

from cli.conftest import gpkit
from hypothesis import settings

__all__ = ["gpkit"]

settings.register_profile("gpkit", deadline=None, max_examples=30)
settings.load_profile("gpkit")
