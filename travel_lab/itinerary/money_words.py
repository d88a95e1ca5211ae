"""How travellers speak of money: patterns over half-width, lower-case text."""

import re

from travel_lab.itinerary.wording import any_of, says

CURRENCY_BEFORE = {
    "¥": "CNY", "cny": "CNY", "rmb": "CNY", "人民币": "CNY", "a$": "AUD", "au$": "AUD", "aud": "AUD", "us$": "USD", "usd": "USD",
    "$": "USD",
    "jpy": "JPY", "日元": "JPY", "thb": "THB", "฿": "THB", "泰铢": "THB", "eur": "EUR", "€": "EUR", "欧元": "EUR",
    "sgd": "SGD", "s$": "SGD", "sg$": "SGD", "新币": "SGD",
}  # fmt: skip
CURRENCY_AFTER = {
    "元": "CNY", "块钱": "CNY", "块": "CNY", "cny": "CNY", "rmb": "CNY", "人民币": "CNY", "yuan": "CNY", "kuai": "CNY",
    "aud": "AUD",
    "澳元": "AUD", "澳币": "AUD", "澳刀": "AUD", "澳洲元": "AUD", "australian dollars": "AUD", "aussie dollars": "AUD",
    "usd": "USD",
    "美元": "USD", "美金": "USD", "美刀": "USD", "刀": "USD", "us dollars": "USD", "dollars": "USD", "bucks": "USD",
    "jpy": "JPY", "日元": "JPY", "日圆": "JPY", "yen": "JPY", "thb": "THB", "泰铢": "THB", "baht": "THB",
    "eur": "EUR", "€": "EUR", "欧元": "EUR", "euros": "EUR", "euro": "EUR",
    "sgd": "SGD", "新币": "SGD", "新加坡元": "SGD", "singapore dollars": "SGD",
}  # fmt: skip

