from datetime import UTC, datetime
from email.utils import format_datetime

import httpx2 as httpx
import openai
import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_openai.chat_models.base import OpenAIConnectionError, OpenAITimeoutError

from travel_lab.clock import Clock
from travel_lab.errors import BadInput, EmptyReply, UnreadableReply
from travel_lab.retry import FailedAttempt, RetryPolicy, call_with_retry, is_retryable, wait_hint

REQUEST = httpx.Request("POST", "http://127.0.0.1/v1/chat/completions")


NOW = datetime(2026, 10, 3, 8, tzinfo=UTC)


def refused(status: int, words: str = "refused", **headers: str) -> openai.APIStatusError:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    return openai.APIStatusError(words, response=httpx.Response(status, request=REQUEST, headers=sent), body=None)


class Server:
    """Fails with each of `errors` in turn, then answers; counts its requests."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.requests = list(errors), 0

    def __call__(self, attempt: int) -> str:
        self.requests += 1
        assert attempt == self.requests
        if self.errors:
            raise self.errors.pop(0)
        return "去看熊猫"


def by_hand(waits: list[float]) -> Clock:
    """A clock on which only waits take time."""
    return Clock(now=lambda: NOW, elapsed=lambda: sum(waits), sleep=waits.append)


class Run:
    """One `call_with_retry` with its waits and the attempts its hook was told of."""

    def __init__(self, server: Server, policy: RetryPolicy, share: float = 0.0) -> None:
        self.waits: list[float] = []
        self.told: list[FailedAttempt] = []
        self.reply: str | None = None
        self.error: Exception | None = None
        try:
            self.reply = call_with_retry(
                server, policy, times=by_hand(self.waits), chance=lambda: share, on_failure=self.told.append
            )
        except Exception as error:  # noqa: BLE001 (whatever comes out is what the tests look at)
            self.error = error


def test_answer_at_once_needs_no_wait():
    """A call that succeeds is made once, without a wait or a word to the hook."""
    server = Server()
    run = Run(server, RetryPolicy())

    assert (run.reply, server.requests, run.waits, run.told) == ("去看熊猫", 1, [], [])


def test_default_is_four_calls():
    """A server that is always busy gets exactly four requests."""
    server = Server(*[refused(429) for _ in range(9)])
    Run(server, RetryPolicy())

    assert server.requests == 4


def test_default_waits_one_two_four_seconds():
    """Three retries wait 1, 2 and 4 seconds, 7 in all."""
    assert Run(Server(*[refused(429) for _ in range(9)]), RetryPolicy()).waits == [1.0, 2.0, 4.0]


@pytest.mark.parametrize(("attempts", "waits"), [(1, []), (2, [0.5]), (4, [0.5, 1.5, 4.5])])
def test_waits_follow_first_wait_and_factor(attempts, waits):
    """Each wait is `factor` times the one before, and there is one fewer than there are attempts."""
    run = Run(Server(*[refused(503) for _ in range(9)]), RetryPolicy(attempts=attempts, first_wait=0.5, factor=3.0))

    assert run.waits == waits


def test_success_ends_the_retries():
    """The first answer is taken and no further request is made."""
    server = Server(refused(500), TimeoutError("silent"))
    run = Run(server, RetryPolicy())

    assert (run.reply, server.requests) == ("去看熊猫", 3)


def test_last_error_comes_out_as_it_is():
    """When all attempts fail, the caller gets the last error itself and no wrapper."""
    last = refused(429, "third")
    run = Run(Server(refused(429, "first"), refused(429, "second"), last), RetryPolicy(attempts=3))

    assert run.error is last


def test_hook_is_told_of_each_failed_attempt():
    """The hook gets number, error and wait of each failed attempt; the last one has no wait."""
    first, second = ConnectionResetError("first"), TimeoutError("second")
    last = refused(500)
    run = Run(Server(first, second, last), RetryPolicy(attempts=3))

    assert run.told == [
        FailedAttempt(attempt=1, error=first, wait=1.0),
        FailedAttempt(attempt=2, error=second, wait=2.0),
        FailedAttempt(attempt=3, error=last, wait=0.0),
    ]


def test_hook_is_told_before_the_wait():
    """A progress line can say how long the wait will be while it lasts."""
    order: list[str] = []
    call_with_retry(
        Server(refused(429)),
        RetryPolicy(),
        times=Clock(sleep=lambda seconds: order.append(f"sleep {seconds:g}")),
        chance=lambda: 0.0,
        on_failure=lambda failed: order.append(f"told {failed.wait:g}"),
    )

    assert order == ["told 1", "sleep 1"]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
def test_refused_request_is_made_once(status):
    """A wrong key, an empty account, an unknown model or a bad request is not asked again."""
    server = Server(*[refused(status) for _ in range(9)])
    run = Run(server, RetryPolicy())

    assert (server.requests, run.waits, [failed.wait for failed in run.told]) == (1, [], [0.0])


def test_prompt_that_is_too_long_is_sent_once():
    """A context overflow is a refused request, however it is worded."""
    words = "This model's maximum context length is 131072 tokens. However, you requested 131134 tokens"
    server = Server(*[refused(400, words) for _ in range(9)])
    Run(server, RetryPolicy())

    assert server.requests == 1


@pytest.mark.parametrize(
    "error",
    [
        *(pytest.param(refused(status), id=str(status)) for status in (408, 409, 429, 500, 502, 503, 504, 599)),
        pytest.param(ConnectionResetError("gone"), id="connection reset"),
        pytest.param(TimeoutError("silent"), id="timeout"),
        pytest.param(OpenAIConnectionError(request=REQUEST), id="langchain-openai connection"),
        pytest.param(OpenAITimeoutError(request=REQUEST), id="langchain-openai timeout"),
    ],
)
def test_busy_and_unreachable_servers_are_asked_again(error):
    """Busy, broken, silent and unreachable servers may answer the next time."""
    assert is_retryable(error)


@pytest.mark.parametrize("error", [ValueError("no number"), KeyError("hotel"), RecursionError(), refused(499)], ids=repr)
def test_other_errors_are_not_repeated(error):
    """A fault of the program or of the request stays one on the second try."""
    assert not is_retryable(error)


@pytest.mark.parametrize("status", ["429", None, 429.0])
def test_status_that_is_no_number_is_not_read(status):
    """An error whose `status_code` is something else counts as any other error."""
    error = RuntimeError("odd client")
    error.status_code = status

    assert not is_retryable(error)


def test_keyboard_interrupt_is_not_caught():
    """Stopping a cell stops the retries too."""

    def interrupted(attempt: int) -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call_with_retry(interrupted, RetryPolicy(), times=Clock(), chance=lambda: 0.0, on_failure=lambda _: None)


@pytest.mark.parametrize("bad", [{"attempts": 0}, {"attempts": -1}, {"first_wait": -0.1}, {"factor": 0.9}], ids=str)
def test_impossible_policy_is_refused(bad):
    """A policy that could not be followed is refused when it is made."""
    with pytest.raises(BadInput, match="attempts >= 1, first_wait >= 0 and factor >= 1"):
        RetryPolicy(**bad)


def test_refusal_names_what_was_found():
    """The message says the three values and what one attempt means."""
    with pytest.raises(BadInput) as caught:
        RetryPolicy(attempts=0)

    assert str(caught.value) == (
        "RetryPolicy needs attempts >= 1, first_wait >= 0 and factor >= 1, found 0, 1.0, 2.0. "
        "attempts=1 means one call and no retry."
    )


def test_jitter_is_on_by_default():
    """A wait is lengthened by up to a quarter, so that agents that fail together come back apart."""
    assert Run(Server(refused(429), refused(429)), RetryPolicy(), share=1.0).waits == [1.25, 2.5]


def test_seeded_chance_repeats_and_differs_by_agent():
    """Under a seed each agent draws its own numbers, the same in every run."""
    policy = RetryPolicy(seed=7)
    draws = {agent: policy.chance(agent, 1)() for agent in ("route", "hotel", "food", "info")}

    assert draws == {agent: policy.chance(agent, 1)() for agent in draws}
    assert max(draws.values()) - min(draws.values()) > 0.2


def test_agents_that_fail_together_come_back_apart():
    """The second requests of four agents lie at least 50 ms apart from first to last, none before the wait that is due."""
    policy = RetryPolicy(seed=7)
    waits = [
        Run(Server(refused(429)), policy, share=policy.chance(agent, 1)()).waits[0]
        for agent in ("route", "hotel", "food", "info")
    ]

    assert min(waits) >= 1.0
    assert max(waits) - min(waits) > 0.05


@pytest.mark.parametrize(
    ("headers", "wait"),
    [
        ({"retry_after": "2"}, 2.0),
        ({"retry_after": "0.5"}, 1.0),
        ({"retry_after_ms": "3500"}, 3.5),
        ({"retry_after": "60"}, 60.0),
    ],
)
def test_wait_hint_is_honoured(headers, wait):
    """The wait is the server's hint when that is longer than the policy's own."""
    assert Run(Server(refused(429, **headers)), RetryPolicy()).waits == [wait]


@pytest.mark.parametrize("hint", ["61", "120", "1800"])
def test_hint_above_the_cap_ends_at_once(hint):
    """A server that asks for more than the cap is not waited for, and its error comes out."""
    server = Server(*[refused(429, retry_after=hint) for _ in range(9)])
    run = Run(server, RetryPolicy())

    assert (server.requests, run.waits, run.error.response.headers["retry-after"]) == (1, [], hint)


def test_hint_may_be_a_date():
    """A date is read against the clock that is passed in."""
    at = format_datetime(datetime(2026, 10, 3, 8, 0, 9, tzinfo=UTC), usegmt=True)

    assert wait_hint(refused(503, retry_after=at), NOW) == 9.0


@given(st.text(st.characters(max_codepoint=126, min_codepoint=32), max_size=30) | st.floats().map(str))
def test_any_hint_is_a_time_or_none(said):
    """Whatever a server writes there, the hint is missing or a number of seconds from 0."""
    error = refused(429)
    error.response.headers["retry-after"] = said
    hint = wait_hint(error, NOW)

    assert hint is None or hint >= 0


def test_deadline_holds_over_all_attempts():
    """A wait that would end after the deadline is not begun."""
    server = Server(*[refused(500) for _ in range(9)])
    run = Run(server, RetryPolicy(deadline=4.0))

    assert (server.requests, run.waits) == (3, [1.0, 2.0])


@pytest.mark.parametrize("error", [UnreadableReply("no line"), EmptyReply("no text")], ids=repr)
def test_unreadable_answer_is_asked_for_once_more(error):
    """An answer without a use costs one further request, made at once."""
    server = Server(*[error for _ in range(9)])
    run = Run(server, RetryPolicy())

    assert (server.requests, run.waits) == (2, [0.0])


def test_empty_account_is_not_waited_for():
    """A 429 for want of quota stays one, so it costs one request."""
    error = refused(429)
    error.code = "insufficient_quota"
    server = Server(*[error for _ in range(9)])
    Run(server, RetryPolicy())

    assert server.requests == 1


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        (1, "1 call, no retry"),
        (2, "1 call and 1 retries; waits 1 = 1 s, up to 25% longer"),
        (4, "1 call and 3 retries; waits 1 + 2 + 4 = 7 s, up to 25% longer"),
    ],
)
def test_policy_says_its_waits_beforehand(attempts, said):
    """A policy in words names the calls, the waits and their sum."""
    assert str(RetryPolicy(attempts=attempts)) == said


@pytest.mark.parametrize("bad", [None, "4", 4.0, True], ids=repr)
def test_attempts_must_be_a_whole_number(bad):
    """Anything but a whole number of attempts is refused by name."""
    with pytest.raises(BadInput, match="attempts >= 1"):
        RetryPolicy(attempts=bad)


@pytest.mark.parametrize("bad", [{"jitter": -0.1}, {"deadline": 0.0}, {"longest_hint": -1.0}, {"unreadable": -1}], ids=str)
def test_impossible_limits_are_refused(bad):
    """Limits that make no sense are refused when the policy is made."""
    with pytest.raises(BadInput, match="jitter, longest_hint and unreadable >= 0 and deadline > 0"):
        RetryPolicy(**bad)
