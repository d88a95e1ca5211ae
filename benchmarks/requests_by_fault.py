"""Requests that one call costs by fault and policy, counted by a server on this machine.

Run as `python benchmarks/requests_by_fault.py`. A real client calls an OpenAI-compatible server that plays one fault: for ever,
unless the fault's name says `once`. Waits pass on a virtual clock. A view that is too long is sent once more with half its
history, so it costs two.
"""

import sys

from travel_lab.planner.frame import trials_frame
from travel_lab.planner.trials import FAULTS, try_faults


def main() -> None:
    """Print the table, and beside it what became of the call under the default policy."""
    trials = trials_frame(try_faults(list(FAULTS)))
    requests = trials.pivot_table(index="fault", columns="policy", values="requests", sort=False).astype(int)
    default = trials[trials["policy"] == "default"].set_index("fault")[["waited", "outcome", "trouble"]]
    sys.stdout.write(f"{requests.join(default).to_string()}\n")


if __name__ == "__main__":
    main()
