"""``python -m gpkit``: the command line; workers of MPI import it and run nothing."""

import sys

from gpkit.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
