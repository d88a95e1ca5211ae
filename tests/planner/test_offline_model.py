import json
from copy import deepcopy
from dataclasses import replace

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from travel_lab.catalogue import CuratedProvider
from travel_lab.checkpoints import CheckpointStore
from travel_lab.errors import UnknownName
from travel_lab.itinerary import read_followup
from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES, offline_model

PLAN = {"zh": "帮我规划成都3天旅行，预算5000", "en": "Plan a 3-day trip to Chengdu, budget 5000"}
ASK = {
    "hotel_cheaper": {"zh": "把第二天的酒店换成便宜点的", "en": "Change the hotel on day 2 to a cheaper one"},
    "sight_drop": {"zh": "去掉第三天的第一个景点", "en": "Drop the first sight on day 3"},
    "restaurant_change": {"zh": "换掉第二天的晚餐", "en": "Change the dinner on day 2"},
    "ask_day": {"zh": "第二天怎么安排的？", "en": "What is planned for day 2?"},
    "ask_cheapest": {"zh": "最便宜的酒店是哪家？", "en": "Which hotel is the cheapest?"},
    "ask_sight": {"zh": "介绍一下第二天的景点", "en": "Tell me about the sights on day 2"},
}
AGENT = {"hotel_cheaper": "hotel", "sight_drop": "route", "restaurant_change": "food"}
"""Follow-ups that change the plan, and who has to work on them; the others only ask."""
UNCLEAR = {"zh": ("随便改改", "再好好想想"), "en": ("Change something", "Think again please")}
WHAT = {
    "zh": "你想改行程的哪一部分？可以说：酒店、景点、餐厅、天数或预算。",
    "en": "Which part of the plan shall I change? Say hotel, sight, restaurant, days or budget.",
}
CITIES = CuratedProvider().cities()
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])
KINDS = pytest.mark.parametrize("kind", ASK)


@pytest.fixture
def turns(tmp_path):
    """Plays messages in a fresh session under a strategy."""
    with Lab.open(tmp_path / "lab.db") as lab:

        def turns(strategy, *messages):
            session = lab.session(strategy=strategy)
            return [session.send(text) for text in messages]

        yield turns


@LANGUAGES
@KINDS
def test_each_follow_up_is_of_its_kind(kind, language):
    """The sentences of this file are read as what they stand for."""
    assert read_followup(ASK[kind][language]).kind == kind


@LANGUAGES
@KINDS
def test_asks_back_when_the_fact_is_absent(turns, kind, language):
    """Nothing was handed over, so every follow-up ends in a question and no agent works."""
    _, turn = turns("silent", PLAN[language], ASK[kind][language])

    assert (turn.reply_kind, turn.agents) == ("ask", ("supervisor",))
    assert turn.call("supervisor").reply == f"ASK: {turn.reply}"


@LANGUAGES
@KINDS
def test_acts_when_the_fact_is_present(turns, kind, language):
    """With the whole result in sight the agent of the change works, or the question is answered at once."""
    _, turn = turns("full/own", PLAN[language], ASK[kind][language])

    agent = AGENT.get(kind)
    assert turn.reply_kind == ("plan" if agent else "reply")
    assert turn.agents == (("supervisor", agent) if agent else ("supervisor",))


@LANGUAGES
def test_a_change_changes_the_hotel_of_that_night_to_a_cheaper_one(turns, language):
    """Night 2 gets cheaper, night 1 stays as it was."""
    before, after = (turn.itinerary["days"] for turn in turns("full/own", PLAN[language], ASK["hotel_cheaper"][language]))

    assert after[0]["hotel"] == before[0]["hotel"]
    assert after[1]["hotel"]["price"] < before[1]["hotel"]["price"]


@LANGUAGES
def test_a_dropped_sight_leaves_and_the_others_stay(turns, language):
    """The first sight of day 3 is gone; every other sight stands on its day."""
    before, after = (
        [[sight["name"] for sight in day["sights"]] for day in turn.itinerary["days"]]
        for turn in turns("full/own", PLAN[language], ASK["sight_drop"][language])
    )

    assert [after[0], after[1], after[2]] == [before[0], before[1], before[2][1:]]


