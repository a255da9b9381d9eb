"""What is kept of a calibration that was not finished is gone on with, or refused with words, whatever became of it."""

import contextlib
import copy
import math
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.bench.calibrate import teach
from controller.bench.learned import learned_of, learned_text, report
from controller.bench.person import Deed, Request, StoppedError
from controller.bench.progress import Progress, UnusableError, load_progress, progress_path, save_progress
from controller.bench.simulated import SimulatedRoad
from controller.bench.simulated_person import SimulatedPerson
from controller.bench.toml_text import dumps
from hardware.profile import Profile, ProfileError, check_profile
from hardware.profile_calibration import calibrated, fingerprint, parse_calibration


class _Leaving(SimulatedPerson):
    """One who leaves after so many stones."""

    def __init__(self, road: SimulatedRoad, stones: int) -> None:
        super().__init__(road)
        self._left = stones

    def request(self, request: Request) -> None:
        if request.deed is Deed.PUT:
            self._left -= 1
            if self._left < 0:
                raise StoppedError
        super().request(request)


class _Stopped:
    """A board, and a calibration of it that was stopped."""

    def __init__(self, name: str, stones: int, *, dead: str = "") -> None:
        self.raw: Final = tomllib.loads((files("hardware") / "profiles" / f"{name}.toml").read_text())
        self.profile: Final = check_profile(self.raw, name)
        self.wiring: Final = fingerprint(self.raw)
        self.progress: Final = Progress(wiring=self.wiring)
        road = SimulatedRoad(self.profile)
        road.top.fail([f"dead={dead}" if dead else "none"])
        with contextlib.suppress(StoppedError):
            teach(self.profile, road, _Leaving(road, stones), self.progress, lambda _: None)

    def kept(self) -> dict[str, Any]:
        """Return what the file of it holds."""
        return self.progress.model_dump()

    def load(self, path: Path, text: str | bytes) -> Progress | None:
        """Return what comes of a file."""
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_progress(path, self.profile, self.wiring)


PRESENCE: Final = _Stopped("bamogo-4x4-presence", 14, dead="b3")
COLOUR: Final = _Stopped("bamogo-4x4-colour", 84, dead="d4")
PITS: Final = _Stopped("bao-4x12", 47)


@pytest.mark.parametrize("board", [PRESENCE, COLOUR, PITS])
def test_what_was_kept_is_loaded_as_it_was(board: _Stopped, tmp_path: Path) -> None:
    path = progress_path(tmp_path / "mine.toml")
    assert load_progress(path, board.profile, board.wiring) is None
    save_progress(path, board.progress)
    assert load_progress(path, board.profile, board.wiring) == board.progress


def _changed(board: _Stopped, **changes: Any) -> str:
    return dumps(board.kept() | changes)


