"""Settings for all tests: generated examples have no deadline, as the first call of a kernel compiles it."""

from hypothesis import settings

settings.register_profile("gpkit", deadline=None)
settings.load_profile("gpkit")