@LANGUAGES
def test_a_changed_meal_changes_and_the_others_stay(turns, language):
    """The dinner of day 2 is another one; the other five meals are as they were."""
    before, after = (
        {(day["day"], meal): day[meal]["name"] for day in turn.itinerary["days"] for meal in ("lunch", "dinner")}
        for turn in turns("full/own", PLAN[language], ASK["restaurant_change"][language])
    )

    assert {slot for slot in before if before[slot] != after[slot]} == {(2, "dinner")}


@LANGUAGES
def test_the_answer_about_a_day_names_what_is_planned_for_it(turns, language):
    """Sights, meals and hotel of day 2 are all in the answer."""
    plan, turn = turns("full/own", PLAN[language], ASK["ask_day"][language])
    day = plan.itinerary["days"][1]
    names = [*(sight["name"] for sight in day["sights"]), day["lunch"]["name"], day["dinner"]["name"], day["hotel"]["name"]]

    assert [name for name in names if name not in turn.reply] == []


@LANGUAGES
def test_the_answer_about_the_cheapest_hotel_is_right(turns, language):
    """Of the hotels shown the one with the lowest price is named, with its price."""
    plan, turn = turns("full/own", PLAN[language], ASK["ask_cheapest"][language])
    cheapest = min(plan.itinerary["hotels"], key=lambda offer: offer["price"])

    assert cheapest["name"] in turn.reply
    assert f"{cheapest['price']:g}" in turn.reply


@LANGUAGES
def test_the_answer_about_sights_describes_them(turns, language):
    """Every sight of day 2 is described as the catalogue does."""
    plan, turn = turns("full/own", PLAN[language], ASK["ask_sight"][language])

    assert [sight["about"] for sight in plan.itinerary["days"][1]["sights"] if sight["about"] not in turn.reply] == []


@LANGUAGES
@pytest.mark.parametrize("kind", AGENT)
def test_a_specialist_asks_back_when_it_is_shown_its_task_only(turns, kind, language):
    """The supervisor sees the summary and calls the agent; the agent, briefed by its task alone, asks for the rest."""
    _, turn = turns("summary/task", PLAN[language], ASK[kind][language])

    assert turn.agents == ("supervisor", AGENT[kind])
    assert turn.reply_kind == "ask"
    assert turn.call(AGENT[kind]).reply == f"ASK: {turn.reply}"


@LANGUAGES
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_an_unclear_follow_up_asks_what_to_change(turns, strategy, language):
    """Words that point at nothing get a question about what to change, whatever is in sight."""
    _, *asked = turns(strategy, PLAN[language], *UNCLEAR[language])

    assert [turn.reply for turn in asked] == [WHAT[language]] * 2


@LANGUAGES
@pytest.mark.parametrize("city", CITIES, ids=[city.id for city in CITIES])
def test_every_city_is_planned(turns, city, language):
    """Each city of the catalogue gets a whole plan in either language."""
    words = {"zh": f"帮我规划{city.name.zh}2天旅行", "en": f"Plan a 2-day trip to {city.name.en}"}

    (turn,) = turns("full/own", words[language])

    assert turn.reply_kind == "plan"
    assert turn.itinerary["destinations"] == [city.name.in_(language)]
    assert {part["status"] for part in turn.itinerary["parts"].values()} == {"ok"}
    assert [(len(day["sights"]) > 0, day["lunch"] is not None, day["dinner"] is not None) for day in turn.itinerary["days"]] == [
        (True, True, True)
    ] * 2


