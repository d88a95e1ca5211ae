"""Whatever is done in whatever order: one active session, writes elsewhere refused, parents byte-identical, a whole tree."""

import tempfile
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from travel_lab.catalogue import CuratedProvider
from travel_lab.errors import NotActive, NothingWaiting, SessionError
from travel_lab.lab import Lab
from travel_lab.planner import offline_model

PROVIDER, MODEL = CuratedProvider(), offline_model()


WRITES = {
    "send": lambda session: session.send("第一天酒店多少钱？"),
    "edit": lambda session: session.edit({"requirements": {"origin": "深圳"}}),
    "forget": lambda session: session.forget([message.id for message in session.state()["messages"]]),
    "resume": lambda session: session.resume(),
}
"""Every way of writing to a session."""


class Trips(RuleBasedStateMachine):
    """The machine; `rows` reads the file."""

    rows = None

    def __init__(self):
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "lab.db"
        self.frozen = {}

    @initialize()
    def create(self):
        self.lab = Lab.open(self.path, model=MODEL, provider=PROVIDER)
        self.trip = self.lab.start_trip("帮我规划成都2天")
        self.trip_id, self.pending, self.wanted = self.trip.trip_id, "REQUIREMENTS", {"days": 2}

    @rule(days=st.integers(1, 4))
    def modify(self, days):
        if self.pending:
            self.trip.modify({"days": days})
            self.wanted = {"days": days}
        else:
            with pytest.raises(NothingWaiting):
                self.trip.modify({"days": days})

    @rule()
    def confirm(self):
        if self.pending == "REQUIREMENTS":
            self.trip.confirm()
            self.pending = "ROUTE"
        else:
            with pytest.raises(NothingWaiting):
                self.trip.confirm()

    @rule(route=st.sampled_from(["R1", "R2", "R3"]))
    def select(self, route):
        if self.pending == "ROUTE":
            self.trip.select(route)
            self.pending = ""
        else:
            with pytest.raises(NothingWaiting):
                self.trip.select(route)

    @rule(at=st.integers(0, 20), force=st.booleans(), days=st.integers(1, 4))
    def fork(self, at, force, days):
        sessions = self.trip.sessions()
        source, active = sessions[at % len(sessions)].session_id, self.trip.record.active_session_id
        draft = self.trip.session(source).state()["stage"] == "REQUIREMENT_DRAFT"
        before = self.rows.hashes(self.path, active)
        if draft and not force:
            with pytest.raises(SessionError, match="force"):
                self.trip.fork(source, reason="x", change={"days": days})
            return
        self.trip.fork(source, reason="x", change={"days": days}, force=force)
        self.frozen[active] = before
        self.pending, self.wanted = "REQUIREMENTS", {"days": days}

    @rule()
    def write(self):
        if not self.pending:
            self.trip.say("第一天酒店多少钱？")

    @precondition(lambda self: self.frozen)
    @rule(at=st.integers(0, 20), write=st.sampled_from(sorted(WRITES)))
    def write_elsewhere(self, at, write):
        with pytest.raises(NotActive):
            WRITES[write](self.trip.session(sorted(self.frozen)[at % len(self.frozen)]))

    @rule()
    def restart(self):
        self.lab.close()
        self.lab = Lab.open(self.path, model=MODEL, provider=PROVIDER)
        self.trip = self.lab.trip(self.trip_id)

    @invariant()
    def the_tree_is_whole_and_what_was_left_stays(self):
        assert self.rows.broken(self.path) == []
        assert {session: self.rows.hashes(self.path, session) for session in self.frozen} == self.frozen

    @invariant()
    def the_gate_is_the_one_expected(self):
        gate = self.trip.gate()
        assert (gate.pending if gate else "") == self.pending
        assert self.trip.active.state()["requirements"]["days"] == self.wanted["days"]

    def teardown(self):
        self.lab.close()
        self.folder.cleanup()


def test_the_invariants_hold_over_a_hundred_runs(rows):
    """Create, confirm, modify, select, fork, write and restart in any order."""
    Trips.rows = rows
    run_state_machine_as_test(Trips, settings=settings(max_examples=100, stateful_step_count=6, deadline=None))


@pytest.mark.slow
def test_the_invariants_hold_over_a_thousand_runs(rows):
    """The same, ten times as often and longer."""
    Trips.rows = rows
    run_state_machine_as_test(Trips, settings=settings(max_examples=1000, stateful_step_count=15, deadline=None))
