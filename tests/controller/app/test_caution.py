"""Less light where bright frames make a board start anew."""

from controller.app.caution import LEAST, Caution

DARK, LIT = bytes(30), bytes([200] * 30)


def test_two_losses_after_brighter_light_halve_it() -> None:
    caution = Caution()
    caution.shown(DARK, 0)
    caution.shown(LIT, 1000)
    assert not caution.lost(1100)
    caution.shown(DARK, 1200)
    caution.shown(LIT, 3000)
    assert caution.lost(3100)
    assert caution.share == 0.5


def test_a_cable_pulled_in_steady_light_is_no_reason() -> None:
    caution = Caution()
    caution.shown(LIT, 0)
    for at in (1000, 2000, 3000):
        caution.shown(LIT, at)
        assert not caution.lost(at + 10)
    assert caution.share == 1.0


def test_losses_far_apart_are_accidents_and_light_never_goes_out() -> None:
    caution = Caution()
    for at in range(0, 200_000, 20_000):
        caution.shown(DARK, at)
        caution.shown(LIT, at + 100)
        assert not caution.lost(at + 200)
    for at in range(300_000, 400_000, 1000):
        caution.shown(DARK, at)
        caution.shown(LIT, at + 100)
        caution.lost(at + 200)
    assert caution.share == LEAST
