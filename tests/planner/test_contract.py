import threading
from copy import deepcopy
from dataclasses import replace

import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import Send

from travel_lab.checkpoints import CheckpointStore
from travel_lab.errors import KeyConflict, MissingPayload, UnknownName
from travel_lab.lab import Lab
from travel_lab.planner import SPECIALISTS, PlannerContext, PlannerState, Specialist, build_graph
from travel_lab.planner.agents import node_of

ROUTE, HOTEL, FOOD, INFO = SPECIALISTS
PLAN = "帮我规划成都3天旅行，预算5000"
CHEAPER = "把第二天的酒店换成便宜点的"


@pytest.fixture
def store(tmp_path):
    with CheckpointStore(tmp_path / "lab.db") as store:
        yield store


def working(specialist, change):
    """The specialist with its update handed through `change`."""
    return replace(specialist, work=lambda payload, context: change(specialist.work(payload, context)))


def echoing(specialist, **changes):
    """The specialist returning its whole payload beside its result."""
    return replace(specialist, work=lambda payload, context: {**payload, **changes, **specialist.work(payload, context)})


def test_two_agents_that_declare_one_plain_key_are_refused_at_build():
    """A key without a merge rule has one writer; the error names the key and both agents."""
    hotel, food = (replace(agent, writes=(*agent.writes, "language")) for agent in (HOTEL, FOOD))

    with pytest.raises(KeyConflict, match="'hotel' and 'food' both write 'language'"):
        build_graph(specialists=(ROUTE, hotel, food))


def test_two_agents_may_declare_one_merged_key():
    """A key with a merge rule may have several writers."""
    hotel, food = (replace(agent, writes=(*agent.writes, "questions")) for agent in (HOTEL, FOOD))

    assert {"hotel", "food"} < set(build_graph(specialists=(hotel, food)).nodes)


def test_writing_the_key_of_another_agent_names_both(planner):
    """An undeclared write at run time ends the turn by an error that names the key, its writer and its owner."""
    thief = working(HOTEL, lambda update: {**update, "food_result": update["hotel_result"]})

    with pytest.raises(KeyConflict, match="'hotel' wrote 'food_result', which it does not declare; agent 'food' writes it"):
        planner(specialists=(ROUTE, thief, FOOD, INFO)).say(PLAN)


def test_writing_a_key_of_the_planner_names_the_key(planner):
    """Agents that all set one plain key of the state are told by name, not by LangGraph's "one value per step"."""
    everyone = [working(agent, lambda update: {**update, "reply": "done"}) for agent in SPECIALISTS]

    with pytest.raises(KeyConflict, match="wrote 'reply', which it does not declare"):
        planner(specialists=everyone).say(PLAN)


def test_several_agents_may_write_a_merged_key_in_one_step(planner):
    """What parallel agents write into a merged field is all kept."""
    everyone = [
        working(agent, lambda update, name=agent.name: {**update, "questions": {name: {"turn": 1, "text": f"{name}?"}}})
        for agent in SPECIALISTS
    ]

    state = planner(specialists=everyone).say(PLAN)

    assert {name: question["text"] for name, question in state["questions"].items()} == {
        "route": "route?",
        "hotel": "hotel?",
        "food": "food?",
        "info": "info?",
    }


def test_keys_returned_as_they_were_sent_are_not_written(planner):
    """An agent that returns its whole payload beside its result writes its result only, so its siblings are not disturbed."""
    echo = echoing(HOTEL)

    state = planner(specialists=(ROUTE, echo, FOOD, INFO)).say(PLAN)

    assert [state[f"{agent}_result"]["status"] for agent in ("route", "hotel", "food", "info")] == ["ok"] * 4
    assert (state["requirements"]["days"], state["requirements"]["budget"]["amount"]) == (3, 5000.0)


def test_echoed_keys_are_noted(planner):
    """A note for each untouched key says that it was returned as it was sent."""
    team = planner(specialists=(ROUTE, echoing(HOTEL), FOOD, INFO))

    team.say(PLAN)

    assert team.notes == [
        f"agent 'hotel' returned '{key}' as it was sent; not written"
        for key in ("requirements", "user_input", "turn", "language", "briefing")
    ]


