import subprocess
import sys

import pytest

from travel_lab.chat_models import Fault, ModelServer, Schedule
from travel_lab.planner import offline_model

GAP = 0.1
"""Seconds a notebook's event loop may stand still while a turn is awaited."""
TURN = """
import asyncio, dataclasses, itertools, sys, time
from travel_lab.chat_models.endpoint import ENDPOINTS, connect
from travel_lab.lab import Lab
from travel_lab.retry import RetryPolicy

async def beats_of_a_turn(lab):
    beats = []
    turn = asyncio.create_task(lab.session("a").asend("帮我规划成都3天旅行，预算5000"))
    while not turn.done():
        beats.append(time.perf_counter())
        await asyncio.sleep(0.01)
    return beats, await turn

model = connect(dataclasses.replace(ENDPOINTS["offline"], base_url=sys.argv[1]))
with Lab.open(model=model, retry=RetryPolicy(first_wait=0.4, jitter=0.0)) as lab:
    beats, turn = asyncio.run(beats_of_a_turn(lab))
print(max(later - earlier for earlier, later in itertools.pairwise(beats)), beats[-1] - beats[0])
"""
"""The first turn of a process; prints the longest gap between two beats, and how long the turn took."""


@pytest.mark.parametrize(
    ("fault", "requests", "waited"), [(Fault(kind="rate limit"), 4, 2.8), (None, 5, 0.0)], ids=["429", "plan"]
)
def test_first_turn_of_a_process_leaves_the_event_loop_free(fault, requests, waited):
    """A heartbeat beside an awaited turn never stops for 100 ms, neither in the waits for a busy service nor in a plan."""
    with ModelServer(model=offline_model(), schedule=Schedule([fault] if fault else [])) as server:
        command = [sys.executable, "-c", TURN, server.base_url]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    gap, seconds = map(float, done.stdout.split())

    assert len(server.requests) == requests
    assert seconds >= waited
    assert gap < GAP
