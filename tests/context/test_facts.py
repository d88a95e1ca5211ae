import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from travel_lab.context import Fact, bound_facts

# Signs that mean nothing else here: no day, no number, no unit, no meal and no "not".
CHINESE = "春熙锦华澜庭墨竹轩云溪兰亭梧桐枫林鹤鸣松涛桂芳荷韵雅苑静湖翠峰玉泉琴台岚谷虹霞紫薇棠梨"
ENGLISH = (
    "Alder", "Birch", "Cedar", "Dahlia", "Elm", "Fern", "Gorse", "Hazel", "Iris", "Juniper", "Larch", "Maple", "Oak", "Pine",
    "Quince", "Rowan", "Spruce", "Tamarind", "Willow", "Yarrow",
)  # fmt: skip


@st.composite
def chinese_names(draw, at_least=2, at_most=8):
    """Names of three to five signs; no two share a sign."""
    signs = draw(st.permutations(CHINESE))
    names, at = [], 0
    for _ in range(draw(st.integers(at_least, at_most))):
        length = draw(st.integers(3, 5))
        names.append("".join(signs[at : at + length]))
        at += length
    return names


@st.composite
def english_names(draw, at_least=2, at_most=8):
    """Names of one or two words and "House" or "Inn"; no two share a word of the first part."""
    words, names, at = draw(st.permutations(ENGLISH)), [], 0
    for _ in range(draw(st.integers(at_least, at_most))):
        length = draw(st.integers(1, 2))
        names.append(" ".join([*words[at : at + length], draw(st.sampled_from(["House", "Inn"]))]))
        at += length
    return names


@st.composite
def priced(draw, names=None):
    """Names with prices; no two prices are equal."""
    called = draw(st.one_of(chinese_names(), english_names()) if names is None else names)
    cents = draw(st.lists(st.integers(100, 9_999_999), min_size=len(called), max_size=len(called), unique=True))
    whole = draw(st.booleans())
    prices = [float(number) if whole else number / 100 for number in cents]
    return dict(zip(called, prices, strict=True))


@st.composite
def day_plans(draw, names):
    """Days from 1 up, each with one to four of the names, all names on one day only."""
    rest, days = list(draw(names)), []
    while rest and len(days) < 14:
        days.append([rest.pop(0) for _ in range(min(len(rest), draw(st.integers(1, 4))))])
    return dict(enumerate(days, 1))


def price(name: str, value: float, unit: str = "CNY") -> Fact:
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(value), unit=unit, keys=("price",))


def sight(day: int, name: str) -> Fact:
    return Fact(agent="route", kind="day sight", subject=name, scope=(("day", day),))


def night(number: int, name: str) -> Fact:
    return Fact(agent="hotel", kind="hotel night", subject=name, scope=(("night", number),))


def meal(day: int, which: str, name: str) -> Fact:
    return Fact(agent="food", kind="meal", subject=name, scope=(("day", day), ("meal", which)))


def pairs_bound(text: str, prices: dict[str, float]) -> set[tuple[str, float]]:
    """Of all names with all prices, those the text binds."""
    facts = [price(name, value) for name in prices for value in prices.values()]
    return {(fact.subject, fact.value) for fact in bound_facts(text, facts)}


def days_bound(text: str, plan: dict[int, list[str]]) -> set[tuple[int, str]]:
    """Of all names on all days, those the text binds."""
    facts = [sight(day, name) for day in plan for names in plan.values() for name in names]
    return {(fact.scope[0][1], fact.subject) for fact in bound_facts(text, facts)}


def days_planned(plan: dict[int, list[str]]) -> set[tuple[int, str]]:
    return {(day, name) for day, names in plan.items() for name in names}


