"""The two gates: what they ask, how they are answered, and that nothing runs twice."""

import subprocess
import sys

import pytest

from travel_lab.checkpoints import CheckpointStore
from travel_lab.errors import BadInput, BadMessage, GateWaiting, GraphChanged, NothingWaiting, UnknownName
from travel_lab.lab import Lab
from travel_lab.planner import offline_model

ASKED = "帮我规划悉尼和圣灵群岛8天，不吃辣"


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as opened:
        yield opened


class TestTheWay:
    def test_a_trip_stops_at_its_requirements_and_no_agent_has_worked(self, lab):
        """A new trip waits with what was understood."""
        trip = lab.start_trip(ASKED)

        assert trip.gate().pending == "REQUIREMENTS"
        assert trip.gate().requirements == {"destinations": ["sydney", "whitsundays"], "days": 8, "preferences": ["no_spicy"]}
        assert trip.active.state()["stage"] == "REQUIREMENT_DRAFT"
        assert "route_result" not in trip.active.state()

    def test_a_confirmed_trip_has_three_routes_different_in_kind(self, lab):
        """Each with name, stops, days, cost, pace and why; their days add up to the trip."""
        trip = lab.start_trip(ASKED)
        trip.confirm()

        options = trip.gate().options
        assert [option["route_id"] for option in options] == ["R1", "R2", "R3"]
        assert len({(tuple(option["stops"]), option["pace"]) for option in options}) == 3
        assert all(sum(option["days"]) == 8 and option["cost"] > 0 and option["name"] and option["why"] for option in options)
        assert trip.active.state()["stage"] == "ROUTE_OPTIONS"

    def test_a_chosen_route_is_what_is_planned(self, lab):
        """The card goes to the stops of the route, and the trip chats on as any session."""
        trip = lab.start_trip(ASKED)
        trip.confirm()
        turn = trip.select("R1").turn

        assert trip.active.state()["stage"] == "PLANNED"
        assert trip.gate() is None
        assert len(turn.itinerary["days"]) == 8
        assert trip.say("第二天酒店多少钱？").kind == "CHAT"

    @pytest.mark.parametrize("name", ["melbourne", "墨尔本", "Melbourne"])
    def test_a_change_by_fields_names_a_city_in_any_way(self, lab, name):
        """MODIFY takes field changes and stays at the gate, in the same session."""
        trip = lab.start_trip(ASKED)
        before = trip.record.active_session_id
        trip.modify({"destinations": [name], "days": 5})

        assert trip.gate().requirements == {"destinations": ["melbourne"], "days": 5, "preferences": ["no_spicy"]}
        assert trip.record.active_session_id == before

    def test_a_change_at_the_route_gate_draws_the_options_anew(self, lab):
        """The same gate waits again, with other days."""
        trip = lab.start_trip(ASKED)
        trip.confirm()
        trip.modify("改成6天")

        assert trip.gate().pending == "ROUTE"
        assert {sum(option["days"]) for option in trip.gate().options} == {6}

    def test_a_trip_without_a_place_is_asked_for_one_first(self, lab):
        """No gate waits for what nobody can confirm; the next words complete the draft."""
        trip = lab.start_trip("我想出去玩")
        assert trip.gate() is None
        trip.say("成都3天")

        assert trip.gate().requirements["destinations"] == ["chengdu"]

    def test_pausing_costs_one_model_call(self, tmp_path):
        """What stands before the gates is not run again by an answer: four agents and one supervisor, whatever is changed."""
        with Lab.open(tmp_path / "lab.db", model=offline_model()) as lab:
            trip = lab.start_trip(ASKED)
            answers = (trip.modify("改成6天"), trip.confirm(), trip.modify("改成5天"), trip.select("R1"))
            calls = [[call.agent for call in answer.turn.calls] for answer in answers]
            supervisors = sum("supervisor" in step.nodes or "requirements" in step.nodes for step in trip.active.chain().steps)

        assert calls == [[], [], [], ["route", "hotel", "food", "info"]]
        assert supervisors == 1