_SPEAKS_OF_MONEY = any_of(
    r"预算", r"经费", r"花(?:费|销)?(?![生园卉城草])", r"费用", r"价位", r"价格", r"总价", r"人均", r"每人", r"一个人", r"总共",
    r"一共",
    r"budget", r"spend(?:ing)?", r"cost", r"afford", r"\bpay(?:ing)?\b",
)  # fmt: skip
_LIMITS = any_of(
    r"under", r"below", r"within", r"up to", r"at (?:the )?most", r"max(?:imum)?", r"around", r"about", r"不超过?", r"别超过?",
    r"最多", r"控制在",
)  # fmt: skip
CONTEXT = re.compile(rf"{_SPEAKS_OF_MONEY}[^\d一二两三四五六七八九十百千万.。;；!?]{{0,14}}$")
WEAK_CONTEXT = re.compile(rf"{_LIMITS}[^\d一二两三四五六七八九十百千万.。;；!?]{{0,8}}$")
"""Words that stand before money and before other counts."""
NOT_MONEY_AFTER = re.compile(
    r"\s*"
    + any_of(
        r"天", r"日(?!元)", r"号", r"月", r"年", r"晚", r"夜", r"人", r"个", r"位", r"名", r"口", r"大", r"小", r"岁", r"公里",
        r"km\b", r"米",
        r"m\b", r"点", r"周", r"星期", r"站", r"家", r"次", r"度", r"%",
        r"(?:more )?days?", r"nights?", r"weeks?", r"hours?", r"minutes?", r"adults?", r"people", r"persons?", r"pax\b",
        r"kids?", r"child",
        r"(?:of )?us\b(?! ?\$| dollars)", r"years?", r"am\b", r"pm\b", r"museums?", r"sights?", r"stars?", r"[-/]\d", r"st\b",
        r"nd\b", r"rd\b",
        r"th\b",
    )
)  # fmt: skip
MAX_BEFORE = re.compile(
    any_of(
        r"[<≤]",
        r"(?:不|别|不要|不能|不可|勿)(?:超|高于|多于|大于)(?:过|出)?", r"最多", r"最高", r"顶多", r"至多", r"撑死", r"封顶",
        r"上限", r"控制在",
        r"(?<!不)低于", r"(?<!不)少于", r"under", r"below", r"less than", r"(?:no|not) (?:more|higher|over)(?: than)?",
        r"not over", r"up to",
        r"at (?:the )?(?:very )?most", r"max(?:imum)?", r"within", r"not? exceed(?:ing)?", r"cap(?:ped)?(?: at| of)?",
        r"ceiling(?: of)?", r"(?:花|掏|拿)到",
        r"limit(?:ed)?(?: of| to| is)?", r"keep it to",
    )
    + r"[^\d,.;。;]{0,12}$"
)  # fmt: skip
MAX_AFTER = re.compile(
    r"\s*(?:块|元)?\s*(?:(?:a|per|/|each)\s?(?:night|day|person|head)?\s*|[每一](?:晚|天|人|个人)\s*)?"
    + any_of(
        r"以内", r"之内", r"以下", r"封顶", r"内(?!容)", r"为?上限", r"顶天", r"max(?:imum)?\b", r"or (?:less|under|below)",
        r"tops\b",
        r"(?:at )?(?:the )?most\b", r"at most", r"limit\b", r"cap\b", r"ceiling",
    )
)  # fmt: skip
MIN_BEFORE = re.compile(
    any_of(
        r"至少",
        r"最少",
        r"起码",
        r"不低于",
        r"不少于",
        r"at least",
        r"more than",
        r"over",
        r"minimum",
        r"no less than",
        r"upwards of",
    )
    + r"[^\d,.;。;]{0,8}$"
)
MIN_AFTER = re.compile(r"\s*(?:以上|起步|起\b|往上|\+(?!\d)|or more|and up|minimum|at least)")
ABOUT_BEFORE = re.compile(
    any_of(
        r"大概", r"大约", r"约", r"差不多", r"将近", r"估计", r"about", r"around", r"roughly", r"approx(?:imately)?\.?",
        r"some", r"circa", r"~",
        r"in the region of", r"near(?:ly)?", r"close to",
    )
    + r"[^\d,.;。;]{0,6}$"
)  # fmt: skip
ABOUT_AFTER = re.compile(r"\s*(?:左右|上下|差不多|出头|多(?!天)|-?ish\b|or so|give or take|或者?差不多|roughly|approx)")

_PERSON = any_of(
    r"人均", r"每一?(?:个)?人", r"每位", r"(?<![\d一二两三四五六七八九十几])一?个人", r"(?<![\d一二两三四五六七八九十])一人",
    r"/人",
    r"per (?:person|head|pax|adult|traveller)", r"/\s*(?:person|head|pax|pp)", r"\beach\b(?! day)", r"a head", r"apiece",
    r"\bp/?p\b", r"a person",
)  # fmt: skip
_DAY = any_of(
    r"每天", r"每日", r"一天", r"/天", r"日均", r"per day", r"a day", r"/\s*day", r"daily", r"each day", r"every day", r"\bp/?d\b"
)
_FILL = r"[^,.;。;\d]{0,10}"
PER_DAY = says(
    rf"{_PERSON}{_FILL}#?{_FILL}{_DAY}", rf"{_DAY}{_FILL}#?{_FILL}{_PERSON}", r"pppd",
    r"每[天日]", r"#(?:块|元|刀)?钱?\s*(?:/天|一天|每天)",
    r"(?:一天|每日|日均)(?:就|只|最多|大概|大约|差不多|打算|想)*(?:花费?|吃|用|预算|控制在?|不超过?|开销|消费)[^#,.;]{0,4}#",
    r"per day", r"\ba day\b", r"/\s*day\b", r"\bdaily\b",
)  # fmt: skip
"""A rate for a day is one person's: there is no other reading of it that a plan could be held to."""
PER_PERSON = re.compile(_PERSON)
PER_NIGHT = re.compile(r"每晚|一晚上?|/晚|per night|a night|nightly|/\s*night|each night")

