"""Trips: a container of sessions, the root and its forks; exactly one of them is active.

Reading order: records, store, fork.
"""

from travel_lab.trips.fork import Intent, read_intent, without_kept
from travel_lab.trips.records import SessionRecord, TripRecord
from travel_lab.trips.store import TripStore

__all__ = ["Intent", "SessionRecord", "TripRecord", "TripStore", "read_intent", "without_kept"]
