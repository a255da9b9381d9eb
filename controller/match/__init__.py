"""Rounds in a row: who begins the next one."""

from controller.match.dealer import Dealer

__all__ = ["Dealer"]
