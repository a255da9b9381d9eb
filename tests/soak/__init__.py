"""Seeded play with clumsy hands and sick sensors: `python -m tests.soak GAME --plies N` (or `make soak`)."""
