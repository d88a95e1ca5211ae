"""A failing task waits for its siblings, also for those that have not begun yet."""

import threading

from travel_lab.checkpoints import Siblings

STEP = "step"


def failing(siblings):
    """A thread in which the task `a` is about to fail."""
    siblings.started(STEP, "a")
    thread = threading.Thread(target=siblings.fail, args=(STEP, "a"))
    thread.start()
    return thread


def test_waits_for_a_sibling_that_has_not_begun():
    """It goes on when the other has begun, returned and is stored."""
    stored = set()
    siblings = Siblings(stored=lambda _step: frozenset(stored))
    siblings.expect(2)
    thread = failing(siblings)
    thread.join(0.1)
    waited = thread.is_alive()
    siblings.started(STEP, "b")
    siblings.returned(STEP, "b")
    stored.add("b")
    thread.join(5)

    assert (waited, thread.is_alive()) == (True, False)


def test_waits_for_nobody_when_all_have_failed():
    """Two that fail at once do not wait for each other."""
    siblings = Siblings()
    siblings.expect(2)
    thread = failing(siblings)
    siblings.started(STEP, "b")
    siblings.fail(STEP, "b")
    thread.join(5)

    assert not thread.is_alive()


def test_does_not_wait_for_those_of_another_step():
    """What is at work under an earlier step is no sibling."""
    siblings = Siblings()
    siblings.started("earlier", "c")
    thread = failing(siblings)
    thread.join(5)

    assert not thread.is_alive()
