"""Two buttons held together are neither of them pressed."""

from hardware.chords import HOLD_MS, WITHIN_MS, Chord
from hardware.ports import ButtonPress, Millis


class Hand:
    """Presses and releases buttons, and asks the chord every 20 ms."""

    def __init__(self) -> None:
        self.chord = Chord(("new", "back"), "off")
        self.now: Millis = 0
        self.down: set[str] = set()
        self.heard: list[tuple[Millis, str]] = []

    def press(self, *buttons: str) -> "Hand":
        self.down |= set(buttons)
        self._feed([ButtonPress(button, self.now) for button in buttons])
        return self

    def let_go(self, *buttons: str) -> "Hand":
        self.down -= set(buttons)
        return self

    def wait(self, span: Millis) -> "Hand":
        end = self.now + span
        while self.now < end:
            self.now += 20
            self._feed([])
        return self

    def _feed(self, presses: list[ButtonPress]) -> None:
        self.heard += [(self.now, press.button) for press in self.chord.feed(presses, self.down, self.now)]


def test_one_of_the_two_is_a_press_after_a_moment() -> None:
    assert Hand().press("back").wait(400).heard == [(160, "back")]
    assert Hand().press("new").let_go("new").wait(WITHIN_MS + 20).heard == [(160, "new")]


def test_other_buttons_are_heard_at_once() -> None:
    assert Hand().press("ok").heard == [(0, "ok")]


def test_both_held_long_enough_are_one_press_of_their_own() -> None:
    hand = Hand().press("new").wait(100).press("back").wait(2 * HOLD_MS)
    assert hand.heard == [(100 + HOLD_MS, "off")]


def test_both_let_go_early_mean_nothing() -> None:
    hand = Hand().press("new", "back").wait(HOLD_MS - 100).let_go("back").wait(1000)
    assert hand.heard == []


def test_after_a_chord_the_buttons_are_their_own_again() -> None:
    hand = Hand().press("new", "back").wait(HOLD_MS + 100).let_go("new", "back").wait(100)
    hand.press("back").wait(400)
    assert [button for _, button in hand.heard] == ["off", "back"]


def test_one_after_the_other_are_two_presses() -> None:
    hand = Hand().press("back").wait(WITHIN_MS + 40).press("new").wait(400)
    assert [button for _, button in hand.heard] == ["back", "new"]


def test_the_same_button_twice_is_two_presses() -> None:
    hand = Hand().press("back").let_go("back").wait(60).press("back").wait(400)
    assert [button for _, button in hand.heard] == ["back", "back"]