@pytest.mark.parametrize(
    ("words", "missing"),
    [
        ("帮我规划3天旅行", "你想去哪玩呢？"),
        ("我想去成都", "打算玩几天呢？"),
        ("Plan a trip to Sydney", "How many days will you stay?"),
    ],
)
def test_what_a_plan_lacks_is_asked_for(turns, words, missing):
    """Without a place or a length of the trip the traveller is asked for it."""
    (turn,) = turns("full/own", words)

    assert (turn.reply_kind, turn.reply) == ("ask", missing)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_was_said_before_the_question_counts(turns, strategy):
    """Place, budget and diet of the first message are in the plan that the second one completes."""
    _, turn = turns(strategy, "我想去成都，预算5000，不吃辣", "3天")

    assert turn.reply == "为用户规划了成都 3天行程"
    assert turn.itinerary["cost"]["budget"] == 5000
    assert [day["day"] for day in turn.itinerary["days"] for meal in ("lunch", "dinner") if "spicy" in day[meal]["tags"]] == []


@pytest.mark.parametrize(
    ("words", "amount"),
    [
        ("帮我规划成都3天旅行，预算100万", 1_000_000),
        ("帮我规划成都3天旅行，预算1234567元", 1_234_567),
        ("Plan a 3-day trip to Chengdu, budget 2500000", 2_500_000),
        ("帮我规划成都3天旅行，预算¥5,000", 5_000),
        ("帮我规划成都3天旅行，预算5千", 5_000),
    ],
)
def test_a_budget_arrives_whole(turns, words, amount):
    """A large sum is neither lost nor rounded on its way through the supervisor's line."""
    (turn,) = turns("full/own", words)

    assert turn.itinerary["cost"]["budget"] == amount


def test_a_large_budget_is_no_small_one_to_the_agents(turns):
    """The hotel agent of a traveller with a million takes the best rated hotel of the city, and none for want of money."""
    (turn,) = turns("full/own", "帮我规划成都3天旅行，预算100万")
    best = max(CuratedProvider().hotels("chengdu"), key=lambda hotel: hotel.rating)

    assert {day["hotel"]["name"] for day in turn.itinerary["days"][:2]} == {best.name.zh}
    assert "预算内没有合适的酒店" not in turn.itinerary["comparison"]


@LANGUAGES
def test_what_the_traveller_says_is_no_result(turns, language):
    """A hotel with a price in the traveller's own words does not stand for the one that was planned."""
    seen = {"zh": "，我看过锦江宾馆(¥500)", "en": ", I have seen Jinjiang Hotel (¥500)"}

    _, turn = turns("silent", PLAN[language] + seen[language], ASK["hotel_cheaper"][language])

    assert (turn.reply_kind, turn.agents) == ("ask", ("supervisor",))


@pytest.mark.parametrize(
    "words",
    [
        "帮我规划成都3天旅行，不吃辣",
        "帮我规划成都3天旅行，住便宜点的酒店",
        "帮我规划成都3天旅行，不去博物馆",
        "Plan a 3-day trip to Chengdu, no spicy food, a cheaper hotel please",
    ],
)
def test_wishes_in_a_first_message_are_no_change_of_an_earlier_plan(turns, words):
    """A first message with a wish about food, hotel or sights gets a whole plan and no question about an earlier one."""
    (turn,) = turns("full/own", words)

    assert turn.reply_kind == "plan"
    assert {part["standing"] for part in turn.itinerary["parts"].values()} == {"current"}


@LANGUAGES
def test_the_same_call_gives_the_same_text(turns, language):
    """Every call of a plan and of a change is answered alike when it is made again."""
    model = offline_model()
    calls = [call for turn in turns("full/own", PLAN[language], ASK["hotel_cheaper"][language]) for call in turn.calls]

    assert len(calls) == 7
    assert [model.invoke(list(call.view)).text for call in calls] == [call.reply for call in calls]


def test_two_sessions_with_the_same_words_are_alike(turns):
    """Nothing but the words decides: two conversations give the same replies and the same cards."""
    one, other = (turns("full/own", PLAN["zh"], ASK["hotel_cheaper"]["zh"]) for _ in range(2))

    assert [(turn.reply, turn.card) for turn in one] == [(turn.reply, turn.card) for turn in other]


@pytest.mark.parametrize("system", ["你是一个有用的助手。", "You are the weather agent of a travel team.", ""])
def test_a_part_it_cannot_play_is_refused_by_name(system):
    """A system prompt of another app is no part of the travel team."""
    with pytest.raises(UnknownName, match="part for the offline model"):
        offline_model().invoke([SystemMessage(system), HumanMessage("你好")])


