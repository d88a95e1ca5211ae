"""Plans side by side."""

from copy import deepcopy
from dataclasses import replace

import pytest

from travel_lab.errors import BadInput, UnknownName
from travel_lab.itinerary.cost import convert
from travel_lab.trips import compare
from travel_lab.trips.frame import checks_frame, comparison_frame, plan_diff_frame, sights_frame, stops_frame


def test_costs_are_in_one_currency(whitsundays, chengdu):
    """Plans in two currencies are added up in yuan by the dated table."""
    comparison = compare([whitsundays, chengdu])
    cost = whitsundays.itinerary["cost"]

    assert comparison.currency == "CNY"
    assert comparison.lines[0].total == convert(cost["total"], "AUD", "CNY")
    assert comparison.lines[1].total == chengdu.itinerary["cost"]["total"]


def test_shared_currency_is_kept(whitsundays, melbourne):
    """Two plans in Australian dollars stay in them, and kinds, total, budget and rest fit together."""
    comparison = compare([whitsundays, melbourne])
    for line in comparison.lines:
        assert line.tickets + line.meals + line.hotels == pytest.approx(line.total)
        assert line.total + line.left == pytest.approx(line.budget)
    assert comparison.currency == "AUD"


def test_order_of_plans_changes_nothing(whitsundays, melbourne, chengdu):
    """Whichever plan comes first, every line and list stays the same."""
    there, back = compare([whitsundays, melbourne, chengdu]), compare([chengdu, melbourne, whitsundays])

    assert there.lines == back.lines[::-1]
    assert (there.shared, dict(there.only), there.currency) == (back.shared, dict(back.only), back.currency)


def test_plan_beside_its_copy_shares_everything(whitsundays):
    """A plan and its copy share every sight and differ in no row of the table."""
    comparison = compare([whitsundays, replace(whitsundays, name="copy", itinerary=deepcopy(whitsundays.itinerary))])

    assert comparison.only == {"islands": (), "copy": ()}
    assert not comparison_frame(comparison)["differs"].any()


def test_sights_are_shared_or_of_one_plan(whitsundays, melbourne):
    """Every sight of two plans is shared or stands with the one plan that has it."""
    comparison = compare([whitsundays, melbourne])
    parts = [set(comparison.shared), *map(set, comparison.only.values())]

    assert all(parts)
    assert sum(map(len, parts)) == len(set().union(*parts)) == len(sights_frame(comparison))


def test_sights_of_two_languages_are_the_same(whitsundays, sydney_zh):
    """A Chinese and an English plan of the same trip share all sights, in the language asked for."""
    assert compare([whitsundays, sydney_zh]).only == {"islands": (), "悉尼": ()}
    assert "悉尼歌剧院" in compare([whitsundays, sydney_zh], language="zh").shared


def test_ban_that_is_broken_is_told(melbourne):
    """A plan with a museum for somebody who wants none fails the rule `bans` in the comparison."""
    broken = deepcopy(melbourne.itinerary)
    broken["days"][0]["sights"][0]["name"] = "Australian Museum"
    comparison = compare([melbourne, replace(melbourne, name="broken", itinerary=broken)])

    assert [line.verdict("bans") for line in comparison.lines] == ["pass", "fail"]
    assert checks_frame(comparison).loc["bans", "broken"].startswith("fail: Australian Museum")


def test_stale_and_degraded_parts_are_named(whitsundays):
    """Parts that no longer fit or are incomplete stand in the line; whole ones do not."""
    flawed = deepcopy(whitsundays.itinerary)
    flawed["parts"]["food"]["standing"] = "stale"
    flawed["parts"]["hotel"]["status"] = "degraded"
    comparison = compare([whitsundays, replace(whitsundays, name="flawed", itinerary=flawed)])

    assert [line.flawed_parts for line in comparison.lines] == [(), ("hotel: degraded", "food: stale")]


def test_way_to_an_unknown_sight_is_not_zero_minutes(whitsundays):
    """A way whose end nobody can place is counted as unknown and left out of the minutes."""
    odd = deepcopy(whitsundays.itinerary)
    odd["days"][0]["sights"][-1]["name"] = "Unlisted garden"
    one, other = compare([whitsundays, replace(whitsundays, name="odd", itinerary=odd)]).lines

    assert (one.unknown_ways, other.unknown_ways) == (0, 1)
    assert other.walking_minutes + other.travel_minutes < one.walking_minutes + one.travel_minutes


def test_what_is_not_measured_is_blank(chengdu):
    """Calls, tokens and visibility that nobody measured are blank, not zero."""
    (line,) = compare([replace(chengdu, model_calls=None, tokens=None)]).lines

    assert (line.model_calls, line.tokens, line.visibility) == (None, None, None)


@pytest.mark.parametrize("names", [[], ["a", "a"]])
def test_plans_need_names_of_their_own(chengdu, names):
    """No plan at all, or two of one name, is refused by name."""
    with pytest.raises(BadInput, match="a name each"):
        compare([replace(chengdu, name=name) for name in names])


def test_currency_without_a_rate_is_refused(chengdu):
    """A currency the table lacks is named, with those it has."""
    with pytest.raises(UnknownName, match="XYZ"):
        compare([chengdu], currency="XYZ")


def test_tables_have_a_row_a_thing(whitsundays, melbourne):
    """The stops' table has every visit with its point; the table of no differences is empty and keeps its columns."""
    comparison = compare([whitsundays, melbourne])
    stops = stops_frame(comparison)

    assert len(stops) == sum(line.sights for line in comparison.lines)
    assert stops[["lat", "lon"]].notna().all(axis=None)
    assert list(plan_diff_frame([]).columns) == ["day", "slot", "field", "place", "a", "b"]
