import pytest

from travel_lab.chat_models.faults import OVERFLOWS
from travel_lab.planner.trials import FAULTS, POLICIES, try_faults

DEFAULT = {
    "rate limit": 4, "server error": 4, "loading": 4, "hang": 4, "slow": 4, "drop": 4,
    "bad key": 1, "no balance": 1, "no quota": 1, "forbidden": 1, "wrong model": 1, "bad request": 1,
    "rate limit, hint 1800 s": 1,
    "half": 2, "empty": 2, "blank": 2, "thinking": 1, "no schema": 2,
    "rate limit once": 2, "rate limit, hint 2 s": 2, "empty once": 2, "half once": 2,
    **{f"overflow {service}": 2 for service in OVERFLOWS},
}  # fmt: skip
"""Requests of one call under the default policy, counted by the server."""


def trial(fault, policy="default"):
    return try_faults([fault], {policy: POLICIES[policy]})[0]


def test_every_fault_has_its_number():
    """No fault is left out of the table."""
    assert set(DEFAULT) == set(FAULTS)


@pytest.mark.parametrize("fault", DEFAULT)
def test_requests_of_a_call(fault):
    """A fault costs exactly as many requests as its kind deserves, counted by a server on this machine."""
    assert trial(fault).requests == DEFAULT[fault]


@pytest.mark.parametrize("fault", ["rate limit", "server error", "drop", "empty", "half", "bad key"])
def test_no_retry_is_one_request(fault):
    """One attempt is one request, whatever the fault."""
    assert trial(fault, "no retry").requests == 1


@pytest.mark.parametrize(
    ("fault", "waited"), [("rate limit", 7.0), ("rate limit, hint 2 s", 2.0), ("bad key", 0.0), ("empty", 0.0)]
)
def test_waits_of_a_call(fault, waited):
    """Waits are 1 + 2 + 4 s, or the hint where that is longer, and none before what waiting cannot help."""
    assert trial(fault).waited == waited


@pytest.mark.parametrize("fault", [f"overflow {service}" for service in OVERFLOWS])
def test_overflow_has_its_own_name(fault):
    """A view that is too long ends under its own name in every service's wording."""
    assert trial(fault).outcome == "ContextOverflow"


@pytest.mark.parametrize("fault", ["thinking", "no schema", "rate limit once", "empty once", "half once"])
def test_faults_that_pass_end_in_an_answer(fault):
    """What one more request or a better reading helps against ends in an answer."""
    assert trial(fault).outcome == "answer"