class TestWords:
    @pytest.mark.parametrize("words", ["好的", "确认", "可以，没问题", "OK", "Yes, looks good!", "就这样吧"])
    def test_agreement_is_a_confirmation(self, lab, words):
        """And the answer says so."""
        answer = (trip := lab.start_trip(ASKED)).say(words)

        assert (answer.kind, trip.gate().pending) == ("CONFIRM", "ROUTE")

    def test_one_more_day_at_the_gate_is_an_edit(self, lab):
        """It is no new message to the planner: no second call, no endless loop."""
        answer = (trip := lab.start_trip(ASKED)).say("再加一天")

        assert answer.kind == "MODIFY"
        assert answer.turn.calls == ()
        assert "days=9" in answer.said
        assert trip.gate().requirements["days"] == 9

    @pytest.mark.parametrize("words", ["选第二条", "2", "第二个", "R2", "option B", "the second one", "I'll take option 2"])
    def test_a_route_is_chosen_by_number_or_letter(self, lab, words):
        """Every usual way to say the second."""
        trip = lab.start_trip(ASKED)
        trip.confirm()

        assert trip.say(words).kind == "SELECT"
        assert trip.active.state()["selected_route_id"] == "R2"

    @pytest.mark.parametrize("words", ["嗯？什么意思", "今天天气不错", "why?", "好的，但是"])
    def test_words_that_are_neither_are_asked_back_and_change_nothing(self, lab, words):
        """The gate waits on, and nothing is stored."""
        trip = lab.start_trip(ASKED)
        steps = len(trip.active.chain().steps)

        assert trip.say(words).kind == "ASK"
        assert len(trip.active.chain().steps) == steps

    def test_an_unknown_city_is_named_with_those_there_are(self, lab):
        """And nothing is changed."""
        trip = lab.start_trip(ASKED)
        with pytest.raises(BadInput, match=r"Atlantis.*melbourne"):
            trip.modify({"destinations": ["Atlantis"]})

        assert trip.gate().requirements["destinations"] == ["sydney", "whitsundays"]


class TestRefusals:
    def test_an_answer_when_nothing_waits(self, lab):
        """Every kind of answer, after the plan is made."""
        trip = lab.start_trip(ASKED)
        trip.confirm()
        trip.select("R1")

        for answer in (trip.confirm, lambda: trip.select("R1"), lambda: trip.modify({"days": 3})):
            with pytest.raises(NothingWaiting):
                answer()

    def test_the_same_answer_twice(self, lab):
        """The second finds another gate."""
        trip = lab.start_trip(ASKED)
        trip.confirm()
        with pytest.raises(NothingWaiting, match="ROUTE"):
            trip.confirm()

    def test_a_session_that_never_was(self, lab):
        """Neither is made by asking for it."""
        for unknown in (
            lambda: lab.trip("nobody"),
            lambda: lab.trip_of("nobody"),
            lambda: lab.start_trip(ASKED).session("nobody"),
        ):
            with pytest.raises(UnknownName):
                unknown()
        assert "nobody" not in lab.sessions()

    def test_a_route_that_was_not_drawn(self, lab):
        """The known ones are listed."""
        trip = lab.start_trip(ASKED)
        trip.confirm()
        with pytest.raises(UnknownName, match="R1, R2, R3"):
            trip.select("R9")

    def test_a_message_or_an_edit_past_the_gate(self, lab):
        """LangGraph would start over and drop the question; the question is still there afterwards."""
        trip = lab.start_trip(ASKED)
        for past in (
            lambda: trip.active.send("好的"),
            lambda: trip.active.edit({"requirements": {"days": 3}}),
            lambda: trip.active.forget([message.id for message in trip.active.state()["messages"]]),
            trip.active.resume,
        ):
            with pytest.raises(GateWaiting):
                past()
        assert trip.gate().pending == "REQUIREMENTS"

    def test_a_blank_message_makes_no_trip(self, lab):
        """Nothing is stored."""
        with pytest.raises(BadMessage):
            lab.start_trip("  ")
        assert lab.trips() == ()

    def test_another_graph(self, lab):
        """A session made by another version is read, not run."""
        trip = lab.start_trip(ASKED)
        with CheckpointStore(lab.path) as other:
            other.connection.execute("UPDATE trip_sessions SET graph_version = 99")
            other.connection.commit()
        with pytest.raises(GraphChanged, match="99"):
            trip.confirm()


class TestRestart:
    def test_a_gate_survives_the_end_of_the_process(self, tmp_path):
        """A second process answers what the first one asked; nothing before the gate runs again."""
        path = tmp_path / "lab.db"
        with Lab.open(path) as lab:
            trip_id = lab.start_trip(ASKED).trip_id
        script = (
            "import sys; from travel_lab.lab import Lab\n"
            "with Lab.open(sys.argv[1]) as lab:\n"
            "    trip = lab.trip(sys.argv[2]); print(trip.gate().pending, len(trip.confirm().turn.calls))\n"
        )
        run = subprocess.run(
            [sys.executable, "-c", script, path, trip_id], capture_output=True, text=True, timeout=60, check=True
        )

        assert run.stdout.split() == ["REQUIREMENTS", "0"]
        with Lab.open(path) as lab:
            assert lab.trip(trip_id).gate().pending == "ROUTE"
