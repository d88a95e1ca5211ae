import json
from dataclasses import replace
from datetime import time

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import GraphInterrupt
from langgraph.types import Command, interrupt

from travel_lab.catalogue import CuratedProvider
from travel_lab.clock import Clock
from travel_lab.errors import AgentFailed, ModelFailed
from travel_lab.events import AgentFinished, AttemptFailed, AttemptSucceeded
from travel_lab.lab import Lab
from travel_lab.planner.agents.asking import Asking, ask_model
from travel_lab.planner.offline_rules import play
from travel_lab.retry import RetryPolicy

PLAN = {"zh": "帮我规划成都3天旅行，预算5000", "en": "Plan a 3-day trip to Chengdu, budget 5000"}
CITY = {"zh": "成都", "en": "Chengdu"}
CHEAPER = "把第二天的酒店换成便宜点的"
LANGUAGES = pytest.mark.parametrize("language", ["zh", "en"])
CATALOGUE = CuratedProvider()
VIEW = (SystemMessage("你是旅行团队的 hotel agent（酒店）。"), HumanMessage("选酒店"))


@pytest.fixture(scope="module")
def plans(planner):
    """The state after a first turn, by language."""
    return {language: planner().say(words) for language, words in PLAN.items()}


def in_catalogue(places, language):
    return {place.name.in_(language): place for place in places}


@LANGUAGES
class TestHotel:
    def test_lists_at_least_five_hotels(self, plans, language):
        """There is something to choose from, each hotel once."""
        names = [offer["name"] for offer in plans[language]["hotel_result"]["data"]["hotels"]]

        assert len(names) >= 5
        assert len(set(names)) == len(names)

    def test_offers_say_what_the_catalogue_says(self, plans, language):
        """District, stars, price and rating of every offer are those of the record."""
        known = in_catalogue(CATALOGUE.hotels("chengdu"), language)
        offers = plans[language]["hotel_result"]["data"]["hotels"]

        assert offers == [
            {
                "name": offer["name"],
                "city": CITY[language],
                "district": known[offer["name"]].district.in_(language),
                "stars": known[offer["name"]].stars,
                "price": known[offer["name"]].price,
                "rating": known[offer["name"]].rating,
            }
            for offer in offers
        ]

    def test_each_night_has_one_listed_hotel(self, plans, language):
        """Three days have two nights, each spent in one hotel of the list."""
        data = plans[language]["hotel_result"]["data"]

        assert [night["night"] for night in data["nights"]] == [1, 2]
        assert {night["hotel"] for night in data["nights"]} <= {offer["name"] for offer in data["hotels"]}

    def test_nights_stay_within_their_share_of_the_budget(self, plans, language):
        """The hotels leave enough of the 5000 for meals and tickets, so that the whole trip costs no more."""
        cost = plans[language]["itinerary"]["cost"]

        assert 0 < cost["hotels"] < 5000
        assert cost["total"] <= 5000

    def test_compares_in_words(self, plans, language):
        """The comparison is a sentence about hotels of the list, in the traveller's language."""
        data = plans[language]["hotel_result"]["data"]
        named = [offer["name"] for offer in data["hotels"] if offer["name"] in data["comparison"]]

        assert len(named) >= 2
        assert ("评分最高" if language == "zh" else "is rated highest") in data["comparison"]


@LANGUAGES
class TestFood:
    def test_every_day_has_lunch_and_dinner(self, plans, language):
        """Three days, two meals each, with the price of one person."""
        days = plans[language]["food_result"]["data"]["days"]

        assert [(day["day"], day["lunch"]["price"] > 0, day["dinner"]["price"] > 0) for day in days] == [
            (1, True, True),
            (2, True, True),
            (3, True, True),
        ]

    def test_restaurants_serve_the_meal_they_are_chosen_for(self, plans, language):
        """No breakfast place for dinner, and no restaurant the catalogue does not have."""
        known = in_catalogue(CATALOGUE.restaurants("chengdu"), language)

        assert [
            (day["day"], meal)
            for day in plans[language]["food_result"]["data"]["days"]
            for meal in ("lunch", "dinner")
            if meal not in known[day[meal]["name"]].meals
        ] == []

    def test_no_restaurant_is_visited_twice(self, plans, language):
        """Six meals are eaten in six places."""
        days = plans[language]["food_result"]["data"]["days"]

        assert len({day[meal]["name"] for day in days for meal in ("lunch", "dinner")}) == 6