class TestPrices:
    @given(priced(), st.sampled_from([None, 2]), st.booleans())
    def test_json(self, prices, indent, ascii_only):
        """Hotels as JSON objects bind each name to its own price and to no other's."""
        offers = [{"name": name, "stars": 4, "price": value} for name, value in prices.items()]
        text = json.dumps({"currency": "CNY", "hotels": offers}, indent=indent, ensure_ascii=ascii_only)

        assert pairs_bound(text, prices) == set(prices.items())

    @given(priced())
    def test_json_with_the_name_as_key(self, prices):
        """Hotels as members of one JSON object, each under its name, bind each name to its own price."""
        text = json.dumps({name: {"price": value, "currency": "CNY"} for name, value in prices.items()}, ensure_ascii=False)

        assert pairs_bound(text, prices) == set(prices.items())

    @given(
        priced(),
        st.sampled_from(["价格", "price", "价格（元）", "每晚", "Price (CNY)"]),
        st.sampled_from(["¥{}", "{}元", "{}", "CNY {}"]),
    )
    def test_table(self, prices, header, form):
        """Rows of a table bind each name to the price in its own row."""
        rows = [f"| {name} | {form.format(value)} |" for name, value in prices.items()]
        text = "\n".join([f"| 酒店 | {header} |", "|---|---|", *rows])

        assert pairs_bound(text, prices) == set(prices.items())

    @given(
        priced(chinese_names()),
        st.sampled_from(["{n}每晚{p}元", "{n}(¥{p})", "{n}：¥{p}", "{n}的价格是{p}元"]),
        st.sampled_from("，、；。\n"),
    )
    def test_chinese_clauses(self, prices, form, between):
        """A clause binds the name in it to the price after it, whatever stands between the clauses."""
        text = between.join(form.format(n=name, p=value) for name, value in prices.items())

        assert pairs_bound(text, prices) == set(prices.items())

    @given(
        priced(english_names()),
        st.sampled_from(["{n} costs CNY {p} a night", "{n} (¥{p})", "{n}: {p} yuan/CNY {p}"]),
        st.sampled_from([", ", "; ", ". ", "\n"]),
    )
    def test_english_clauses(self, prices, form, between):
        """An English clause binds the name in it to the price after it."""
        text = between.join(form.format(n=name, p=value) for name, value in prices.items())

        assert pairs_bound(text, prices) == set(prices.items())

    @given(priced())
    def test_price_in_another_sentence_is_not_bound(self, prices):
        """Standing in the same message is not enough: a list of names and a list of prices bind nothing."""
        text = "、".join(prices) + "。\n\n" + "、".join(f"{value}元" for value in prices.values()) + "。"

        assert pairs_bound(text, prices) == set()

    @given(priced())
    def test_names_alone_bind_no_price(self, prices):
        """A name without a number binds no price."""
        assert pairs_bound("已筛选酒店：" + "、".join(prices) + "。", prices) == set()

    @given(priced())
    def test_rating_is_no_price(self, prices):
        """The same number under another key is another thing."""
        offers = [{"name": name, "rating": value} for name, value in prices.items()]

        assert pairs_bound(json.dumps(offers, ensure_ascii=False), prices) == set()


class TestNumbers:
    @pytest.mark.parametrize(
        "said",
        [
            "500元",
            "¥500",
            "￥500",
            "500.00元",
            "500 元",
            "¥ 500",
            "CNY 500",
            "500 CNY",
            "RMB 500",
            "500块",
            "５００元",
            "￥５００．００",
        ],
    )
    def test_same_amount_in_other_writing(self, said):
        """An amount is the same with its sign before or after, with decimals, and in full-width digits."""
        assert bound_facts(f"锦江宾馆每晚{said}。", [price("锦江宾馆", 500)])

    @pytest.mark.parametrize("value", [50, 5, 5_000, 0.5])
    def test_part_of_a_number_is_another_number_in_whole_yuan(self, value):
        """¥500 is none of its parts and no longer number."""
        assert not bound_facts("锦江宾馆每晚¥500。", [price("锦江宾馆", value)])

    @pytest.mark.parametrize("said", ["¥1.0", "¥1,0", "¥5000", "¥1500", "1500元", "¥3.14", "¥500.5", "¥1,500", "¥10,500", "¥0.5"])
    @pytest.mark.parametrize("value", [10, 500, 314, 14, 150, 5])
    def test_part_of_a_number_is_another_number(self, said, value):
        """A number is compared as a whole, with its decimals and its thousands."""
        assert not bound_facts(f"锦江宾馆每晚{said}。", [price("锦江宾馆", value)])

    @pytest.mark.parametrize("said", ["¥1,500", "1,500元", "1500元", "¥1,500.00"])
    def test_thousands_may_be_marked(self, said):
        """A comma between thousands changes nothing."""
        assert bound_facts(f"锦江宾馆每晚{said}。", [price("锦江宾馆", 1_500)])

    @pytest.mark.parametrize("said", ["A$500", "US$500", "500澳元", "500美元", "AUD 500", "500分", "500米"])
    def test_other_unit_is_another_amount(self, said):
        """500 of another currency, or of anything else, is not 500 yuan."""
        assert not bound_facts(f"锦江宾馆{said}。", [price("锦江宾馆", 500)])

    @pytest.mark.parametrize("said", ["A$320", "$320", "AUD 320", "320澳元"])
    def test_a_plain_dollar_fits_the_dollar_in_question(self, said):
        """A price in Australian dollars may be written with a plain dollar sign."""
        assert bound_facts(f"Rydges Sydney {said}.", [price("Rydges Sydney", 320, "AUD")])

    @pytest.mark.parametrize("written", [500, 500.0, "500", "¥500", "500元", "500.00"])
    def test_json_values_may_be_numbers_or_text(self, written):
        """A JSON member binds its amount as a number and as text."""
        assert bound_facts(json.dumps([{"name": "锦江宾馆", "price": written}]), [price("锦江宾馆", 500)])

    @pytest.mark.parametrize("written", [50, 5000, "5000", "¥50", True, None, [500], "500-800", "约500起"])
    def test_json_values_that_are_another_amount(self, written):
        """A JSON member binds no part of its amount, and no number out of a list, a range or a sentence."""
        assert not bound_facts(json.dumps([{"name": "锦江宾馆", "price": written}]), [price("锦江宾馆", 500)])

    @pytest.mark.parametrize(
        "text", ["锦江宾馆比如家贵500元。", "锦江宾馆便宜500元。", "锦江宾馆超出预算500元。", "锦江宾馆 is ¥500 cheaper."]
    )
    def test_a_difference_is_no_price(self, text):
        """What one hotel costs more than another is a price of neither."""
        assert not bound_facts(text, [price("锦江宾馆", 500), price("如家", 500)])


