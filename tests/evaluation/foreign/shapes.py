"""Twelve graphs as strangers build them, after public patterns; what an audit must say of each stands in expected.json."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypedDict

from foreign.models import ToolCallingModel, once
from langchain.agents import AgentState, create_agent
from langchain.tools import InjectedToolCallId
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, RemoveMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import Command
from openai import OpenAI

from travel_lab.chat_models import OfflineChatModel
from travel_lab.chat_models.serving import ModelServer

ROOMS = [
    {"title": "Hotel Adlon", "price": 310, "currency": "USD", "area": "Mitte"},
    {"title": "Generator", "price": 60, "currency": "USD", "area": "Prenzlauer Berg"},
]
TURNS = ("Find me a hotel in Berlin", "Which one is cheaper?")
TALKER = OfflineChatModel(rules=lambda messages: f"I read {len(messages)} messages.")
Graph = CompiledStateGraph[Any, Any, Any, Any]


class Desk(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    rooms: list[dict[str, Any]]
    summary: str
    city: str
    budget: int
    itinerary: list[dict[str, Any]]


def talk(view: Callable[[Desk], list[AnyMessage]]) -> Callable[[Desk], Desk]:
    """A node that shows its model the view and keeps the answer."""
    return lambda state: {"messages": [TALKER.invoke(view(state))]}


def found(state: Desk) -> str:
    """Search once, then only talk."""
    return END if state.get("rooms") else "search"


def team(supervisor: Callable[..., Any], search: Callable[..., Any]) -> Graph:
    graph = StateGraph(Desk)
    graph.add_node("supervisor", supervisor)
    graph.add_node("search", search)
    graph.add_edge(START, "supervisor")
    graph.add_conditional_edges("supervisor", found, ["search", END])
    graph.add_edge("search", END)
    return graph.compile()


def supervisor_last_message() -> Graph:
    return team(
        talk(lambda state: [SystemMessage("You supervise."), state["messages"][-1]]),
        lambda _state: {"rooms": ROOMS, "messages": [AIMessage("I found two hotels.", name="search")]},
    )


def supervisor_full_history() -> Graph:
    return team(
        talk(lambda state: [SystemMessage("You supervise."), *state["messages"]]),
        lambda _state: {"rooms": ROOMS, "messages": [AIMessage(json.dumps(ROOMS), name="search")]},
    )


class Traveller(AgentState):
    rooms: list[dict[str, Any]]
    reviews: list[dict[str, Any]]


REVIEWS = [{"name": "Hotel Adlon", "review": "Thick walls, thin coffee"}]


@tool
def find_rooms(city: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Find rooms in a city."""
    answer = ToolMessage(json.dumps(ROOMS), tool_call_id=tool_call_id)
    return Command(update={"rooms": ROOMS, "reviews": REVIEWS, "messages": [answer]})


def react_tool_agent() -> Graph:
    model = ToolCallingModel(rule=once("find_rooms", "Two hotels fit.", city="Berlin"))
    return create_agent(model, [find_rooms], system_prompt="You book hotels.", state_schema=Traveller)


class Inner(TypedDict, total=False):
    messages: Annotated[list[AnyMessage], add_messages]
    rooms: list[dict[str, Any]]
    notes: str


def subgraph() -> Graph:
    inner = StateGraph(Inner)
    inner.add_node("look", lambda _state: {"rooms": ROOMS, "notes": "The fair fills every bed in May"})
    inner.add_node("write", lambda state: {"messages": [TALKER.invoke([SystemMessage(f"Notes: {state['notes']}")])]})
    inner.add_edge(START, "look")
    inner.add_edge("look", "write")
    graph = StateGraph(Desk)
    graph.add_node("trip", inner.compile())
    graph.add_node("reply", talk(lambda state: [SystemMessage("Be brief."), *state["messages"]]))
    graph.add_edge(START, "trip")
    graph.add_edge("trip", "reply")
    return graph.compile()


class Deep(AgentState):
    files: dict[str, str]


@tool
def web_search(query: str) -> str:
    """Search the web."""
    return "Hotel Adlon opened in 1907 beside the Brandenburg Gate"


