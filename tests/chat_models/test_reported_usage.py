import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from travel_lab.chat_models import CallRecorder, OfflineChatModel, counter_of
from travel_lab.planner.frame import calls_frame


class Reports(OfflineChatModel):
    """Reports the prompt tokens it is told to, or none."""

    reported: int | None = None
    rules: object = None

    def _generate(self, messages, stop=None, run_manager=None, **kwargs):
        usage = {"input_tokens": self.reported, "output_tokens": 1, "total_tokens": self.reported + 1} if self.reported else None
        message = AIMessage("好", usage_metadata=usage, additional_kwargs={"reasoning_content": "想一想"})
        return ChatResult(generations=[ChatGeneration(message=message)])


def recorded(reported):
    recorder = CallRecorder()
    Reports(reported=reported).invoke([HumanMessage("帮我规划成都3天旅行，预算5000" * 100)], {"callbacks": [recorder]})
    return recorder.calls[0]


def test_service_that_saw_less_than_was_sent_is_warned_about():
    """A prompt that was cut on the way is found by the service's own count."""
    call = recorded(400)

    assert call.warning == (
        f"server saw fewer tokens than were sent: it reports 400, {call.tokens} were counted here (deepseek); "
        "its window may be smaller than configured"
    )


@pytest.mark.parametrize("share", [0.8, 1.0, 1.3])
def test_small_differences_of_vocabularies_are_no_news(share):
    """Another vocabulary counts a little differently, which is no cut."""
    assert recorded(int(recorded(None).tokens * share) + 1).warning == ""


def test_missing_usage_is_missing_and_not_zero():
    """Where the service reports nothing, the own count stands with its name and the reported one is missing."""
    row = calls_frame([recorded(None)]).iloc[0]

    assert (row["counter"], row["warning"], row["reported"] is calls_frame([recorded(None)])["reported"].dtype.na_value) == (
        "deepseek",
        "",
        True,
    )
    assert row["counted here"] > 1_000


def test_thinking_is_kept_beside_the_reply():
    """What the model thought aloud is on record, and no part of the reply."""
    call = recorded(None)

    assert (call.reply, call.thinking) == ("好", "想一想")


@pytest.mark.parametrize(
    ("name", "counter"), [("offline", "deepseek"), ("deepseek-chat", "deepseek"), ("qwen2.5:7b", "estimate")]
)
def test_counter_fits_the_model(name, counter):
    """A model is counted with its own vocabulary where there is one, and with a labelled estimate elsewhere."""
    assert counter_of(OfflineChatModel(rules=lambda _: "", model_name=name)).name == counter
