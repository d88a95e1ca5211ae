"""The strategies in real sessions: what the article's cure leaves open, and tokens that stay flat."""

import pytest

from travel_lab.lab import Lab
from travel_lab.planner import MORE_STRATEGIES, STRATEGIES

FIRST = {"zh": "帮我规划成都5天旅行，预算9000", "en": "Plan a 6-day trip to Sydney, budget 9000"}
ASKS = {
    "zh": ("第二天去哪些地方？", "把第二天的酒店换成便宜点的", "最便宜的酒店是哪家？", "把第二天的酒店换成好一点的"),
    "en": (
        "What is planned for day 2?",
        "Change the hotel on day 2 to a cheaper one",
        "Which hotel is the cheapest?",
        "Change the hotel on day 2 to a better one",
    ),
}


@pytest.fixture(scope="module")
def lab():
    with Lab.open() as opened:
        yield opened


def play(lab, strategy, language, turns):
    """Turn number → turn; odd turns change the hotel, even ones ask."""
    session = lab.session(strategy=strategy)
    played = {1: session.send(FIRST[language])}
    for number in range(2, turns + 1):
        played[number] = session.send(ASKS[language][(number - 2) % 4])
    return played


@pytest.mark.parametrize("language", ["zh", "en"])
def test_pinned_digest_stays_flat_and_complete(lab, language):
    """Turn 49 costs at most 1.1 times turn 3, and supervisor and hotel agent see all an answer needs, in every turn."""
    turns = play(lab, "digest", language, 49)

    for agent in ("supervisor", "hotel"):
        assert turns[49].measure(agent).tokens <= 1.1 * turns[3].measure(agent).tokens
    for number in range(2, 50):
        measured = [turns[number].measure(agent) for agent in ("supervisor", "hotel")]
        assert [m.completeness.value for m in measured if m.called] == [1.0] * sum(m.called for m in measured)


def test_everything_kept_grows(lab):
    """The same conversation without trimming costs the supervisor more than twice as much at turn 25 as at turn 3."""
    turns = play(lab, "full/own", "zh", 25)

    assert turns[25].measure("supervisor").tokens > 2 * turns[3].measure("supervisor").tokens


@pytest.mark.parametrize(
    ("strategy", "supervisor", "hotel"),
    [("nothing", 0.0, None), ("silent", 0.0, None), ("article", 1.0, 0.8), ("packed", 1.0, 1.0), ("digest", 1.0, 1.0)],
)
def test_before_and_after_of_the_article(lab, strategy, supervisor, hotel):
    """Completeness of the supervisor's and the hotel agent's view when a cheaper hotel is asked for; None: not called."""
    turn = play(lab, strategy, "zh", 3)[3]
    asked = turn.measure("hotel")

    assert turn.measure("supervisor").completeness.value == pytest.approx(supervisor)
    assert asked.called == (hotel is not None)
    assert hotel is None or asked.completeness.value == pytest.approx(hotel)


def test_look_up_shows_what_the_question_points_at(lab):
    """The hotel list is looked up for the supervisor; nothing but it and the last turns stands in the view."""
    turn = play(lab, "look-up", "zh", 3)[3]
    view = turn.call("supervisor").view

    assert [m.id for m in view if str(m.id).startswith("digest")] == ["digest-hotel"]
    assert turn.measure("supervisor").completeness.value == 1


def test_names_of_strategies_are_unique():
    """A name says which strategy is meant."""
    assert not set(STRATEGIES) & set(MORE_STRATEGIES)


@pytest.mark.parametrize("strategy", [name for name in (*STRATEGIES, *MORE_STRATEGIES) if name not in {"nothing", "silent"}])
def test_a_wish_of_turn_1_reaches_the_food_agent_of_turn_15(lab, strategy):
    """The peanut allergy told once is in the food agent's prompt thirteen short turns later, however the history is cut."""
    session = lab.session(strategy=strategy)
    session.send("帮我规划成都3天旅行，孩子对花生过敏")
    for number in range(2, 15):
        session.send(ASKS["zh"][number % 2 * 2])

    turn = session.send("第二天的晚餐换一家，要有素食的")

    assert "花生" in turn.call("food").view[-1].text