class TestNames:
    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("如家", "其他都不如家里舒服，500元"),
            ("如家", "不如家附近的好，每晚500元"),
            ("全季", "全季节供应，500元"),
            ("全季", "这里全季节开放，门票500元"),
            ("Elm", "Helmet rental ¥500"),
            ("Oak", "Oakland, ¥500"),
            ("Inn 1", "Inn 12 ¥500"),
        ],
    )
    def test_name_inside_another_word_is_not_seen(self, name, text):
        """Signs that happen to stand inside another word are not the name."""
        assert not bound_facts(text, [price(name, 500), Fact(agent="hotel", kind="mention", subject=name)])

    @pytest.mark.parametrize(
        "text", ["住如家，每晚500元。", "如家：500元", "第1晚住如家(¥500)", "推荐“如家”，500元", "|酒店|价格|\n|如家|¥500|"]
    )
    def test_short_name_is_seen_where_it_stands_alone(self, text):
        """A name of two signs is seen after a verb, between marks and in a cell."""
        assert bound_facts(text, [price("如家", 500)])

    def test_longer_name_wins(self):
        """Where one name is the start of another, the longer one is meant."""
        facts = [price("锦江宾馆", 500), price("锦江宾馆南楼", 500)]

        assert bound_facts("锦江宾馆南楼每晚500元。", facts) == {facts[1]}

    @pytest.mark.parametrize(
        "text", ["sydney opera house: ticket ¥50", "SYDNEY OPERA HOUSE (¥50)", "Ｓｙｄｎｅｙ Opera House ￥50"]
    )
    def test_case_and_width_do_not_matter(self, text):
        """A name is the same in capitals and in full-width letters."""
        fact = Fact(agent="route", kind="sight ticket", subject="Sydney Opera House", value=50.0, unit="CNY", keys=("ticket",))

        assert bound_facts(text, [fact]) == {fact}

    @pytest.mark.parametrize("name", ["K11 (港店)", "a.b", "[x]", "C++", "$1", "\\d", "a|b", "*", "^", "小龙坎·火锅"])
    def test_signs_of_a_name_are_plain(self, name):
        """No sign in a name is read as a pattern, so the name is found as it is and nowhere else."""
        fact = Fact(agent="hotel", kind="mention", subject=name)

        assert bound_facts(json.dumps([{"name": name}]), [fact]) == {fact}
        assert bound_facts("青年旅舍 xyz 1 dd", [fact]) == set()

    @pytest.mark.parametrize("text", ["去掉锦江宾馆。", "不住锦江宾馆。", "取消锦江宾馆(¥500)", "stay anywhere without 锦江宾馆"])
    def test_name_that_is_taken_away_is_not_seen(self, text):
        """A name that its clause takes away carries nothing."""
        assert not bound_facts(text, [price("锦江宾馆", 500), Fact(agent="hotel", kind="mention", subject="锦江宾馆")])


