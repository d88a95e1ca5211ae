"""The one place that repeats a failed call: which errors, how often, how long between.

`tenacity` does the looping; this file holds the rule and the record of it. Clock, sleep and random source are passed in.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol, TypeVar

from tenacity import RetryCallState, Retrying

from travel_lab.errors import BadInput, UnreadableReply

T = TypeVar("T")

RETRYABLE_STATUS = frozenset({408, 409, 429})
NO_QUOTA = "insufficient_quota"
"""Code of a 429 that no waiting helps: the account is empty."""


@dataclass(frozen=True, kw_only=True)
class RetryPolicy:
    """How often and after which waits a failed call is repeated."""

    attempts: int = 4
    """Calls in all, the first included; 4 = first call and 3 retries."""
    first_wait: float = 1.0
    """Seconds before the first retry."""
    factor: float = 2.0
    """Each further wait is this many times the one before: 1, 2, 4 s by default, 7 s in all."""
    jitter: float = 0.25
    """A wait is lengthened by a random share of itself, at most this one, so that agents that fail together come back apart."""
    longest_hint: float = 60.0
    """A server's wait hint is honoured up to this many seconds; a longer one ends the attempts at once."""
    deadline: float = 180.0
    """Seconds over all attempts of one call: no wait that would end later is begun, no attempt is waited for any longer."""
    unreadable: int = 1
    """How often, within the attempts, an empty or unreadable answer is asked for again."""
    seed: int | None = None
    """Fixes the random shares, for runs that must repeat; None draws fresh ones."""

    def __post_init__(self) -> None:
        if (
            type(self.attempts) is not int
            or type(self.unreadable) is not int
            or self.attempts < 1
            or self.first_wait < 0
            or self.factor < 1
        ):
            raise BadInput(
                f"RetryPolicy needs attempts >= 1, first_wait >= 0 and factor >= 1, found {self.attempts}, "
                f"{self.first_wait}, {self.factor}. attempts=1 means one call and no retry."
            )
        if min(self.jitter, self.longest_hint, self.unreadable) < 0 or self.deadline <= 0:
            raise BadInput(
                f"RetryPolicy needs jitter, longest_hint and unreadable >= 0 and deadline > 0, found {self.jitter}, "
                f"{self.longest_hint}, {self.unreadable}, {self.deadline}. jitter=0 means waits without a random share."
            )

    @property
    def waits(self) -> tuple[float, ...]:
        """Seconds before each retry, without jitter and without a server's hint."""
        return tuple(self.first_wait * self.factor**n for n in range(self.attempts - 1))

    def __str__(self) -> str:
        """The plan in words, to be shown before a run."""
        if not self.waits:
            return "1 call, no retry"
        sum_ = " + ".join(f"{wait:g}" for wait in self.waits)
        return f"1 call and {self.attempts - 1} retries; waits {sum_} = {sum(self.waits):g} s, up to {self.jitter:.0%} longer"

    def chance(self, *names: object) -> Callable[[], float]:
        """A random source of its own for one call, named so that parallel agents do not disturb each other's numbers."""
        if self.seed is None:
            return random.SystemRandom().random
        return random.Random(f"{self.seed}-{'-'.join(map(str, names))}").random  # noqa: S311 (spreads waits, guards nothing)


class Times(Protocol):
    """Where the loop gets its times from; `travel_lab.clock.Clock` is one."""

    @property
    def now(self) -> Callable[[], datetime]:
        """Wall time, with offset; a hint that is a date is read against it."""

    @property
    def elapsed(self) -> Callable[[], float]:
        """Seconds since some fixed moment; the deadline is read from it."""

    @property
    def sleep(self) -> Callable[[float], None]:
        """Waits that many seconds."""


@dataclass(frozen=True, kw_only=True)
class FailedAttempt:
    """One failed attempt, handed to the hook before the wait."""

    attempt: int
    """Number of the attempt that failed, from 1."""
    error: BaseException
    wait: float
    """Seconds until the next attempt; 0 when there is none."""


def is_retryable(error: BaseException) -> bool:
    """Whether trying again can help: busy, broken or unreachable servers; never a refused request."""
    if getattr(error, "code", None) == NO_QUOTA:
        return False
    if getattr(error, "is_retryable", False) or isinstance(error, ConnectionError | TimeoutError):
        return True
    status = getattr(error, "status_code", None)
    return isinstance(status, int) and (status in RETRYABLE_STATUS or status >= 500)


def wait_hint(error: BaseException, now: datetime) -> float | None:
    """Seconds the server asks to wait, from `retry-after-ms` or `Retry-After` as seconds or a date; None without a usable one."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    if headers is None:
        return None
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) / unit
        except (KeyError, ValueError):
            continue
        return seconds if 0 <= seconds < float("inf") else None
    try:
        at = parsedate_to_datetime(headers["retry-after"])
    except (KeyError, ValueError):
        return None
    return max((at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp() - now.timestamp(), 0.0)


def call_with_retry(
    call: Callable[[int], T],
    policy: RetryPolicy,
    *,
    times: Times,
    chance: Callable[[], float],
    on_failure: Callable[[FailedAttempt], None],
) -> T:
    """Call, and call again under `policy` while that can help; the last error is raised as it is.

    Args:
        call: Given the number of the attempt, from 1; made at most `policy.attempts` times.
        policy: Attempts, waits and limits.
        times: The clock that waits are made and measured with.
        chance: Random numbers from 0 to 1.
        on_failure: Told of each failed attempt, before the wait.
    """
    loop = _Loop(policy, times, chance, on_failure)
    retrying = Retrying(stop=loop.is_over, wait=loop.wait, retry=loop.may_repeat, sleep=times.sleep, reraise=True)
    return retrying(lambda: call(retrying.statistics["attempt_number"]))


class _Loop:
    """What one run of `call_with_retry` remembers."""

    def __init__(
        self,
        policy: RetryPolicy,
        times: Times,
        chance: Callable[[], float],
        on_failure: Callable[[FailedAttempt], None],
    ) -> None:
        self._policy, self._times, self._chance, self._on_failure = policy, times, chance, on_failure
        self._began, self._unreadable = times.elapsed(), 0
        self._over, self._wait = False, 0.0

    def may_repeat(self, state: RetryCallState) -> bool:
        error = state.outcome.exception() if state.outcome else None
        if error is None:
            return False
        self._over, self._wait = self._judge(error, state.attempt_number)
        # Ctrl-C is nobody's failed attempt.
        if isinstance(error, Exception):
            self._on_failure(FailedAttempt(attempt=state.attempt_number, error=error, wait=self._wait))
        return not self._over

    def is_over(self, state: RetryCallState) -> bool:
        return self._over

    def wait(self, state: RetryCallState) -> float:
        return self._wait

    def _judge(self, error: BaseException, attempt: int) -> tuple[bool, float]:
        """Whether this was the last attempt, and the wait before the next one."""
        policy = self._policy
        if isinstance(error, UnreadableReply):
            self._unreadable += 1
            if self._unreadable > policy.unreadable or attempt >= policy.attempts:
                return True, 0.0
            return False, 0.0
        hint = wait_hint(error, self._times.now())
        if not is_retryable(error) or attempt >= policy.attempts or (hint or 0.0) > policy.longest_hint:
            return True, 0.0
        wait = max(policy.waits[attempt - 1], hint or 0.0) * (1 + policy.jitter * self._chance())
        if self._times.elapsed() - self._began + wait > policy.deadline:
            return True, 0.0
        return False, wait