def test_an_echo_with_a_changed_plain_key_is_refused(planner):
    """A payload key that comes back changed is a write, and an undeclared one."""
    changed = echoing(HOTEL, turn=99)

    with pytest.raises(KeyConflict, match="'hotel' wrote 'turn', which it does not declare"):
        planner(specialists=(ROUTE, changed)).say(PLAN)


@pytest.mark.parametrize(
    ("agents", "ran", "notes"),
    [
        ("hotels,route", ["route"], ["unknown agent 'hotels' left out; known: route, hotel, food, info"]),
        ("weather,hotel,food", ["hotel", "food"], ["unknown agent 'weather' left out; known: route, hotel, food, info"]),
    ],
)
def test_known_agents_of_a_line_run_and_unknown_ones_are_noted(planner, agents, ran, notes):
    """A name nobody registered is dropped with a note; the others of the line work and the traveller gets a reply."""
    team = planner(supervisor=f"PLAN: 成都|3|||5000|{agents}")

    state = team.say(PLAN)

    assert state["agents_to_call"] == ran
    assert team.notes == notes
    assert state["reply"].startswith(f"已更新成都 3天行程：{', '.join(ran)}")


@pytest.mark.parametrize("agents", ["", "weather", "hotels,weather", ",", "none"])
def test_a_line_without_a_known_agent_asks_the_traveller(planner, agents):
    """When nobody is left to call the traveller is asked; the turn does not end without a reply."""
    state = planner(supervisor=f"PLAN: 成都|3|||5000|{agents}").say(PLAN)

    assert state["agents_to_call"] == []
    assert (state["reply_kind"], state["reply"]) == ("ask", "我没听明白要做什么。你想规划新的行程，还是修改哪一部分？")


def test_an_agent_the_graph_does_not_have_is_left_out_with_a_note(planner):
    """A known name without a node in this graph is dropped like an unknown one."""
    team = planner(specialists=(HOTEL, FOOD), supervisor="PLAN: 成都|3|||5000|route,hotel")

    state = team.say(PLAN)

    assert state["agents_to_call"] == ["hotel"]
    assert team.notes == ["unknown agent 'route' left out; known: hotel, food"]


def test_a_line_for_absent_agents_only_asks_the_traveller(planner):
    """A turn whose agents are all missing from the graph still gives the traveller a reply."""
    state = planner(specialists=(HOTEL,), supervisor="PLAN: 成都|3|||5000|route,food").say(PLAN)

    assert (state["reply_kind"], state["reply"]) == ("ask", "我没听明白要做什么。你想规划新的行程，还是修改哪一部分？")


@pytest.fixture
def vandal():
    """A hotel agent that edits everything it is given in place and returns nothing, and a food agent that looks afterwards."""
    edited, seen = threading.Event(), []

    def edit(payload, context):
        payload["requirements"]["budget"]["amount"] = 1
        payload["requirements"]["preferences"].append("halal")
        for message in payload["briefing"]:
            message.content = "HACK"
        edited.set()
        return {}

    def look(payload, context):
        assert edited.wait(timeout=30)
        seen.append(deepcopy(payload["requirements"]))
        return FOOD.work(payload, context)

    return [replace(HOTEL, work=edit), replace(FOOD, work=look)], seen


def given():
    budget = {
        "amount": 5000,
        "low": None,
        "high": None,
        "currency": "CNY",
        "basis": "total",
        "approximate": False,
        "unlimited": False,
    }
    return {"destinations": ["chengdu"], "days": 3, "budget": budget, "preferences": ["slow"]}


def test_editing_the_payload_changes_nothing_for_a_sibling(planner, vandal):
    """A sibling that reads after the edit still finds what the supervisor sent."""
    specialists, seen = vandal

    planner(specialists=specialists, supervisor="PLAN: |0||||hotel,food").say("走吧", requirements=given())

    assert seen == [given()]


def test_editing_the_payload_changes_nothing_for_the_caller(planner, vandal):
    """The dictionary the caller put in is as it was."""
    requirements = given()

    planner(specialists=vandal[0], supervisor="PLAN: |0||||hotel,food").say("走吧", requirements=requirements)

    assert requirements == given()


def test_editing_the_payload_changes_no_snapshot(planner, vandal, store):
    """Neither the newest stored step nor any before it holds an edit that no node wrote."""
    team = planner(specialists=vandal[0], supervisor="PLAN: |0||||hotel,food", checkpointer=store.saver)

    team.say("走吧", requirements=given())

    history = [step.values["requirements"] for step in team.graph.get_state_history(team.config) if "requirements" in step.values]
    assert team.graph.get_state(team.config).values["requirements"] == given()
    assert [known for known in history if known not in (given(), {})] == []


