import pytest

from travel_lab.chat_models import ServiceError, diagnose, is_overflow
from travel_lab.chat_models.faults import OVERFLOWS, REFUSALS


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        ("bad key", "key"), ("no balance", "balance"), ("no quota", "balance"), ("forbidden", "key"), ("wrong model", "model"),
        ("bad request", "request"), ("rate limit", "busy"), ("server error", "server"), ("loading", "server"),
    ],
)  # fmt: skip
def test_refusal_is_understood(fault, kind):
    """Each way to refuse a request is understood as what it is, and the advice says what to do."""
    trouble = diagnose(ServiceError(*REFUSALS[fault]))

    assert (trouble.kind, bool(trouble.advice)) == (kind, True)


@pytest.mark.parametrize("service", OVERFLOWS)
def test_overflow_is_understood_in_every_wording(service):
    """A prompt that is too long is recognised by class, body or message, whatever the service calls it."""
    assert is_overflow(ServiceError(*OVERFLOWS[service]))


@pytest.mark.parametrize(
    ("status", "message"),
    [(400, "Model Not Exist"), (404, "The model `qwen9` does not exist"), (404, 'model "qwen9" not found, try pulling it first')],
)
def test_unknown_model_is_understood(status, message):
    """Services word an unknown model differently and mean the same."""
    assert diagnose(ServiceError(status, {"message": message})).kind == "model"


@pytest.mark.parametrize(
    ("error", "kind"), [(TimeoutError(), "timeout"), (ConnectionResetError(), "route"), (KeyError("x"), "other")], ids=repr
)
def test_errors_without_a_status_are_understood(error, kind):
    """A silent and an unreachable service are told apart, and anything else is not guessed at."""
    assert diagnose(error).kind == kind


@pytest.mark.parametrize(
    ("fault", "hopeless"),
    [("bad key", True), ("no balance", True), ("wrong model", True), ("rate limit", False), ("overflow vllm", False)],
)
def test_only_what_holds_for_every_call_is_hopeless(fault, hopeless):
    """A wrong key speaks for all agents, a long view for its own call only."""
    assert diagnose(ServiceError(*REFUSALS[fault])).hopeless is hopeless
