"""Less light where bright frames make a board start anew."""

from controller.app.caution import AGAIN_MS, BRIGHT, LEAST, RESTORED_MS, SOON_MS, Caution

DARK, LIT, DIM = bytes(30), bytes([200] * 30), bytes([int(BRIGHT)] * 30)


def fail(caution: Caution, at: int, *, powered: bool = False, frame: bytes = LIT) -> bool:
    """Light a dark board; it goes a moment later and is back after a second, dark."""
    caution.shown(DARK, at)
    caution.shown(frame, at + 1)
    caution.lost(at + 20)
    caution.shown(DARK, at + 21)
    return caution.back(at + 1020, powered=powered)


def test_two_losses_after_brighter_light_halve_it_once_the_board_is_back() -> None:
    caution = Caution()
    assert not fail(caution, 0)
    assert caution.share == 1.0
    caution.shown(LIT, 2000)
    caution.lost(2010)
    assert caution.share == 0.5, "what is shown first once it is back is no brighter"
    assert caution.back(3000, powered=False)
    assert caution.share == 0.5


def test_a_board_that_had_power_all_the_time_is_no_reason() -> None:
    caution = Caution()
    for at in range(0, 40_000, 2000):
        assert not fail(caution, at, powered=True)
    assert caution.share == 1.0


def test_one_outage_counts_once_whatever_is_said_of_it() -> None:
    caution = Caution()
    caution.shown(DARK, 0)
    caution.shown(LIT, 10)
    for at in range(20, 520, 100):
        caution.lost(at)
    assert not caution.back(1000, powered=False)
    assert caution.share == 1.0
    caution.shown(LIT, 1000)
    caution.shown(LIT, 2000)
    caution.lost(2000 + SOON_MS)
    assert not caution.back(3000, powered=False), "light that stood for a while is no reason"


def test_frames_during_an_outage_reach_nobody_but_the_last_is_shown_after_it() -> None:
    caution = Caution()
    caution.shown(DARK, 0)
    for at in (1000, 2000, 3000):
        caution.lost(at)
        caution.shown(LIT, at + 1)
        caution.shown(DARK, at + 2)
        assert not caution.back(at + 3, powered=False)
    caution.lost(4000)
    caution.shown(LIT, 4001)
    caution.back(4002, powered=False)
    caution.lost(4003)
    caution.back(5000, powered=False)
    caution.lost(5001)
    assert caution.back(6000, powered=False)


def test_a_cable_pulled_in_steady_or_in_little_light_is_no_reason() -> None:
    caution = Caution()
    for at in range(0, 40_000, 2000):
        assert not fail(caution, at, frame=DIM)
    caution.shown(LIT, 50_000)
    for at in (51_000, 52_000, 53_000):
        caution.shown(LIT, at)
        caution.lost(at + 10)
        caution.shown(DARK, at + 11)
        assert not caution.back(at + 20, powered=False)
        caution.shown(LIT, at + 20)
    assert caution.share == 1.0


def test_losses_far_apart_are_accidents_and_light_never_goes_out() -> None:
    caution = Caution()
    for at in range(0, 200_000, AGAIN_MS + 1):
        assert not fail(caution, at)
    for at in range(300_000, 400_000, 2000):
        fail(caution, at)
    assert caution.share == LEAST


def halved() -> Caution:
    caution = Caution()
    fail(caution, 0)
    assert fail(caution, 2000)
    return caution


def test_light_is_restored_after_a_while_and_for_good_where_it_is_borne() -> None:
    caution = halved()
    caution.shown(LIT, 4000)
    caution.shown(LIT, 4000 + RESTORED_MS - 1)
    assert caution.share == 0.5
    caution.shown(LIT, 4000 + RESTORED_MS)
    assert caution.share == 1.0
    caution.shown(LIT, 4000 + 2 * RESTORED_MS)
    assert not fail(caution, 5000 + 2 * RESTORED_MS), "it is on trial no more"
    assert caution.share == 1.0


def test_darkness_and_outages_are_no_proof() -> None:
    caution = halved()
    caution.shown(DARK, 4000)
    caution.shown(LIT, 4000 + RESTORED_MS)
    caution.lost(5000 + RESTORED_MS)
    caution.shown(LIT, 4000 + 3 * RESTORED_MS)
    caution.back(5000 + 3 * RESTORED_MS, powered=True)
    caution.shown(LIT, 5001 + 3 * RESTORED_MS)
    assert caution.share == 0.5


def test_a_board_that_fails_on_trial_is_lit_less_at_once_and_stays_so() -> None:
    caution = halved()
    now = 4000 + RESTORED_MS
    caution.shown(LIT, 4000)
    caution.shown(LIT, now)
    assert caution.share == 1.0
    assert fail(caution, now + 1000)
    for _ in range(20):
        caution.shown(LIT, now := now + RESTORED_MS)
        assert caution.share == 0.5
    fail(caution, now + 1000)
    assert fail(caution, now + 3000), "a supply may grow weaker still"
    assert caution.share == 0.25


def test_light_comes_back_step_by_step() -> None:
    caution = Caution()
    for at in range(0, 8000, 2000):
        fail(caution, at)
    assert caution.share == 0.25
    shares = []
    for now in range(9000, 9000 + 4 * RESTORED_MS, RESTORED_MS):
        caution.shown(LIT, now)
        shares.append(caution.share)
    assert shares == [0.25, 0.5, 1.0, 1.0]
