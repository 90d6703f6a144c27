"""Settings for all tests.

Generated examples have no deadline, as the first call of a kernel compiles it. Programs that a shell starts in the
background ignore interrupts, and so would all that tests start and then interrupt: here they do not.
"""

import signal

from hypothesis import settings

settings.register_profile("gpkit", deadline=None)
settings.load_profile("gpkit")

signal.signal(signal.SIGINT, signal.default_int_handler)
