from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError

import pytest

from travel_lab.events import AgentFinished, AgentStarted, AttemptFailed, Event, EventLog, Note, Reply, ignore

STARTED = AgentStarted(agent="hotel", turn=1, seconds=0.5)
EVENTS = [
    STARTED,
    AgentFinished(agent="hotel", turn=1, seconds=0.9, status="degraded", reason="no answer"),
    AttemptFailed(agent="hotel", turn=1, attempt=1, error="TimeoutError: silent", wait=1.0),
    Note(agent="supervisor", turn=1, text="unknown agent 'hotels' left out"),
    Reply(agent="aggregator", turn=1, text="好了", kind="plan"),
]


def test_log_keeps_events_in_order():
    """The log holds every event in the order of arrival."""
    log = EventLog()
    for event in EVENTS:
        log(event)

    assert log.events == EVENTS


def test_log_passes_each_event_on():
    """A second sink is told of the same events, as they happen."""
    told: list[Event] = []
    log = EventLog(also=told.append)
    log(STARTED)

    assert told == [STARTED]


def test_two_logs_do_not_share_events():
    """A new log starts empty, whatever an older one holds."""
    EventLog()(STARTED)

    assert EventLog().events == []


def test_event_is_in_the_log_when_the_other_sink_fails():
    """A broken progress display loses no event."""

    def broken(event: Event) -> None:
        raise OSError("terminal gone")

    log = EventLog(also=broken)
    with pytest.raises(OSError, match="terminal gone"):
        log(STARTED)

    assert log.events == [STARTED]


def test_log_takes_events_from_many_threads():
    """Eight threads write a thousand events each and none is lost; those of one thread stay in order."""
    log = EventLog()

    def write(agent: str) -> None:
        for number in range(1_000):
            log(Note(agent=agent, turn=number, text=""))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, "abcdefgh"))

    by_agent = {agent: [event.turn for event in log.events if event.agent == agent] for agent in "abcdefgh"}
    assert by_agent == {agent: list(range(1_000)) for agent in "abcdefgh"}


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_event_cannot_be_changed(event):
    """An event says what happened, and that does not change afterwards."""
    with pytest.raises(FrozenInstanceError):
        event.agent = "route"


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_every_kind_is_an_event(event):
    """Whoever watches can rely on agent, turn and seconds."""
    assert isinstance(event, Event)
    assert event.turn == 1


def test_finished_agent_is_ok_unless_said_otherwise():
    """An agent that says nothing else finished well, without a reason."""
    finished = AgentFinished(agent="route", turn=2)

    assert (finished.status, finished.reason) == ("ok", "")


def test_ignore_takes_any_event():
    """The sink for runs nobody watches accepts every event and gives nothing back."""
    assert [ignore(event) for event in EVENTS] == [None] * 5
