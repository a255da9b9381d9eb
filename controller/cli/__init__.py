"""The command line: the only room that prints. Each command is a module of its own, loaded when it is called.

A command module has ``add_arguments(parser)``, which declares its arguments, and ``run(args) -> int``, which does the
work and returns the exit status. To add one, write such a module and a line in `controller.cli.commands.COMMANDS`.
"""
