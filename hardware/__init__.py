"""What touches the world on the Pi: board profiles, cell sources, lamps, buttons and the link."""
