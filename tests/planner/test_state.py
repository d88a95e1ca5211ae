import pytest
from hypothesis import given
from hypothesis import strategies as st
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command
from pydantic import BaseModel

from travel_lab.checkpoints import CheckpointStore
from travel_lab.planner.state import merge_by_agent, merge_requirements, merge_result, results_of

PLAN = "帮我规划成都3天旅行，预算5000"
CHEAPER = "把第二天的酒店换成便宜点的"
BUDGET = {
    "amount": 5000.0,
    "low": None,
    "high": None,
    "currency": "",
    "basis": "total",
    "approximate": False,
    "unlimited": False,
}
SAVED = {"destinations": ["chengdu"], "days": 3, "origin": "深圳", "budget": BUDGET}
BLANKS = ["", "  ", "\u3000", 0, 0.0, None, [], (), {}, False]


@pytest.fixture
def team(planner, tmp_path):
    """A planner on a real file."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        yield planner(checkpointer=store.saver)


@pytest.fixture
def team_of(planner, tmp_path):
    """Makes a planner with scripted answers on a real file."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        yield lambda **answers: planner(checkpointer=store.saver, **answers)


def result(turn, hotels, *, status="ok", reason=""):
    data = {"destination": "成都", "currency": "CNY", "hotels": hotels, "nights": [], "comparison": ""}
    return {
        "agent": "hotel",
        "status": status,
        "reason": reason,
        "turn": turn,
        "requirements_hash": "abc",
        "provider": "curated",
        "data": data,
    }


class TestBlanks:
    @pytest.mark.parametrize("blank", BLANKS, ids=repr)
    @pytest.mark.parametrize("key", ["destinations", "days", "origin", "budget"])
    def test_a_blank_in_the_input_of_a_later_turn_keeps_what_is_saved(self, team, key, blank):
        """LangGraph overwrites with whatever a key holds; the planner's requirements do not."""
        team.say(PLAN, requirements={"origin": "深圳"})

        state = team.say(CHEAPER, requirements={key: blank})

        assert state["requirements"] == SAVED

    def test_an_input_of_blanks_only_keeps_everything(self, team):
        """A form that sends every field, most of them blank, wipes nothing."""
        team.say(PLAN, requirements={"origin": "深圳"})

        state = team.say(CHEAPER, requirements={"destinations": [], "days": 0, "origin": "", "budget": None, "preferences": []})

        assert state["requirements"] == SAVED

    def test_a_value_in_the_input_replaces_what_is_saved(self, team):
        """What is said again counts."""
        team.say(PLAN, requirements={"origin": "深圳"})

        assert team.say(CHEAPER, requirements={"origin": "北京"})["requirements"]["origin"] == "北京"

    def test_missing_requirements_in_the_input_are_no_change(self, team):
        """None in place of all requirements is taken like their absence."""
        team.say(PLAN, requirements={"origin": "深圳"})

        assert team.say(CHEAPER, requirements=None)["requirements"] == SAVED

    def test_blank_columns_of_the_supervisor_line_keep_what_is_saved(self, team_of):
        """`成都|0|||便宜|hotel` after a plan keeps three days and the budget; a cheaper hotel is no wish for the trip."""
        team_of().say(PLAN)

        state = team_of(supervisor="PLAN: 成都|0|||便宜|hotel").say(CHEAPER)

        assert state["requirements"] == {
            "destinations": ["chengdu"],
            "days": 3,
            "budget": BUDGET,
        }
        assert state["agents_to_call"] == ["hotel"]

    def test_saved_values_survive_a_reopened_file(self, planner, tmp_path):
        """Blanks sent after the file was closed and opened again keep what it holds."""
        with CheckpointStore(tmp_path / "lab.db") as store:
            planner(checkpointer=store.saver).say(PLAN, requirements={"origin": "深圳"})

        with CheckpointStore(tmp_path / "lab.db") as store:
            state = planner(checkpointer=store.saver).say(CHEAPER, requirements={"origin": "", "days": None})

        assert state["requirements"] == SAVED


VALUES = st.one_of(st.sampled_from(BLANKS), st.integers(1, 14), st.text(min_size=1), st.dictionaries(st.text(), st.integers()))
WISHES = st.lists(st.sampled_from(["cheap", "slow", "halal", "no_spicy"]))
KNOWN = st.fixed_dictionaries(
    {}, optional={"destinations": st.lists(st.text()), "days": VALUES, "origin": VALUES, "budget": VALUES, "preferences": WISHES}
)


def is_blank(value):
    return value in BLANKS or (isinstance(value, str) and not value.strip())


