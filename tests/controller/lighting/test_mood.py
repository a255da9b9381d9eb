"""How bright: levels, night and idle."""

import pytest

from controller.lighting.mood import IDLE_SHARE, LEVELS, NIGHT_SHARE, Mood


def test_a_button_steps_down_to_night_and_back_to_full() -> None:
    moods = [Mood()]
    for _ in LEVELS:
        moods.append(moods[-1].stepped())
    assert [mood.brightness for mood in moods] == [100, 60, 30, 30]
    assert [mood.night for mood in moods] == [False, False, False, True]
    assert moods[-1].stepped() == Mood()


def test_a_level_between_steps_to_the_next_lower() -> None:
    assert Mood(45).stepped() == Mood(30)
    assert Mood(10).stepped() == Mood(10, night=True)


@pytest.mark.parametrize(
    ("mood", "idle", "share"),
    [
        (Mood(), False, 1.0),
        (Mood(), True, IDLE_SHARE),
        (Mood(50), False, 0.5),
        (Mood(50), True, 0.5 * IDLE_SHARE),
        (Mood(50, night=True), False, NIGHT_SHARE),
        (Mood(50, night=True), True, NIGHT_SHARE),
    ],
)
def test_the_share_of_full_brightness(mood: Mood, idle: bool, share: float) -> None:
    assert mood.share(idle=idle) == pytest.approx(share)
