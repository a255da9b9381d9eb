"""Glows over time: what covers what, when a frame changes, and the score track."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.lighting.glow import FRAME_MS, Glow, dark, next_look, render
from controller.lighting.language import LANGUAGE, LEVELS, Meaning, Pattern, seat_colour
from controller.lighting.track import DIM, spot, track

CELLS = 6
GROUND = dark(CELLS)
STEADY = [meaning for meaning, look in LANGUAGE.items() if look.pattern is Pattern.STEADY]
glows = st.builds(
    Glow,
    st.lists(st.integers(0, CELLS - 1), unique=True, max_size=4).map(lambda cells: tuple(sorted(cells))),
    st.sampled_from(Meaning),
    st.integers(0, 3000),
    st.none() | st.integers(0, 4000),
    st.none() | st.integers(1, 8),
)


def pixel(frame: bytes, cell: int) -> tuple[int, ...]:
    return tuple(frame[3 * cell : 3 * cell + 3])


def test_nothing_lit_is_the_ground_itself() -> None:
    assert render([], GROUND, 5) is GROUND
    assert render([Glow((), Meaning.WIN, 0)], GROUND, 5) is GROUND
    assert render([Glow((1,), Meaning.WIN, 10)], GROUND, 9) is GROUND
    assert render([Glow((1,), Meaning.WIN, 0, 5)], GROUND, 5) is GROUND


def test_a_glow_lasts_from_since_until_just_before_until() -> None:
    glow = Glow((2,), Meaning.COUNTED, 100, 200)
    assert [glow.lit(now) for now in (99, 100, 199, 200)] == [False, True, True, False]
    frame = render([glow], GROUND, 150)
    assert pixel(frame, 2) == LANGUAGE[Meaning.COUNTED].colour
    assert not any(frame[:6] + frame[9:])


def test_a_higher_layer_covers_whatever_the_order_and_a_later_glow_its_like() -> None:
    low, high = Glow((0, 1), Meaning.COUNTED, 0), Glow((1, 2), Meaning.TOUCHED, 0)
    for pair in ([low, high], [high, low]):
        frame = render(pair, GROUND, 0)
        assert [pixel(frame, cell) for cell in range(3)] == [
            LANGUAGE[Meaning.COUNTED].colour,
            LANGUAGE[Meaning.TOUCHED].colour,
            LANGUAGE[Meaning.TOUCHED].colour,
        ]
    again = Glow((1,), Meaning.TOUCHED, 0, seat=3)
    assert pixel(render([high, again], GROUND, 0), 1) == seat_colour(3)


def test_the_ground_shows_wherever_nothing_glows() -> None:
    ground = bytes(range(3 * CELLS))
    frame = render([Glow((1,), Meaning.TOUCHED, 0)], ground, 0)
    assert frame == ground[:3] + bytes([255, 255, 255]) + ground[6:]


@given(st.lists(glows, max_size=6), st.integers(0, 5000))
def test_every_cell_shows_the_topmost_glow_at_its_level(shown: list[Glow], now: int) -> None:
    frame = render(shown, GROUND, now)
    for cell in range(CELLS):
        over = [glow for glow in shown if cell in glow.cells and glow.lit(now)]
        wanted: tuple[int, ...] = (0, 0, 0)
        if over:
            top = max(LANGUAGE[glow.meaning].layer for glow in over)
            glow = [glow for glow in over if LANGUAGE[glow.meaning].layer == top][-1]
            look = LANGUAGE[glow.meaning]
            level = LEVELS[look.pattern](now - glow.since, cell)
            colour = look.colour if glow.seat is None else seat_colour(glow.seat)
            wanted = tuple(int(channel * level) for channel in colour)
        assert pixel(frame, cell) == wanted


@given(st.lists(glows.filter(lambda glow: glow.meaning in STEADY), max_size=5), st.integers(0, 5000), st.data())
def test_a_steady_frame_does_not_change_before_its_next_look(shown: list[Glow], now: int, data: st.DataObject) -> None:
    due = next_look(shown, now)
    assert due is None or due > now
    later = data.draw(st.integers(now, 9000 if due is None else due - 1))
    assert render(shown, GROUND, later) == render(shown, GROUND, now)


@given(st.lists(glows, max_size=6), st.integers(0, 5000))
def test_no_glow_begins_or_ends_before_the_next_look_and_what_moves_looks_often(shown: list[Glow], now: int) -> None:
    due = next_look(shown, now)
    lit = [glow.lit(now) for glow in shown if glow.cells]
    for later in range(now, min(now + 40, due or now + 40)):
        assert [glow.lit(later) for glow in shown if glow.cells] == lit
    moving = any(glow.cells and glow.lit(now) and glow.meaning not in STEADY for glow in shown)
    if moving:
        assert due is not None
        assert due <= now + FRAME_MS


@pytest.mark.parametrize(
    ("score", "full", "pixels", "place"),
    [(0, 10, 24, 0), (10, 10, 24, 23), (5, 10, 24, 11), (12, 10, 24, 23), (1, 1, 24, 23), (0, 0, 24, 0), (3, 10, 1, 0)],
)
def test_a_score_has_its_place_on_the_track(score: int, full: int, pixels: int, place: int) -> None:
    assert spot(score, full, pixels) == place


def test_the_player_on_turn_has_two_bright_pixels_and_others_one_dim() -> None:
    frame = track((0, 10), 1, 10, 24)
    assert len(frame) == 72
    red, blue = seat_colour(1), seat_colour(2)
    assert [pixel(frame, 0), pixel(frame, 1)] == [red, red]
    assert pixel(frame, 23) == tuple(int(channel * DIM) for channel in blue)
    assert not any(frame[6:69])
    at_end = track((0, 10), 2, 10, 24)
    assert [pixel(at_end, 22), pixel(at_end, 23)] == [blue, blue]


def test_where_markers_meet_the_player_on_turn_is_seen_else_the_first() -> None:
    assert pixel(track((4, 4), 2, 10, 24), spot(4, 10, 24)) == seat_colour(2)
    nobody = track((4, 4, 4), None, 10, 24)
    assert pixel(nobody, spot(4, 10, 24)) == tuple(int(channel * DIM) for channel in seat_colour(1))
    assert sum(any(pixel(nobody, place)) for place in range(24)) == 1


def test_small_tracks() -> None:
    assert track((1, 2), 1, 10, 0) == b""
    assert track((1, 2), 2, 10, 1) == bytes(seat_colour(2))


@given(st.lists(st.integers(0, 99), min_size=1, max_size=9), st.integers(1, 99), st.integers(1, 60), st.data())
def test_whose_turn_it_is_can_be_read_without_colours(
    scores: list[int], full: int, pixels: int, data: st.DataObject
) -> None:
    to_move = data.draw(st.integers(1, len(scores)))
    frame = track(scores, to_move, full, pixels)
    bright = [place for place in range(pixels) if pixel(frame, place) == seat_colour(to_move)]
    assert len(frame) == 3 * pixels
    assert spot(scores[to_move - 1], full, pixels) in bright
    assert len(bright) == min(2, pixels)
