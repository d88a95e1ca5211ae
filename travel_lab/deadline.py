"""A limit for a call that cannot be told to stop, and an end to all waiting when a person interrupts."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, InvalidStateError, wait
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar, copy_context
from typing import Any, TypeVar

T = TypeVar("T")
LOOK_SECONDS = 0.5
"""How often a wait in the main thread looks up; on some systems an interrupt is not seen before."""


class _Stop:
    """Ends every wait that began under it."""

    def __init__(self) -> None:
        self._lock, self._said, self._waits = threading.Lock(), threading.Event(), set[Future[Any]]()

    def say(self) -> None:
        with self._lock:
            self._said.set()
            for waited_for in self._waits:
                _settle(waited_for.set_exception, KeyboardInterrupt())

    @contextmanager
    def ending(self, waited_for: Future[Any]) -> Iterator[None]:
        with self._lock:
            if self._said.is_set():
                raise KeyboardInterrupt
            self._waits.add(waited_for)
        try:
            yield
        finally:
            with self._lock:
                self._waits.discard(waited_for)

    def sleep(self, seconds: float) -> None:
        if self._said.wait(seconds):
            raise KeyboardInterrupt


_STOP: ContextVar[_Stop | None] = ContextVar("stop", default=None)


def within(seconds: float, call: Callable[[], T]) -> T:
    """What `call` returns or raises, in a thread of its own that sees the caller's context variables.

    Python cannot end a thread: one that is late goes on alone, without keeping the process alive, and what it returns is
    dropped.

    Args:
        seconds: The longest wait, in real seconds.
        call: What is waited for.

    Raises:
        TimeoutError: `call` was not done in time.
        KeyboardInterrupt: The `interruptible` around it was interrupted.
    """
    done, stop = _started(call), _STOP.get()
    try:
        with stop.ending(done) if stop else nullcontext():
            return done.result(timeout=max(seconds, 0.0))
    except TimeoutError as error:
        if done.done():
            raise
        raise TimeoutError(f"no answer within {seconds:.2g} s") from error


def pause(seconds: float) -> None:
    """`time.sleep` that ends with KeyboardInterrupt when the `interruptible` around it is interrupted."""
    stop = _STOP.get()
    (stop.sleep if stop else time.sleep)(seconds)


def interruptible(call: Callable[[], T]) -> T:
    """What `call` returns or raises; an interrupt ends the waits inside it, in whatever thread, before it is raised here.

    Only the main thread is ever interrupted; in any other `call` is made as it is.
    """
    if threading.current_thread() is not threading.main_thread():
        return call()
    stop = _Stop()
    context = copy_context()
    context.run(_STOP.set, stop)
    done: Future[T] = context.run(_started, call)
    try:
        while not done.done():
            wait([done], timeout=LOOK_SECONDS)
    except KeyboardInterrupt:
        stop.say()
        wait([done])
        raise
    return done.result()


def _started(call: Callable[[], T]) -> Future[T]:
    done: Future[T] = Future()

    def run() -> None:
        try:
            value = call()
        except BaseException as error:  # noqa: BLE001 (raised again, where it is waited for)
            _settle(done.set_exception, error)
        else:
            _settle(done.set_result, value)

    threading.Thread(target=copy_context().run, args=(run,), daemon=True).start()
    return done


def _settle(put: Callable[[Any], None], value: object) -> None:
    # An interrupt and an answer may come at once; whichever is first holds.
    with suppress(InvalidStateError):
        put(value)
