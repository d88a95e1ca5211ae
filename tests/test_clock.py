import threading
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab import clock as clock_module
from travel_lab.clock import Clock, VirtualTime
from travel_lab.errors import ClockStuck


def play(waits: dict[str, list[float]]) -> tuple[float, dict[str, list[float]]]:
    """Agents that wait side by side; the time at the end, and the times each of them woke."""
    clock = VirtualTime().clock()
    woke: dict[str, list[float]] = {name: [] for name in waits}
    clock.begin(waits)

    def work(name: str) -> None:
        for seconds in waits[name]:
            clock.sleep(seconds)
            woke[name].append(clock.elapsed())
        clock.end([name])

    threads = [threading.Thread(target=work, args=[name]) for name in waits]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return clock.elapsed(), woke


def test_four_agents_waiting_together_end_after_seven_seconds():
    """Four agents that each wait 1, 2 and 4 seconds end at 7 s, not at 28."""
    end, woke = play({agent: [1.0, 2.0, 4.0] for agent in ("route", "hotel", "food", "info")})

    assert end == 7.0
    assert woke == {agent: [1.0, 3.0, 7.0] for agent in ("route", "hotel", "food", "info")}


@pytest.mark.parametrize("round_", range(20))
def test_time_moves_to_the_earliest_waiter(round_):
    """Different waits overlap, and everybody wakes at its own time, whichever thread runs first."""
    end, woke = play({"route": [5.0], "hotel": [1.0, 1.0, 1.0], "food": [2.5], "info": []})

    assert (end, woke) == (5.0, {"route": [5.0], "hotel": [1.0, 2.0, 3.0], "food": [2.5], "info": []})


def test_lone_sleeper_wakes_at_once():
    """Without anybody at work a wait takes no real time."""
    clock = VirtualTime().clock()
    clock.sleep(3600)

    assert clock.elapsed() == 3600


def test_wall_time_moves_along():
    """The date advances by the seconds waited."""
    clock = VirtualTime().clock()
    before = clock.now()
    clock.sleep(90)

    assert (clock.now() - before).total_seconds() == 90


def test_waiting_for_somebody_who_does_not_come_is_named(monkeypatch):
    """Instead of hanging for ever, the clock says who neither waits nor ends."""
    monkeypatch.setattr(clock_module, "REAL_LIMIT", 0.05)
    clock = VirtualTime().clock()
    clock.begin(["route", "hotel"])

    with pytest.raises(ClockStuck, match=r"1 of \['hotel', 'route'\] wait"):
        clock.sleep(1)


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.timezones()),  # noqa: DTZ001 (hypothesis adds the zone)
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.timezones()),  # noqa: DTZ001 (the same)
)
def test_stamps_sort_as_the_moments_do(one, other):
    """Whatever zones two clocks speak of, their stamps are in UTC and compare as texts like the moments."""
    stamps = [Clock(now=lambda moment=moment: moment).stamp() for moment in (one, other)]
    moments = [moment.astimezone(UTC) for moment in (one, other)]

    assert [datetime.fromisoformat(text) for text in stamps] == moments
    assert (stamps[0] < stamps[1]) == (moments[0] < moments[1])
    assert all(text.endswith("+00:00") for text in stamps)
