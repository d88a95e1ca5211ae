"""Plans side by side.

Reading order: plan_diff, comparison.
"""

from travel_lab.trips.comparison import Comparison, Plan, PlanLine, compare
from travel_lab.trips.plan_diff import PlanChange, plan_diff

__all__ = ["Comparison", "Plan", "PlanChange", "PlanLine", "compare", "plan_diff"]
