"""Faults read from a script's words."""

import pytest

from simulator.faults import FaultError, Faults, parse_faults

BOUNCING = Faults(bounce=4, jitter=30)


@pytest.mark.parametrize(
    ("words", "before", "after"),
    [
        (["bounce=4", "jitter=30"], Faults(), BOUNCING),
        (["jitter=5"], BOUNCING, Faults(bounce=4, jitter=5)),
        (["bounce=0"], BOUNCING, Faults(bounce=0, jitter=30)),
        (["none"], BOUNCING, Faults()),
        (["bounce=50", "jitter=1000"], Faults(), Faults(bounce=50, jitter=1000)),
        (
            ["loss=0.05", "corrupt=.5", "duplicate=1", "late=20"],
            Faults(),
            Faults(loss=0.05, corrupt=0.5, duplicate=1.0, late=20),
        ),
    ],
)
def test_words_change_what_they_name_and_leave_the_rest(words: list[str], before: Faults, after: Faults) -> None:
    assert parse_faults(words, before) == after


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "no fault is named"),
        (["gravity=1"], "no fault 'gravity'; there are: "),
        (["bounce=-1"], "'bounce' takes a whole number up to 50, not '-1'"),
        (["bounce=51"], "not '51'"),
        (["bounce=4.0"], "not '4.0'"),
        (["bounce=" + "9" * 5000], "whole number up to 50"),
        (["bounce=" + "0" * 5000], "whole number up to 50"),
        (["bounce=" + "0" * 14 + "99"], "whole number up to 50"),
        (["jitter=1001"], "up to 1000"),
        (["loss=1.5"], "share from 0 to 1"),
        (["loss=-0.1"], "share from 0 to 1"),
        (["loss=inf"], "share from 0 to 1"),
        (["none", "bounce=4"], "no fault 'none'"),
    ],
)
def test_what_is_no_fault_is_said(words: list[str], message: str) -> None:
    with pytest.raises(FaultError) as caught:
        parse_faults(words, BOUNCING)
    assert message in str(caught.value)
