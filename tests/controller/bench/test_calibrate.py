"""Boards that are wired otherwise than their profiles say are learned as they are, by a simulated person's hands."""

import random
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from controller.bench.calibrate import teach
from controller.bench.learned import learned_of, learned_text, measured_bands, report
from controller.bench.person import NONE, REST, TRACK, About, Deed, Question, Request, StoppedError
from controller.bench.progress import Progress, Sample, load_progress, progress_path, save_progress
from controller.bench.road import Probe
from controller.bench.simulated import SimulatedRoad
from controller.bench.simulated_person import SimulatedPerson
from controller.bench.walk import poll_for
from controller.cli.main import main
from hardware.cell_log import CellLog
from hardware.profile import Profile, check_profile, load_profile
from hardware.profile_calibration import Learned, calibrated, calibration_path, fingerprint


def _raw(name: str) -> dict[str, Any]:
    raw = tomllib.loads((files("hardware") / "profiles" / f"{name}.toml").read_text())
    if raw["cells"]["layout"] == "hexagon":  # a smaller one takes less time
        raw["cells"]["radius"], raw["lamps"]["count"], raw["lamps"]["track"]["first"] = 2, 43, 19
    return raw


def _rewired(raw: dict[str, Any], seed: int) -> Profile:
    """Return the board with all cells and pixels soldered in another order."""
    plain, dice = check_profile(raw, "plain"), random.Random(seed)
    names = plain.cell_names()
    inputs, pixels = list(plain.inputs()), list(plain.places()[: len(names)])
    dice.shuffle(inputs)
    dice.shuffle(pixels)
    learned = Learned(
        board=plain.name,
        wiring=fingerprint(raw),
        inputs=dict(zip(names, inputs, strict=True)),
        pixels=dict(zip(names, pixels, strict=True)),
    )
    return check_profile(calibrated(raw, learned), "rewired")


def _progress(raw: dict[str, Any]) -> Progress:
    return Progress(wiring=fingerprint(raw))


def _nothing(_progress: Progress) -> None:
    """Keep nothing."""


@pytest.mark.parametrize(
    "name", ["bamogo-4x4-presence", "bamogo-4x4-colour", "bao-4x12", "exago-5-reeds", "exago-5-registers"]
)
def test_a_wrong_order_of_wires_is_learned(name: str) -> None:
    raw = _raw(name)
    profile, truth = check_profile(raw, name), _rewired(raw, seed=7)
    assert truth.inputs() != profile.inputs()
    road, progress = SimulatedRoad(truth, seed=3), _progress(raw)
    person = SimulatedPerson(road)
    teach(profile, road, person, progress, _nothing)
    learned = learned_of(profile, progress)
    names = profile.cell_names()
    assert learned.inputs == dict(zip(names, truth.inputs(), strict=True))
    assert learned.pixels == dict(zip(names, truth.places(), strict=False))
    assert not learned.problems
    assert check_profile(calibrated(raw, learned), name).inputs() == truth.inputs()
    assert road.tap.is_dark()
    asked = [question.about for question in person.asked]
    assert asked.count(About.LIT_CELL) == profile.lamps.count


def test_fields_are_learned_with_a_margin_for_each_cell_and_then_read_right() -> None:
    raw = _raw("bamogo-4x4-colour")
    profile = check_profile(raw, "colour")
    road, progress = SimulatedRoad(profile, seed=5), _progress(raw)
    teach(profile, road, SimulatedPerson(road), progress, _nothing)
    assert len(progress.samples) == 16 * 6
    learned = learned_of(profile, progress)
    assert [band.pole for band in learned.bands] == ["north", "south", "north"]
    assert [(round(band.from_mt), round(band.to_mt)) for band in learned.bands] == [(41, 78), (41, 78), (10, 22)]
    assert len(learned.margins) == 16
    assert all(1.0 < margin < 4.0 for margin in learned.margins.values())
    assert all(abs(zero - 512) < 3 for zero in learned.zero.values())
    again = check_profile(calibrated(raw, learned), "again")
    log, fresh = CellLog(again.cell_names()), SimulatedRoad(profile, seed=6)
    source = fresh.sensing(again)
    for cell in range(16):
        fresh.top.put([cell], cell % 3 + 1)
    poll_for(source, log, fresh, 2000, lambda: False)
    assert [log.reading(cell) for cell in range(16)] == [cell % 3 + 1 for cell in range(16)]
    source.close()


