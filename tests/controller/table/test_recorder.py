"""What reached a table, as entries that can be kept and read again."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.table.recorder import decode, encode
from hardware.ports import ButtonPress, CellChange, LinkNews, Sensed, Snapshot

NUMBERS = st.integers(-1, 1 << 40)
SENSED: st.SearchStrategy[Sensed] = st.one_of(
    st.builds(CellChange, NUMBERS, NUMBERS, NUMBERS),
    st.builds(Snapshot, st.lists(NUMBERS).map(tuple), NUMBERS),
    st.builds(ButtonPress, st.text(), NUMBERS),
    st.builds(LinkNews, st.booleans(), st.text(), NUMBERS, st.booleans()),
)


@given(SENSED, NUMBERS)
def test_entries_round_trip_as_json(item: Sensed, now: int) -> None:
    assert decode(json.loads(json.dumps(encode(item, now)))) == item


def test_news_of_an_older_report_say_nothing_of_power() -> None:
    assert decode(["l", 5, True, "", 4]) == LinkNews(up=True, why="", at=4, powered=False)


@pytest.mark.parametrize("entry", [[], ["l", 1, 1, "", 1], ["l", 1, True, "", 1, 1], ["s", 1, ["a"], 1], ["x", 1]])
def test_anything_else_is_refused(entry: list[object]) -> None:
    with pytest.raises(ValueError, match=r"nothing that can be sensed|invalid literal"):
        decode(entry)
