"""What has to be settled before any test imports a library that looks at its environment once."""

import os

# Blinka then offers pins that lead nowhere, on any computer; simulator.pixels listens there.
os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