SAMPLE: Final = {"cell": "a1", "stone": 1, "off_centre": False, "value": 500.0}
DAMAGES: Final[dict[str, tuple[str | bytes, str]]] = {
    "bytes": (b"\xff\xfe", "it is no text"),
    "half a line": ("place = [", "it is not TOML: "),
    "digits": (f"place = {'1' * 5000}", "it is not TOML: "),
    "brackets": (f"place = {'[' * 5000}", "it is not TOML: "),
    "nothing": ("", "wiring: Field required"),
    "a key with a line end": (_changed(COLOUR, **{"a\nb": 1}), r"'a\nb': Extra"),
    "other wiring": (_changed(COLOUR, wiring="x"), "the wiring in the profile has changed since"),
    "a true place": (_changed(COLOUR, place=True), "place: Input should be a valid integer"),
    "a place before the first": (_changed(COLOUR, place=-5), "place: the chain has no pixel -5"),
    "a place after the last": (_changed(COLOUR, place=41), "place: the chain has no pixel 41"),
    "a pixel that is to come": (_changed(COLOUR, place=3, pixels={"a1": 3}), "pixels: a1 cannot have 3"),
    "a pixel twice": (_changed(COLOUR, pixels={"a1": 3, "a2": 3}), "pixels: 3 is there twice"),
    "a pixel of nothing": (_changed(COLOUR, pixels={"z9": 3}), "pixels: there is no cell 'z9'"),
    "one input": (_changed(COLOUR, resting=[1.0]), "noise: 16 values for 1 inputs"),
    "a contact of 500": (_changed(PRESENCE, resting=[500.0] + 15 * [0.0]), "resting: no input reads 500"),
    "no number": (_changed(COLOUR, resting=[math.nan] * 16), "resting.0: Input should be a finite number"),
    "less than no noise": (_changed(COLOUR, noise=[-1.0] * 16), "noise: no input reads -1"),
    "an input below": (_changed(COLOUR, inputs={"a1": -1}, samples=[]), "inputs: a1 cannot have -1"),
    "an input above": (_changed(COLOUR, inputs={"a1": 16}, samples=[]), "inputs: a1 cannot have 16"),
    "an input twice": (_changed(COLOUR, inputs={"a1": 1, "a2": 1}, samples=[]), "inputs: 1 is there twice"),
    "a sample of nothing": (_changed(COLOUR, samples=[SAMPLE | {"cell": "d4"}]), "samples: no input is known for 'd4'"),
    "a sample of no stone": (_changed(COLOUR, samples=[SAMPLE | {"stone": 4}]), "samples: there is no stone 4"),
    "a sample beyond": (_changed(COLOUR, samples=[SAMPLE | {"value": 1e9}]), "samples: no input reads 1e+09"),
    "a sample twice": (_changed(COLOUR, samples=[SAMPLE, SAMPLE]), "samples: a1 1 middle is there twice"),
    "a strange kind": (_changed(COLOUR, closed=["9 aside"]), "closed: there is no '9 aside'"),
    "a kind twice": (_changed(COLOUR, closed=["2 aside", "2 aside"]), "closed: 2 aside is there twice"),
    "a problem of nothing": (_changed(COLOUR, problems={"z9": "dead"}), "problems: there is no cell 'z9'"),
    "a problem of what is well": (_changed(COLOUR, problems={"a1": "dead"}), "problems: a1 has an input"),
    "a problem without words": (_changed(COLOUR, problems={"d4": "\x1b[2J"}), "problems: d4 has no words"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_cannot_be_gone_on_with_is_refused_in_one_line(damage: str, tmp_path: Path) -> None:
    text, said = DAMAGES[damage]
    board = PRESENCE if damage == "a contact of 500" else COLOUR
    with pytest.raises(UnusableError) as refused:
        board.load(tmp_path / "part.toml", text)
    assert str(refused.value).startswith(said)
    assert str(refused.value).isprintable()


def test_a_board_with_other_inputs_than_were_measured_is_learned_anew(tmp_path: Path) -> None:
    text = _changed(PRESENCE, resting=20 * [0.0], noise=20 * [0.0], inputs={"a1": 19}, problems={})
    progress = PRESENCE.load(tmp_path / "part.toml", text)
    assert progress is not None
    road = SimulatedRoad(PRESENCE.profile)
    person = SimulatedPerson(road)
    teach(PRESENCE.profile, road, person, progress, lambda _: None)
    assert person.told == ["The board has 16 inputs, not 20: they are learned anew."]
    assert progress.inputs == dict(zip(PRESENCE.profile.cell_names(), PRESENCE.profile.inputs(), strict=True))


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths of all that tables and lists hold, themselves included."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(each for key, held in inner for each in _places(held, (*path, key)))]


NAMES: Final = st.sampled_from(["a1", "b2", "d4", "z9", "wiring", "1 aside", "2 middle", ""])
PLAIN: Final = st.one_of(
    st.booleans(),
    st.integers(-3, 50),
    st.integers(),
    st.just(10**400),
    st.floats(),
    st.floats(0, 1),
    st.floats(0, 1023),
    st.text(max_size=5),
    NAMES,
)
VALUES: Final = st.one_of(PLAIN, st.lists(PLAIN, max_size=20), st.dictionaries(NAMES, PLAIN, max_size=3))


@st.composite
def _mutilated(draw: st.DrawFn) -> tuple[_Stopped, str]:
    """Draw a board and a good file of it in which a few things were changed, taken out or doubled."""
    board = draw(st.sampled_from([PRESENCE, COLOUR, PITS]))
    kept: Any = copy.deepcopy(board.kept())
    for _ in range(draw(st.integers(1, 2))):
        key = draw(st.sampled_from(sorted({*kept} - {"wiring"})))
        path = draw(st.sampled_from([each for each in _places(kept) if each[:1] == (key,)] or [()]))
        if not path:
            continue
        *outer, last = path
        holder = kept
        for part in outer:
            holder = holder[part]
        match draw(st.sampled_from(["change", "drop", "double", "swap"])):
            case "drop":
                del holder[last]
            case "double" if isinstance(holder, list):
                holder.append(copy.deepcopy(holder[last]))
            case "swap":
                other = draw(st.sampled_from([*holder] if isinstance(holder, dict) else range(len(holder))))
                holder[last], holder[other] = holder[other], holder[last]
            case _:
                holder[last] = draw(VALUES)
    return board, dumps(kept)


def _finish(board: _Stopped, progress: Progress) -> None:
    """Go on to the end, and lay what was learned over the profile."""
    road, kept = SimulatedRoad(board.profile), [""]
    teach(board.profile, road, SimulatedPerson(road), progress, lambda grown: kept.append(dumps(grown.model_dump())))
    road.close()
    learned = learned_of(board.profile, progress)
    list(report(board.profile, learned))
    again = parse_calibration(learned_text(learned, "mine.toml"), board.raw)
    assert again == learned
    with contextlib.suppress(ProfileError):  # it says what is wrong
        check: Profile = check_profile(calibrated(board.raw, again), "mine.toml")
        assert check.cell_names() == board.profile.cell_names()


@settings(deadline=None, max_examples=150)
@given(case=_mutilated())
def test_a_damaged_file_is_gone_on_with_to_the_end_or_refused(
    case: tuple[_Stopped, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    board, text = case
    with contextlib.suppress(UnusableError):
        progress = board.load(tmp_path_factory.getbasetemp() / "part.toml", text)
        assert progress is not None
        _finish(board, progress)


@settings(deadline=None, max_examples=150)
@given(data=st.data())
def test_bytes_that_were_lost_or_spoilt_never_end_in_a_traceback(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = dumps(COLOUR.kept()).encode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    with contextlib.suppress(UnusableError):
        COLOUR.load(
            tmp_path_factory.getbasetemp() / "part.toml", text[:start] + data.draw(st.binary(max_size=8)) + text[end:]
        )
