"""Plans side by side.

Reading order: comparison; frame, plot.
"""

from travel_lab.trips.comparison import Line, Plan, SlotChange, changed_slots, compare_plans

__all__ = ["Line", "Plan", "SlotChange", "changed_slots", "compare_plans"]
