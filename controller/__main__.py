"""The command `stonelight`, also as ``python -m controller``."""

import sys

from controller.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
