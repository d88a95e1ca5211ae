"""What the offline model says as supervisor, in both languages."""

from travel_lab.catalogue import Language
from travel_lab.itinerary import FollowUp

SAY: dict[Language, dict[str, str]] = {
    "zh": {
        "where": "ASK: 你想去哪玩呢？", "how_long": "ASK: 打算玩几天呢？", "days": "ASK: 天数需要是 1 到 14 之间的整数，你想玩几天？",
        "hotel": "ASK: 请问您之前看的是哪家酒店？我这里看不到{which}的酒店和价格。",
        "sights": "ASK: 请问{which}原来安排了哪些景点？我这里看不到。",
        "meals": "ASK: 请问原来安排了哪些餐厅？我这里看不到。", "day": "ASK: 我这里看不到{which}的安排，请问原来是怎么安排的？",
        "new_budget": "ASK: 改动之后的总预算是多少？",
        "which_place": "ASK: 您想去{places}？", "or": "还是",
        "about": "ASK: 我这里看不到{names}的介绍，您想了解哪方面？", "no_day": "ASK: 行程里没有{which}，请问您说的是哪一天？",
        "no_night": "ASK: 行程一共{nights}晚，没有{which}，请问您说的是哪一晚？",
        "length": "ASK: 我这里看不到原来是几天，请问一共想玩几天？", "which_sight": "ASK: 请问您说的是哪个景点？",
        "what": "ASK: 你想改行程的哪一部分？可以说：酒店、景点、餐厅、天数或预算。",
        "cheapest": "REPLY: 最便宜的是{name}，每晚{price}。", "plan_of_day": "REPLY: {which}：{items}。", "nth": "第{day}天", "that": "那天",
        "costs": "{name}每晚{price}", "rated": "，评分{rating:g}", "two": "ASK: 请问要比较哪两家酒店？我这里只看得到：{names}。",
        "total": "REPLY: 每人门票{tickets}、餐饮{meals}，每间房住宿{hotels}，合计{total}。",
        "no_total": "ASK: 我这里看不到全部价格，算不出总费用。要我重新列一遍吗？",
        "diet_yes": "REPLY: {name}可以（{tags}）。", "diet_no": "REPLY: {name}恐怕不合适（{tags}）。",
        "no_tags": "ASK: 我这里看不到{name}的菜品特点，要我换一家吗？", "manners": "REPLY: {text}",
        "no_manners": "ASK: 我这里看不到礼仪资料，要我重新整理一份吗？", "first": "REPLY: 您最开始说的是：{text}",
        "no_first": "ASK: 我这里看不到之前的对话，请问您想问什么？", "join": "、", "night": "第{night}晚", "of": "：",
    },
    "en": {
        "where": "ASK: Where would you like to go?", "how_long": "ASK: How many days will you stay?",
        "days": "ASK: Days must be a whole number from 1 to 14. How many days would you like?",
        "hotel": "ASK: Which hotel did you look at before? I cannot see the hotels and prices of {which}.",
        "sights": "ASK: Which sights were planned for {which}? I cannot see them.",
        "meals": "ASK: Which restaurants were planned? I cannot see them.", "day": "ASK: I cannot see the plan of {which}. What was planned?",
        "new_budget": "ASK: What is the whole budget after that change?",
        "which_place": "ASK: Would you like to go to {places}?", "or": " or ",
        "about": "ASK: I cannot see a description of {names}. What would you like to know?",
        "no_day": "ASK: The plan has no {which}. Which day do you mean?",
        "no_night": "ASK: The nights of the plan are {nights}, so there is no {which}. Which night do you mean?",
        "length": "ASK: I cannot see how many days were planned. How many days shall it be in all?", "which_sight": "ASK: Which sight do you mean?",
        "what": "ASK: Which part of the plan shall I change? Say hotel, sight, restaurant, days or budget.",
        "cheapest": "REPLY: The cheapest is {name} at {price} a night.", "plan_of_day": "REPLY: {which}: {items}.",
        "nth": "day {day}", "that": "that day", "costs": "{name} costs {price} a night", "rated": ", rated {rating:g}",
        "two": "ASK: Which two hotels shall I compare? I can only see: {names}.",
        "total": "REPLY: For one person tickets {tickets} and meals {meals}, for one room {hotels}, {total} in all.",
        "no_total": "ASK: I cannot see all prices, so I cannot add them up. Shall I list them again?",
        "diet_yes": "REPLY: {name} suits ({tags}).", "diet_no": "REPLY: {name} does not seem to suit ({tags}).",
        "no_tags": "ASK: I cannot see what {name} serves. Shall I choose another one?", "manners": "REPLY: {text}",
        "no_manners": "ASK: I cannot see the notes on etiquette. Shall I put them together again?",
        "first": "REPLY: The first thing you said was: {text}", "no_first": "ASK: I cannot see the earlier conversation. What would you like to know?",
        "join": ", ", "night": "night {night}", "of": ": ",
    },
}  # fmt: skip


def which_of(followup: FollowUp, language: Language) -> str:
    """In words, the day a follow-up names, or the night when it is about hotels."""
    say = SAY[language]
    if followup.day is None:
        return say["that"]
    return say["night"].format(night=followup.day) if followup.about == "hotel" else say["nth"].format(day=followup.day)


def no_night(followup: FollowUp, days: int | None, language: Language) -> str:
    """A question back when a trip of so many days does not have the night that is named; else blank."""
    if days is None or followup.day is None or followup.day < days:
        return ""
    return SAY[language]["no_night"].format(nights=days - 1, which=which_of(followup, language))
