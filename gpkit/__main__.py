"""``python -m gpkit``: the command line."""

import sys

from gpkit.cli.main import main

sys.exit(main())
