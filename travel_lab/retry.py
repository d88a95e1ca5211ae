"""The one place that repeats a failed call: which errors, how often, how long between.

`tenacity` does the looping; this file holds the rule and the record of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from tenacity import RetryCallState, Retrying, retry_if_exception, stop_after_attempt, wait_exponential

from travel_lab.errors import BadInput

T = TypeVar("T")

RETRYABLE_STATUS = frozenset({408, 409, 429})


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How often and after which waits a failed call is repeated."""

    attempts: int = 4
    """Calls in all, the first included; 4 = first call and 3 retries."""
    first_wait: float = 1.0
    """Seconds before the first retry."""
    factor: float = 2.0
    """Each further wait is this many times the one before: 1, 2, 4 s by default, 7 s in all."""

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.first_wait < 0 or self.factor < 1:
            raise BadInput(
                f"RetryPolicy needs attempts >= 1, first_wait >= 0 and factor >= 1, found {self.attempts}, "
                f"{self.first_wait}, {self.factor}. attempts=1 means one call and no retry."
            )


@dataclass(frozen=True, kw_only=True)
class FailedAttempt:
    """One failed attempt, handed to the hook before the wait."""

    attempt: int
    """Number of the attempt that failed, from 1."""
    error: BaseException
    wait: float
    """Seconds until the next attempt."""


def is_retryable(error: BaseException) -> bool:
    """Whether trying again can help: busy, broken or unreachable servers; never a refused request."""
    if getattr(error, "is_retryable", False) or isinstance(error, ConnectionError | TimeoutError):
        return True
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and (status in RETRYABLE_STATUS or status >= 500)


def call_with_retry(
    call: Callable[[], T],
    policy: RetryPolicy,
    *,
    sleep: Callable[[float], None],
    on_failure: Callable[[FailedAttempt], None],
) -> T:
    """Call, and call again under `policy` while the error is retryable; the last error is raised as it is.

    Args:
        call: Made at most `policy.attempts` times.
        policy: Attempts and waits.
        sleep: Called with the seconds to wait.
        on_failure: Told of each failed attempt that will be repeated.
    """

    def tell(state: RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        if error is not None and state.next_action is not None:
            on_failure(FailedAttempt(attempt=state.attempt_number, error=error, wait=state.next_action.sleep))

    loop = Retrying(
        stop=stop_after_attempt(policy.attempts),
        wait=wait_exponential(multiplier=policy.first_wait, exp_base=policy.factor),
        retry=retry_if_exception(is_retryable),
        sleep=sleep,
        before_sleep=tell,
        reraise=True,
    )
    return loop(call)
