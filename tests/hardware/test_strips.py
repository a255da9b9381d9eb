"""The two roads to the pixels, and what they say when they are closed."""

import sys
from types import ModuleType
from typing import Any

import pytest

from hardware.opening import gated
from hardware.ports import DeviceError
from hardware.profile import load_profile
from hardware.strips import AdafruitStrip, GatedStrip, SpiStrip
from hardware.ws2812 import SPI_HZ, encode
from simulator.pins import StonelightFactory


class Port:
    """A SPI port that keeps what it is sent, or cannot be opened."""

    def __init__(self, error: OSError | None = None) -> None:
        self.error = error
        self.max_speed_hz = 0
        self.mode = 3
        self.opened: tuple[int, int] | None = None
        self.sent: list[bytes] = []
        self.closed = 0

    def open(self, bus: int, device: int) -> None:
        if self.error:
            raise self.error
        self.opened = (bus, device)

    def writebytes2(self, data: bytes) -> None:
        self.sent.append(data)

    def close(self) -> None:
        self.closed += 1


def test_spi_sends_encoded_bytes_at_the_right_speed() -> None:
    port = Port()
    strip = SpiStrip(lambda: port)
    strip.write(b"\x01\x02\x03")
    assert (port.opened, port.max_speed_hz, port.mode) == ((0, 0), SPI_HZ, 0)
    assert port.sent == [encode(b"\x01\x02\x03")]
    strip.close()
    strip.close()
    assert port.closed == 1
    with pytest.raises(ValueError, match="closed"):
        strip.write(b"")


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        pytest.param(FileNotFoundError(2, "no such file"), "raspi-config nonint do_spi 0", id="SPI is off"),
        pytest.param(PermissionError(13, "denied"), "usermod -aG spi", id="not in the group"),
        pytest.param(OSError(16, "busy"), "no other program holds it", id="somebody else has it"),
    ],
)
def test_spi_that_cannot_be_opened_says_what_to_do(error: OSError, remedy: str) -> None:
    with pytest.raises(DeviceError, match=r"/dev/spidev0\.0") as caught:
        SpiStrip(lambda: Port(error))
    assert remedy in str(caught.value)


def test_spi_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DeviceError, match="apt install python3-spidev"):
        SpiStrip()


def test_spi_makes_its_own_port_from_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    package: Any = ModuleType("spidev")
    package.SpiDev = Port
    monkeypatch.setitem(sys.modules, "spidev", package)
    SpiStrip().write(b"\x00")


def test_a_pin_that_this_computer_lacks_is_named() -> None:
    with pytest.raises(DeviceError, match="no pin D18 for pixels; check 'pin' under"):
        AdafruitStrip(18, 4, "GRB")


@pytest.mark.parametrize("error", [NotImplementedError("Board not supported"), RuntimeError("gpiod not found")])
def test_a_computer_that_blinka_does_not_know_gets_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    class Refusing:
        def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
            if name == "neopixel":
                raise error

    monkeypatch.delitem(sys.modules, "neopixel", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Refusing(), *sys.meta_path])
    with pytest.raises(DeviceError, match="use 'driver = \"spi\"'"):
        AdafruitStrip("NEOPIXEL", 4, "GRB")


@pytest.mark.parametrize("error", [RuntimeError("code -5, mmap() failed"), OSError("no device")])
def test_a_driver_that_refuses_to_open_is_told(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refuse(*args: Any, **facts: Any) -> None:
        raise error

    monkeypatch.setattr("neopixel.NeoPixel", refuse)
    with pytest.raises(DeviceError, match="Wire the strip to GPIO 10"):
        AdafruitStrip("NEOPIXEL", 4, "GRB")


def test_a_driver_that_refuses_to_send_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(pin: Any, data: Any) -> None:
        raise RuntimeError("code -3, hardware revision is not supported")

    strip = AdafruitStrip("NEOPIXEL", 1, "GRB")
    monkeypatch.setattr("neopixel.neopixel_write", refuse)
    with pytest.raises(DeviceError, match="hardware revision is not supported"):
        strip.write(b"\x01\x02\x03")
    with pytest.raises(DeviceError, match="refuses"):
        strip.close()
    strip.close()


def test_a_closed_strip_takes_nothing() -> None:
    strip = AdafruitStrip("NEOPIXEL", 1, "GRB")
    strip.close()
    with pytest.raises(ValueError, match="closed"):
        strip.write(b"\x01\x02\x03")


class Bus:
    """A strip that notes what its bus and the gate on GPIO 16 were at when something was sent."""

    def __init__(self, factory: StonelightFactory) -> None:
        self.factory = factory
        self.heard: list[tuple[str, bool | None]] = []
        self.trouble = False

    def write(self, data: bytes) -> None:
        self.heard.append((data.hex(), self.factory.driven.get(16)))
        if self.trouble:
            raise DeviceError("refused")

    def close(self) -> None:
        self.heard.append(("closed", self.factory.driven.get(16)))


def test_a_gate_is_open_during_a_frame_and_never_else() -> None:
    factory = StonelightFactory()
    bus = Bus(factory)
    strip = GatedStrip(bus, 16, pin_factory=factory)
    assert factory.driven[16], "closed from the start: the enable line is low for open"
    strip.write(b"\x01")
    assert factory.driven[16]
    bus.trouble = True
    with pytest.raises(DeviceError, match="refused"):
        strip.write(b"\x02")
    assert factory.driven[16], "closed again whatever happens"
    strip.close()
    strip.close()
    assert bus.heard == [("01", False), ("02", False), ("closed", False)]
    assert 16 not in factory.driven


def test_a_profile_without_a_gate_has_its_strip_as_it_is() -> None:
    factory = StonelightFactory()
    bus = Bus(factory)
    profile = load_profile("bamogo-4x4-colour")
    assert gated(bus, profile, factory) is bus
    other = profile.model_copy(update={"lamps": profile.lamps.model_copy(update={"gate": 16})})
    strip = gated(bus, other, factory)
    assert isinstance(strip, GatedStrip)
    with pytest.raises(DeviceError, match="a pin has one owner"):
        gated(bus, other, factory)
    assert bus.heard == [("closed", True)]
    strip.close()
