"""A game on a board: which places are its cells, and readings and frames translated where they are not the same.

Which places: `hosting_for`. A board that was made for the game is used as it is; a larger one of the same kind lends a
part of its cells; a mat lends blocks of places to games with larger cells, by the rule in its profile.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from controller.games.seam import AnyRules, OptionError, load_game
from hardware.hosting import SURFACES, Hosting, HostingError, blocks, by_name, by_shape
from hardware.layouts import MOST_FILES, turned
from hardware.ports import CellChange, Frame, Lamps, Millis, RawHeard, Sensed, Snapshot, Source, hear_raw
from hardware.profile_model import Profile

SURFACE_WORDS: Final = {"square": "squares", "mat": "a mat", "hexagon": "hexagons", "pit": "pits"}
"""What a game with that surface needs, in words."""


class BoardError(ValueError):
    """A board on which this game cannot be played; says why and what to do."""


class NoRoomError(BoardError):
    """A board without the cells of this game. Where a size of the game has room, the message names it.

    Args:
        rules: the game.
        profile: the board.
        wrong: what is wrong.
        remedy: what to do where no size has room.
    """

    def __init__(self, rules: AnyRules, profile: Profile, wrong: str, remedy: str) -> None:
        super().__init__(wrong, remedy)
        self._asked = rules, profile
        self._wrong, self._remedy = wrong, remedy

    def __str__(self) -> str:
        """Return the message; sizes are looked for only here, since many who try boards never tell it."""
        sizes = fitting_sizes(*self._asked)
        return f"{self._wrong}: {f'play with {size_words(sizes)}, or ' if sizes else ''}{self._remedy}"


def hosting_for(rules: AnyRules, profile: Profile) -> Hosting:
    """Return the places of the board that are the cells of the game, wherever they lie on a board that is turned.

    Raises:
        BoardError: the game has no room there, or needs a board of another kind.
    """
    hosting = _found(rules, profile)
    places = turned(profile.layout(), profile.cells.turned)
    return hosting if places is None or not profile.cells.turned else hosting.on_turned(places)


def _found(rules: AnyRules, profile: Profile) -> Hosting:
    layout, names = profile.layout(), tuple(place.name for place in rules.cells)
    spots = [(place.x, place.y) for place in rules.cells]
    rule = profile.hosts.get(rules.name)
    if rule is not None:
        try:
            return blocks(layout, spots, rule.cell, rule.step, rule.origin)
        except HostingError as error:
            wrong = f"the board {profile.name!r} has no room for {rules.name}: {error.wrong}"
            raise NoRoomError(rules, profile, wrong, error.remedy) from error
    if rules.surface not in SURFACES[layout.kind]:
        needs = SURFACE_WORDS.get(rules.surface, rules.surface)
        raise BoardError(
            f"the board {profile.name!r} has {_span(layout.names)}, and {rules.name} needs {needs}: "
            "choose another board or game"
        )
    hosting = by_shape(layout, spots) if layout.kind == "hexagon" else by_name(layout, names)
    if hosting is None:
        wrong = f"the board {profile.name!r} has the cells {_span(layout.names)}, and {rules.name} needs {_span(names)}"
        raise NoRoomError(rules, profile, wrong, "choose another board or game")
    return hosting


def fitting_sizes(rules: AnyRules, profile: Profile) -> Mapping[str, tuple[int, ...]]:
    """Return with which sizes a game has room on a board: by option, all the numbers that do, the least first.

    The other options stay as they are. Of two options, such as width and height, each number goes with each.

    Returns:
        Nothing where the game has no size that fits, or no options for its size.
    """
    try:
        game = load_game(rules.name)
    except OptionError:
        return {}

    def sized(**sizes: int) -> AnyRules | None:
        given = {**rules.settings, **{key: str(number) for key, number in sizes.items()}}
        try:
            return game.rules(rules.players, given)
        except OptionError:
            return None

    def fits(**sizes: int) -> bool:
        tried = sized(**sizes)
        try:
            return tried is not None and bool(_found(tried, profile).groups)
        except BoardError:
            return False

    takes: dict[str, list[int]] = {}
    for option in game.options:
        numbers = (number for number in range(1, MOST_FILES + 1) if sized(**{option.key: number}) is not None)
        two = list(islice(numbers, 2))
        if len({tried.cells for number in two if (tried := sized(**{option.key: number})) is not None}) == 2:
            takes[option.key] = [*two, *numbers]
    least = {key: numbers[0] for key, numbers in takes.items()}
    if not takes or not fits(**least):
        return {}
    return {
        key: tuple(number for number in numbers if fits(**{**least, key: number})) for key, numbers in takes.items()
    }


def size_words(sizes: Mapping[str, tuple[int, ...]]) -> str:
    """Return the largest of the sizes that fit as arguments of ``play``, and which others do."""
    arguments = " ".join(f"--set {key}={numbers[-1]}" for key, numbers in sizes.items())
    others = [f"{key} {numbers[0]} to {numbers[-1]}" for key, numbers in sizes.items() if len(numbers) > 1]
    return f"{arguments} ({' and '.join(others)} fit)" if others else arguments


def _span(names: tuple[str, ...]) -> str:
    return f"{names[0]} to {names[-1]} ({len(names)})"


class HostedSource:
    """A board's source, told as cells of the game.

    Args:
        source: the board's own.
        hosting: which of its places are which cells.
    """

    def __init__(self, source: Source, hosting: Hosting) -> None:
        self._source = source
        self._hosting = hosting
        self._places = [0] * hosting.places
        self._cells = [0] * len(hosting.groups)

    def poll(self, now: Millis) -> Sequence[Sensed]:
        """Return what has been sensed up to `now`; what places outside of the game read is left out."""
        sensed = self._source.poll(now)
        if not sensed:
            return ()
        told: list[Sensed] = []
        for each in sensed:
            if isinstance(each, CellChange):
                told += self._changed(each)
            elif isinstance(each, Snapshot):
                told.append(self._snapshot(each))
            else:
                told.append(each)
        return told

    def _changed(self, change: CellChange) -> list[Sensed]:
        self._places[change.cell] = change.reading
        cell = self._hosting.cell_of[change.cell]
        if cell < 0:
            return []
        reading = self._hosting.reading(cell, self._places)
        if reading == self._cells[cell]:
            return []
        self._cells[cell] = reading
        return [CellChange(cell, reading, change.at)]

    def _snapshot(self, snapshot: Snapshot) -> Snapshot:
        self._places = list(snapshot.readings)
        self._cells = [self._hosting.reading(cell, self._places) for cell in range(len(self._cells))]
        return Snapshot(tuple(self._cells), snapshot.at)

    def due(self) -> Millis | None:
        """Return when the board wants to be polled next."""
        return self._source.due()

    def listen(self, wake: Callable[[], None]) -> None:
        """Pass the function on."""
        self._source.listen(wake)

    def hear_raw(self, heard: RawHeard | None) -> None:
        """Tell raw values by cells of the game: of a cell with several places the greatest, for a piece stirs any."""
        hear_raw(self._source, None if heard is None else self._by_cell(heard))

    def _by_cell(self, heard: RawHeard) -> RawHeard:
        groups, cell_of = self._hosting.groups, self._hosting.cell_of
        raw = [-1] * self._hosting.places

        def relay(at: Millis, first: int, values: Sequence[int]) -> None:
            raw[first : first + len(values)] = values
            for cell in dict.fromkeys(cell_of[first : first + len(values)]):
                if cell >= 0:
                    heard(at, cell, (max(raw[place] for place in groups[cell]),))

        return relay

    def close(self) -> None:
        """Let go of the board."""
        self._source.close()


class HostedLamps:
    """A board's lamps, lit as cells of the game.

    Args:
        lamps: the board's own.
        hosting: which of its places are which cells.
    """

    def __init__(self, lamps: Lamps, hosting: Hosting) -> None:
        self.board: Final = lamps
        self._hosting = hosting

    def show(self, frame: Frame) -> None:
        """Light the pixels so: each place as its cell, places outside of the game dark. Raises as the lamps do."""
        self.board.show(self._hosting.frame(frame))

    def dim(self, share: float) -> None:
        """Pass the share on."""
        self.board.dim(share)

    def cover(self, cells: Iterable[int]) -> None:
        """Tell the board that all places of these cells are covered: which of them the piece lies on is the same."""
        groups = self._hosting.groups
        self.board.cover(place for cell in cells for place in groups[cell])

    def close(self) -> None:
        """All dark, and let go."""
        self.board.close()


def hosted(source: Source, lamps: Lamps, hosting: Hosting) -> tuple[Source, Lamps]:
    """Return source and lamps of a board as those of the game; as they are where nothing need be translated."""
    if hosting.is_plain:
        return source, lamps
    return HostedSource(source, hosting), HostedLamps(lamps, hosting)