class TestMergeRequirements:
    def test_only_set_keys_count(self):
        """An update that names one field changes that field and no other."""
        assert merge_requirements(SAVED, {"days": 5}) == {**SAVED, "days": 5}

    def test_wishes_add_up(self):
        """A new wish joins the earlier ones, each once, the one said last at the end."""
        assert merge_requirements({"preferences": ["slow"]}, {"preferences": ["cheap", "slow"]}) == {
            "preferences": ["cheap", "slow"]
        }

    def test_merging_leaves_both_sides_as_they_were(self):
        """The merge makes a new dictionary and does not touch the lists of the old one."""
        saved, new = {"preferences": ["slow"]}, {"preferences": ["cheap"]}

        merge_requirements(saved, new)["preferences"].append("halal")

        assert (saved, new) == ({"preferences": ["slow"]}, {"preferences": ["cheap"]})

    @given(saved=KNOWN, new=KNOWN)
    def test_a_blank_never_takes_a_saved_value_away(self, saved, new):
        """Whatever is known stays known, and stays the same unless the update says something else."""
        merged = merge_requirements(saved, new)

        for key, value in saved.items():
            if not is_blank(value) and is_blank(new.get(key)):
                assert merged[key] == value

    @given(saved=KNOWN, new=KNOWN)
    def test_what_an_update_states_is_known_afterwards(self, saved, new):
        """Every value of the update that is not blank stands in the merge."""
        merged = merge_requirements(saved, new)

        for key, value in new.items():
            if key == "preferences":
                assert set(value) <= set(merged.get(key, []))
            elif not is_blank(value):
                assert merged[key] == value

    @given(saved=KNOWN, new=KNOWN)
    def test_merging_the_same_update_twice_changes_nothing_more(self, saved, new):
        """A step that is played again, as after a crash, does not add to the first time."""
        once = merge_requirements(saved, new)

        assert merge_requirements(once, new) == once


class TestMergeResult:
    def test_an_empty_degraded_result_keeps_the_saved_content(self):
        """An agent that failed does not take its earlier hotels away; status and reason say that it failed."""
        kept = merge_result(result(1, [{"name": "锦江宾馆"}]), result(2, [], status="degraded", reason="model down"))

        assert kept == result(1, [{"name": "锦江宾馆"}], status="degraded", reason="model down")

    def test_a_new_result_with_content_replaces_the_saved_one(self):
        """The newer hotels count."""
        new = result(2, [{"name": "如家酒店"}])

        assert merge_result(result(1, [{"name": "锦江宾馆"}]), new) == new

    def test_a_degraded_result_with_content_replaces_the_saved_one(self):
        """A result that lacks something still counts when it holds something."""
        new = result(2, [{"name": "如家酒店"}], status="degraded", reason="4 hotels instead of at least 5")

        assert merge_result(result(1, [{"name": "锦江宾馆"}]), new) == new

    def test_an_empty_result_is_kept_when_there_is_none_yet(self):
        """A first result that failed says so."""
        failed = result(1, [], status="degraded", reason="model down")

        assert merge_result(None, failed) == failed

    def test_a_newer_failure_replaces_an_older_one(self):
        """Of two empty results the newer tells what went wrong last."""
        newer = result(2, [], status="degraded", reason="no JSON")

        assert merge_result(result(1, [], status="degraded", reason="model down"), newer) == newer

    def test_no_result_changes_nothing(self):
        """None is no result and takes nothing away."""
        saved = result(1, [{"name": "锦江宾馆"}])

        assert merge_result(saved, None) == saved

    def test_a_failed_change_keeps_the_hotels_of_the_session(self, team_of):
        """In a real second turn with an unreadable hotel agent the card still has the hotels of turn 1."""
        before = team_of().say(PLAN)["itinerary"]["hotels"]

        after = team_of(hotel="Sorry, I cannot.").say(CHEAPER)["itinerary"]["hotels"]

        assert len(before) == 5
        assert after == before


