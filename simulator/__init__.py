"""The stand-in for all hardware: a board in memory with hands and faults, and pins and pixels for it."""
