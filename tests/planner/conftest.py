"""The planner with a scripted model: named agents answer as the test says, the others by the offline rules."""

import dataclasses
import re
from collections.abc import Callable, Sequence

import pytest
from langchain_core.messages import BaseMessage

from travel_lab.chat_models import Fault, FaultyModel, ModelServer, OfflineChatModel, Schedule
from travel_lab.chat_models.endpoint import ENDPOINTS, connect
from travel_lab.clock import VirtualTime
from travel_lab.events import Event, Note
from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES, PlannerContext, build_graph, offline_model
from travel_lab.planner.offline_rules import play
from travel_lab.retry import RetryPolicy

ROLE = re.compile(r"(?:你是旅行团队的|You are the) (\w+) agent")
Answer = str | Exception | Callable[[Sequence[BaseMessage]], str]


def scripted(answers: dict[str, Answer]) -> OfflineChatModel:
    def rules(messages: Sequence[BaseMessage]) -> str:
        answer = answers.get(ROLE.search(messages[0].text)[1], play)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, str) else answer(messages)

    return OfflineChatModel(rules=rules)


class Planner:
    """A graph and all it is given; `events` holds what happened."""

    def __init__(self, *, strategy="full/own", checkpointer=None, specialists=None, **answers: Answer) -> None:
        self.events: list[Event] = []
        self.graph = build_graph(checkpointer) if specialists is None else build_graph(checkpointer, specialists)
        self.context = PlannerContext(
            model=scripted(answers), strategy=STRATEGIES[strategy], retry=RetryPolicy(attempts=1), emit=self.events.append
        )
        self.config = {"configurable": {"thread_id": "trip"}, "recursion_limit": 12}

    def say(self, words: str, **fields):
        """One turn; the state after it."""
        self.events.clear()
        return self.graph.invoke({"user_input": words, **fields}, self.config, context=self.context)

    @property
    def notes(self) -> list[str]:
        return [event.text for event in self.events if isinstance(event, Note)]


@pytest.fixture(scope="session")
def planner():
    return Planner


@pytest.fixture
def faulty():
    """A lab whose model meets faults, on a virtual clock; the lab, and the model to look at."""
    opened = []

    def faulty(*faults: Fault, seed: int = 0, latency: float = 0.0, retry: RetryPolicy | None = None) -> Lab:
        clock = VirtualTime().clock()
        model = FaultyModel(inner=offline_model(), schedule=Schedule(faults, seed), sleep=clock.sleep, latency=latency)
        lab = Lab.open(model=model, clock=clock, retry=retry or RetryPolicy(jitter=0.0))
        opened.append(lab)
        return lab

    yield faulty
    for lab in opened:
        lab.close()


@pytest.fixture
def served():
    """A lab whose model is reached over HTTP; the lab and the server that counts its requests."""
    opened = []

    def served(*faults: Fault, seed: int = 0, endpoint: dict | None = None, **options) -> tuple[Lab, ModelServer]:
        server = ModelServer(model=offline_model(), schedule=Schedule(faults, seed), **options)
        server.start()
        wanted = dataclasses.replace(ENDPOINTS["offline"], base_url=server.base_url, **(endpoint or {}))
        lab = Lab.open(model=connect(wanted), clock=VirtualTime().clock(), retry=RetryPolicy(jitter=0.0))
        opened.append((lab, server))
        return lab, server

    yield served
    for lab, server in opened:
        lab.close()
        server.stop()
