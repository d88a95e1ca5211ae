import pytest

from travel_lab.itinerary import build_itinerary, card_lines


@pytest.fixture
def itinerary(needs, results):
    return build_itinerary(needs, results, 1, ["成都"], excuses=[])


either = pytest.mark.parametrize("language", ["zh", "en"])


@either
@pytest.mark.parametrize("name", ["宽窄巷子", "杜甫草堂", "武侯祠", "陈麻婆豆腐", "小龙坎火锅", "龙抄手", "锦江宾馆", "青年旅舍"])
def test_every_planned_name_is_on_the_card(itinerary, language, name):
    """Every sight, meal and hotel of the plan stands on the card."""
    assert name in "\n".join(card_lines(itinerary, language))


@either
def test_names_stand_under_their_own_day(itinerary, language):
    """What is planned for a day stands between its heading and the next one."""
    lines = card_lines(itinerary, language)
    headings = [
        at
        for at, line in enumerate(lines)
        if line in {"第1天 成都", "第2天 成都", "第3天 成都", "Day 1 成都", "Day 2 成都", "Day 3 成都"}
    ]
    days = ["\n".join(lines[start:end]) for start, end in zip(headings, [*headings[1:], None], strict=True)]

    assert [
        [name for name in ("宽窄巷子", "杜甫草堂", "武侯祠", "小龙坎火锅", "龙抄手", "锦江宾馆", "青年旅舍") if name in day]
        for day in days
    ] == [
        ["宽窄巷子", "杜甫草堂", "小龙坎火锅", "锦江宾馆"],
        ["武侯祠", "龙抄手", "青年旅舍"],
        [],
    ]


def test_chinese_card(itinerary):
    """The whole card in Chinese."""
    assert card_lines(itinerary, "zh") == [
        "成都 3天行程（第1轮）",
        "第1天 成都",
        "  09:00-11:00 宽窄巷子 (免费)",
        "  13:00-15:00 杜甫草堂 (门票 50)",
        "  午餐: 陈麻婆豆腐 60/人",
        "  晚餐: 小龙坎火锅 120/人",
        "  住宿: 锦江宾馆 500/晚",
        "第2天 成都",
        "  09:00-11:00 武侯祠 (门票 50)",
        "  午餐: 龙抄手 30/人",
        "  晚餐: 暂无",
        "  住宿: 青年旅舍 80/晚",
        "第3天 成都",
        "  自由活动",
        "  午餐: 暂无",
        "  晚餐: 暂无",
        "费用（2位成人）：门票 200，餐饮 420，住宿 580，合计 1,200 CNY",
        "预算 5,000 CNY，剩余 3,800",
        "数据来源：curated（示意数据，价格仅供参考，请勿据此出行）",
    ]


def test_english_card(itinerary):
    """The same card in English, names as the plan has them."""
    assert card_lines(itinerary, "en") == [
        "成都, 3 days (turn 1)",
        "Day 1 成都",
        "  09:00-11:00 宽窄巷子 (free)",
        "  13:00-15:00 杜甫草堂 (ticket 50)",
        "  Lunch: 陈麻婆豆腐 60 a person",
        "  Dinner: 小龙坎火锅 120 a person",
        "  Hotel: 锦江宾馆 500 a night",
        "Day 2 成都",
        "  09:00-11:00 武侯祠 (ticket 50)",
        "  Lunch: 龙抄手 30 a person",
        "  Dinner: none yet",
        "  Hotel: 青年旅舍 80 a night",
        "Day 3 成都",
        "  free time",
        "  Lunch: none yet",
        "  Dinner: none yet",
        "Cost (adults: 2): tickets 200, meals 420, hotels 580, total 1,200 CNY",
        "Budget 5,000 CNY, 3,800 left",
        "Source: curated (illustrative data, prices indicative, not for travelling)",
    ]


@pytest.mark.parametrize(("language", "line"), [("zh", "预算 1,000 CNY，超出 200"), ("en", "Budget 1,000 CNY, 200 over")])
def test_trip_over_budget(needs, results, language, line):
    """A budget that does not suffice is told with what lacks."""
    needs["budget"]["amount"] = 1_000

    assert line in card_lines(build_itinerary(needs, results, 1, ["成都"], excuses=[]), language)


@either
def test_without_budget_no_line_about_it(needs, results, language):
    """Where no budget is known the card says nothing of one."""
    del needs["budget"]
    card = "\n".join(card_lines(build_itinerary(needs, results, 1, ["成都"], excuses=[]), language))

    assert "预算" not in card
    assert "Budget" not in card


@pytest.mark.parametrize(
    ("change", "language", "line"),
    [
        ({"turn": 2}, "zh", None),
        ({}, "zh", "hotel：沿用第1轮的结果"),
        ({}, "en", "hotel: kept from turn 1"),
        ({"requirements_hash": "of another trip"}, "zh", "hotel：第1轮的结果已不适用，需要重做，未列入"),
        ({"requirements_hash": "of another trip"}, "en", "hotel: the result of turn 1 no longer fits; left out, to be redone"),
        ({"turn": 2, "status": "degraded", "reason": "no answer"}, "zh", "hotel：结果不完整（no answer）"),
        ({"turn": 2, "status": "degraded", "reason": "no answer"}, "en", "hotel: incomplete (no answer)"),
        ({"turn": 2, "status": "failed", "reason": "no key"}, "zh", "hotel：失败（no key）"),
        ({"turn": 2, "status": "failed", "reason": "no key"}, "en", "hotel: failed (no key)"),
    ],
)
def test_note_on_a_part(needs, results, change, language, line):
    """The card says of each part whether it is kept, out of date, incomplete or failed, and nothing when all is well."""
    results["hotel"].update(change)
    notes = [
        text
        for text in card_lines(build_itinerary(needs, results, 2, ["成都"], excuses=[]), language)
        if text.startswith("hotel")
    ]

    assert notes == ([] if line is None else [line])


@pytest.mark.parametrize(("language", "line"), [("zh", "food：还没有结果"), ("en", "food: no result yet")])
def test_missing_part_is_named(needs, results, language, line):
    """An agent without a result is named on the card."""
    del results["food"]

    assert line in card_lines(build_itinerary(needs, results, 1, ["成都"], excuses=[]), language)


@either
def test_several_stops_are_in_the_title(needs, results, language):
    """All destinations stand in the title."""
    assert card_lines(build_itinerary(needs, results, 1, ["悉尼", "墨尔本"], excuses=[]), language)[0].startswith("悉尼 + 墨尔本")


@either
@pytest.mark.parametrize("name", ["<img src=x onerror=alert(1)>", "{days}", "%s", "\\n", "a|b"])
def test_name_is_shown_as_it_is(needs, results, language, name):
    """No sign in a name is read as anything else."""
    results["route"]["data"]["days"][0]["sights"][0]["name"] = name
    results["hotel"]["data"]["comparison"] = name

    assert f"09:00-11:00 {name} (" in "\n".join(card_lines(build_itinerary(needs, results, 1, ["成都"], excuses=[]), language))


@either
def test_card_without_results(needs, language):
    """A plan that nobody worked on still has a card."""
    lines = card_lines(build_itinerary(needs, {}, 1, ["成都"], excuses=[]), language)

    assert lines[-1].startswith(("数据来源：-", "Source: -"))
