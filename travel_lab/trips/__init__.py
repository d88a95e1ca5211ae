"""Trips: a container of sessions, the root and its forks, one of them active; plans side by side; what is known of users.

Reading order: records, store, fork; plan_diff, comparison; profiles; frame, plot, fork_board.
"""

from travel_lab.trips.comparison import Comparison, Plan, PlanLine, compare
from travel_lab.trips.fork import Intent, read_choice, read_intent, without_kept
from travel_lab.trips.plan_diff import PlanChange, plan_diff
from travel_lab.trips.profiles import Profiles, news
from travel_lab.trips.records import SessionRecord, TripRecord
from travel_lab.trips.store import TripStore

__all__ = [
    "Comparison",
    "Intent",
    "Plan",
    "PlanChange",
    "PlanLine",
    "Profiles",
    "SessionRecord",
    "TripRecord",
    "TripStore",
    "compare",
    "news",
    "plan_diff",
    "read_choice",
    "read_intent",
    "without_kept",
]