def _measured(fields: dict[int, list[float]]) -> tuple[Profile, Progress]:
    """Return a board of which stones made these fields, in mT, by the stone's number."""
    raw = _raw("bamogo-4x4-colour")
    profile = check_profile(raw, "colour")
    per_count = profile.field_scales()[0].mt_per_count
    progress = Progress(wiring=fingerprint(raw), resting=[512.0] * 16, noise=[1.0] * 16, inputs={"a1": 0})
    progress.samples = [
        Sample(cell="a1", stone=stone, off_centre=False, value=512.0 + field / per_count)
        for stone, measured in fields.items()
        for field in measured
    ]
    return profile, progress


@pytest.mark.parametrize(
    ("fields", "bands"),
    [
        ({1: [-68.0, -49.0], 2: [60.0], 3: [-19.0, -12.0]}, [(41.6, 78.2), (51.0, 69.0), (10.2, 21.8)]),
        # Two colours that are near to each other share the room between them.
        ({1: [-40.0], 2: [60.0], 3: [-36.0]}, [(39.1, 46.0), (51.0, 69.0), (30.6, 36.9)]),
        ({1: [-40.0], 2: [60.0], 3: [-38.5]}, None),
        ({1: [-40.0, -30.0], 2: [60.0], 3: [-35.0]}, None),
        ({1: [-40.0], 2: [60.0], 3: [-5.0]}, None),
        ({1: [-40.0, 40.0], 2: [60.0], 3: [-12.0]}, None),
        ({1: [-40.0], 3: [-12.0]}, None),
    ],
)
def test_bands_hold_what_was_measured_or_are_left_alone(
    fields: dict[int, list[float]], bands: list[tuple[float, float]] | None
) -> None:
    profile, progress = _measured(fields)
    found = measured_bands(profile, progress)
    assert (None if found is None else [(band.from_mt, band.to_mt) for band in found]) == bands
    lines = list(report(profile, learned_of(profile, progress)))
    assert any("could not be told apart" in line for line in lines) == (bands is None)


def test_pits_are_measured_empty_and_with_a_seed() -> None:
    raw = _raw("bao-4x12")
    truth = check_profile(raw | {"cells": raw["cells"] | {"levels": {"empty": 90, "seed": 510}}}, "truth")
    profile = check_profile(raw, "bao")
    road, progress = SimulatedRoad(truth), _progress(raw)
    teach(profile, road, SimulatedPerson(road), progress, _nothing)
    learned = learned_of(profile, progress)
    assert set(learned.levels.values()) == {(90, 510)}
    assert set(learned.margins.values()) == {210.0}


def test_a_dead_cell_is_named_and_the_others_are_learned() -> None:
    raw = _raw("bamogo-4x4-presence")
    truth = _rewired(raw, seed=1)
    profile = check_profile(raw, "plain")
    road, progress = SimulatedRoad(truth), _progress(raw)
    road.top.fail(["dead=b3"])
    person = SimulatedPerson(road)
    teach(profile, road, person, progress, _nothing)
    assert progress.problems == {"b3": "dead: a stone there is not seen"}
    assert "b3 is dead: a stone there is not seen" in person.told
    learned = learned_of(profile, progress)
    assert learned.inputs == dict(zip(profile.cell_names(), truth.inputs(), strict=True))  # the last one is left over
    lines = list(report(profile, learned))
    assert lines[-1] == "15 of 16 cells are well."
    assert any(line.startswith("b3") and "dead" in line for line in lines)


