"""The firmware's own check of a board, run before it is flashed."""

import json
from typing import Any

import pytest

from hardware.board_plan import board_plan
from hardware.firmware_plan import check_plan, is_made, read_plan
from hardware.ports import DeviceError
from hardware.profile import load_profile

PLAN = board_plan(load_profile("bao-4x12"))


def test_a_board_of_a_profile_is_taken() -> None:
    before = json.dumps(PLAN)
    check_plan(PLAN)
    assert json.dumps(PLAN) == before
    assert read_plan(before.encode()) == PLAN
    assert is_made(before.encode())


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cells": 0}, "cells must be a whole number"),
        ({"places": 5}, "wrong kind"),
        ({"bands": [1]}, "wrong kind"),
        ({"rest": [1]}, "rest must have a value for each cell"),
        ({"led": 1}, "there is no key 'led'"),
    ],
)
def test_why_a_board_is_not_taken(changed: dict[str, Any], words: str) -> None:
    with pytest.raises(DeviceError, match=words):
        check_plan(PLAN | changed)
    assert not is_made(json.dumps(PLAN | changed).encode())


def test_a_board_that_was_changed_by_hand_is_taken_and_known() -> None:
    data = json.dumps(PLAN | {"samples": 4, "pixel_pin": "GP9"}).encode()
    assert read_plan(data)["pixel_pin"] == "GP9"
    assert not is_made(data)


def test_what_only_some_readers_of_json_take_is_not_taken() -> None:
    with pytest.raises(DeviceError, match="it is not JSON: NaN is no number"):
        read_plan(json.dumps(PLAN | {"board": float("nan")}).encode())
    with pytest.raises(DeviceError, match="it is not JSON"):
        read_plan(json.dumps(PLAN).encode("utf-16"))