def test_editing_the_briefing_changes_no_stored_message(planner, vandal, store):
    """An agent's own earlier handoff, which it is shown again, stays as it was said."""
    team = planner(checkpointer=store.saver)
    team.say(PLAN)
    before = team.graph.get_state(team.config).values["messages"]
    careless = planner(specialists=vandal[0], supervisor="PLAN: |0||||hotel,food", checkpointer=store.saver)

    careless.say(CHEAPER, requirements={"preferences": ["slow"]})

    assert "hotel" in {message.name for message in before}
    assert careless.graph.get_state(team.config).values["messages"][: len(before)] == before


def send_to_hotel(payload, context):
    """Start the hotel agent by a Send of this payload, in a graph of its own: the planner's own Sends are always whole."""
    builder = StateGraph(PlannerState, context_schema=PlannerContext)
    builder.add_node("hotel", node_of(HOTEL, SPECIALISTS))
    builder.add_conditional_edges(START, lambda _: [Send("hotel", payload)], ["hotel"])
    return builder.compile().invoke({"user_input": PLAN}, context=context)


def test_a_send_without_what_the_agent_needs_is_refused_by_name(planner):
    """An agent that is started with the destination only fails by an error naming every missing field."""
    with pytest.raises(MissingPayload, match="'hotel' needs 'requirements', 'user_input', 'turn', 'language', 'briefing'"):
        send_to_hotel({"destination": "成都"}, planner().context)


def test_a_refused_send_costs_no_model_call(planner):
    """The payload is checked before the agent starts and before any model is called."""
    called = []
    team = planner(hotel=lambda messages: called.append(messages) or "")

    with pytest.raises(MissingPayload):
        send_to_hotel({"destination": "成都"}, team.context)

    assert (called, team.events) == ([], [])


def test_a_contract_the_planner_does_not_meet_is_named(planner):
    """An agent that lists a field no payload has is told so when it is started."""
    curious = replace(HOTEL, needs=("requirements", "weather"))

    with pytest.raises(MissingPayload, match="'hotel' needs 'weather' and was sent only 'requirements', 'user_input'"):
        planner(specialists=(curious, ROUTE)).say(PLAN)


def test_a_misspelt_result_key_is_noted_with_the_close_match(planner):
    """A key the state does not have is not stored in silence: the note names agent, key and what was probably meant."""
    misspelt = working(HOTEL, lambda update: {"hotel_resutl": update["hotel_result"]})
    team = planner(specialists=(ROUTE, misspelt, FOOD, INFO))

    state = team.say(PLAN)

    assert "hotel_result" not in state
    assert team.notes == [
        "agent 'hotel' returned 'hotel_resutl', which the state does not have; not stored; did you mean 'hotel_result'?"
    ]


def test_a_key_that_resembles_nothing_is_noted_without_a_guess(planner):
    """A key far from every field of the state is named alone."""
    team = planner(specialists=(working(HOTEL, lambda update: {**update, "zzz": 1}), ROUTE))

    team.say(PLAN)

    assert "agent 'hotel' returned 'zzz', which the state does not have; not stored" in team.notes


def test_editing_an_unknown_key_is_refused(tmp_path):
    """A manual edit names the key it does not know, where LangGraph would drop it in silence."""
    with Lab.open(tmp_path / "lab.db") as lab, pytest.raises(UnknownName, match="No state field 'hotel_resutl'"):
        lab.session().edit({"hotel_resutl": {}})


def test_a_refused_edit_changes_nothing(tmp_path):
    """The known keys of a refused edit are not written either, and no step is added."""
    with Lab.open(tmp_path / "lab.db") as lab:
        session = lab.session()
        session.send(PLAN)
        before, steps = session.state(), len(session.chain().steps)

        with pytest.raises(UnknownName):
            session.edit({"language": "en", "hotel_resutl": {}})

        assert session.state() == before
        assert len(session.chain().steps) == steps


def test_a_specialist_is_described_by_keyword_only():
    """Name, needs, writes and work cannot be mixed up."""
    with pytest.raises(TypeError, match="positional"):
        Specialist("hotel", ("requirements",), ("hotel_result",), HOTEL.work)
