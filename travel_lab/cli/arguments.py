"""Kinds of arguments that argparse checks by itself: one that does not fit is a wrong command line."""

import argparse
from collections.abc import Callable

MAX_PORT = 65_535


def port(text: str) -> int:
    """A port of this machine; 0 stands for a free one."""
    number = int(text)
    if not 0 <= number <= MAX_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 (a free one) to {MAX_PORT}, found {text}")
    return number


def share(text: str) -> float:
    """A part of a whole."""
    number = float(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"a share is a number from 0 to 1, found {text}")
    return number


def at_least(least: int) -> Callable[[str], int]:
    """A whole number that is not smaller than `least`."""

    def number(text: str) -> int:
        found = int(text)
        if found < least:
            raise argparse.ArgumentTypeError(f"at least {least}, found {text}")
        return found

    return number
