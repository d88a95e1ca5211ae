"""Under TRAVEL_LAB_ALL=1 a skip fails; run in a fresh pytest that has this project's conftest."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CONFTEST = Path(__file__).parents[1] / "conftest.py"


@pytest.fixture
def outcome_of(tmp_path):
    def outcome_of(code: str, *, run_all: str) -> str:
        shutil.copy(CONFTEST, tmp_path / "conftest.py")
        (tmp_path / "test_sample.py").write_text(f"import pytest\n\n{code}\n", encoding="utf-8")
        (tmp_path / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-q", str(tmp_path)]
        environment = {**os.environ, "TRAVEL_LAB_ALL": run_all}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False)
        return done.stdout

    return outcome_of


SKIPS = "def test_it():\n    pytest.skip('no browser here')"


def test_skip_fails_when_all_is_asked_for(outcome_of):
    """A skipped test counts as failed under TRAVEL_LAB_ALL=1."""
    assert "1 failed" in outcome_of(SKIPS, run_all="1")


def test_failed_skip_tells_its_reason(outcome_of):
    """The reason of the skip stands in the failure."""
    assert "must run under TRAVEL_LAB_ALL=1. Skipped: no browser here" in outcome_of(SKIPS, run_all="1")


def test_skip_by_mark_fails_when_all_is_asked_for(outcome_of):
    """A test that a mark skips counts as an error, because it never began."""
    assert "1 error" in outcome_of("@pytest.mark.skip(reason='later')\ndef test_it(): ...", run_all="1")


def test_skip_of_a_whole_file_fails_when_all_is_asked_for(outcome_of):
    """A file that cannot be collected for want of a package counts as an error."""
    assert "1 error" in outcome_of("pytest.importorskip('no_such_package')\ndef test_it(): ...", run_all="1")


def test_skip_stays_a_skip_otherwise(outcome_of):
    """Without TRAVEL_LAB_ALL a skip is a skip."""
    assert "1 skipped" in outcome_of(SKIPS, run_all="")


def test_expected_failure_is_no_skip(outcome_of):
    """An expected failure stays one under TRAVEL_LAB_ALL=1."""
    assert "1 xfailed" in outcome_of("@pytest.mark.xfail(reason='known')\ndef test_it(): assert False", run_all="1")