class TestThisTurnOnly:
    def test_agents_to_call_are_those_of_this_turn(self, team):
        """A turn that changes the hotel calls the hotel agent only, whatever the turn before called."""
        first = team.say(PLAN)["agents_to_call"]
        second = team.say(CHEAPER)["agents_to_call"]
        third = team.say("随便改改")["agents_to_call"]

        assert (first, second, third) == (["route", "hotel", "food", "info"], ["hotel"], [])

    def test_reply_is_of_this_turn(self, team):
        """No turn repeats the words of the one before."""
        replies = [team.say(words)["reply"].split("\n")[0] for words in (PLAN, CHEAPER, "随便改改")]

        assert replies == [
            "为用户规划了成都 3天行程",
            "已更新成都 3天行程：hotel",
            "你想改行程的哪一部分？可以说：酒店、景点、餐厅、天数或预算。",
        ]

    def test_reply_kind_is_of_this_turn(self, team):
        """A plan after a question is a plan, an answer after a plan is an answer."""
        words = ("你好", PLAN, "最便宜的酒店是哪家？", CHEAPER, "随便改改")

        assert [team.say(text)["reply_kind"] for text in words] == ["ask", "plan", "reply", "plan", "ask"]

    def test_the_question_of_an_agent_is_asked_once(self, team_of):
        """A specialist's question of turn 2 is no part of the reply of turn 3."""
        team_of().say(PLAN)
        asked = team_of(hotel="ASK: 哪一家？").say(CHEAPER)
        after = team_of().say("去掉第三天的第一个景点")

        assert (asked["reply"], asked["reply_kind"]) == ("哪一家？", "ask")
        assert (after["reply"], after["reply_kind"]) == ("已更新成都 3天行程：route", "plan")

    def test_a_failure_is_told_once(self, team_of):
        """The reason why turn 2 failed is no part of turn 3, in which the same agent only asks."""
        team_of().say(PLAN)
        failed = team_of(hotel="Sorry, I cannot.").say(CHEAPER)
        after = team_of(hotel="ASK: 哪一家？").say(CHEAPER)

        assert failed["reply"] == "hotel：第2轮没有得到结果（Expected one JSON object, found 'Sorry, I cannot.'.）。"
        assert after["reply"] == "哪一家？"


class Trip(BaseModel):
    destination: str | None = None
    days: int | None = None
    budget: int | None = None


def plain_graph(node):
    """A graph of LangGraph's own on a pydantic state with defaults."""
    builder = StateGraph(Trip)
    builder.add_node("node", node)
    builder.add_edge(START, "node")
    return builder.compile(checkpointer=InMemorySaver())


class TestLangGraphItself:
    config = {"configurable": {"thread_id": "trip"}}  # noqa: RUF012 (read only)

    def test_an_input_object_with_one_field_set_changes_that_field(self):
        """Regression of the platform: defaults of an input object do not wipe what is saved."""
        graph = plain_graph(lambda _: {})
        graph.invoke(Trip(destination="成都", days=3, budget=5000), self.config)

        assert graph.invoke(Trip(days=4), self.config) == {"destination": "成都", "days": 4, "budget": 5000}

    def test_an_update_object_with_one_field_set_changes_that_field(self):
        """Regression of the platform: a node that returns an object with one field set changes that one."""
        graph = plain_graph(lambda _: Trip(days=4))

        assert graph.invoke(Trip(destination="成都", days=3, budget=5000), self.config) == {
            "destination": "成都",
            "days": 4,
            "budget": 5000,
        }

    def test_a_command_with_one_field_changes_that_field(self):
        """Regression of the platform: a command's update leaves the other fields."""
        graph = plain_graph(lambda _: Command(update={"days": 4}))

        assert graph.invoke(Trip(destination="成都", days=3, budget=5000), self.config) == {
            "destination": "成都",
            "days": 4,
            "budget": 5000,
        }

    def test_a_default_other_than_none_is_pushed_over_what_is_saved(self):
        """Why the planner's requirements are no model with defaults: LangGraph leaves an unset field out only when it is None."""

        class Stay(BaseModel):
            nights: int = 0
            hotel: str | None = None

        builder = StateGraph(Stay)
        builder.add_node("node", lambda _: {})
        builder.add_edge(START, "node")
        graph = builder.compile(checkpointer=InMemorySaver())
        graph.invoke(Stay(nights=2, hotel="锦江宾馆"), self.config)

        assert graph.invoke(Stay(hotel="如家酒店"), self.config) == {"nights": 0, "hotel": "如家酒店"}

    def test_a_plain_field_is_overwritten_by_a_blank(self):
        """What the planner's merge rule is for: LangGraph keeps a saved value only when the key is absent."""
        graph = plain_graph(lambda _: {})
        graph.invoke({"destination": "成都", "days": 3, "budget": 5000}, self.config)

        assert graph.invoke({"destination": "", "days": 0, "budget": None}, self.config) == {
            "destination": "",
            "days": 0,
            "budget": None,
        }


def test_the_newer_question_of_an_agent_wins():
    """One question an agent; those of other agents stay."""
    saved = {"hotel": {"turn": 1, "text": "哪一家？"}, "food": {"turn": 1, "text": "哪一餐？"}}

    assert merge_by_agent(saved, {"hotel": {"turn": 2, "text": "哪一晚？"}}) == {
        "hotel": {"turn": 2, "text": "哪一晚？"},
        "food": {"turn": 1, "text": "哪一餐？"},
    }


def test_results_come_in_the_order_of_the_agents():
    """Whatever order a state was written in, its results are read as route, hotel, food, info; what is missing is left out."""
    state = {"info_result": {"agent": "info"}, "hotel_result": None, "route_result": {"agent": "route"}}

    assert list(results_of(state)) == ["route", "info"]
