"""What a builder needs at the bench: checking, teaching and watching a board, and having the system start it.

A composition room beside `controller.app`: it may name concrete devices, clocks and the simulator.
"""
