"""A terminal at which one plays: the board drawn in text, and lines typed by a person.

- `controller.terminal.draw`: the data of `controller.table.view.view` into lines of text. Pure.
- `controller.terminal.typed`: a typed line into what it asks for. Pure.
- `controller.terminal.editor`: keys into lines. Pure.
- `controller.terminal.screen`, `controller.terminal.roll`: drawing in place, and telling in appended text.
- `controller.terminal.console`: the only module here that touches a terminal.

Who moves stones when a line asks for it is for `controller.app.at_terminal` to say.
"""
