"""Every prompt, in both languages. A real model and the offline model get the same ones."""

from collections.abc import Sequence
from datetime import date

from travel_lab.catalogue import City
from travel_lab.itinerary import MAX_DAYS

KNOWN_USER = {
    "zh": "这位旅客以前的对话留下的偏好（本次对话里的话优先；不要把以前的目的地当作这次的）：{known}",
    "en": "Known of this traveller from earlier conversations (words of this conversation win; an earlier destination is not this "
    "one's): {known}",
}

LINE_FORM = "PLAN: {destination}|{days}|{origin}|{date}|{budget}|{agents}"

SUPERVISOR = {
    "zh": """你是旅行团队的 supervisor agent（总控）。旅行团队还有 route（路线）、hotel（酒店）、food（美食）、info（文化）四个 agent。
根据对话决定下一步，只回答一行，三种形式之一：
PLAN: 目的地|天数|出发地|日期|预算或偏好|需要调用的 agent，用逗号分隔
ASK: 需要旅客补充的问题
REPLY: 直接回答旅客，不需要调用 agent
规则：新的行程调用 route,hotel,food,info；修改行程只调用相关的 agent，没有变化的列留空，天数留 0。
旅客提到之前的安排，而对话里看不到它时，用 ASK 说明缺少什么，不要猜。目的地或天数不明时用 ASK。天数为 1 到 {most}。
人数、口味、节奏等写在预算或偏好一列，用逗号分隔。要回到上一次修改之前，agent 一列写 restore。今天是 {today}。
可去的地方：{places}""",
    "en": """You are the supervisor agent of a travel team. The team also has four agents: route, hotel, food and info.
Decide the next step from the conversation and answer with one line, in one of three forms:
PLAN: destination|days|origin|date|budget or preference|agents to call, separated by commas
ASK: the question the traveller has to answer
REPLY: the answer itself, when no agent is needed
Rules: a new trip calls route,hotel,food,info; a change calls only the agents it concerns, unchanged columns stay blank, days 0.
When the traveller points at something planned before that the conversation does not show, use ASK and say what is missing; \
never guess. Use ASK when destination or days are unclear. Days are 1 to {most}. People, diet, pace and the like go into the \
budget or preference column, separated by commas. To go back to what was there before the last change write restore as the agent. \
Today is {today}.
Places: {places}""",
}

REMINDER = {
    "zh": "（只回答一行：PLAN: 目的地|天数|出发地|日期|预算或偏好|agents，或 ASK: 问题，或 REPLY: 回答）",
    "en": "(Answer with one line: PLAN: destination|days|origin|date|budget or preference|agents, or ASK: question, or REPLY: answer)",
}
"""Stands after the traveller's words: small models lose the form once the history holds prose."""

JSON_LINE = {
    "zh": """这一行写成一个 JSON 对象，字段为 kind（plan、ask 或 reply）、text（问题或回答，plan 时为空）、destination、days、origin、date、budget、agents。例子：
「帮我规划成都3天，预算5000」→ {"kind":"plan","text":"","destination":"成都","days":3,"origin":"","date":"","budget":"5000","agents":["route","hotel","food","info"]}
「把第二天的酒店换成便宜点的」，对话里有酒店 → {"kind":"plan","text":"","destination":"","days":0,"origin":"","date":"","budget":"便宜","agents":["hotel"]}
「不吃辣，换餐厅」→ {"kind":"plan","text":"","destination":"","days":0,"origin":"","date":"","budget":"不吃辣","agents":["food"]}
「换成便宜点的」，对话里没有酒店 → {"kind":"ask","text":"请问您之前看的是哪家酒店？","destination":"","days":0,"origin":"","date":"","budget":"","agents":[]}
「第一天去哪」，对话里有行程 → {"kind":"reply","text":"第1天：……","destination":"","days":0,"origin":"","date":"","budget":"","agents":[]}""",
    "en": """Write the line as one JSON object with the fields kind (plan, ask or reply), text (the question or answer, blank for plan), destination, days, origin, date, budget, agents. Examples:
"Plan 3 days in Chengdu, budget 5000" → {"kind":"plan","text":"","destination":"Chengdu","days":3,"origin":"","date":"","budget":"5000","agents":["route","hotel","food","info"]}
"A cheaper hotel on day 2", hotels are in the conversation → {"kind":"plan","text":"","destination":"","days":0,"origin":"","date":"","budget":"cheaper","agents":["hotel"]}
"No spicy food, change the restaurants" → {"kind":"plan","text":"","destination":"","days":0,"origin":"","date":"","budget":"no spicy","agents":["food"]}
"A cheaper one", no hotels in the conversation → {"kind":"ask","text":"Which hotel did you look at before?","destination":"","days":0,"origin":"","date":"","budget":"","agents":[]}
"Where do we go on day 1", the plan is in the conversation → {"kind":"reply","text":"Day 1: ...","destination":"","days":0,"origin":"","date":"","budget":"","agents":[]}""",
}
"""For models held to a JSON form: without the examples small models fill it wrongly or never end."""

