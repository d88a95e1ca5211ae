"""What holds for every test: nothing depends on luck, and on request nothing is skipped."""

import os

import pytest
from hypothesis import settings

RUN_ALL = os.environ.get("TRAVEL_LAB_ALL") == "1"
"""Whether a skipped test counts as failed."""

_LANGCHAIN = "tests/contracts/test_chat_model.py::TestOfflineChatModel"
SKIPPED_BY_DESIGN = frozenset(
    {
        # LangChain reads keys from the environment here; the offline model has none.
        f"{_LANGCHAIN}::test_init_from_env",
        # LangChain stores a model as JSON here; the offline model holds a function, which must not be loaded from a file.
        f"{_LANGCHAIN}::test_serdes",
    }
)
"""Standard tests that LangChain itself skips for a model of this kind; nothing else may be skipped."""

# No deadline: how long an example takes says something about the machine only.
settings.register_profile("travel_lab", deadline=None)
settings.register_profile("travel_lab-ci", deadline=None, derandomize=True)
settings.load_profile("travel_lab-ci" if os.environ.get("CI") else "travel_lab")


def _fail(report: pytest.TestReport | pytest.CollectReport) -> None:
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
    report.outcome = "failed"
    report.longrepr = f"{report.nodeid} must run under TRAVEL_LAB_ALL=1. {reason}"


# First, so that it sees the report after pytest itself has marked the expected failures in it.
@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item):
    report = yield
    if RUN_ALL and report.skipped and not hasattr(report, "wasxfail") and item.nodeid not in SKIPPED_BY_DESIGN:
        _fail(report)
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report():
    report = yield
    if RUN_ALL and report.skipped:
        _fail(report)
    return report
