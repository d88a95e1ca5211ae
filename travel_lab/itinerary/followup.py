"""Reads what a traveller wants after a plan is there: a change to it, or a question about it.

Only the words are read. Whether what they point at is known is a matter of the view, decided elsewhere.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Literal

from travel_lab.itinerary.dates import read_date
from travel_lab.itinerary.durations import read_duration
from travel_lab.itinerary.money import Budget, read_budget
from travel_lab.itinerary.numerals import COUNT, half_width, read_number
from travel_lab.itinerary.people import People, read_people
from travel_lab.itinerary.pointing import Meal, days_of, meal_of, names_in, ordinal_of, typed_name
from travel_lab.itinerary.request import find_places
from travel_lab.itinerary.spelling import mend
from travel_lab.itinerary.wishes import read_diet

Kind = Literal[
    "hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other",
    "sight_drop", "sight_add", "sight_swap", "sight_move", "restaurant_change",
    "days_change", "budget_change", "budget_clear", "people_change", "date_change", "destination_change", "restore",
    "ask_cheapest", "ask_compare", "ask_day", "ask_sight", "ask_total", "ask_diet", "ask_etiquette", "ask_history", "unclear",
]  # fmt: skip

AGENTS_OF: dict[Kind, tuple[str, ...]] = {
    **dict.fromkeys(("hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other"), ("hotel",)),
    **dict.fromkeys(("sight_drop", "sight_add", "sight_swap", "sight_move"), ("route",)),
    "restaurant_change": ("food",),
    "days_change": ("route", "hotel", "food"),
    **dict.fromkeys(("budget_change", "budget_clear", "people_change"), ("hotel", "food")),
    "date_change": ("route", "hotel"),
    "destination_change": ("route", "hotel", "food", "info"),
}  # fmt: skip
"""The agents a follow-up runs; those that are missing run none."""
ABOUT: dict[Kind, str] = {
    **dict.fromkeys(("hotel_cheaper", "hotel_better", "hotel_nearer", "hotel_other", "ask_cheapest", "ask_compare"), "hotel"),
    **dict.fromkeys(("sight_drop", "sight_add", "sight_swap", "sight_move", "ask_day", "ask_sight"), "route"),
    **dict.fromkeys(("restaurant_change", "ask_diet"), "food"),
    "ask_etiquette": "info",
}  # fmt: skip
"""Whose result a follow-up points at."""


@dataclass(frozen=True, kw_only=True)
class FollowUp:
    """What a follow-up asks for; what it does not say is None."""

    kind: Kind
    day: int | None = None
    """Which day or night it names, from 1; -1 is the last; None: none, so all."""
    to_day: int | None = None
    """Where a sight is moved to."""
    meal: Meal | None = None
    ordinal: int | None = None
    """Which one of that day, from 1; -1 is the last."""
    name: str | None = None
    """The place it names, as the known names spell it or as typed."""
    new_name: str | None = None
    """The place to put in its stead."""
    diet: tuple[str, ...] = ()
    days: int | None = None
    """The new length of the trip."""
    days_delta: int | None = None
    """Days more or fewer."""
    budget: Budget | None = None
    people: People | None = None
    start: date | None = None
    destinations: tuple[str, ...] = ()
    words: str = ""
    """The message itself."""

    @property
    def about(self) -> str | None:
        """Whose result it points at."""
        return ABOUT.get(self.kind)

    @property
    def only_asks(self) -> bool:
        """Whether it is answered without running an agent."""
        return self.kind.startswith("ask_")


def read_followup(
    text: str, names: Iterable[str] = (), places: Mapping[str, str] | None = None, today: date | None = None
) -> FollowUp:
    """Read one message said after a plan is there.

    Args:
        text: The traveller's words.
        names: Names of sights, hotels and restaurants that are known; others are taken as typed.
        places: Every name a destination is called by → the name to use for it.
        today: The day the words were said; without it dates without a year are read from 2000 on.
    """
    words = mend(half_width(text))
    dated = read_date(words, today or date(2000, 1, 1))
    destinations = find_places(dated.rest, places or {})
    kind = _kind(words, dated.rest, has_date=dated.start is not None, places=destinations)
    days, delta = _new_length(dated.rest) if kind == "days_change" else (None, None)
    pointed, found = days_of(words), names_in(text, names)
    typed = typed_name(text) if not found and kind.startswith(("sight", "ask_sight", "ask_diet", "restaurant", "hotel")) else None
    named = found or ([typed] if typed else [])
    return FollowUp(
        kind=kind,
        day=None if kind == "sight_move" and len(pointed) < 2 else pointed[0] if pointed else None,
        to_day=_to_day(kind, pointed),
        meal=meal_of(words),
        ordinal=ordinal_of(words),
        name=named[0] if named else None,
        new_name=named[1] if len(named) > 1 else None,
        diet=read_diet(words),
        days=days,
        days_delta=delta,
        budget=_budget(kind, dated.rest),
        people=None if kind.startswith(("ask", "sight", "restaurant", "unclear")) else read_people(words),
        start=dated.start,
        destinations=_meant(dated.rest, destinations) if kind == "destination_change" else (),
        words=text,
    )


def _to_day(kind: Kind, pointed: list[int]) -> int | None:
    return pointed[-1] if kind == "sight_move" and pointed else None


_HOTEL = r"酒店|宾馆|住宿|民宿|住(?!一?天|两天|[\d一二两三四五六七八九十]+天)|第\s*[\d一二两三四五六七八九十]+\s*晚(?!上|餐|饭)|hotels?|\bstay\b|\bsleep\b|\bnights?\b|accommodation|\brooms?\b|place to sleep|lodging"
_FOOD = (
    r"餐厅|餐馆|饭馆|饭店|馆子|午餐|晚餐|午饭|晚饭|中饭|吃|菜|火锅|restaurants?|lunch|dinner|\bfood\b|\bmeals?\b|\beat\b|spicy"
)
_CHEAPER = r"便宜|实惠|省(?:点|钱|一点)|太贵|贵了|价格?(?:低|太高)|cheaper|less expensive|lower price|too expensive|too pricey|budget hotel|spend less|save (?:some )?money|costs? less|pricey"
_BETTER = r"(?:好|高)(?:一)?(?:点|些)|更好|高档|豪华|升级|档次|星级(?:高|再高)|五星|better|nicer|upgrade|luxur|fancier|five[- ]star|5[- ]star|higher[- ]rated|higher end|more comfortable"
_NEARER = r"近(?:一?点|些|的)?|离\S{1,12}(?:太远|远)|太远|靠近|市中心|nearer|closer|\bnear\b|close to|too far|more central|walking distance|nearby|central"
_CHANGE = r"换|改|调整|change|swap|replace|switch|another|different|instead|find (?:me|us)|move (?:me|us)|other"
_DROP = r"去掉|删|取消|不(?:想)?去|不要|跳过|划掉|拿掉|砍掉|去除|算了|drop|remove|skip|cancel|delete|take (?:\w+ ){0,4}out|take .{2,30} off|leave out|get rid of|cut (?!a day|one day|the trip|it)|scrap"
_ADD = r"加(?:上|个|一个|进|入)?|塞|添|增加|再安排|还想去|也想去|想去|想看|顺便|补(?:上|一个)|\badd\b|include|also (?:visit|see|go)|squeeze|fit in|put .{2,30} in\b|want to (?:see|visit)|throw in"
_MOVE = r"(?:挪|移|调|放|改|换|推|提前|安排|调整)(?:到|至|去|成)?(?:了)?(?:在)?第|(?:挪|移|调|放)到|move|shift|push|bring .+ forward|reschedule"
_SWAP = r"换成|换掉|换一?个|替换|改成|换为|swap|replace|instead of|change .+ (?:to|for|into)|switch"
_RESTORE = r"恢复|撤销|撤回|还原|(?:回到|退回|改回|换回|用回|变回|返回)|(?:还是|就)(?:用|要|按|照)?(?:回)?(?:原来|之前|刚才|上一?个|上一?版|最初|原先|先前)|刚才那[个版]|back to (?:what|the (?:previous|old|original|last|earlier|first)|how|before|our)|undo|revert|restore|(?:previous|original|old|earlier) (?:plan|version|one)|go back|as it was|like before"
_TOTAL = r"(?:一共|总共|总计|合计|总费用|总花费|全程|总价|加起来|全部)\S{0,8}(?:多少|花|钱|费用|预算)?|花费?多少|要多少钱|多少钱(?!一晚)|total|altogether|in all|all in|overall cost|whole (?:trip|thing) cost|how much for (?:everything|it all|the whole)|how much (?:is|does|will|would) (?:it|this|the (?:whole|trip|entire)|everything|that all)"
_ETIQUETTE = r"礼仪|礼节|习俗|风俗|忌讳|禁忌|规矩|讲究|小费|注意(?:些|点)?什么|(?:什么|哪些)\S{0,4}注意|etiquette|customs?\b|manners|taboos?|dos and don'?ts|rude|polite|local rules|should i know|be aware|\btip(?:ping)?\b|should i not|not do in|avoid doing"
_HISTORY = r"我(?:一开始|最初|最开始|最早|第一次|刚开始|开头|起初|第一句|最先)\S{0,6}(?:问|说|要|提|想)|(?:最初|最开始|一开始|第一句|第一个)(?:的)?(?:要求|问题|需求|请求|话)|what (?:did|was) (?:i|my)\b.{0,24}(?:first|originally|initially|start|begin|initial|original)|my (?:first|original|initial|very first) (?:question|request|message|ask)|(?:first|originally|initially) ask|(?:first|last) thing i (?:asked|said)|what i asked"
_COMPARE = r"对比|比较|相比|哪[个家]\S{0,6}(?:好|划算|更|合适|值)|还是\S{1,12}(?:好|划算)\s*[??]?$|区别|差别|compare|versus|\bvs\b|difference between|which (?:one |hotel )?is (?:better|nicer|best value)|better,? .+ or "
_CHEAPEST = r"最便宜|最低价|价格最低|最实惠|cheapest|lowest price|least expensive"
_ASK = r"[??]|吗|呢$|哪|什么|多少|怎么样|如何|是不是|有没有|介绍|说说|讲讲|告诉我|what|which|\bwho\b|how|tell (?:me|us)|introduce|describe|remind|is (?:it|there|that|the|this)|are (?:there|they|the)|does|explain|show|^(?:is|are|does|do|can i) "
_INTRODUCE = r"介绍|讲讲|说说|讲一下|说一下|是什么(?:地方)?|有什么(?:好玩|特色|看点|好看)|好玩吗|值得去|怎么样|了解(?:一下)?|introduce|tell (?:me|us) (?:more |a bit |something )?about|describe|what(?:'s| is) (?:special|interesting|so|there to)|know (?:more )?about|what is (?:the )?[a-z' ]+\?|\blike\?|是干嘛|干什么的|worth (?:it|a visit|visiting|seeing)"
_DIET_ASK = r"(?:素|清真|辣|花生|猪肉|海鲜|蔬)\S{0,6}(?:吗|么|\?|不$)|辣不辣|(?:是不是|有没有|有|能吃)\S{0,6}(?:素|清真|辣|花生)|(?:is|are|does|do|has|have|serve|any)\b.{0,40}(?:vegetarian|vegan|halal|spicy|peanuts?|pork|seafood|allerg\w*)|(?:ok|okay|safe|suitable|fine) for .{0,24}(?:vegetarian|vegan|allerg|halal)"
_MORE_DAYS = (
    r"(?:多|再|加|增加|延长|延|再多|多玩|多待|多住)(?:玩|待|住|加|上|留|呆)?(?P<n>"
    + COUNT
    + r")\s*(?:天|日)|(?:add|extend|one more|(?P<m>"
    + COUNT
    + r") more|an? (?:extra|additional|more)|another)\b.{0,16}\bdays?\b|extend (?:it |the trip )?by (?P<k>"
    + COUNT
    + r") days?|stay (?:a|one) day longer|(?P<j>"
    + COUNT
    + r") days? (?:longer|more|extra)"
)
_FEWER_DAYS = (
    r"(?:少|减|砍|缩短|去掉|减少|提前|缩)(?:玩|待|住|掉|去)?(?:了)?(?P<n>" + COUNT + r")\s*(?:天|日)(?!的)"
    r"|第\S{1,2}天(?:整个|整天|全部|全)(?:都)?(?:不要|取消|去掉|砍)"
    r"|(?:cut|drop|remove|lose|shorten|take off|knock off) (?:it |the trip )?(?:by |off )?(?P<k>"
    + COUNT
    + r") (?:whole )?days?\b(?! trip)"
    r"|(?:drop|skip|cut|cancel|remove) day \S+ (?:altogether|entirely|completely)|(?P<m>"
    + COUNT
    + r") (?:fewer|less) days?|(?P<j>"
    + COUNT
    + r") days? (?:shorter|less|fewer|off)"
)
_NEW_DAYS = (
    r"(?:(?<!不)是|改成|改为|变成|换成|缩短(?:到|成|为)|延长(?:到|成|为)|缩到|一共|总共|只(?:玩|有|待|能玩)|压缩(?:到|成)|改|玩|调整(?:到|为|成))\s*(?P<n>"
    + COUNT
    + r")\s*(?:天|日)(?!的)|(?:make it|change (?:it |the trip )?to|extend (?:it |the trip )?to|shorten (?:it |the trip )?to|cut (?:it |the trip )?(?:down )?to|only (?:have|got)?|into|now|stay(?:ing)?(?: for)?|down to|go for)\s*(?:a )?(?P<m>"
    + COUNT
    + r")[- ]days?"
)
_PEOPLE = r"人数|[\d一二两三四五六]大[\d一二两三四五六]小|个人(?!民)|人(?:一起|去|了|出行|$|,)|大人|成人|孩子|小孩|小朋友|宝宝|娃|两口子|老婆|老公|爸妈|父母|朋友|一家|位|people|adults?|kids?|child|children|persons?|of us|wife|husband|friends?|parents|son\b|daughter|solo|alone|joining|couple|toddler|baby"
_NO_LIMIT = r"(?:预算|钱|价格)\S{0,5}(?:不限|无所谓|随便|不是问题|取消|去掉|不管|没有?(?:上限|限制)|放开|不用(?:管|考虑))|不限预算|不限制?(?:预算|价格)|取消预算|no (?:budget )?limit|no budget|unlimited|money is no|budget (?:is )?(?:open|no(?:t an)? (?:issue|object|problem)|off)|(?:不考虑|别管|不用管|不管)\S{0,2}(?:预算|钱)|(?:forget|ignore|drop|remove|lift|scrap|clear) (?:about )?(?:the |my |our )?(?:budget|spending)|don'?t (?:worry|care) about (?:the )?(?:budget|money|cost)|price doesn'?t"
_INSTEAD = r"不(?:去|是|要|想去)|改去|换(?:成|到|去)|改成|我(?:说|想)(?:的)?(?:是|去)|搞错|弄错|说错|目的地|\bnot\b|instead|i meant|rather|change (?:the )?(?:destination|city)|switch to|wrong city|actually|make it|sorry|forget|go to|scrap|i want|不对"
Test = Callable[[str], bool]


def _says(pattern: str) -> Test:
    compiled = re.compile(pattern)
    return lambda words: compiled.search(words) is not None


_hotel, _food, _cheaper, _better, _nearer, _change, _drop, _add, _move, _swap, _ask = (
    _says(p) for p in (_HOTEL, _FOOD, _CHEAPER, _BETTER, _NEARER, _CHANGE, _DROP, _ADD, _MOVE, _SWAP, _ASK)
)
_restore, _total, _etiquette, _history, _compare, _cheapest, _introduce, _diet_ask, _no_limit, _instead, _people = (
    _says(p)
    for p in (_RESTORE, _TOTAL, _ETIQUETTE, _HISTORY, _COMPARE, _CHEAPEST, _INTRODUCE, _DIET_ASK, _NO_LIMIT, _INSTEAD, _PEOPLE)
)
_when = _says(
    r"日期|出发|时间|推迟|延后|提前|改|换|挪|date|start|leave|depart|postpone|move|shift|change|push|instead|go on|travel"
)
_command = _says(rf"{_CHANGE}|{_DROP}|{_MOVE}|{_SWAP}|加|\badd\b")
_diet_wish = _says(
    r"不(?:能|要|想|太能)?(?:碰|吃)|过敏|忌口|吃素|素食|清真|不辣|vegetarian|vegan|halal|allerg|don'?t eat|can'?t eat|no (?:spicy|peanuts?|pork|seafood)|清淡"
)


def _kind(words: str, rest: str, *, has_date: bool, places: tuple[str, ...]) -> Kind:
    """The first rule that holds, most special first."""
    asks, commands = _ask(words), _command(words)
    rules: tuple[tuple[Kind, Callable[[], bool]], ...] = (
        ("ask_history", lambda: _history(words)),
        ("restore", lambda: _restore(words)),
        ("budget_clear", lambda: _no_limit(words)),
        ("ask_etiquette", lambda: _etiquette(words)),
        ("destination_change", lambda: bool(places) and _instead(words) and not _hotel(words)),
        ("ask_compare", lambda: _compare(words) and not (_hotel(words) and commands and not asks)),
        ("ask_cheapest", lambda: _cheapest(words) and not commands),
        ("ask_diet", lambda: _diet_ask(words) and asks and not commands),
        ("ask_total", lambda: _total(words) and asks),
        ("hotel_cheaper", lambda: _hotel(words) and (_cheaper(words) or _cheapest(words))),
        ("hotel_nearer", lambda: _hotel(words) and _nearer(words)),
        ("hotel_better", lambda: _hotel(words) and _better(words)),
        ("hotel_other", lambda: _hotel(words) and _change(words)),
        ("sight_move", lambda: (_move(words) or "instead" in words) and bool(days_of(words)) and not _food(words) and not _drop(words)),
        ("days_change", lambda: _new_length(rest) != (None, None)),
        ("people_change", lambda: _people(words) and read_people(words) is not None and not _food(words)),
        ("budget_change", lambda: _states_budget(rest)),
        ("date_change", lambda: has_date and _when(words)),
        ("restaurant_change", lambda: _food(words) and (commands or _diet_wish(words)) and not _introduce(words)),
        ("restaurant_change", lambda: bool(read_diet(words)) and not asks),
        ("ask_sight", lambda: _introduce(words) and not commands and not re.search(r"怎么安排", words)),
        ("sight_swap", lambda: _swap(words)),
        ("sight_drop", lambda: _drop(words)),
        ("date_change", lambda: has_date),
        ("sight_add", lambda: _add(words) and not re.search(r"怎么安排|什么安排|哪些|what", words)),
        ("ask_day", lambda: bool(days_of(words)) and asks),
        ("ask_sight", lambda: _introduce(words)),
        ("ask_day", lambda: bool(days_of(words)) and not commands),
    )  # fmt: skip
    return next((kind for kind, holds in rules if holds()), "unclear")


def _states_budget(words: str) -> bool:
    budget = read_budget(words)
    return budget is not None and (budget.amount, budget.low, budget.high) != (None, None, None)


def _new_length(words: str) -> tuple[int | None, int | None]:
    """The new number of days, or the difference."""
    for pattern, sign in ((_MORE_DAYS, 1), (_FEWER_DAYS, -1)):
        match = re.search(pattern, words)
        if match is not None and not re.search(r"(?:第|day )\s*\S{0,2}$", words[: match.start()]):
            said = next((word for word in match.groupdict().values() if word), "1")
            return None, sign * int(read_number(said) or 1)
    match = re.search(_NEW_DAYS, words)
    if match is not None:
        number = read_number(match["n"] or match["m"])
        return (int(number), None) if number else (None, None)
    # After a plan, a plain number of days is a new length, unless it stands with something else.
    duration = read_duration(words)
    return (None, None) if days_of(words) or _ask(words) or _add(words) else (duration.days, None)


def _budget(kind: Kind, words: str) -> Budget | None:
    """Money a change states; a wish for a cheap hotel alone is none."""
    if kind.startswith(("ask", "sight", "restaurant", "unclear")):
        return None
    return read_budget(words) if kind == "budget_clear" or _states_budget(words) else None


def _meant(words: str, places: tuple[str, ...]) -> tuple[str, ...]:
    """The destinations a correction asks for: of several the last, unless "not" stands before it."""
    if len(places) < 2 or re.search(r"[+&、]|\band\b|和", words):
        return places
    return places[:1] if re.search(r"(?:不是|不去|不要|\bnot|instead of|rather than)\s*[^\s,]+\s*$", words) else places[-1:]
