"""The README shows what its commands print."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_table_is_what_the_demo_prints(tmp_path):
    """The table of the README is the one the demo command prints, line by line."""
    shown = re.search(r"```text\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    demo = subprocess.run(
        [sys.executable, "-c", "from travel_lab.cli import main; main()", "demo", "--out", str(tmp_path / "demo.html")],
        check=True,
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
    ).stdout
    printed = {line.rstrip() for line in demo.splitlines()}
    assert [line for line in shown.splitlines() if line.rstrip() not in printed] == []