class _Crossed:
    """A probe on which what input `first` sees also, or only, shows at `second`."""

    def __init__(self, probe: Probe, first: int, second: int, *, moved: bool) -> None:
        self._probe, self._first, self._second, self._moved = probe, first, second, moved
        self.width = probe.width

    def read(self) -> list[int]:
        values = self._probe.read()
        values[self._second] |= values[self._first]
        if self._moved:
            values[self._first] = 0
        return values

    def close(self) -> None:
        self._probe.close()


@pytest.mark.parametrize(
    ("first", "second", "moved", "problem"),
    [
        (1, 4, True, {"b1": "duplicate: it reads as a2 does"}),
        # The stone comes from the very cell that reads the same.
        (4, 0, True, {"a2": "duplicate: it reads as a1 does"}),
        (1, 4, False, {"b1": "joined: a stone there closes input 1, a2 at once"}),
    ],
)
def test_inputs_that_are_crossed_are_named(
    monkeypatch: pytest.MonkeyPatch, first: int, second: int, moved: bool, problem: dict[str, str]
) -> None:
    raw = _raw("bamogo-4x4-presence")
    profile = check_profile(raw, "plain")
    road, progress = SimulatedRoad(profile), _progress(raw)
    probe = _Crossed(road.probe(profile), first, second, moved=moved)
    monkeypatch.setattr(road, "probe", lambda _profile: probe)
    teach(profile, road, SimulatedPerson(road), progress, _nothing)
    assert progress.problems == problem


class _Tired(SimulatedPerson):
    """One who leaves after so many stones."""

    def __init__(self, road: SimulatedRoad, stones: int) -> None:
        super().__init__(road)
        self._left = stones
        self.put = 0

    def request(self, request: Request) -> None:
        if request.deed is Deed.PUT:
            if self._left == 0:
                raise StoppedError
            self._left -= 1
            self.put += 1
        super().request(request)


def test_a_calibration_goes_on_where_it_was_left(tmp_path: Path) -> None:
    raw = _raw("bamogo-4x4-presence")
    profile, truth = check_profile(raw, "plain"), _rewired(raw, seed=4)
    path = progress_path(tmp_path / "my-board.toml")
    progress = _progress(raw)
    road = SimulatedRoad(truth)
    with pytest.raises(StoppedError):
        teach(profile, road, _Tired(road, 5), progress, lambda grown: save_progress(path, grown))
    road.close()
    kept = load_progress(path, profile, fingerprint(raw))
    assert kept == progress
    assert (len(progress.inputs), progress.place) == (5, 40)
    road = SimulatedRoad(truth)
    person = _Tired(road, 100)
    teach(profile, road, person, kept, lambda grown: save_progress(path, grown))
    assert person.put == 11
    assert not person.asked
    assert learned_of(profile, kept).inputs == dict(zip(profile.cell_names(), truth.inputs(), strict=True))


class _Typing(SimulatedPerson):
    """One who answers the first questions with words of their own."""

    def __init__(self, road: SimulatedRoad, words: list[str]) -> None:
        super().__init__(road)
        self._words = words

    def ask(self, question: Question) -> str:
        return self._words.pop(0) if self._words else super().ask(question)


def test_names_that_make_no_sense_are_asked_again_and_the_rest_is_taken_as_proposed() -> None:
    raw = _raw("bamogo-4x4-presence")
    profile = check_profile(raw, "plain")
    road, progress = SimulatedRoad(profile), _progress(raw)
    person = _Typing(road, ["z9", "b2", "b2", "none", "track", REST])
    teach(profile, road, person, progress, _nothing)
    assert any("There is no cell z9" in told for told in person.told)
    assert any("b2 has pixel 0 already" in told for told in person.told)
    assert progress.pixels["b2"] == 0
    assert progress.pixels["d1"] == 3
    assert {"b1", "c1"} <= set(progress.problems)  # named none and track: nothing lights them
    assert NONE not in progress.pixels
    assert TRACK not in progress.pixels


