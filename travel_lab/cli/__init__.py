"""The terminal door: `travel-lab COMMAND`. Each command lives in a file of its own and is loaded when called."""

from travel_lab.cli.main import main

__all__ = ["main"]