CANARIES = [f"金丝雀{number}号qzx" for number in range(1, 10)]


def with_canaries(state):
    """The state's own results, card, requirements and question, with a canary for every name in them."""
    route, hotel, food, info = (deepcopy(state[f"{agent}_result"]) for agent in ("route", "hotel", "food", "info"))
    for sight in (sight for day in route["data"]["days"] for sight in day["sights"]):
        sight |= {"name": CANARIES[0], "about": CANARIES[1]}
    for offer in hotel["data"]["hotels"]:
        offer |= {"name": CANARIES[2], "price": 1, "district": CANARIES[3]}
    hotel["data"] |= {"comparison": CANARIES[4], "nights": [{"night": n, "hotel": CANARIES[2]} for n in (1, 2)]}
    for day in food["data"]["days"]:
        day["lunch"]["name"] = day["dinner"]["name"] = CANARIES[5]
    info["data"] |= {kind: [CANARIES[6]] for kind in ("culture", "trivia", "etiquette")}
    card = deepcopy(state["itinerary"]) | {"comparison": CANARIES[7], "hotels": deepcopy(hotel["data"]["hotels"])}
    return {
        "route_result": route,
        "hotel_result": hotel,
        "food_result": food,
        "info_result": info,
        "itinerary": card,
        "requirements": {"origin": CANARIES[8], "date": CANARIES[8]},
        "reply": CANARIES[7],
        "questions": {"hotel": {"turn": 1, "text": CANARIES[7]}},
        "user_input": CANARIES[7],
    }


def canaries_in(*texts):
    return [canary for canary in CANARIES if any(canary in text for text in texts)]


FOLLOWUPS = [pytest.param(text, id=f"{kind}-{language}") for kind, both in ASK.items() for language, text in both.items()]


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("words", [*FOLLOWUPS, UNCLEAR["zh"][0], "改成4天", "预算改成8000"])
class TestCanaries:
    @pytest.fixture
    def turn(self, tmp_path, strategy, words):
        """A follow-up in a session whose state was filled with names nobody can guess, its messages left alone."""
        with Lab.open(tmp_path / "lab.db", strategy=strategy) as lab:
            session = lab.session()
            session.send(PLAN["zh"])
            session.edit(with_canaries(session.state()))
            assert canaries_in(json.dumps({**session.state(), "messages": []}, ensure_ascii=False)) == CANARIES
            yield session.send(words)

    def test_nothing_of_the_state_is_in_any_history(self, turn, strategy, words):
        """No view holds a word of the state that no handoff wrote, and none is in a model's answer."""
        texts = [text for call in turn.calls for text in (*(message.text for message in call.view), call.reply)]

        assert len(texts) >= 4
        assert canaries_in(*texts) == []

    def test_nothing_of_the_state_is_in_the_reply(self, turn, strategy, words):
        """What the traveller is told does not hold a word the models were not shown."""
        assert canaries_in(turn.reply) == []


@pytest.mark.parametrize("words", [text for both in ASK.values() for text in both.values()])
def test_canaries_appear_once_a_handoff_writes_them(planner, tmp_path, words):
    """The search for canaries finds them where they were handed over: the same names in messages reach the view."""
    with CheckpointStore(tmp_path / "lab.db") as store:
        seen = []
        team = planner(checkpointer=store.saver)
        state = team.say(PLAN["zh"])
        changes = with_canaries(state)
        told = [
            AIMessage(json.dumps(changes[f"{agent}_result"]["data"], ensure_ascii=False), name=agent)
            for agent in ("route", "hotel", "food")
        ]
        team.graph.update_state(team.config, {"messages": told}, as_node="reply")
        model = team.context.model
        team.context = replace(
            team.context, model=model.model_copy(update={"rules": lambda ms: seen.append(ms) or model.rules(ms)})
        )

        team.say(words)

    assert {CANARIES[0], CANARIES[2], CANARIES[5]} <= set(canaries_in(*(message.text for message in seen[0])))
