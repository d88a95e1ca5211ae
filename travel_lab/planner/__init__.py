"""The specimen: a complete travel planner on LangGraph.

Reading order: state, prompts, replies, facts, packed, handoffs, tasks, agents, aggregator, graph, offline_rules.
"""

from travel_lab.planner.agents.contract import Specialist
from travel_lab.planner.facts import facts_by_agent, facts_of, needs
from travel_lab.planner.graph import SPECIALISTS, STEP_LIMIT, Graph, build_graph
from travel_lab.planner.handoffs import MORE_STRATEGIES, STRATEGIES, article_summary, article_text, record_text
from travel_lab.planner.offline_rules import offline_model
from travel_lab.planner.packed import PRIORITIES, Packed, asked_for
from travel_lab.planner.state import PlannerContext, PlannerState, results_of

__all__ = [
    "MORE_STRATEGIES",
    "PRIORITIES",
    "SPECIALISTS",
    "STEP_LIMIT",
    "STRATEGIES",
    "Graph",
    "Packed",
    "PlannerContext",
    "PlannerState",
    "Specialist",
    "article_summary",
    "article_text",
    "asked_for",
    "build_graph",
    "facts_by_agent",
    "facts_of",
    "needs",
    "offline_model",
    "record_text",
    "results_of",
]
