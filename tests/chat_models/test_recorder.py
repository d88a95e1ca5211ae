"""The recorder on an app that is not ours: two agents in parallel, then a third."""

import asyncio
import operator
from typing import Annotated

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.graph import END, START, StateGraph
from typing_extensions import TypedDict

from travel_lab.chat_models import CallRecorder, ModelCall, OfflineChatModel
from travel_lab.tokens import DEEPSEEK, TokenCounter

CITY = "写一篇关于成都的短文"


def first_sign(messages):
    """The role of the call's system prompt and the length of its last message; some topics are refused."""
    if "禁" in messages[-1].text:
        raise PermissionError("this topic is refused")
    return f"{messages[0].text}:{len(messages[-1].text)}"


class Desk(TypedDict, total=False):
    topic: str
    drafts: Annotated[list[str], operator.add]
    final: str


def desk(*, wait: bool):
    """A newsroom: writer and critic work in parallel, then the editor; `wait` makes its nodes async."""
    model = OfflineChatModel(rules=first_sign)

    def view(role: str, topic: str) -> list[SystemMessage | HumanMessage]:
        return [SystemMessage(role), HumanMessage(topic)]

    def write(state: Desk) -> Desk:
        return {"drafts": [str(model.invoke(view("writer", state["topic"])).content)]}

    def criticise(state: Desk) -> Desk:
        return {"drafts": [str(model.invoke(view("critic", state["topic"])).content)]}

    def edit(state: Desk) -> Desk:
        return {"final": str(model.invoke(view("editor", " ".join(sorted(state["drafts"])))).content)}

    async def write_later(state: Desk) -> Desk:
        return {"drafts": [str((await model.ainvoke(view("writer", state["topic"]))).content)]}

    async def criticise_later(state: Desk) -> Desk:
        return {"drafts": [str((await model.ainvoke(view("critic", state["topic"]))).content)]}

    async def edit_later(state: Desk) -> Desk:
        return {"final": str((await model.ainvoke(view("editor", " ".join(sorted(state["drafts"]))))).content)}

    nodes = (write_later, criticise_later, edit_later) if wait else (write, criticise, edit)
    graph = StateGraph(Desk)
    for name, node in zip(("writer", "critic", "editor"), nodes, strict=True):
        graph.add_node(name, node)
    graph.add_edge(START, "writer")
    graph.add_edge(START, "critic")
    graph.add_edge(["writer", "critic"], "editor")
    graph.add_edge("editor", END)
    return graph.compile()


def run_sync(topic: str, recorder: CallRecorder) -> Desk:
    return desk(wait=False).invoke({"topic": topic}, {"callbacks": [recorder]})


def run_async(topic: str, recorder: CallRecorder) -> Desk:
    return asyncio.run(desk(wait=True).ainvoke({"topic": topic}, {"callbacks": [recorder]}))


def run_stream(topic: str, recorder: CallRecorder) -> Desk:
    (*_, last) = desk(wait=False).stream({"topic": topic}, {"callbacks": [recorder]})
    return last["editor"]


def run_async_stream(topic: str, recorder: CallRecorder) -> Desk:
    async def play() -> Desk:
        (*_, last) = [part async for part in desk(wait=True).astream({"topic": topic}, {"callbacks": [recorder]})]
        return last["editor"]

    return asyncio.run(play())


@pytest.fixture(
    params=[
        pytest.param(run_sync, id="sync"),
        pytest.param(run_async, id="async"),
        pytest.param(run_stream, id="stream"),
        pytest.param(run_async_stream, id="async stream"),
    ]
)
def run(request):
    """Plays one topic through the app."""
    return request.param


def test_every_call_is_recorded_under_its_node(run):
    """Each call stands under the node that made it, by step and then by name, whichever thread it ran in."""
    recorder = CallRecorder()
    run(CITY, recorder)

    assert [(call.agent, call.step) for call in recorder.calls] == [("critic", 1), ("writer", 1), ("editor", 2)]


def test_view_is_what_the_model_received(run):
    """The view holds the exact messages of the call, in order."""
    recorder = CallRecorder()
    run(CITY, recorder)
    views = {call.agent: [(message.type, message.text) for message in call.view] for call in recorder.calls}

    assert views == {
        "critic": [("system", "critic"), ("human", CITY)],
        "writer": [("system", "writer"), ("human", CITY)],
        "editor": [("system", "editor"), ("human", "critic:10 writer:10")],
    }