def tags_of(state):
    return [set(day[meal]["tags"]) for day in state["food_result"]["data"]["days"] for meal in ("lunch", "dinner")]


@pytest.mark.parametrize("city", ["成都", "北京", "西安", "深圳", "悉尼", "墨尔本"])
class TestDiet:
    def test_no_spicy_food_for_who_eats_none(self, planner, city):
        """不吃辣 keeps every spicy restaurant out, in Chengdu too."""
        tags = tags_of(planner().say(f"帮我规划{city}2天旅行，不吃辣"))

        assert len(tags) == 4
        assert [meal for meal in tags if "spicy" in meal] == []

    def test_vegetarian_food_for_vegetarians(self, planner, city):
        """Every meal of a vegetarian is in a place with vegetarian food."""
        tags = tags_of(planner().say(f"Plan a 2-day trip to {city}, vegetarian"))

        assert len(tags) == 4
        assert [meal for meal in tags if "vegetarian" not in meal] == []

    def test_halal_food_for_who_asks_for_it(self, planner, city):
        """Every meal of who eats halal is in a halal place."""
        tags = tags_of(planner().say(f"帮我规划{city}2天旅行，要清真餐厅"))

        assert len(tags) == 4
        assert [meal for meal in tags if "halal" not in meal] == []


def test_a_diet_holds_beside_a_budget(planner):
    """A message that states a sum and a diet has both kept."""
    state = planner().say("帮我规划成都2天旅行，预算5000，不吃辣")

    assert state["requirements"]["budget"]["amount"] == 5000
    assert [meal for meal in tags_of(state) if "spicy" in meal] == []


@LANGUAGES
class TestRoute:
    def test_every_day_has_sights(self, plans, language):
        """Three days with up to three sights each."""
        days = plans[language]["route_result"]["data"]["days"]

        assert [day["day"] for day in days] == [1, 2, 3]
        assert [day["day"] for day in days if not 1 <= len(day["sights"]) <= 3] == []

    def test_no_sight_is_planned_twice(self, plans, language):
        """A sight stands in the plan once."""
        names = [sight["name"] for day in plans[language]["route_result"]["data"]["days"] for sight in day["sights"]]

        assert len(set(names)) == len(names)

    def test_visits_lie_within_opening_hours(self, plans, language):
        """Every visit starts after the sight opens and ends before it closes."""
        known = in_catalogue(CATALOGUE.sights("chengdu"), language)
        visits = [sight for day in plans[language]["route_result"]["data"]["days"] for sight in day["sights"]]

        assert [
            sight["name"]
            for sight in visits
            if time.fromisoformat(sight["start"]) < known[sight["name"]].opens
            or time.fromisoformat(sight["end"]) > known[sight["name"]].closes
        ] == []

    def test_visits_of_a_day_follow_each_other(self, plans, language):
        """No visit begins before the one before it has ended."""
        for day in plans[language]["route_result"]["data"]["days"]:
            times = [moment for sight in day["sights"] for moment in (sight["start"], sight["end"])]
            assert times == sorted(times)


@LANGUAGES
@pytest.mark.parametrize("kind", ["culture", "trivia", "etiquette"])
def test_info_has_sentences_of_each_kind(plans, language, kind):
    """Culture, trivia and etiquette are each told in sentences of the catalogue, in the traveller's language."""
    told = plans[language]["info_result"]["data"][kind]

    assert told == [fact.text.in_(language) for fact in CATALOGUE.culture("chengdu") if fact.kind == kind]
    assert len(told) >= 1


@LANGUAGES
@pytest.mark.parametrize("agent", ["route", "hotel", "food", "info"])
def test_a_good_result_says_where_it_comes_from(plans, language, agent):
    """Status, turn, agent and provider stand on every result."""
    result = plans[language][f"{agent}_result"]

    assert {key: result[key] for key in ("agent", "status", "reason", "turn", "provider")} == {
        "agent": agent,
        "status": "ok",
        "reason": "",
        "turn": 1,
        "provider": "curated",
    }


FORM = "agent's JSON does not fit its form"
HOTELS = ["成都锦江宾馆", "成都尼依格罗酒店", "成都博舍酒店", "成都瑞吉酒店", "成都万达瑞华酒店"]
NIGHTS = [{"night": 1, "hotel": HOTELS[0]}, {"night": 2, "hotel": HOTELS[0]}]


