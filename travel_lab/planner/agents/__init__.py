"""The agents. Reading order: asking, contract, reporting, supervisor, route, hotel, food, info."""

from travel_lab.planner.agents.contract import Specialist, check_specialists, node_of
from travel_lab.planner.agents.food import FOOD
from travel_lab.planner.agents.hotel import HOTEL
from travel_lab.planner.agents.info import INFO
from travel_lab.planner.agents.route import ROUTE
from travel_lab.planner.agents.supervisor import supervisor

__all__ = ["FOOD", "HOTEL", "INFO", "ROUTE", "Specialist", "check_specialists", "node_of", "supervisor"]
