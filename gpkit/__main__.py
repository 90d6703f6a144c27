"""``python -m gpkit``: the command line; MPI workers import this module without running anything."""

import sys

from gpkit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