class TestDays:
    @given(
        day_plans(chinese_names(at_least=1, at_most=10)),
        st.sampled_from([" → ", "、", "，", "->"]),
        st.sampled_from(["；", "。", "\n", "；\n"]),
    )
    def test_chinese_day_plan(self, plan, between, after):
        """`第1天(A → B)；第2天(C)` binds each sight to its own day and to no other."""
        text = "已规划行程。" + after.join(f"第{day}天({between.join(names)})" for day, names in plan.items())

        assert days_bound(text, plan) == days_planned(plan)

    @given(
        day_plans(english_names(at_least=1, at_most=9)),
        st.sampled_from(["Day {d} ({n})", "Day {d}: {n}", "**Day {d}**: {n}"]),
        st.sampled_from(["; ", ". ", "\n"]),
    )
    def test_english_day_plan(self, plan, form, after):
        """`Day 1 (A → B); Day 2 (C)` binds each sight to its own day and to no other."""
        text = "Planned days. " + after.join(form.format(d=day, n=" → ".join(names)) for day, names in plan.items())

        assert days_bound(text, plan) == days_planned(plan)

    @given(day_plans(chinese_names(at_least=1, at_most=10)))
    def test_heading_above_a_list(self, plan):
        """A day on a line of its own holds for the list below it, up to the next such line."""
        text = "\n".join(f"第{day}天\n" + "\n".join(f"- {name}" for name in names) for day, names in plan.items())

        assert days_bound(text, plan) == days_planned(plan)

    @given(day_plans(chinese_names(at_least=1, at_most=10)))
    def test_day_objects(self, plan):
        """Days as JSON objects bind the sights below them."""
        days = [{"day": day, "sights": [{"name": name} for name in names]} for day, names in plan.items()]

        assert days_bound(json.dumps({"days": days}, ensure_ascii=False), plan) == days_planned(plan)

    @given(day_plans(chinese_names(at_least=1, at_most=10)), st.sampled_from(["{}", "第{}天", "Day {}"]))
    def test_day_column(self, plan, form):
        """A column of days binds the sight in the same row."""
        rows = [f"|{form.format(day)}|{name}|" for day, names in plan.items() for name in names]

        assert days_bound("\n".join(["|天|景点|", "|---|---|", *rows]), plan) == days_planned(plan)

    @given(day_plans(chinese_names(at_least=1, at_most=10)))
    def test_sights_without_days(self, plan):
        """A list of sights without a day binds none of them to any."""
        text = "景点：" + "、".join(name for names in plan.values() for name in names)

        assert days_bound(text, plan) == set()

    @given(day_plans(chinese_names(at_least=2, at_most=10)))
    def test_meals(self, plan):
        """`第1天 午餐:A 晚餐:B` binds each restaurant to its day and its meal and to no other."""
        pairs = {day: (names[0], names[1]) for day, names in plan.items() if len(names) > 1}
        text = "；".join(f"第{day}天 午餐:{lunch} 晚餐:{dinner}" for day, (lunch, dinner) in pairs.items())
        right = {
            meal(day, which, name) for day, both in pairs.items() for which, name in zip(("lunch", "dinner"), both, strict=True)
        }
        every = [meal(day, which, fact.subject) for day in pairs for which in ("lunch", "dinner") for fact in right]

        assert bound_facts(text, every) == right

    def test_day_after_a_paragraph_is_over(self):
        """A day heading does not reach over an empty line."""
        text = "第1天：宽窄巷子\n\n另外推荐武侯祠。"

        assert bound_facts(text, [sight(1, "宽窄巷子"), sight(1, "武侯祠")]) == {sight(1, "宽窄巷子")}

    @pytest.mark.parametrize(
        "written", ["第1晚住锦江宾馆", "第1天住锦江宾馆", '{"night":1,"hotel":"锦江宾馆"}', "Night 1: 锦江宾馆"]
    )
    def test_night_may_be_named_by_its_day(self, written):
        """The hotel of day 1 is that of night 1."""
        assert bound_facts(written, [night(1, "锦江宾馆"), night(2, "锦江宾馆")]) == {night(1, "锦江宾馆")}

    def test_day_eleven_is_not_day_one(self):
        """A day's number is compared as a whole."""
        assert bound_facts("第11天(宽窄巷子)", [sight(1, "宽窄巷子"), sight(11, "宽窄巷子")]) == {sight(11, "宽窄巷子")}


class TestWords:
    @pytest.mark.parametrize(
        ("fact", "words"),
        [
            (price("锦江宾馆", 500), "锦江宾馆 = 500 CNY"),
            (price("青年旅舍", 79.5), "青年旅舍 = 79.5 CNY"),
            (night(2, "锦江宾馆"), "night 2: 锦江宾馆"),
            (meal(1, "lunch", "陈麻婆豆腐"), "day 1, meal lunch: 陈麻婆豆腐"),
            (Fact(agent="hotel", kind="hotel district", subject="锦江宾馆", value="锦江区"), "锦江宾馆 = 锦江区"),
            (Fact(agent="info", kind="trivia", subject="成都人爱喝茶。"), "成都人爱喝茶。"),
        ],
    )
    def test_fact_in_one_line(self, fact, words):
        """A fact says itself in one line that a reader can check."""
        assert str(fact) == words
