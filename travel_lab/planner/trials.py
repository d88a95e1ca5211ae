"""One call against a server with a fault, under a policy: how many requests it takes, counted by the server."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from travel_lab.chat_models import Fault, ModelServer, Schedule, diagnose
from travel_lab.chat_models.endpoint import Endpoint, connect
from travel_lab.chat_models.faults import KINDS
from travel_lab.clock import VirtualTime
from travel_lab.errors import TravelLabError
from travel_lab.events import AttemptFailed, EventLog
from travel_lab.planner.agents.asking import Asking, ask_model
from travel_lab.planner.handoffs import STRATEGIES
from travel_lab.planner.offline_rules import offline_model
from travel_lab.planner.prompts import REMINDER, supervisor_prompt
from travel_lab.planner.replies import LINE_FORM, read_line
from travel_lab.planner.state import PlannerContext
from travel_lab.retry import RetryPolicy

PATIENCE = 30.0
"""Seconds a trial's client waits for an answer."""
SHORT = 0.3
"""The same where the answer never comes in time, however fast the machine."""
FAULTS: Mapping[str, Fault] = {
    **{kind: Fault(kind=kind, seconds=SHORT * 8) for kind in KINDS},
    "no schema": Fault(kind="no schema", on="response_format: json_schema"),
    "rate limit once": Fault(kind="rate limit", times=1),
    "rate limit, hint 2 s": Fault(kind="rate limit", times=1, retry_after="2"),
    "rate limit, hint 1800 s": Fault(kind="rate limit", retry_after="1800"),
    "empty once": Fault(kind="empty", times=1),
    "half once": Fault(kind="half", times=1),
}
"""Faults to try, by name; without `once` they last for ever."""
POLICIES: Mapping[str, RetryPolicy] = {
    "default": RetryPolicy(jitter=0.0),
    "no retry": RetryPolicy(attempts=1),
}
WORDS = "帮我规划成都3天旅行，预算5000"
HISTORY = (HumanMessage("我想去旅行"), AIMessage("你想去哪玩呢？"))


@dataclass(frozen=True, kw_only=True)
class Trial:
    """What came of one call under a fault."""

    fault: str
    policy: str
    requests: int
    """Counted by the server."""
    failed: int
    """Attempts told as failed events."""
    waited: float
    """Seconds of waits, on a virtual clock."""
    outcome: str
    """`answer`, or the name of the error."""
    trouble: str
    """What the error is understood as; blank with an answer."""


def try_faults(faults: Sequence[str], policies: Mapping[str, RetryPolicy] = POLICIES) -> list[Trial]:
    """Every named fault under every policy, each with a real client against a server of its own on this machine."""
    return [_try(name, label, policy) for name in faults for label, policy in policies.items()]


def _try(name: str, label: str, policy: RetryPolicy) -> Trial:
    with ModelServer(model=offline_model(), schedule=Schedule([FAULTS[name]])) as server:
        seconds = SHORT if name in {"hang", "slow"} else PATIENCE
        client = connect(Endpoint(model="offline", base_url=server.base_url, seconds=seconds))
        log, time = EventLog(), VirtualTime()
        outcome, trouble = _ask(client, policy, log, time)
        return Trial(
            fault=name,
            policy=label,
            requests=len(server.requests),
            failed=sum(isinstance(event, AttemptFailed) for event in log.events),
            waited=time.clock().elapsed(),
            outcome=outcome,
            trouble=trouble,
        )


def _ask(client: BaseChatModel, policy: RetryPolicy, log: EventLog, time: VirtualTime) -> tuple[str, str]:
    context = PlannerContext(model=client, strategy=STRATEGIES["silent"], retry=policy, clock=time.clock(), emit=log)
    system = SystemMessage(supervisor_prompt("zh", context.provider.cities(), context.clock.today()))
    view = [system, *HISTORY, HumanMessage(f"{WORDS}\n{REMINDER['zh']}")]
    try:
        ask_model(Asking(context, "supervisor", 1), view, read_line, LINE_FORM)
    except TravelLabError as error:
        return type(error).__name__, diagnose(error.__cause__).kind if error.__cause__ else ""
    return "answer", ""
