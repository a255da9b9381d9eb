"""A chain of shift registers: on simulated chips, under the scanner, whole and broken."""

import sys
from typing import Any

import pytest
from gpiozero import DigitalOutputDevice, GPIOPinInUse
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.opening import source_on
from hardware.ports import ButtonPress, CellChange, DeviceError, LinkNews, Snapshot
from hardware.profile import Profile, load_profile
from hardware.registers import END, Registers, broken, open_spi
from simulator.pins import StonelightFactory
from simulator.registers import SimulatedChain

LOAD = 16


class Board:
    """Contacts that a test closes."""

    def __init__(self) -> None:
        self.cells: set[int] = set()
        self.held: set[str] = set()

    def closed(self, cell: int) -> bool:
        return cell in self.cells

    def pressed(self, button: str) -> bool:
        return button in self.held


def chain_of(board: Board, inputs: tuple[int, ...], registers: int, **how: Any) -> tuple[Registers, SimulatedChain]:
    factory = StonelightFactory()
    chain = SimulatedChain(factory, LOAD, registers=registers, inputs=inputs, buttons={}, contacts=board, **how)
    return Registers(open_spi(lambda: chain), LOAD, registers, inputs, pin_factory=factory, **how), chain


def rig(profile: Profile, board: Board) -> tuple[Any, SimulatedChain, StonelightFactory]:
    factory = StonelightFactory()
    factory.wire(profile.wiring(), board)
    cells = profile.cells
    assert cells.load is not None
    chain = SimulatedChain(
        factory,
        cells.load,
        registers=cells.registers,
        inputs=profile.inputs(),
        buttons=cells.buttons,
        contacts=board,
    )
    return source_on(profile, factory, wait=lambda us: None, make_spi=lambda: chain), chain, factory


@given(
    inputs=st.permutations(range(24)).map(lambda order: tuple(order[:17])),
    scans=st.lists(st.sets(st.integers(0, 16)), max_size=8),
    low=st.booleans(),
)
@settings(deadline=None, max_examples=60)
def test_any_pattern_reads_as_it_lies_whatever_the_wiring(
    inputs: tuple[int, ...], scans: list[set[int]], low: bool
) -> None:
    board = Board()
    reader, _ = chain_of(board, inputs, 3, closed_is_low=low)
    for closed in scans:
        board.cells = closed
        assert reader.read() == sum(1 << cell for cell in closed)
    reader.close()


def test_input_0_is_the_lowest_bit_of_the_first_byte() -> None:
    class Spi:
        max_speed_hz = mode = 0

        def open(self, bus: int, device: int) -> None:
            assert (bus, device) == (1, 0)

        def readbytes(self, count: int) -> list[int]:
            assert count == 3
            return [0b11111110, 0b01111111, END]

        def close(self) -> None:
            """Nothing."""

    spi = open_spi(Spi)
    assert (spi.max_speed_hz, spi.mode) == (1_000_000, 0)
    reader = Registers(spi, LOAD, 2, tuple(range(16)), pin_factory=StonelightFactory())
    assert reader.read() == 1 << 0 | 1 << 15


def test_the_inputs_are_those_of_the_moment_of_the_pulse() -> None:
    board = Board()
    reader, chain = chain_of(board, (0, 1), 1)
    board.cells = {1}
    assert reader.read() == 0b10
    board.cells = {0}
    assert chain.readbytes(2) == [0, 0], "without a pulse nothing is latched"
    assert reader.read() == 0b01


@pytest.mark.parametrize(
    ("data", "where"),
    [
        pytest.param(bytes(4), "before its first register", id="nothing at all"),
        pytest.param(b"\xff\xff\xff\xff", "before its first register", id="all high"),
        pytest.param(b"\xfe\x00\x00\x00", "after register 1 of 3, counted from the Pi", id="cut after the first"),
        pytest.param(b"\xfe\xfe\x7f\x4a", "somewhere: the bits are shifted", id="a clock too many"),
    ],
)
def test_what_a_broken_chain_says(data: bytes, where: str) -> None:
    assert broken(data).startswith(f"the chain of registers is broken {where} (its end reads 0x{data[-1]:02X}")


