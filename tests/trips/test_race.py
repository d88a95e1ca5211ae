"""Two threads and two processes fork, answer and write one trip at once."""

import random
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from travel_lab.errors import SessionError
from travel_lab.lab import Lab

_PROCESS = """
import random, sys
from travel_lab.errors import SessionError
from travel_lab.lab import Lab
dice = random.Random(int(sys.argv[3]))
with Lab.open(sys.argv[1]) as lab:
    trip, forks = lab.trip(sys.argv[2]), 0
    for _ in range(8):
        try:
            if dice.random() < 0.5:
                trip.fork(trip.record.root_session_id, reason=sys.argv[3], force=True)
                forks += 1
            else:
                trip.modify({"days": dice.randint(1, 5)})
        except SessionError:
            pass
print(forks)
"""


def test_of_two_threads_that_confirm_at_once_one_is_heard(tmp_path):
    """The other is told that nothing waits for it any more; the options are drawn once."""
    with Lab.open(tmp_path / "lab.db") as lab:
        trip, together = lab.start_trip("帮我规划成都3天"), threading.Barrier(2)

        def confirm(_):
            together.wait()
            try:
                return trip.confirm().kind
            except SessionError as error:
                return type(error).__name__

        with ThreadPoolExecutor(2) as pool:
            outcomes = sorted(pool.map(confirm, range(2)))
        drawn = sum("route_options" in step.nodes for step in trip.active.chain().steps)

    assert outcomes == ["CONFIRM", "NothingWaiting"]
    assert drawn == 1


def test_racing_forks_and_answers_leave_one_whole_tree(tmp_path, rows):
    """Seeded: two processes and two threads; every fork that was made is in the tree, and the root is as it was."""
    path = tmp_path / "lab.db"
    with Lab.open(path) as lab:
        trip = lab.start_trip("帮我规划成都3天")
        trip.confirm()
        root = trip.record.root_session_id
        trip.fork(root, reason="first")
        before = rows.hashes(path, root)
        others = [
            subprocess.Popen([sys.executable, "-c", _PROCESS, path, trip.trip_id, str(seed)], stdout=subprocess.PIPE, text=True)
            for seed in (1, 2)
        ]

        def race(seed):
            dice, forks = random.Random(seed), 0
            for _ in range(8):
                try:
                    if dice.random() < 0.5:
                        trip.fork(root, reason=str(seed), force=True)
                        forks += 1
                    else:
                        trip.modify({"days": dice.randint(1, 5)})
                except SessionError:
                    continue
            return forks

        with ThreadPoolExecutor(2) as pool:
            forks = sum(pool.map(race, (3, 4)))
        forks += sum(int(process.communicate(timeout=120)[0]) for process in others)

        assert [process.returncode for process in others] == [0, 0]
        assert rows.broken(path) == []
        assert len(trip.sessions()) == 2 + forks
        assert rows.hashes(path, root) == before
        assert trip.gate().pending == "REQUIREMENTS"
