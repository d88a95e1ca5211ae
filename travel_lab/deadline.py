"""A limit for a call that cannot be told to stop."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextvars import copy_context
from typing import TypeVar

T = TypeVar("T")


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` returns or raises, in a thread of its own that sees the caller's context variables.

    Python cannot end a thread: one that is late goes on alone, without keeping the process alive, and what it returns is
    dropped.

    Args:
        seconds: The longest wait, in real seconds.
        call: What is waited for.

    Raises:
        TimeoutError: `call` was not done in time.
    """
    done: Future[T] = Future()

    def run() -> None:
        try:
            value = call()
        except BaseException as error:  # noqa: BLE001 (raised again, where it is waited for)
            done.set_exception(error)
        else:
            done.set_result(value)

    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    try:
        return done.result(timeout=max(seconds, 0.0))
    except TimeoutError as error:
        if done.done():
            raise
        raise TimeoutError(f"no answer within {seconds:.2g} s") from error