def hotels(**changes):
    return json.dumps({"hotels": HOTELS, "nights": NIGHTS, "comparison": "都好。"} | changes, ensure_ascii=False)


def days(*entries):
    return json.dumps({"days": list(entries)}, ensure_ascii=False)


def sights(day, *names):
    return {"day": day, "sights": list(names)}


def meals(day, lunch="龙抄手总店", dinner="陈麻婆豆腐"):
    return {"day": day, "lunch": lunch, "dinner": dinner}


ONE, TWO, THREE = sights(1, "宽窄巷子"), sights(2, "武侯祠"), sights(3, "杜甫草堂")
PROSE = "Expected one JSON object, found '抱歉，我不能。'."
BAD = [
    pytest.param("route", "抱歉，我不能。", PROSE, id="route prose"),
    pytest.param("route", "", "The model answered without any text.", id="route nothing"),
    pytest.param("route", '{"days": "三天"}', FORM, id="route form"),
    pytest.param("route", '{"plan": []}', FORM, id="route other form"),
    pytest.param("route", '{"days":[{"day":1,"sights":["宽窄巷子","锦', "The JSON ends in the middle", id="route cut off"),
    pytest.param(
        "route",
        days(sights(1, "宽窄巷子", "天空之城"), TWO, THREE),
        "'天空之城' is no sight of Chengdu",
        id="route unknown sight",
    ),
    pytest.param("route", days(ONE, THREE), "day 2 has no sights", id="route missing day"),
    pytest.param("route", days(ONE, ONE, TWO), "day 3 has no sights", id="route day 1 twice"),
    pytest.param("route", days(ONE, TWO, THREE, sights(4, "青羊宫")), "day 4 is not part of the trip", id="route day too many"),
    pytest.param("route", days(ONE, TWO, sights(3, "宽窄巷子")), "'宽窄巷子' is planned twice", id="route sight twice"),
    pytest.param(
        "route", days(sights(1, "宽窄巷子", "宽窄巷子"), TWO, THREE), "'宽窄巷子' is planned twice", id="route sight twice a day"
    ),
    pytest.param("route", days(ONE, sights(2, "武侯祠"), TWO, THREE), "day 2 is given twice", id="route day given twice"),
    pytest.param("hotel", "抱歉，我不能。", PROSE, id="hotel prose"),
    pytest.param("hotel", '{"hotels": "锦江宾馆"}', FORM, id="hotel form"),
    pytest.param("hotel", hotels(hotels=[None]), FORM, id="hotel no names"),
    pytest.param(
        "hotel", hotels(hotels=[*HOTELS, "如梦酒店"]), "'如梦酒店' is no hotel that was offered", id="hotel unknown hotel"
    ),
    pytest.param("hotel", hotels(nights=NIGHTS[:1]), "night 2 has no hotel", id="hotel missing night"),
    pytest.param(
        "hotel", hotels(nights=[*NIGHTS, {"night": 3, "hotel": HOTELS[0]}]), "night 3 is not part of the trip", id="hotel night 3"
    ),
    pytest.param(
        "hotel", hotels(nights=[*NIGHTS, {"night": 2, "hotel": HOTELS[1]}]), "night 2 is given twice", id="hotel night twice"
    ),
    pytest.param("hotel", hotels(hotels=HOTELS[:1] * 5), "1 hotels instead of at least 5", id="hotel one hotel five times"),
    pytest.param("hotel", hotels(hotels=[], nights=[]), "0 hotels instead of at least 5", id="hotel empty"),
    pytest.param("food", "抱歉，我不能。", PROSE, id="food prose"),
    pytest.param("food", '{"days": {"1": "火锅"}}', FORM, id="food form"),
    pytest.param(
        "food", days(meals(1, lunch="梦之味"), meals(2), meals(3)), "'梦之味' is no restaurant of Chengdu", id="food unknown"
    ),
    pytest.param(
        "food", days(meals(1), meals(3)), "lunch of day 2 is missing; dinner of day 2 is missing", id="food missing day"
    ),
    pytest.param(
        "food", days(meals(1), meals(2), {"day": 3, "lunch": "钟水饺"}), "dinner of day 3 is missing", id="food missing meal"
    ),
]


