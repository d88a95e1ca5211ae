"""The specimen: a complete travel planner on LangGraph.

Reading order: state, prompts, replies, facts, handoffs, tasks, agents, aggregator, graph, offline_rules.
"""

from travel_lab.planner.agents.contract import Specialist
from travel_lab.planner.facts import facts_by_agent, facts_of, needs
from travel_lab.planner.graph import SPECIALISTS, STEP_LIMIT, Graph, build_graph
from travel_lab.planner.handoffs import STRATEGIES, article_summary
from travel_lab.planner.offline_rules import offline_model
from travel_lab.planner.state import PlannerContext, PlannerState, results_of

__all__ = [
    "SPECIALISTS",
    "STEP_LIMIT",
    "STRATEGIES",
    "Graph",
    "PlannerContext",
    "PlannerState",
    "Specialist",
    "article_summary",
    "build_graph",
    "facts_by_agent",
    "facts_of",
    "needs",
    "offline_model",
    "results_of",
]
