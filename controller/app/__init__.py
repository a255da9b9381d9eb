"""Composition: the only room, with `controller.bench`, that names concrete devices, clocks and threads."""
