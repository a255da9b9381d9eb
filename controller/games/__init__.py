"""The games: rules as values in and values out. Imports nothing but the standard library."""