@tool
def task(description: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Give a task to a sub-agent with a context of its own."""
    researcher = create_agent(ToolCallingModel(rule=once("web_search", "Written down.", query="Adlon")), [web_search])
    done = researcher.invoke({"messages": [HumanMessage(description)]})
    findings = next(message.text for message in done["messages"] if message.type == "tool")
    answer = ToolMessage(done["messages"][-1].text, tool_call_id=tool_call_id)
    return Command(update={"files": {"adlon.md": findings}, "messages": [answer]})


def deep_agent() -> Graph:
    model = ToolCallingModel(rule=once("task", "The report is in the file.", description="Look the hotel up"))
    return create_agent(model, [task], system_prompt="Plan, delegate, write files.", state_schema=Deep)


def summarising() -> Graph:
    def summarise(state: Desk) -> Desk:
        TALKER.invoke([SystemMessage("Sum up."), *state["messages"]])
        return {"summary": "Hotel Adlon costs $310 a night.", "messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]}

    graph = StateGraph(Desk)
    graph.add_node("reply", talk(lambda state: [SystemMessage(f"So far: {state.get('summary', '')}"), *state["messages"]]))
    graph.add_node("search", lambda _state: {"rooms": ROOMS, "messages": [AIMessage("Hotel Adlon costs $310 a night.")]})
    graph.add_node("summarise", summarise)
    graph.add_edge(START, "reply")
    graph.add_edge("reply", "search")
    graph.add_edge("search", "summarise")
    return graph.compile()


def async_only() -> Graph:
    async def supervisor(state: Desk) -> Desk:
        return {"messages": [await TALKER.ainvoke([SystemMessage("You supervise."), *state["messages"]])]}

    async def search(_state: Desk) -> Desk:
        return {"rooms": ROOMS, "messages": [AIMessage(json.dumps(ROOMS), name="search")]}

    return team(supervisor, search)


class Dialogue(TypedDict, total=False):
    dialogue: Annotated[list[AnyMessage], add_messages]
    rooms: list[dict[str, Any]]


def other_messages_key() -> Graph:
    graph = StateGraph(Dialogue)
    graph.add_node("answer", lambda state: {"dialogue": [TALKER.invoke(state["dialogue"])], "rooms": ROOMS})
    graph.add_edge(START, "answer")
    return graph.compile()


def field_in_prompt() -> Graph:
    def reply(state: Desk) -> Desk:
        prompt = f"City: {state['city']}. Budget: {state['budget']}. Rooms: {state['rooms']}"
        return {"messages": [TALKER.invoke([SystemMessage(prompt), *state["messages"]])]}

    graph = StateGraph(Desk)
    graph.add_node("search", lambda _state: {"rooms": ROOMS, "city": "Berlin", "budget": 900})
    graph.add_node("reply", reply)
    graph.add_edge(START, "search")
    graph.add_edge("search", "reply")
    return graph.compile()


def last_node_writes() -> Graph:
    graph = StateGraph(Desk)
    graph.add_node("reply", talk(lambda state: [SystemMessage("Be brief."), *state["messages"]]))
    graph.add_node("plan", lambda _state: {"itinerary": [{"day": 1, "name": "Reichstag"}]})
    graph.add_edge(START, "reply")
    graph.add_edge("reply", "plan")
    return graph.compile()


def bare(base_url: str, *, first: Callable[[Desk], Desk]) -> Graph:
    """A graph whose adviser calls the bare client, which tells LangChain nothing."""

    def advise(state: Desk) -> Desk:
        said = [{"role": "user", "content": json.dumps(state.get("rooms", []))}]
        with OpenAI(base_url=base_url, api_key="none", timeout=10, max_retries=0) as client:
            answer = client.chat.completions.create(model="offline", messages=said)
        return {"messages": [AIMessage(answer.choices[0].message.content)]}

    graph = StateGraph(Desk)
    graph.add_node("first", first)
    graph.add_node("advise", advise)
    graph.add_edge(START, "first")
    graph.add_edge("first", "advise")
    return graph.compile()


def search_first(_state: Desk) -> Desk:
    return {"rooms": ROOMS}


def talk_and_search(state: Desk) -> Desk:
    return {"rooms": ROOMS, "messages": [TALKER.invoke(state["messages"][-1:])]}


OFFLINE = {
    build.__name__: build
    for build in (
        supervisor_last_message,
        supervisor_full_history,
        react_tool_agent,
        subgraph,
        deep_agent,
        summarising,
        async_only,
        other_messages_key,
        field_in_prompt,
        last_node_writes,
    )
}
BARE = {"bare_openai_client": search_first, "bare_client_beside_langchain": talk_and_search}
NAMES = (*OFFLINE, *BARE)


@contextmanager
def shape(name: str) -> Iterator[Graph]:
    """The graph of that name; a server on this machine stands behind the bare clients."""
    if name in OFFLINE:
        yield OFFLINE[name]()
        return
    with ModelServer(TALKER) as server:
        yield bare(server.base_url, first=BARE[name])
