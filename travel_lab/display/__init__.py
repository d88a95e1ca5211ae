"""Showing things: terminal tables and self-contained pages. Reading order: terminal, page; style is for plots only."""

from travel_lab.display.page import render_page
from travel_lab.display.terminal import printable, say, shortened, table

__all__ = ["printable", "render_page", "say", "shortened", "table"]
