"""Text and tables for a terminal: Chinese aligned, nothing in the text is taken for markup or control codes."""

import unicodedata
from collections.abc import Iterable, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def printable(text: str) -> str:
    """The text without control characters, which a terminal would obey; line ends and tabs stay."""
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) not in {"Cc", "Cs"})


def shortened(text: str, most: int) -> str:
    """The text on one line, cut to `most` characters with its full length named."""
    line = " ".join(printable(text).split())
    return line if len(line) <= most else f"{line[:most]}… ({len(line)} characters)"


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], *, left: int = 2) -> Table:
    """A table of plain text; the first `left` columns left, numbers right; the first two are not broken."""
    made = Table(
        title=Text(title), box=box.SIMPLE_HEAD, title_justify="left", pad_edge=False, padding=(0, 1, 0, 0), show_edge=False
    )
    for at, column in enumerate(columns):
        made.add_column(Text(column), justify="left" if at < left else "right", overflow="fold", no_wrap=at < 2)
    for row in rows:
        made.add_row(*(Text(printable(cell)) for cell in row))
    return made


def say(console: Console, text: str, style: str = "") -> None:
    """Print text as it is, wrapped at the console's width."""
    console.print(Text(printable(text), style=style))