JSON_REMINDER = {
    "zh": "（只回答一个 JSON 对象，字段 kind、text、destination、days、origin、date、budget、agents）",
    "en": "(Answer with one JSON object: kind, text, destination, days, origin, date, budget, agents)",
}

SPECIALIST = {
    "route": {
        "zh": """你是旅行团队的 route agent（路线）。从任务列出的景点中为每天选择景点，每天最多 {most} 个，注意开放时间和距离，不要重复。
只回答一个 JSON：{{"days":[{{"day":1,"sights":["名称","名称"]}}]}}""",
        "en": """You are the route agent of a travel team. Choose sights for each day from those the task lists, at most {most} a day; \
mind opening hours and distance, repeat none.
Answer with one JSON object only: {{"days":[{{"day":1,"sights":["name","name"]}}]}}""",
    },
    "hotel": {
        "zh": """你是旅行团队的 hotel agent（酒店）。从任务列出的酒店中选出至少 5 家，为每一晚安排一家，并用几句话对比。
只回答一个 JSON：{{"hotels":["名称"],"nights":[{{"night":1,"hotel":"名称"}}],"comparison":"对比"}}""",
        "en": """You are the hotel agent of a travel team. Choose at least 5 hotels from those the task lists, one for each night, and \
compare them in a few sentences.
Answer with one JSON object only: {{"hotels":["name"],"nights":[{{"night":1,"hotel":"name"}}],"comparison":"text"}}""",
    },
    "food": {
        "zh": """你是旅行团队的 food agent（美食）。从任务列出的餐厅中为每天选一家午餐和一家晚餐，尽量不重复。
只回答一个 JSON：{{"days":[{{"day":1,"lunch":"名称","dinner":"名称"}}]}}""",
        "en": """You are the food agent of a travel team. Choose a restaurant for lunch and one for dinner each day from those the task \
lists; repeat as few as possible.
Answer with one JSON object only: {{"days":[{{"day":1,"lunch":"name","dinner":"name"}}]}}""",
    },
    "info": {
        "zh": """你是旅行团队的 info agent（文化）。根据任务列出的资料介绍目的地的文化、冷知识和礼仪，各写几句。
只回答一个 JSON：{{"culture":["句子"],"trivia":["句子"],"etiquette":["句子"]}}""",
        "en": """You are the info agent of a travel team. Introduce culture, trivia and etiquette of the destination from what the task \
lists, a few sentences each.
Answer with one JSON object only: {{"culture":["sentence"],"trivia":["sentence"],"etiquette":["sentence"]}}""",
    },
}

ASK_BACK = {
    "zh": "\n如果旅客要改的是之前的安排，而你看不到那个安排，只回答一行 ASK: 并说明缺少什么，不要猜。",
    "en": "\nIf the traveller wants to change something planned before that you are not shown, answer with one line ASK: and say what "
    "is missing; never guess.",
}

TASK = {
    "zh": """目的地：{destination}
天数：{days}（{nights}晚）
人数：{people}
预算：{budget}
本项上限：{limit}
偏好：{preferences}
旅客的话：{words}

{offers}""",
    "en": """Destination: {destination}
Days: {days} ({nights} nights)
People: {people}
Budget: {budget}
Limit for this: {limit}
Preferences: {preferences}
The traveller's words: {words}

{offers}""",
}

