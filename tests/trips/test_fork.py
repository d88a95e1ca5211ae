"""Forks: a second version beside the first, of which the first notices nothing."""

import pytest

from travel_lab import trip as trip_module
from travel_lab.errors import BadInput, NotActive, SessionError, UnknownName
from travel_lab.lab import Lab
from travel_lab.trip_steps import is_begun
from travel_lab.trips import read_intent

ASKED = "帮我规划悉尼和圣灵群岛8天，不吃辣"
PLACES = {"悉尼": "悉尼", "墨尔本": "墨尔本", "Sydney": "悉尼", "Melbourne": "墨尔本"}


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as opened:
        yield opened


@pytest.fixture
def planned(lab):
    trip = lab.start_trip(ASKED)
    trip.confirm()
    trip.select("R1")
    return trip


class TestTheParent:
    def test_its_rows_stay_byte_identical_while_the_child_is_planned(self, lab, planned, rows):
        """Hashes of all its rows in both tables, before the fork and after the child has its plan."""
        parent = planned.record.active_session_id
        before = rows.hashes(lab.path, parent)
        planned.fork(reason="看看墨尔本", change={"destinations": ["melbourne"]})
        planned.confirm()
        planned.select("R1")

        assert rows.hashes(lab.path, parent) == before
        assert planned.session(parent).state()["requirements"]["destinations"] == ["sydney", "whitsundays"]

    def test_it_can_be_read_and_not_written(self, planned):
        """One active session a trip."""
        parent = planned.active
        child = planned.fork(reason="墨尔本")

        assert parent.state()["stage"] == "PLANNED"
        with pytest.raises(NotActive, match=child.session_id):
            parent.send("第二天酒店多少钱？")
        with pytest.raises(NotActive):
            parent.edit({"requirements": {"days": 3}})
        with pytest.raises(NotActive):
            parent.forget([message.id for message in parent.state()["messages"]])

    def test_it_shares_no_object_with_the_child(self, planned):
        """What is done to the child's state in memory is seen nowhere else."""
        parent = planned.active
        child = planned.fork(reason="墨尔本")
        child.state()["requirements"]["preferences"].append("changed")

        assert parent.state()["requirements"]["preferences"] == ["no_spicy"]
        assert child.state()["requirements"]["preferences"] == ["no_spicy"]


class TestTheChild:
    def test_it_starts_as_a_draft_with_the_change_and_nothing_decided(self, planned):
        """Soft wishes survive; options, route and results do not."""
        child = planned.fork(reason="墨尔本", change={"destinations": ["melbourne"], "preferences": ["slow"]})
        state = child.state()

        assert state["requirements"] == {"destinations": ["melbourne"], "days": 8, "preferences": ["no_spicy", "slow"]}
        assert (state["stage"], state["pending_confirmation"]) == ("REQUIREMENT_DRAFT", "REQUIREMENTS")
        assert (state["route_options"], state["selected_route_id"]) == ([], "")
        assert not {"route_result", "itinerary"} & state.keys()

    def test_a_fork_of_a_fork_of_a_fork_has_its_lists_once(self, planned):
        """Copying a state runs no merge rule: wishes and messages do not double."""
        sizes = []
        for _ in range(3):
            child = planned.fork(reason="另一版", force=True)
            sizes.append((len(child.state()["requirements"]["preferences"]), len(child.state()["messages"])))

        assert sizes == [(1, 2)] * 3

    def test_it_costs_the_same_whatever_the_length_of_the_parent(self, lab, planned, rows):
        """Rows and bytes of the child, from a short parent and from one with ten more turns."""
        short = rows.cost(lab.path, planned.fork(reason="一样的理由").session_id)
        planned.confirm()
        planned.select("R1")
        for _ in range(10):
            planned.say("第二天酒店多少钱？")
        long = planned.fork(reason="一样的理由")

        steps, size, writes = rows.cost(lab.path, long.session_id)

        # The step is stored compressed, and ids and times compress a few bytes better or worse.
        assert (steps, writes) == (short[0], short[2]) == (1, 1)
        assert abs(size - short[1]) <= 16

    def test_the_tree_names_parents_and_reasons(self, lab, planned, rows):
        """Any session can be forked, not only the active one."""
        root = planned.record.root_session_id
        one = planned.fork(reason="一")
        two = planned.fork(root, reason="二")
        edges = [(record.parent_session_id, record.fork_reason) for record in planned.sessions()]

        assert edges == [(None, ""), (root, "一"), (root, "二")]
        assert planned.record.active_session_id == two.session_id != one.session_id
        assert rows.broken(lab.path) == []