CHEAP = says(
    r"便宜", r"省钱", r"(?:怎么|能)省", r"省着", r"(?:越|最)省", r"节省", r"节约", r"实惠",
    r"经济(?:型|实惠|一?点|些|适用|的)?(?!学)", r"穷游", r"穷学生",
    r"性价比", r"低预算", r"抠", r"白菜价",
    r"cheap", r"low[- ]cost", r"on a (?:tight |small |shoestring |student |backpacker )?budget", r"affordable", r"inexpensive",
    r"shoestring",
    r"(?:low|tight|small|limited|student|backpacker'?s?)[- ]budget", r"budget[- ](?:friendly|conscious|travel)",
    r"budget is (?:very |quite |pretty )?(?:tight|small|limited|low)",
    r"frugal",
    r"economical", r"thrifty", r"penny[- ]pinching", r"spend (?:as )?little", r"as little (?:money )?as possible", r"bargain",
)  # fmt: skip
SHORT_OF_MONEY = says(
    r"手头(?:有点|比较|很)?紧", r"手头不宽裕", r"钱不多", r"没(?:什么|啥|有)钱", r"囊中羞涩",
    r"预算(?:有限|不多|有点紧|紧|比较?紧|很紧|低|少)",
    r"skint", r"\bbroke\b", r"(?:money|cash|funds?) (?:is|are) (?:a bit |very |really |pretty )?tight",
    r"tight on (?:money|cash)",
    r"low on (?:cash|money|funds)",
)  # fmt: skip
"""Says that a trip should be cheap unless a sum is said."""
_NO_MATTER = any_of(
    r"不限", r"无所谓", r"随便", r"随意", r"不是(?:什么)?(?:问题|事)", r"不成问题", r"没有?上限", r"没上限", r"不设(?:上)?限",
    r"没有?限制", r"没限制",
    r"不用(?:管|考虑|担心)", r"不管", r"不考虑", r"不在乎", r"不重要", r"管够", r"充足", r"都行", r"都可以", r"放开",
)  # fmt: skip
UNLIMITED = says(
    rf"(?:预算|钱|价格|花费|费用|经费)[^,.。;\d]{{0,4}}?{_NO_MATTER}", r"不限(?:制)?(?:预算|价格|花费)",
    r"(?:不差|不缺|有的是)钱", r"(?:不用|无需|不必)(?:管|考虑|担心|操心)(?:钱|预算|花费|费用)",
    r"(?:公司|单位|老板)(?:全额|全)?(?:报销|买单|出钱)", r"上不封顶",
    r"花(?:多少|几)(?:钱)?(?:都|也)?(?:行|可以|没(?:关系|问题|事)|无所谓|不要紧|成|好|ok)",
    r"多少(?:钱)?(?:都|也)(?:行|可以|没关系|无所谓)", r"随便花",
    r"(?:不|别)(?:考虑|在乎|在意|管|心疼)(?:预算|钱|价格)", r"^\s*(?:不限|随便|无所谓|都行|any|whatever|unlimited)\s*$",
    r"no (?:budget |spending |price )?(?:limit|cap)\b", r"unlimited", r"(?:sky|sky's) (?:is )?the limit", r"spare no expense",
    r"no expense spared",
    (
        r"(?:money|cost|price|budget)(?:'s| is|s)? ?(?:is |really )?(?:no|not an?|isn'?t an?|"
        r"never an?) (?:object|problem|issue|concern|worry|matter)"
    ),
    r"budget (?:is )?(?:wide )?(?:open|flexible|unlimited|whatever)", r"(?:forget|ignore) (?:about )?the (?:budget|cost|money)",
    r"(?:price|money|cost|budget) (?:doesn'?t|does not|don'?t) matter", r"whatever it (?:costs|takes)",
    r"(?:don'?t|do not) (?:care|worry|mind) (?:about )?(?:the |how much )?(?:it costs|cost|price|budget|money)",
    r"cost is (?:no|not)\b", r"happy to splurge", r"however much",
)  # fmt: skip
