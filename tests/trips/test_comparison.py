"""Plans side by side: every planted difference is found, nothing else is, and the order of the plans does not matter."""

import copy
import random

import pytest

from travel_lab.catalogue import CuratedProvider
from travel_lab.errors import BadInput
from travel_lab.itinerary.check import RULES
from travel_lab.lab import Lab
from travel_lab.trips import Plan, SlotChange, changed_slots, compare_plans
from travel_lab.trips.frame import comparison_frame, points_frame, slots_frame
from travel_lab.trips.plot import PANELS, plot_comparison, plot_maps

REQUESTS = (
    "帮我规划成都3天旅行，预算5000",
    "去西安玩5天，吃素",
    "Plan 8 days in Sydney and Whitsundays, budget 6000 AUD",
    "plan 4 days in Melbourne",
)
PROVIDER = CuratedProvider()


@pytest.fixture(scope="module")
def plans():
    made = []
    with Lab.open() as lab:
        for request in REQUESTS:
            session = lab.session()
            turn = session.send(request)
            tokens = sum(call.tokens for call in turn.calls)
            made.append(
                Plan(itinerary=turn.itinerary, requirements=session.state()["requirements"], tokens=tokens, calls=len(turn.calls))
            )
    return made


def replaced(day, draw):
    """Another hotel or restaurant in one slot of a day; None when it has none."""
    slot = draw.choice(["lunch", "dinner", "hotel"])
    if day[slot] is None:
        return None
    before = day[slot]["name"]
    day[slot] = {**day[slot], "name": f"{before} 分店"}
    return SlotChange(day=day["day"], slot=slot, before=before, after=f"{before} 分店")


def emptied(day, draw):
    """A meal or hotel taken away."""
    slot = draw.choice(["lunch", "dinner", "hotel"])
    if day[slot] is None:
        return None
    before, day[slot] = day[slot]["name"], None
    return SlotChange(day=day["day"], slot=slot, before=before, after="")


def dropped(day, draw):
    """A sight taken away."""
    if not day["sights"]:
        return None
    gone = day["sights"].pop(draw.randrange(len(day["sights"])))
    return SlotChange(day=day["day"], slot="sight", before=gone["name"], after="")


def added(day, draw):
    """A sight the day did not have."""
    name = f"新景点{draw.randrange(10**6)}"
    day["sights"].insert(
        draw.randrange(len(day["sights"]) + 1), {"name": name, "start": "09:00", "end": "10:00", "ticket": 0, "about": ""}
    )
    return SlotChange(day=day["day"], slot="sight", before="", after=name)


def reordered(day, draw):
    """The same sights in another order and at other times: no difference."""
    draw.shuffle(day["sights"])
    for visit in day["sights"]:
        visit["start"] = "08:00"


def edited(plan, draw):
    """A copy of a plan with one edit on each of several days, and what a reader would call the differences."""
    after, planted = copy.deepcopy(plan), set()
    for day in draw.sample(after["days"], draw.randint(0, len(after["days"]))):
        change = draw.choice([replaced, emptied, dropped, added, reordered])(day, draw)
        planted |= {change} if change else set()
    return after, planted


@pytest.mark.parametrize("seed", range(500))
def test_every_planted_edit_is_found_and_nothing_else(plans, seed):
    """Recall and precision are 1 on each of 500 seeded edits."""
    draw = random.Random(seed)
    before = draw.choice(plans).itinerary
    after, planted = edited(before, draw)

    assert set(changed_slots(before, after)) == planted


def test_a_plan_does_not_differ_from_itself(plans):
    """Equal plans have no differences."""
    assert [changed_slots(plan.itinerary, plan.itinerary) for plan in plans] == [()] * len(plans)


@pytest.mark.parametrize("pair", [(0, 1), (0, 2), (2, 3)])
def test_differences_the_other_way_round_are_the_mirror_image(plans, pair):
    """What is before one way is after the other way."""
    one, other = (plans[at].itinerary for at in pair)
    mirrored = {SlotChange(day=c.day, slot=c.slot, before=c.after, after=c.before) for c in changed_slots(other, one)}

    assert set(changed_slots(one, other)) == mirrored


