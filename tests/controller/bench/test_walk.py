"""The doctor's walk over simulated boards that are well, and over boards on which something is wrong."""

import tomllib
from importlib.resources import files
from typing import Any

import pytest

from controller.bench.findings import Finding, Verdict
from controller.bench.person import REST, Question, Request, StoppedError
from controller.bench.simulated import SimulatedRoad
from controller.bench.simulated_person import SimulatedPerson
from controller.bench.walk import cells_finding, listed, order_seen, walk
from hardware.ports import DeviceError
from hardware.profile import Profile, check_profile, load_profile

PRESENCE = load_profile("bamogo-4x4-presence")


def _walked(profile: Profile, road: SimulatedRoad, person: SimulatedPerson | None) -> dict[str, Finding]:
    return {finding.check: finding for finding in walk(profile, road, person)}


def _changed(**sections: dict[str, Any]) -> Profile:
    raw = tomllib.loads((files("hardware") / "profiles" / "bamogo-4x4-presence.toml").read_text())
    for section, keys in sections.items():
        raw[section] = raw[section] | keys
    return check_profile(raw, "changed")


@pytest.mark.parametrize(
    "name", ["bamogo-4x4-presence", "bamogo-4x4-colour", "bao-4x12", "exago-5-reeds", "exago-5-registers"]
)
def test_a_board_that_is_well_is_found_well(name: str) -> None:
    raw = tomllib.loads((files("hardware") / "profiles" / f"{name}.toml").read_text())
    if raw["cells"]["layout"] == "hexagon":  # a smaller one takes less time
        raw["cells"]["radius"], raw["lamps"]["count"], raw["lamps"]["track"]["first"] = 2, 43, 19
    profile = check_profile(raw, name)
    road = SimulatedRoad(profile)
    found = _walked(profile, road, SimulatedPerson(road))
    assert list(found) == ["pixels", "colours", "cells"]
    assert {finding.verdict for finding in found.values()} == {Verdict.OK}
    assert road.tap.is_dark()


def test_without_a_person_what_is_seen_is_told() -> None:
    road = SimulatedRoad(PRESENCE)
    road.top.put([0], 1)
    found = _walked(PRESENCE, road, None)
    assert found["pixels"].verdict is Verdict.SKIPPED
    assert found["cells"].said == "16 cells answer; on a1 lies something"
    assert road.tap.frames == 40 + 1 + 1  # each, then none, and once more when let go of


def test_a_dark_pixel_is_noticed() -> None:
    road = SimulatedRoad(PRESENCE)
    road.tap.broken_at = 20
    found = _walked(PRESENCE, road, SimulatedPerson(road))
    assert found["pixels"].verdict is Verdict.FAILED
    assert "colours" not in found


def test_wrong_colours_name_the_right_order() -> None:
    road = SimulatedRoad(_changed(lamps={"order": "RGB"}))
    found = _walked(PRESENCE, road, SimulatedPerson(road))
    assert found["colours"].verdict is Verdict.FAILED
    assert found["colours"].remedy == 'set order = "RGB" under [lamps]'


@pytest.mark.parametrize(
    ("order", "seen", "right"),
    [
        ("GRB", {"r": "g", "g": "r", "b": "b"}, "RGB"),
        ("RGB", {"r": "g", "g": "b", "b": "r"}, "GBR"),
        ("GRBW", {"r": "r", "g": "b", "b": "g"}, "BRGW"),
        ("GRB", {"r": "r", "g": "g", "b": "w"}, None),
        ("GRB", {"r": "r", "g": "r", "b": "r"}, None),
    ],
)
def test_the_order_follows_from_what_was_seen(order: str, seen: dict[str, str], right: str | None) -> None:
    assert order_seen(order, seen) == right


def test_dead_and_stuck_cells_are_named() -> None:
    road = SimulatedRoad(PRESENCE)
    road.top.put([5], 1)
    road.top.fail(["stuck=b2", "dead=c3"])
    found = _walked(PRESENCE, road, SimulatedPerson(road))
    assert found["cells"].verdict is Verdict.FAILED
    assert "b2 read full while empty" in found["cells"].said
    assert "a stone on c3 is not seen" in found["cells"].said


def test_cells_that_are_wired_otherwise_are_named_with_what_reads_them() -> None:
    road = SimulatedRoad(_changed(cells={"rows": [17, 4, 12, 26]}))
    found = _walked(PRESENCE, road, SimulatedPerson(road))
    assert "stones are seen elsewhere: a1 as a2, a2 as a1" in found["cells"].said
    assert "calibrate" in found["cells"].remedy


def test_cells_that_make_no_sense_are_named() -> None:
    road = SimulatedRoad(load_profile("bamogo-4x4-colour"))
    road.top.put([3], 1)
    road.top.pose(3, height_mm=10.0)  # too far up for any colour
    found = _walked(road.truth, road, None)
    assert found["cells"].verdict is Verdict.FAILED
    assert "what a4 read makes no sense" in found["cells"].said


def test_a_board_that_does_not_answer_says_why() -> None:
    road = SimulatedRoad(PRESENCE)
    road.top.unplug()
    found = _walked(PRESENCE, road, SimulatedPerson(road))
    assert found["cells"].verdict is Verdict.FAILED
    assert "cable" in found["cells"].remedy


@pytest.mark.parametrize(("what", "checks"), [("cell_lamps", ["pixels"]), ("sensing", ["pixels", "colours", "cells"])])
def test_devices_that_cannot_be_had_are_told(monkeypatch: pytest.MonkeyPatch, what: str, checks: list[str]) -> None:
    road = SimulatedRoad(PRESENCE)

    def missing(_profile: Profile) -> None:
        raise DeviceError("spidev is off: switch it on")

    monkeypatch.setattr(road, what, missing)
    found = _walked(PRESENCE, road, SimulatedPerson(road))
    assert list(found) == checks
    assert found[checks[-1]].remedy == "spidev is off: switch it on"


def test_a_person_may_end_it_and_the_lights_go_dark() -> None:
    road = SimulatedRoad(PRESENCE)

    class Leaving(SimulatedPerson):
        def request(self, request: Request) -> None:
            raise StoppedError

    found = _walked(PRESENCE, road, Leaving(road))
    assert found["walk"].verdict is Verdict.SKIPPED
    assert road.tap.is_dark()


def test_a_person_may_have_seen_enough() -> None:
    road = SimulatedRoad(PRESENCE)

    class Content(SimulatedPerson):
        stones = 0

        def request(self, request: Request) -> None:
            self.stones += 1
            super().request(request)

        def heard(self) -> str:
            return REST if self.stones > 3 else super().heard()

    person = Content(road)
    found = _walked(PRESENCE, road, person)
    assert found["cells"].verdict is Verdict.OK
    assert person.stones == 4


def test_a_simulated_person_answers_other_questions_as_proposed() -> None:
    from controller.bench.person import About

    assert SimulatedPerson(SimulatedRoad(PRESENCE)).ask(Question(About.TEXT, "?", "yes")) == "yes"


def test_findings_about_cells() -> None:
    assert cells_finding(4, [], [], []).verdict is Verdict.OK
    assert "calibrate" not in cells_finding(4, ["a1"], ["a2"], []).remedy
    assert listed([str(k) for k in range(10)], most=3) == "0, 1, 2 and 7 more"