def test_reply_is_kept_beside_the_view(run):
    """Each call holds the text of its own answer and no error."""
    recorder = CallRecorder()
    run(CITY, recorder)

    assert {call.agent: (call.reply, call.error) for call in recorder.calls} == {
        "critic": ("critic:10", ""),
        "writer": ("writer:10", ""),
        "editor": ("editor:19", ""),
    }


def test_failing_call_is_recorded_with_its_error(run):
    """A call that fails is there with what it saw and with its error, and without a reply."""
    recorder = CallRecorder()
    with pytest.raises(PermissionError):
        run("禁", recorder)
    failed = {(call.reply, call.error, call.view[-1].text) for call in recorder.calls}

    assert recorder.calls
    assert failed == {("", "PermissionError: this topic is refused", "禁")}


def test_runs_of_one_recorder_add_up(run):
    """A recorder that is used for two runs holds the calls of both."""
    recorder = CallRecorder()
    run(CITY, recorder)
    run("写一篇关于西安的短文", recorder)

    assert [call.agent for call in recorder.calls] == ["critic"] * 2 + ["writer"] * 2 + ["editor"] * 2


def test_two_recorders_do_not_share_calls(run):
    """A new recorder starts empty."""
    run(CITY, CallRecorder())

    assert CallRecorder().calls == ()


def test_tokens_are_those_of_the_view():
    """A call's tokens are what the recorder's counter makes of its view."""
    exact, characters = CallRecorder(), CallRecorder(counter=TokenCounter(name="characters", text=len))
    view = [SystemMessage("editor"), HumanMessage("成都")]
    OfflineChatModel(rules=first_sign).invoke(view, {"callbacks": [exact, characters]})

    assert (exact.calls[0].tokens, characters.calls[0].tokens) == (DEEPSEEK.messages(view), 6 + 4 + 2 + 4)


def test_view_is_a_copy():
    """Changing a message after the call does not change what was seen."""
    recorder = CallRecorder()
    message = HumanMessage("成都", additional_kwargs={"note": ["before"]})
    OfflineChatModel(rules=first_sign).invoke([SystemMessage("editor"), message], {"callbacks": [recorder]})
    message.content = "西安"
    message.additional_kwargs["note"].append("after")

    assert (recorder.calls[0].view[1].content, recorder.calls[0].view[1].additional_kwargs) == ("成都", {"note": ["before"]})


def test_list_of_the_caller_is_a_copy_too():
    """Adding to the list of messages after the call adds nothing to the view."""
    recorder, messages = CallRecorder(), [SystemMessage("editor"), HumanMessage("成都")]
    OfflineChatModel(rules=first_sign).invoke(messages, {"callbacks": [recorder]})
    messages.append(AIMessage("later"))

    assert len(recorder.calls[0].view) == 2


def test_call_outside_a_graph_has_no_agent():
    """A call that no node made has a blank agent and no step."""
    recorder = CallRecorder()
    OfflineChatModel(rules=first_sign).invoke("成都", {"callbacks": [recorder]})

    assert recorder.calls == (
        ModelCall(
            agent="",
            step=-1,
            view=(HumanMessage("成都"),),
            tokens=DEEPSEEK.text("成都") + 4,
            reply="成都:2",
            error="",
            counter="deepseek",
            reported=DEEPSEEK.text("成都") + 4,
        ),
    )


def test_recording_changes_no_answer(run):
    """The app gives the same with a recorder as without one."""
    assert run(CITY, CallRecorder())["final"] == desk(wait=False).invoke({"topic": CITY})["final"] == "editor:19"


class Chat(TypedDict):
    dialogue: Annotated[list, operator.add]


def test_an_app_may_call_its_messages_what_it_likes():
    """What counts is the call: an app that keeps its history under `dialogue` is recorded like any other."""
    model = OfflineChatModel(rules=lambda messages: f"{len(messages)} messages")
    graph = StateGraph(Chat)
    graph.add_node("talk", lambda state: {"dialogue": [model.invoke(state["dialogue"])]})
    graph.add_edge(START, "talk")
    recorder = CallRecorder()
    graph.compile().invoke({"dialogue": [HumanMessage("你好"), HumanMessage(CITY)]}, {"callbacks": [recorder]})

    (call,) = recorder.calls
    assert (call.agent, [message.text for message in call.view], call.reply) == ("talk", ["你好", CITY], "2 messages")
