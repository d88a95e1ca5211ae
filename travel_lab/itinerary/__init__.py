"""From the traveller's words to days, costs and a card.

Reading order: numerals, durations, money, dates, people, wishes, request; pointing, followup; places, schedule, areas;
results, provenance, cost, plan, card.
"""

from travel_lab.itinerary.areas import DayArea, day_areas
from travel_lab.itinerary.card import card_lines
from travel_lab.itinerary.durations import MAX_DAYS
from travel_lab.itinerary.followup import FollowUp, read_followup
from travel_lab.itinerary.money import Budget
from travel_lab.itinerary.people import MAX_PEOPLE, People
from travel_lab.itinerary.plan import AGENTS, Itinerary, build_itinerary
from travel_lab.itinerary.provenance import requirements_hash, standing
from travel_lab.itinerary.request import Reading, language_of, read_request
from travel_lab.itinerary.results import AgentResult, Requirements

__all__ = [
    "AGENTS",
    "MAX_DAYS",
    "MAX_PEOPLE",
    "AgentResult",
    "Budget",
    "DayArea",
    "FollowUp",
    "Itinerary",
    "People",
    "Reading",
    "Requirements",
    "build_itinerary",
    "card_lines",
    "day_areas",
    "language_of",
    "read_followup",
    "read_request",
    "requirements_hash",
    "standing",
]
