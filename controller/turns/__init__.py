"""Where a turn stands: one `transitions` machine a game, built from tables on a common skeleton.

The machine knows nothing of rules, cells or lights: it owns the phase, and says which news may change it into which.
"""
