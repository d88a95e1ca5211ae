"""What the offline model makes out in packed tables is what it makes out in the JSON of the same results."""

import pytest
from langchain_core.messages import AIMessage

from travel_lab.context import full_json
from travel_lab.lab import Lab
from travel_lab.planner import Packed, results_of
from travel_lab.planner.offline_rules.seen import make_out

FIELDS = ("prices", "ratings", "nights", "sights", "tickets", "meals", "meal_prices", "etiquette")


@pytest.mark.parametrize("request_text", ["帮我规划成都5天旅行", "Plan a 6-day trip to Sydney, budget 9000"])
def test_tables_read_like_json(request_text):
    """Prices, ratings, nights, sights, tickets, meals and etiquette are the same."""
    with Lab.open() as lab:
        session = lab.session()
        session.send(request_text)
        state = session.state()
    results = results_of(state)

    def made_out(write):
        return make_out([AIMessage(write(agent, result["data"], state["language"])) for agent, result in results.items()])

    tables, objects = made_out(Packed(budget=None)), made_out(full_json)
    assert len(objects.meals) >= 10
    for field in FIELDS:
        assert getattr(tables, field) == getattr(objects, field)
