"""What people see: meanings become glows, glows become frames. Pure: the time is an argument.

- `controller.lighting.language`: every meaning with its colour, its pattern and its layer.
- `controller.lighting.glow`: glows over time and `render`.
- `controller.lighting.track`: the score track.
"""