class TestCrash:
    def test_a_child_that_never_started_starts_at_the_next_touch(self, tmp_path, monkeypatch, rows):
        """The program ends between the row of the child and its first step: one active session, and nothing is lost."""
        path = tmp_path / "lab.db"
        with Lab.open(path) as lab:
            trip = lab.start_trip(ASKED)
            trip.confirm()
            with monkeypatch.context() as patched:
                patched.setattr(trip_module, "begin", _crash)
                with pytest.raises(KeyboardInterrupt):
                    trip.fork(reason="墨尔本", change={"destinations": ["melbourne"]})
            child = trip.record.active_session_id
            assert child != trip.record.root_session_id
            assert child not in lab.sessions()
        with Lab.open(path) as lab:
            assert lab.trip(trip.trip_id).gate().requirements["destinations"] == ["melbourne"]
            assert rows.broken(path) == []

    def test_a_child_that_stopped_before_its_question_asks_it(self, planned):
        """Its first step is stored and the gate has not asked yet; it is asked, and the step is not made twice."""
        child = planned.fork(reason="墨尔本")
        planned.active.store.connection.execute(
            "DELETE FROM writes WHERE thread_id = ? AND channel = '__interrupt__'", (child.session_id,)
        )
        planned.active.store.connection.commit()
        assert not is_begun(child)
        gate = planned.gate()

        assert gate.pending == "REQUIREMENTS"
        assert is_begun(child)
        assert len(child.chain().steps) == 1

    def test_a_root_that_never_started_starts_at_the_next_touch(self, tmp_path, monkeypatch):
        """The traveller's first words are in the trip."""
        with Lab.open(tmp_path / "lab.db") as lab:
            with monkeypatch.context() as patched:
                patched.setattr(trip_module, "begin", _crash)
                with pytest.raises(KeyboardInterrupt):
                    lab.start_trip(ASKED)
            (record,) = lab.trips()

            assert lab.trip(record.trip_id).gate().requirements["days"] == 8


class TestChat:
    def test_a_chat_is_a_trip_of_one_and_can_be_forked(self, lab, rows):
        """Its rows stay as they are, and the child is asked to confirm what the chat knows."""
        lab.session("chat").send("帮我规划成都3天旅行，预算5000")
        before = rows.hashes(lab.path, "chat")
        trip = lab.trip_of("chat")
        trip.fork(reason="看看西安", change="改成西安")

        assert trip.gate().requirements["destinations"] == ["xian"]
        assert trip.gate().requirements["budget"]["amount"] == 5000
        assert rows.hashes(lab.path, "chat") == before

    def test_a_chat_goes_on_after_it_became_a_trip(self, lab):
        """Without a fork it is the active session."""
        lab.session("chat").send("帮我规划成都3天旅行")
        trip = lab.trip_of("chat")

        assert trip.say("第二天酒店多少钱？").kind == "CHAT"
        assert lab.trip_of("chat").trip_id == trip.trip_id


class TestRefusals:
    def test_a_draft_is_forked_by_force_only(self, lab):
        """Its requirements can be changed where they are."""
        trip = lab.start_trip(ASKED)
        with pytest.raises(SessionError, match="force=True"):
            trip.fork(reason="墨尔本")
        assert len(trip.sessions()) == 1
        trip.fork(reason="墨尔本", force=True)
        assert len(trip.sessions()) == 2

    def test_a_change_of_no_use_makes_no_child(self, planned):
        """Unknown fields, values of another form, blank reasons and unknown sessions."""
        with pytest.raises(UnknownName, match="requirement"):
            planned.fork(reason="x", change={"colour": "red"})
        with pytest.raises(BadInput):
            planned.fork(reason="x", change={"days": 99})
        with pytest.raises(BadInput):
            planned.fork(reason=" ")
        with pytest.raises(UnknownName):
            planned.fork("nobody", reason="x")
        assert len(planned.sessions()) == 1

    def test_a_member_of_a_tree_is_not_deleted(self, lab, planned):
        """A trip of one is."""
        alone = lab.start_trip(ASKED)
        planned.fork(reason="x")
        with pytest.raises(SessionError, match="tree"):
            lab.delete(planned.record.root_session_id)

        assert lab.delete(alone.record.root_session_id)
        assert len(lab.trips()) == 1

    def test_a_list_shows_ones_own_trips(self, lab):
        """Trips have an owner."""
        mine = lab.start_trip(ASKED, user="u1")
        lab.start_trip(ASKED, user="u2")

        assert [record.trip_id for record in lab.trips("u1")] == [mine.trip_id]


class TestWords:
    @pytest.mark.parametrize(
        ("words", "intent"),
        [
            ("能不能也看看墨尔本版本？悉尼这套我想留着", "fork"),
            ("另外做一个墨尔本的，这套别动", "fork"),
            ("再来一版墨尔本，两个都要", "fork"),
            ("Make another version for Melbourne and keep this one", "fork"),
            ("Can I compare it with a Melbourne plan?", "fork"),
            ("Can I compare it with Melbourne?", "unclear"),
            ("改成墨尔本", "modify"),
            ("换成墨尔本吧，不去悉尼了", "modify"),
            ("Change it to Melbourne", "modify"),
            ("Melbourne instead of Sydney", "modify"),
            ("墨尔本呢？", "unclear"),
            ("What about Melbourne?", "unclear"),
            ("要是去墨尔本会怎么样", "unclear"),
            ("第二天酒店多少钱？", "other"),
            ("Which hotel is on day two?", "other"),
        ],
    )
    def test_fork_change_or_unclear(self, words, intent):
        """In both languages."""
        assert read_intent(words, PLACES) == intent

    @pytest.mark.parametrize(
        "words", ["能不能也看看墨尔本版本？悉尼这套我想留着", "Make another version for Melbourne and keep the one for Sydney"]
    )
    def test_said_in_plain_words_the_trip_is_forked(self, planned, words):
        """The place that stays is no destination of the child."""
        answer = planned.say(words)

        assert answer.kind == "FORK"
        assert planned.gate().requirements["destinations"] == ["melbourne"]

    def test_an_unclear_wish_is_asked_back(self, planned):
        """Nothing is stored."""
        assert planned.say("墨尔本呢？").kind == "ASK"
        assert len(planned.sessions()) == 1


def _crash(*_, **__):
    raise KeyboardInterrupt
