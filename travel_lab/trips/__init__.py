"""Plans side by side, and what a user's conversations have in common.

Reading order: plan_diff, comparison; profiles; frame, plot, fork_board.
"""

from travel_lab.trips.comparison import Comparison, Plan, PlanLine, compare
from travel_lab.trips.plan_diff import PlanChange, plan_diff
from travel_lab.trips.profiles import Profiles, news

__all__ = ["Comparison", "Plan", "PlanChange", "PlanLine", "Profiles", "compare", "news", "plan_diff"]