def test_every_wrong_end_is_a_broken_chain() -> None:
    for end in set(range(256)) - {END}:
        with pytest.raises(DeviceError, match="instead of 0xA5"):
            _raise_for(end)


def _raise_for(end: int) -> None:
    reader, chain = chain_of(Board(), (0,), 1)
    chain.readbytes = lambda count: [0xFF, end]  # type: ignore[method-assign]
    reader.read()


@pytest.mark.parametrize("name", ["exago-5-registers", "mat-16x16"])
def test_a_stone_on_each_cell_of_a_reference_board(name: str) -> None:
    profile, board = load_profile(name), Board()
    source, _, _ = rig(profile, board)
    cells = len(profile.cell_names())
    assert source.poll(0) == [Snapshot((0,) * cells, 0)]
    now, seen = 1, []
    for cell in range(0, cells, 7):
        board.cells = {cell}
        while not (changes := source.poll(now)):
            now += 1
        seen += [change.cell for change in changes if isinstance(change, CellChange) and change.reading]
    assert seen == list(range(0, cells, 7))
    source.close()


def test_buttons_on_the_chain_and_on_pins() -> None:
    profile, board = load_profile("exago-5-registers"), Board()
    both = profile.model_copy(update={"buttons": {"red": 5}})
    board.held = {"back"}
    source, _, _ = rig(both, board)
    source.poll(0)
    board.held = set()
    pressed = [each for now in range(1, 100) for each in source.poll(now)]
    assert pressed == [], "what is held down at the start is no press"
    board.held = {"ok", "red"}
    pressed = [each.button for now in range(100, 200) for each in source.poll(now) if isinstance(each, ButtonPress)]
    assert sorted(pressed) == ["ok", "red"]
    source.close()


def test_a_chain_that_breaks_is_told_and_never_read_as_stones() -> None:
    profile, board = load_profile("mat-16x16"), Board()
    board.cells = {0, 200}
    source, chain, _ = rig(profile, board)
    (start,) = source.poll(0)
    chain.broken_at = 12
    heard = [each for now in range(1, 1000) for each in source.poll(now)]
    assert [type(each) for each in heard] == [LinkNews]
    assert "broken after register 12 of 32" in heard[0].why
    chain.broken_at = None
    heard = [each for now in range(1000, 2000) for each in source.poll(now)]
    assert [type(each) for each in heard] == [LinkNews, Snapshot]
    assert heard[1].readings == start.readings
    source.close()


def test_closing_lets_go_of_pins_and_bus() -> None:
    profile, board = load_profile("exago-5-registers"), Board()
    source, chain, factory = rig(profile, board)
    source.close()
    source.close()
    DigitalOutputDevice(LOAD, pin_factory=factory).close()
    with pytest.raises(OSError, match="closed"):
        chain.readbytes(1)


def test_a_load_pin_that_is_taken_closes_the_bus() -> None:
    factory, board = StonelightFactory(), Board()
    chain = SimulatedChain(factory, LOAD, registers=1, inputs=(0,), buttons={}, contacts=board)
    with DigitalOutputDevice(LOAD, pin_factory=factory), pytest.raises(GPIOPinInUse):
        Registers(open_spi(lambda: chain), LOAD, 1, (0,), pin_factory=factory)
    with pytest.raises(OSError, match="closed"):
        chain.readbytes(1)


def test_a_closed_chain_says_so() -> None:
    reader, _ = chain_of(Board(), (0,), 1)
    reader.close()
    reader.close()
    with pytest.raises(DeviceError, match="closed"):
        reader.read()


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        pytest.param(FileNotFoundError(2, "none"), "dtoverlay=spi1-1cs", id="off"),
        pytest.param(PermissionError(13, "no"), "usermod -aG spi", id="forbidden"),
        pytest.param(OSError(16, "busy"), "no other program holds it", id="busy"),
    ],
)
def test_a_bus_that_cannot_be_had(error: OSError, remedy: str) -> None:
    class Refusing:
        max_speed_hz = mode = 0

        def open(self, bus: int, device: int) -> None:
            raise error

    with pytest.raises(DeviceError, match=remedy):
        open_spi(Refusing)  # type: ignore[arg-type]


def test_without_spidev_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceError, match="apt install python3-spidev"):
        open_spi()
