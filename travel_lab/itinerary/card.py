"""The itinerary as lines of text, in the traveller's language."""

from travel_lab.catalogue import Language
from travel_lab.itinerary.plan import AGENTS, Itinerary, ItineraryDay, Part
from travel_lab.itinerary.results import Meal, SightVisit

WORDS: dict[Language, dict[str, str]] = {
    "zh": {
        "title": "{place} {days}天行程（第{turn}轮）", "day": "第{day}天", "lunch": "午餐", "dinner": "晚餐", "hotel": "住宿",
        "free": "自由活动", "none": "暂无", "per person": "/人", "per night": "/晚", "ticket": "门票", "no ticket": "免费",
        "cost": "费用（{party}）：门票 {tickets}，餐饮 {meals}，住宿 {hotels}，合计 {total} {currency}",
        "adults": "{n}位成人", "children": "{n}名儿童，按成人价", "budget": "预算 {budget} {currency}，剩余 {left}", "over": "预算 {budget} {currency}，超出 {left}",
        "hotels": "可选酒店", "comparison": "酒店对比", "culture": "文化", "trivia": "冷知识", "etiquette": "礼仪",
        "carried over": "{agent}：沿用第{turn}轮的结果", "stale": "{agent}：第{turn}轮的结果已不适用，需要重做，未列入",
        "missing": "{agent}：还没有结果", "degraded": "{agent}：结果不完整（{reason}）", "failed": "{agent}：失败（{reason}）",
        "lack budget": "最便宜的安排也要 {needed:,.0f} {currency}，预算只有 {there:,.0f}",
        "lack restaurants": "符合要求的餐厅不够（需要 {needed:.0f} 家，只有 {there:.0f} 家），所以会重复", "lack lunch": "没有符合要求的午餐餐厅",
        "lack dinner": "没有符合要求的晚餐餐厅", "lack sights": "符合要求的景点只有 {there:.0f} 个，不够每天一个",
        "source": "数据来源：{sources}（示意数据，价格仅供参考，请勿据此出行）",
    },
    "en": {
        "title": "{place}, {days} days (turn {turn})", "day": "Day {day}", "lunch": "Lunch", "dinner": "Dinner", "hotel": "Hotel",
        "free": "free time", "none": "none yet", "per person": " a person", "per night": " a night", "ticket": "ticket",
        "no ticket": "free",
        "cost": "Cost ({party}): tickets {tickets}, meals {meals}, hotels {hotels}, total {total} {currency}",
        "adults": "adults: {n}", "children": "children at adult prices: {n}", "budget": "Budget {budget} {currency}, {left} left", "over": "Budget {budget} {currency}, {left} over",
        "hotels": "Hotels to choose from", "comparison": "Comparison", "culture": "Culture", "trivia": "Trivia",
        "etiquette": "Etiquette",
        "carried over": "{agent}: kept from turn {turn}", "stale": "{agent}: the result of turn {turn} no longer fits; left out, to be redone",
        "missing": "{agent}: no result yet", "degraded": "{agent}: incomplete ({reason})", "failed": "{agent}: failed ({reason})",
        "lack budget": "The cheapest plan would cost {needed:,.0f} {currency}, the budget is {there:,.0f}",
        "lack restaurants": "Too few restaurants suit ({needed:.0f} needed, {there:.0f} there), so some repeat",
        "lack lunch": "No restaurant that suits serves lunch", "lack dinner": "No restaurant that suits serves dinner",
        "lack sights": "Only {there:.0f} sights suit, not one for each day",
        "source": "Source: {sources} (illustrative data, prices indicative, not for travelling)",
    },
}  # fmt: skip


def card_lines(itinerary: Itinerary, language: Language) -> list[str]:
    """The whole card, one string a line, plain text."""
    words = WORDS[language]
    currency = itinerary["cost"]["currency"]
    place = " + ".join(itinerary["destinations"])
    lines = [words["title"].format(place=place, days=len(itinerary["days"]), turn=itinerary["turn"])]
    for day in itinerary["days"]:
        lines += _day_lines(day, words)
    lines += [words["cost"].format(party=_party(itinerary, words), currency=currency, **_rounded(itinerary))]
    lines += _budget_line(itinerary, words)
    lines += [note for agent in AGENTS if (note := part_note(agent, itinerary["parts"][agent], words))]
    lines += [words[f"lack {excuse['shortage']}"].format(**excuse) for excuse in itinerary["excuses"]]
    sources = {part["provider"] for part in itinerary["parts"].values() if part["provider"]}
    return [*lines, words["source"].format(sources=", ".join(sorted(sources)) or "-")]


def _party(itinerary: Itinerary, words: dict[str, str]) -> str:
    adults = words["adults"].format(n=itinerary["adults"])
    return f"{adults}, {words['children'].format(n=itinerary['children'])}" if itinerary["children"] else adults


def _day_lines(day: ItineraryDay, words: dict[str, str]) -> list[str]:
    city = f" {day['city']}" if day["city"] else ""
    lines = [words["day"].format(day=day["day"]) + city]
    lines += [f"  {_visit(sight, words)}" for sight in day["sights"]] or [f"  {words['free']}"]
    lines += [f"  {words[meal]}: {_meal(day[meal], words)}" for meal in ("lunch", "dinner")]
    if hotel := day["hotel"]:
        lines.append(f"  {words['hotel']}: {hotel['name']} {hotel['price']:g}{words['per night']}")
    return lines


def _visit(sight: SightVisit, words: dict[str, str]) -> str:
    ticket = f"{words['ticket']} {sight['ticket']:g}" if sight["ticket"] else words["no ticket"]
    return f"{sight['start']}-{sight['end']} {sight['name']} ({ticket})"


def _meal(meal: Meal | None, words: dict[str, str]) -> str:
    return f"{meal['name']} {meal['price']:g}{words['per person']}" if meal else words["none"]


def _rounded(itinerary: Itinerary) -> dict[str, str]:
    cost = itinerary["cost"]
    amounts = {"tickets": cost["tickets"], "meals": cost["meals"], "hotels": cost["hotels"], "total": cost["total"]}
    return {kind: f"{amount:,.0f}" for kind, amount in amounts.items()}


def _budget_line(itinerary: Itinerary, words: dict[str, str]) -> list[str]:
    cost = itinerary["cost"]
    if cost["budget"] is None or cost["left"] is None:
        return []
    name = "budget" if cost["left"] >= 0 else "over"
    return [words[name].format(budget=f"{cost['budget']:,.0f}", currency=cost["currency"], left=f"{abs(cost['left']):,.0f}")]


def part_note(agent: str, part: Part, words: dict[str, str]) -> str:
    """What a reader must know of one agent's part; blank when it is simply current and whole."""
    if part["standing"] == "current":
        return "" if part["status"] == "ok" else words[part["status"]].format(agent=agent, reason=part["reason"])
    return words[part["standing"]].format(agent=agent, turn=part["turn"])
