import pytest
from langchain_core.messages import HumanMessage

from travel_lab.chat_models import Fault, FaultyModel, OfflineChatModel, Schedule, ServiceError
from travel_lab.errors import BadInput, UnknownName


def kinds(schedule, *texts):
    return [fault.kind if (fault := schedule.next(text)) else "" for text in texts]


def test_first_fault_that_fits_and_is_left_is_met():
    """Faults are handed out in order, each as often as it says, and only to calls it fits."""
    schedule = Schedule([Fault(kind="empty", on="hotel", times=1), Fault(kind="hang", times=2)])

    assert kinds(schedule, "hotel", "hotel", "route", "route") == ["empty", "hang", "hang", ""]


def test_fault_may_leave_the_first_calls_alone():
    """A fault that appears later spoils no call before."""
    assert kinds(Schedule([Fault(kind="bad key", skip=2)]), *"abcd") == ["", "", "bad key", "bad key"]


def test_share_is_drawn_by_the_text_and_not_by_the_order():
    """Parallel agents meet the same faults in whatever order they call, and about the share that was asked for."""
    texts = [f"call {n}" for n in range(500)]
    one, other = Schedule([Fault(kind="drop", share=0.2)], seed=1), Schedule([Fault(kind="drop", share=0.2)], seed=1)
    met = dict(zip(texts, kinds(one, *texts), strict=True))

    assert met == dict(zip(reversed(texts), kinds(other, *reversed(texts)), strict=True))
    assert 70 <= sum(bool(kind) for kind in met.values()) <= 130


@pytest.mark.parametrize(
    ("kind", "error"), [("rate limit", ServiceError), ("hang", TimeoutError), ("drop", ConnectionResetError)]
)
def test_wrapped_model_raises_what_a_client_would(kind, error):
    """Inside the process a fault is an error of the kind a client raises."""
    slept = []
    model = FaultyModel(
        inner=OfflineChatModel(rules=lambda _: "好"), schedule=Schedule([Fault(kind=kind, seconds=3)]), sleep=slept.append
    )
    with pytest.raises(error):
        model.invoke([HumanMessage("成都")])

    assert slept == ([3] if kind == "hang" else [])


def test_unknown_fault_lists_the_known_ones():
    """A fault that is none is refused when it is made."""
    with pytest.raises(UnknownName, match=r"No fault 'mars'\. Known: bad key, no balance"):
        Fault(kind="mars")


@pytest.mark.parametrize("bad", [{"share": 1.1}, {"skip": -1}, {"seconds": -1.0}], ids=str)
def test_impossible_fault_is_refused(bad):
    """A fault that could not be played is refused when it is made."""
    with pytest.raises(BadInput, match="share from 0 to 1"):
        Fault(kind="drop", **bad)
