import httpx
import openai
import pytest
from langchain_openai.chat_models.base import OpenAIConnectionError, OpenAITimeoutError

from travel_lab.errors import BadInput
from travel_lab.retry import FailedAttempt, RetryPolicy, call_with_retry, is_retryable

REQUEST = httpx.Request("POST", "http://127.0.0.1/v1/chat/completions")


def refused(status: int, words: str = "refused") -> openai.APIStatusError:
    return openai.APIStatusError(words, response=httpx.Response(status, request=REQUEST), body=None)


class Server:
    """Fails with each of `errors` in turn, then answers; counts its requests."""

    def __init__(self, *errors: Exception) -> None:
        self.errors, self.requests = list(errors), 0

    def __call__(self) -> str:
        self.requests += 1
        if self.errors:
            raise self.errors.pop(0)
        return "去看熊猫"


class Run:
    """One `call_with_retry` with its waits and the attempts its hook was told of."""

    def __init__(self, server: Server, policy: RetryPolicy) -> None:
        self.waits: list[float] = []
        self.told: list[FailedAttempt] = []
        self.reply: str | None = None
        self.error: Exception | None = None
        try:
            self.reply = call_with_retry(server, policy, sleep=self.waits.append, on_failure=self.told.append)
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


def test_hook_is_told_of_each_attempt_that_is_repeated():
    """The hook gets number, error and wait of each failed attempt but the last."""
    first, second = ConnectionResetError("first"), TimeoutError("second")
    run = Run(Server(first, second, refused(500)), RetryPolicy(attempts=3))

    assert run.told == [
        FailedAttempt(attempt=1, error=first, wait=1.0),
        FailedAttempt(attempt=2, error=second, wait=2.0),
    ]


def test_hook_is_told_before_the_wait():
    """A progress line can say how long the wait will be while it lasts."""
    order: list[str] = []
    call_with_retry(
        Server(refused(429)),
        RetryPolicy(),
        sleep=lambda seconds: order.append(f"sleep {seconds:g}"),
        on_failure=lambda failed: order.append(f"told {failed.wait:g}"),
    )

    assert order == ["told 1", "sleep 1"]


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 422])
def test_refused_request_is_made_once(status):
    """A wrong key, an empty account, an unknown model or a bad request is not asked again."""
    server = Server(*[refused(status) for _ in range(9)])
    run = Run(server, RetryPolicy())

    assert (server.requests, run.waits, run.told) == (1, [], [])


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

    def interrupted() -> str:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        call_with_retry(interrupted, RetryPolicy(), sleep=lambda _: None, on_failure=lambda _: None)


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
