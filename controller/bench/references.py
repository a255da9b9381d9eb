"""Which boards that come along a game is played on, the best first."""

from controller.games.seam import AnyRules
from hardware.hosting import SURFACES, by_name, by_shape
from hardware.profile import Profile, load_profile, profile_names


def references(rules: AnyRules) -> tuple[Profile, ...]:
    """Return the installed profiles that have room for a game: those made for it, then those that lend it a part.

    Among these a board that tells less, but needs fewer parts, comes first.
    """
    fitting = [(rank, profile) for profile in map(load_profile, profile_names()) if (rank := _rank(rules, profile))]
    return tuple(profile for _, profile in sorted(fitting, key=lambda entry: (entry[0], *_taste(entry[1]))))


def _rank(rules: AnyRules, profile: Profile) -> int:
    """Return 1 for a board made for the game, 2 for one with room for it, 0 for others."""
    layout = profile.layout()
    if profile.cells.sensing == "colour" and not rules.stones:
        return 0
    if rules.name in profile.hosts:
        return 2
    if rules.surface not in SURFACES[layout.kind]:
        return 0
    spots = [(place.x, place.y) for place in rules.cells]
    names = [place.name for place in rules.cells]
    hosting = by_shape(layout, spots) if layout.kind == "hexagon" else by_name(layout, names)
    if hosting is None:
        return 0
    return 1 if hosting.is_plain else 2


def _taste(profile: Profile) -> tuple[bool, bool, str]:
    return profile.cells.sensing != "presence", profile.host != "pi", profile.name
