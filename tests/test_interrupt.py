"""Ctrl-C, or a notebook's stop button, in a turn whose agents wait (M10): it ends at once and nothing finished is lost."""

import subprocess
import sys
import textwrap
import threading
import time

import pytest

from travel_lab.deadline import interruptible, pause, within

SCRIPT = """
    import os, signal, sys, threading, time
    from dataclasses import replace
    from travel_lab.chat_models.offline import OfflineChatModel
    from travel_lab.lab import Lab
    from travel_lab.planner import offline_model

    model, asked = offline_model(), []

    def hangs(messages):
        asked.append(1)
        if len(asked) > 3:  # the supervisor and two agents are answered
            if len(asked) == 5:
                threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
            {wait}
        return model.rules(messages)

    with Lab.open(sys.argv[1], model=OfflineChatModel(rules=hangs)) as lab:
        began = time.monotonic()
        try:
            lab.session("s").send("Plan 3 days in Sydney, budget 3000 AUD")
        except KeyboardInterrupt:
            print("interrupted", time.monotonic() - began < 10)
    asked.clear()

    def counted(messages):
        asked.append(1)
        return model.rules(messages)

    with Lab.open(sys.argv[1], model=OfflineChatModel(rules=counted)) as lab:
        turn = lab.session("s").resume()
        print(turn.reply_kind, len(asked), all(part["status"] == "ok" for part in turn.itinerary["parts"].values()))
"""


@pytest.mark.parametrize("wait", ["time.sleep(60)", "raise TimeoutError('busy')"], ids=["slow model", "waits of a retry"])
def test_an_interrupted_turn_ends_at_once_and_is_resumed(tmp_path, wait):
    """Only the agents that waited run again, in a process whose model answers."""
    script = textwrap.dedent(SCRIPT).replace("{wait}", wait)
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "lab.db")], capture_output=True, text=True, timeout=60, check=False
    )

    assert (done.stdout, done.stderr) == ("interrupted True\nplan 2 True\n", "")


def test_what_is_called_comes_back():
    """A value is returned and an error raised as they are."""
    assert interruptible(lambda: within(1, lambda: 7)) == 7
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)


def test_a_pause_outside_is_a_sleep():
    """Nobody can end it, and it takes its time."""
    began = time.monotonic()
    pause(0.05)

    assert time.monotonic() - began >= 0.05


def test_other_threads_call_as_they_are():
    """They are never interrupted, so no thread is made for them."""
    seen = []
    worker = threading.Thread(target=lambda: interruptible(lambda: seen.append(threading.current_thread())))
    worker.start()
    worker.join()

    assert seen == [worker]