OFFERS = {
    "route": {
        "zh": "每天可选的景点（来源 {source}，门票 {currency}）：\n供哪天选|城市|名称|纬度|经度|开放|关闭|游览分钟|门票",
        "en": "Sights offered for each day (source {source}, tickets in {currency}):\nfor day|city|name|lat|lon|opens|closes|minutes|ticket",
    },
    "hotel": {
        "zh": "可选的酒店（来源 {source}，每间每晚 {currency}，距离为到当地行程中心的公里数）：\n城市|入住晚|名称|区|星级|价格|评分|距离",
        "en": "Hotels offered (source {source}, {currency} a room and night, distance in km to the middle of the local plan):\n"
        "city|for nights|name|district|stars|price|rating|km",
    },
    "food": {
        "zh": "每天可选的餐厅（来源 {source}，每人 {currency}，距离为到当天景点中心的公里数）：\n供哪天选|城市|名称|菜系|价格|标签|餐次|距离",
        "en": "Restaurants offered for each day (source {source}, {currency} a person, distance in km to the day's sights):\n"
        "for day|city|name|cuisine|price|tags|meals|km",
    },
    "info": {"zh": "资料（来源 {source}）：\n类别|句子", "en": "Material (source {source}):\nkind|sentence"},
}

WORDS = {
    "zh": {
        "plan": "好的，{place} {days}天行程，交给 {agents}。",
        "done": "为用户规划了{place} {days}天行程",
        "updated": "已更新{place} {days}天行程：{agents}",
        "where": "你想去哪玩呢？",
        "how_long": "打算去{place}玩几天呢？",
        "unknown_place": "还不会规划「{place}」。可以去：{places}。",
        "bad_days": "天数需要是 1 到 {most} 之间的整数，你想玩几天？",
        "bad_people": "我最多能为 {most} 人安排，你们一共几个人？",
        "what_change": "你想改行程的哪一部分？可以说：酒店、景点、餐厅、天数或预算。",
        "no_agents": "我没听明白要做什么。你想规划新的行程，还是修改哪一部分？",
        "no_result": "{agent}：第{turn}轮没有得到结果（{reason}）。",
        "days_read_as": "{said}天先按{days}天安排",
        "restored": "已恢复到修改之前的安排：{agents}",
        "nothing_earlier": "还没有可以恢复的安排。你想改哪一部分？",
        "incomplete": "{agent}：结果不完整（{reason}）。",
        "failed": "处理出错：{agent} 没有完成（{reason}）。",
    },
    "en": {
        "plan": "All right, {days} days in {place}; {agents} will work on it.",
        "done": "Planned {days} days in {place} for the traveller",
        "updated": "Updated the {days} days in {place}: {agents}",
        "where": "Where would you like to go?",
        "how_long": "How many days will you stay in {place}?",
        "unknown_place": "I cannot plan {place!r} yet. Places: {places}.",
        "bad_days": "Days must be a whole number from 1 to {most}. How many days would you like?",
        "bad_people": "I plan for {most} people at most. How many are you?",
        "what_change": "Which part of the plan shall I change? Say hotel, sight, restaurant, days or budget.",
        "no_agents": "I did not understand what to do. Do you want a new plan, or a change to which part?",
        "no_result": "{agent}: no result in turn {turn} ({reason}).",
        "days_read_as": "{said} days are planned as {days}",
        "restored": "Back to what there was before the last change: {agents}",
        "nothing_earlier": "There is nothing to go back to yet. Which part shall I change?",
        "incomplete": "{agent}: incomplete ({reason}).",
        "failed": "Something went wrong: {agent} did not finish ({reason}).",
    },
}


def supervisor_prompt(language: str, cities: Sequence[City], today: date, known: str = "", *, as_json: bool = False) -> str:
    """The supervisor's system prompt, with the places that can be planned; for a line, or for the same as JSON.

    `known` is what earlier conversations of the user left; blank without a user.
    """
    places = "、".join(f"{city.name.zh}({city.name.en})" for city in cities)
    rules, last = SUPERVISOR[language].format(most=MAX_DAYS, places=places, today=today.isoformat()).rsplit("\n", 1)
    lines = [KNOWN_USER[language].format(known=known)] if known else []
    return "\n".join([rules, *([JSON_LINE[language]] if as_json else []), *lines, last])


def specialist_prompt(agent: str, language: str, most_sights: int) -> str:
    """A specialist's system prompt."""
    return SPECIALIST[agent][language].format(most=most_sights) + ASK_BACK[language]