def test_rest_takes_the_profile_s_word_for_the_other_cells() -> None:
    raw = _raw("bamogo-4x4-presence")
    profile = check_profile(raw, "plain")
    road, progress = SimulatedRoad(profile), _progress(raw)

    class Trusting(SimulatedPerson):
        def heard(self) -> str:
            return super().heard() or (REST if len(progress.inputs) == 3 else "")

    teach(profile, road, Trusting(road), progress, _nothing)
    assert progress.inputs == dict(zip(profile.cell_names(), profile.inputs(), strict=True))
    assert progress.samples == []


def test_a_cell_without_a_light_is_passed_over_when_stones_are_measured() -> None:
    raw = _raw("bamogo-4x4-colour")
    profile = check_profile(raw, "colour")
    road, progress = SimulatedRoad(profile), _progress(raw)

    class Trusting(SimulatedPerson):
        def ask(self, question: Question) -> str:
            return NONE if question.words.startswith("Pixel 12:") else super().ask(question)

        def heard(self) -> str:
            return super().heard() or (REST if len(progress.inputs) == 3 else "")

    teach(profile, road, Trusting(road), progress, _nothing)
    unlit = profile.cell_names()[profile.places().index(12)]
    assert unlit not in progress.pixels
    assert unlit in progress.inputs
    assert {each.cell for each in progress.samples if each.stone == 2} == set(profile.cell_names()) - {unlit}
    assert check_profile(calibrated(raw, learned_of(profile, progress)), "again").places()


def test_the_command_keeps_what_it_learned_beside_the_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = tmp_path / "my-board.toml"
    text = (files("hardware") / "profiles" / "bamogo-4x4-presence.toml").read_text()
    board.write_text(text.replace('name = "bamogo-4x4-presence"', 'name = "my-board"'))
    before = board.read_text()
    assert main(["calibrate", "--board", str(board), "--sim"]) == 0
    said = capsys.readouterr().out
    assert "All 16 cells are well." in said
    assert "It tells of the simulated board: delete it" in said
    assert board.read_text() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["my-board.calibration.toml", "my-board.toml"]
    assert load_profile(board).inputs() == load_profile("bamogo-4x4-presence").inputs()
    assert main(["calibrate", "--board", str(board), "--sim"]) == 0, "nothing is lost that tells of a real board"
    beside = calibration_path(board)
    beside.write_text(beside.read_text().replace("simulated = true", "simulated = false"))
    learned = beside.read_text()
    capsys.readouterr()
    assert main(["calibrate", "--board", str(board), "--sim"]) == 2
    assert "--sim would write over it" in capsys.readouterr().err
    assert calibration_path(board).read_text() == learned


def test_the_command_stops_without_a_calibration_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = tmp_path / "my-board.toml"
    board.write_text((files("hardware") / "profiles" / "bamogo-4x4-presence.toml").read_text())
    with monkeypatch.context() as patched:
        patched.setattr("controller.bench.simulated_person.SimulatedPerson", lambda road: _Tired(road, 2))
        assert main(["calibrate", "--board", str(board), "--sim"]) == 1
    assert "the next run goes on from there" in capsys.readouterr().out
    assert not calibration_path(board).exists()
    assert main(["calibrate", "--board", str(board), "--sim"]) == 0
    assert "Going on from the last stop (2 cells are known)." in capsys.readouterr().out
    assert calibration_path(board).exists()


def test_the_command_wants_a_board_of_one_s_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["calibrate", "--board", "bamogo-4x4-presence", "--sim"]) == 2
    assert "stonelight setup" in capsys.readouterr().err
    assert main(["calibrate", "--board", str(tmp_path / "none.toml")]) == 2


def test_the_text_of_a_calibration_reads_back() -> None:
    learned = Learned(board="x", wiring="y", inputs={"a1": 3}, problems={"a1": 'says "no"'}, margins={"a1": 1.5})
    assert Learned.model_validate(tomllib.loads(learned_text(learned, "x.toml"))) == learned