class TestBadAnswers:
    @pytest.mark.parametrize(("agent", "answer", "reason"), BAD)
    def test_give_a_degraded_result_with_its_reason(self, planner, agent, answer, reason):
        """What a model gets wrong is named in the result; the turn goes on."""
        result = planner(**{agent: answer}).say(PLAN["zh"])[f"{agent}_result"]

        assert result["status"] == "degraded"
        assert reason in result["reason"]

    @pytest.mark.parametrize(("agent", "answer", "reason"), BAD)
    def test_leave_the_other_agents_alone(self, planner, agent, answer, reason):
        """Siblings of an agent with a bad answer are whole, and the traveller is told about the bad one."""
        state = planner(**{agent: answer}).say(PLAN["zh"])
        others = {"route", "hotel", "food", "info"} - {agent}

        assert {state[f"{other}_result"]["status"] for other in others} == {"ok"}
        assert f"\n{agent}：" in f"\n{state['reply']}"
        assert reason in state["reply"]

    def test_keep_what_was_right_of_them(self, planner):
        """One unknown sight does not cost the known ones of its day."""
        bad = days(sights(1, "宽窄巷子", "天空之城"), TWO, THREE)

        data = planner(route=bad).say(PLAN["zh"])["route_result"]["data"]

        assert [[sight["name"] for sight in day["sights"]] for day in data["days"]] == [["宽窄巷子"], ["武侯祠"], ["杜甫草堂"]]

    def test_never_put_a_sight_into_the_plan_twice(self, planner):
        """A repeated sight stays on the first day that names it."""
        bad = days(sights(1, "宽窄巷子", "宽窄巷子"), sights(2, "武侯祠", "宽窄巷子"), THREE)

        data = planner(route=bad).say(PLAN["zh"])["route_result"]["data"]

        assert [[sight["name"] for sight in day["sights"]] for day in data["days"]] == [["宽窄巷子"], ["武侯祠"], ["杜甫草堂"]]

    def test_never_give_a_night_two_hotels(self, planner):
        """Of two hotels for one night the first counts."""
        bad = hotels(nights=[*NIGHTS, {"night": 2, "hotel": HOTELS[1]}])

        assert planner(hotel=bad).say(PLAN["zh"])["hotel_result"]["data"]["nights"] == NIGHTS

    @pytest.mark.parametrize("agent", ["route", "hotel", "food"])
    def test_or_none_at_all_degrade_as_well(self, planner, agent):
        """A model call that fails is the same to the turn as one that talks nonsense."""
        result = planner(**{agent: ValueError("no such model")}).say(PLAN["zh"])[f"{agent}_result"]

        assert (result["status"], result["reason"]) == (
            "degraded",
            f"The model gave agent '{agent}' no answer: ValueError: no such model",
        )

    @pytest.mark.parametrize("agent", ["route", "hotel", "food"])
    def test_do_not_read_like_an_empty_result(self, planner, agent):
        """The handoff of an agent that failed says that it failed, not that it found nothing."""
        state = planner(**{agent: "抱歉，我不能。"}).say(PLAN["zh"])

        assert [m.content for m in state["messages"] if m.name == agent] == [f"{agent}：第1轮没有得到结果（{PROSE}）。"]


class TestInfoFails:
    @pytest.mark.parametrize(
        "answer",
        ["抱歉，我不能。", '{"culture": []}', '{"culture":"一","trivia":"二","etiquette":"三"}', ValueError("no such model")],
    )
    def test_the_turn_ends_by_name(self, planner, answer):
        """The info agent has no fallback: its failure ends the turn by an error that names it."""
        with pytest.raises(AgentFailed, match="处理出错：info 没有完成"):
            planner(info=answer).say(PLAN["zh"])

    def test_the_error_speaks_the_travellers_language(self, planner):
        """An English traveller reads of the failure in English."""
        with pytest.raises(AgentFailed, match="Something went wrong: info did not finish"):
            planner(info="Sorry.").say(PLAN["en"])

    def test_the_session_takes_the_next_message(self, planner, tmp_path):
        """After the failed turn the same session plans another message as if nothing had been."""
        answers = ["抱歉，我不能。", "抱歉，我不能。"]
        model = planner(info=lambda messages: answers.pop() if answers else play(messages)).context.model
        with Lab.open(tmp_path / "lab.db", model=model) as lab:
            session = lab.session()
            with pytest.raises(AgentFailed):
                session.send(PLAN["zh"])

            turn = session.send("还是帮我规划成都3天旅行吧")

        assert turn.reply == "为用户规划了成都 3天行程"
        assert {part["status"] for part in turn.itinerary["parts"].values()} == {"ok"}