def test_lines_do_not_depend_on_the_order_of_the_plans(plans):
    """The same lines with the same values, whichever plan is named first."""
    one = compare_plans({"a": plans[0], "b": plans[1]}, PROVIDER, currency="CNY")
    other = compare_plans({"b": plans[1], "a": plans[0]}, PROVIDER, currency="CNY")

    assert [(line.group, line.name, dict(line.values)) for line in one] == [
        (line.group, line.name, dict(line.values)) for line in other
    ]


def test_sums_are_told_in_one_currency(plans):
    """A plan in Australian dollars is told in yuan by the dated table, and its parts still add up."""
    frame = comparison_frame(compare_plans({"sydney": plans[2]}, PROVIDER, currency="CNY"))
    cost = plans[2].itinerary["cost"]

    assert frame.loc[("cost", "total"), "sydney"] == pytest.approx(cost["total"] * 4.7, abs=0.01)
    parts = sum(frame.loc[("cost", kind), "sydney"] for kind in ("tickets", "meals", "hotels"))
    assert parts == pytest.approx(frame.loc[("cost", "total"), "sydney"], abs=0.05)
    assert frame.loc[("cost", "total"), "unit"] == "CNY"


def test_every_rule_of_the_plan_check_is_a_line(plans):
    """Each rule stands there with its answer for each plan."""
    lines = compare_plans({"a": plans[0], "b": plans[1]}, PROVIDER, currency="CNY")
    rules = {line.name: line.values for line in lines if line.group == "rules"}

    assert list(rules) == list(RULES)
    assert {answer for values in rules.values() for answer in values.values()} <= {"pass", "fail", "cannot tell"}


def test_what_is_not_measured_is_not_zero(plans):
    """Without tokens and calls their lines are empty; no budget leaves no rest."""
    bare = Plan(itinerary=plans[1].itinerary, requirements=plans[1].requirements)
    frame = comparison_frame(compare_plans({"a": bare}, PROVIDER, currency="CNY"))

    empty = [("effort", "tokens in views"), ("effort", "model calls"), ("cost", "budget"), ("cost", "left")]
    assert [frame.loc[name, "a"] for name in empty] == [None] * 4


def test_a_sight_the_provider_does_not_know_leaves_the_travel_open(plans):
    """Minutes that cannot be told are missing, not short."""
    changed = copy.deepcopy(plans[0].itinerary)
    changed["days"][0]["sights"][0]["name"] = "没有这个地方"
    plan = Plan(itinerary=changed, requirements=plans[0].requirements)

    values = {line.name: line.values["a"] for line in compare_plans({"a": plan}, PROVIDER, currency="CNY")}
    assert values["travel between sights"] is None


def test_no_plan_is_refused():
    """Comparing nothing says what to give."""
    with pytest.raises(BadInput, match="Give at least one Plan"):
        compare_plans({}, PROVIDER, currency="CNY")


def test_frames_have_their_columns(plans):
    """Plans are columns, differences are rows with the names given, places are in degrees."""
    one, other = plans[0].itinerary, plans[1].itinerary
    assert list(comparison_frame(compare_plans({"a": plans[0]}, PROVIDER, currency="CNY")).columns) == ["unit", "a"]
    assert list(slots_frame(changed_slots(one, other), "chengdu", "xian").columns) == ["day", "slot", "chengdu", "xian"]
    assert list(points_frame(one, PROVIDER).columns) == ["day", "sight", "lat", "lon"]
    assert len(points_frame(one, PROVIDER)) == sum(len(day["sights"]) for day in one["days"])


def test_plot_has_a_panel_a_line_with_a_bar_a_plan(plans):
    """Each panel has its own unit, and a value that cannot be told is a dash."""
    bare = Plan(itinerary=plans[1].itinerary, requirements=plans[1].requirements)
    axes = plot_comparison(comparison_frame(compare_plans({"a": plans[0], "b": bare}, PROVIDER, currency="CNY")))

    assert [ax.get_title().split("\n")[0].split(", ")[-1] for ax in axes] == [name for _, name in PANELS]
    assert [len(ax.patches) for ax in axes] == [2] * len(PANELS)
    assert [text.get_text() for text in axes[1].texts][1] == "–"


def test_map_has_a_line_a_day(plans):
    """Every day with sights is a line through them, on a map of its own for each plan."""
    (axes,) = plot_maps({"chengdu": points_frame(plans[0].itinerary, PROVIDER)})

    assert [len(line.get_xdata()) for line in axes.get_lines()] == [len(day["sights"]) for day in plans[0].itinerary["days"]]
