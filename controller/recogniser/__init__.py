"""Turns what the sensors saw into the move that a player made. Pure: no clock, no device, never raises for the world.

A sensor tells what lies on its cell only as far as its kind allows, so no stone is ever followed. We ask which legal
move explains the board as it is read now *and* the cells that were emptied on the way; a swap of two stones, for one,
leaves every presence sensor as it was.

- `controller.recogniser.answers`: the closed set of answers.
- `controller.recogniser.prospect`: the legal moves of one position, indexed by what they do to the readings.
- `controller.recogniser.watch`: what was seen since the turn began.
- `controller.recogniser.reading`: `read`, which joins the three.
"""