class TestSupervisorFails:
    @pytest.mark.parametrize("answer", [ValueError("no such model"), "好的，马上规划。", "PLAN: 成都|3", ""])
    def test_the_traveller_is_asked_where_to_go(self, planner, answer):
        """Whatever keeps the supervisor from a decision, the traveller gets a question."""
        state = planner(supervisor=answer).say(PLAN["zh"])

        assert (state["reply_kind"], state["reply"]) == ("ask", "你想去哪玩呢？")

    def test_the_question_speaks_the_travellers_language(self, planner):
        """An English traveller is asked in English."""
        assert planner(supervisor=ValueError("down")).say(PLAN["en"])["reply"] == "Where would you like to go?"

    def test_what_was_known_is_kept(self, planner):
        """Requirements, results and card of the turn before stand untouched."""
        saver = InMemorySaver()
        before = planner(checkpointer=saver).say(PLAN["zh"])
        after = planner(checkpointer=saver, supervisor=ValueError("down")).say(CHEAPER)

        kept = ("requirements", "route_result", "hotel_result", "food_result", "info_result", "itinerary")
        assert {key: after[key] for key in kept} == {key: before[key] for key in kept}

    def test_the_events_say_why(self, planner):
        """The supervisor is reported as degraded, with the reason."""
        team = planner(supervisor=ValueError("no such model"))

        team.say(PLAN["zh"])

        assert [(e.agent, e.status, e.reason) for e in team.events if isinstance(e, AgentFinished)] == [
            ("supervisor", "degraded", "The model gave agent 'supervisor' no answer: ValueError: no such model")
        ]


class TestAskModel:
    def test_a_pause_of_the_graph_is_not_swallowed(self, planner):
        """GraphInterrupt is an exception in name only and passes through."""
        team = planner(hotel=GraphInterrupt(()))

        with pytest.raises(GraphInterrupt):
            ask_model(Asking(team.context, "hotel", 1), VIEW, str)

    def test_a_pause_inside_a_model_call_pauses_the_graph(self, planner):
        """A model that asks a person stops the run there, and the answer continues it."""
        team = planner(checkpointer=InMemorySaver(), hotel=lambda _: hotels(comparison=interrupt("哪一家？")))

        paused = team.say(PLAN["zh"])
        resumed = team.graph.invoke(Command(resume="锦江。"), team.config, context=team.context)

        assert [pause.value for pause in paused["__interrupt__"]] == ["哪一家？"]
        assert resumed["hotel_result"]["data"]["comparison"] == "锦江。"

    def test_any_other_failure_leaves_by_one_name(self, planner):
        """Clients raise what they like; the agent sees one error that names it and the cause."""
        team = planner(hotel=KeyError("choices"))

        with pytest.raises(ModelFailed, match="The model gave agent 'hotel' no answer: KeyError: 'choices'") as caught:
            ask_model(Asking(team.context, "hotel", 1), VIEW, str)

        assert isinstance(caught.value.__cause__, KeyError)

    def test_each_failed_attempt_is_told(self, planner):
        """A busy server is tried again under the policy; every attempt is an event, every wait goes through the clock."""
        failures, waits = [ConnectionError("reset"), ConnectionError("reset")], []

        def busy(messages):
            if failures:
                raise failures.pop()
            return "ok"

        team = planner(hotel=busy)
        retry, clock = RetryPolicy(attempts=4, jitter=0.0), Clock(sleep=waits.append, elapsed=lambda: 0.0)
        context = replace(team.context, retry=retry, clock=clock)

        assert ask_model(Asking(context, "hotel", 2), VIEW, str) == "ok"
        assert waits == [1.0, 2.0]
        assert team.events == [
            AttemptFailed(agent="hotel", turn=2, attempt=1, error="ConnectionError: reset", wait=1.0),
            AttemptFailed(agent="hotel", turn=2, attempt=2, error="ConnectionError: reset", wait=2.0),
            AttemptSucceeded(agent="hotel", turn=2, attempt=3, began=0.0),
        ]

    def test_content_in_parts_is_joined(self, planner):
        """A server that answers in parts is read like one that answers in one text."""
        team = planner()
        parts = [{"type": "text", "text": "ASK: "}, {"type": "text", "text": "哪里？"}]
        context = replace(team.context, model=GenericFakeChatModel(messages=iter([AIMessage(content=parts)])))

        assert ask_model(Asking(context, "hotel", 1), VIEW, str) == "ASK: 哪里？"
