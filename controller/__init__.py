"""The brain: rules, recognition, turn machines, light language, the page and the command."""
