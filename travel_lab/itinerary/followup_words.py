"""How travellers ask for a change of a plan or about it: patterns over half-width, lower-case text."""

from travel_lab.itinerary.numerals import COUNT

HOTEL = (
    r"酒店|宾馆|住宿|民宿|住(?!一?天|两天|[\d一二两三四五六七八九十]+天)|"
    r"第\s*[\d一二两三四五六七八九十]+\s*晚(?!上|餐|饭)|(?:[每几全]晚|[两三四五]晚(?=都|全|的))(?!上|餐|饭)|hotels?|\bstay\b|"
    r"\bsleep\b|\bnights?\b|"
    r"accommodation|\brooms?\b|place to sleep|lodging"
)
FOOD = r"餐厅|餐馆|饭馆|饭店|馆子|午餐|晚餐|午饭|晚饭|中饭|吃|菜|火锅|restaurants?|lunch|dinner|\bfood\b|\bmeals?\b|\beat\b|spicy"
CHEAPER = (
    r"降(?:一|个|低)?(?:档|级|点|些)|(?:低|差)(?:一?点|些|一?档)|经济型|划算(?:一?点|些)|costs? too much|"
    r"go(?:ing)? (?:lower|down)|lower[- ](?:end|budget|cost|priced)|downgrade|too dear|more affordable|"
    r"cut (?:the |down )?(?:hotel )?costs?|knock .{0,12}down|budget option|lighter on the wallet|"
    r"economical|can'?t afford|out of (?:our|my) (?:budget|price range)|hostel|便宜|实惠|省(?:点|钱|一点)|"
    r"太贵|贵了|价格?(?:低|太高)|cheaper|less expensive|lower price|too expensive|too pricey|budget hotel|"
    r"spend less|save (?:some )?money|costs? less|pricey"
)
BETTER = (
    r"升个?(?:一)?[级档]|(?:高|上)(?:一|个)?档|高级|(?:舒服|舒适|体面|奢华|高端)(?:一?点|些)?|提(?:高|"
    r"升)(?:一)?(?:个|下)?(?:档次|标准|品质)?|再好|posh(?:er)?|plusher|swankier|classier|(?:a )?step up|"
    r"treat (?:us|me|ourselves|myself)|higher[- ]?(?:end|class|standard|quality)|more (?:luxur|upscale|"
    r"upmarket|comfy)|comfier|splurge|splash out|top[- ]notch|deluxe|four[- ]star|4[- ]star|四星|(?:好|"
    r"高)(?:一)?(?:点|些)|更好|高档|豪华|升级|档次|星级(?:高|再高)|五星|better|nicer|upgrade|luxur|"
    r"fancier|five[- ]star|5[- ]star|higher[- ]rated|higher end|more comfortable"
)
NEARER = (
    r"离\S{1,12}近|方便到|挨着|旁边|附近|隔壁|走路(?:能|可以)?到|next to|beside|within (?:a )?walk|"
    r"around the corner|in the (?:city )?cent(?:re|er)|downtown|right by|近(?:一?点|些|的)?|"
    r"离\S{1,12}(?:太远|远)|太远|靠近|市中心|nearer|closer|\bnear\b|close to|too far|more central|"
    r"walking distance|nearby|central"
)
CHANGE = (
    r"重新(?:选|找|推荐|安排)|另(?:找|选|外)|redo|re-?pick|trade|new (?:one|hotel|restaurant)|换|改|调整|"
    r"change|swap|replace|switch|another|different|instead|find (?:me|us)|move (?:me|us)|other"
)
DROP = (
    r"(?:别|甭|不用)(?:去|安排|排)|不看了|免了|砍了|拿走|剔除|去过了|\blose\b|ditch|chuck|bin\b|axe\b|"
    r"forget about|don'?t (?:want|need|fancy) (?:to (?:see|visit|go))|no longer want|not interested in|"
    r"^\s*no (?!more\b|no\b|problem|need|thanks|budget|limit|idea|worr|wait|way|it\b|i\b)\w|"
    r"kick out|strike|去掉|删|取消|不(?:想)?去|不要|跳过|划掉|拿掉|砍掉|去除|算了|drop|remove|skip|cancel|"
    r"delete|take (?:\w+ ){0,4}out|take .{2,30} off|leave out|get rid of|cut (?!a day|one day|the trip|"
    r"it)|scrap"
)
ADD = (
    r"多排|多安排|多去|排(?:上|进|个|一个)|插(?:个|一个|进)|安排(?:上|进|个|一个)|带上|fit(?:ting)? in|"
    r"fit .{2,30} in\b|slot in|work in\b|squeez|adding|tack on|as well\b|pop in|stick .{2,30} in\b|"
    r"see .{2,30} too\b|加(?!坡)(?:上|个|一个|进|入)?|塞|添|增加|再安排|还想去|也想去|想去|想看|顺便|补(?:上|"
    r"一个)|\badd\b|include|also (?:visit|see|go)|squeeze|fit in|put .{2,30} in\b|want to (?:see|visit)|"
    r"throw in"
)
MOVE = (
    r"(?:挪|移|调|放|改|换|推|安排|调整)(?:到|至|去|成)?(?:了)?(?:在)?(?:最后|头|首)|(?:swap|"
    r"switch) .+ to day|(?<!what )(?<!we )(?<!i )do .{2,40} on (?:day|the (?:first|second|third|last))|"
    r"put (?:(?! in ).){2,40} on (?:day|the (?:first|second|third|last))|bring .+ to|(?:挪|移|调|放|改|换|"
    r"推|提前|安排|调整)(?:到|至|去|成)?(?:了)?(?:在)?第|(?:挪|移|调|放|留)到|第\S{1,2}天再(?:去|看|逛|玩|安排)|move|shift|push|"
    r"bring .+ forward|reschedule"
)
SWAP = (
    r"换个别的|替(?:成|掉)|顶替|代替|trade|exchange|in place of|rather than|instead|换成|换掉|换一?个|"
    r"替换|改成|换为|swap|replace|instead of|change .+ (?:to|for|into)|switch"
)
RESTORE = (
    r"(?:复原|倒回|退回去|恢复原样|还按|照旧|改回去|换回去|变回去|不改了|当我没说)|put (?:it|everything|"
    r"things|that|the plan) back|the way it was|how it was|roll(?: it)? back|scratch that,? (?:back|go)|"
    r"(?:what|the one) we had (?:before|first|at first|originally)|undo|bring back the|恢复|撤销|撤回|"
    r"还原|(?:回到|退回|改回|换回|用回|变回|返回)|(?:还是|就)(?:用|要|按|照)?(?:回)?(?:改|换|变|调|动)?(?:原来|之前|刚才|"
    r"上一?个|上一?版|最初|原先|先前)|刚才那[个版]|back to (?:what|the (?:previous|old|original|last|"
    r"earlier|first)|how|before|our)|undo|revert|restore|(?:previous|original|old|earlier) (?:plan|"
    r"version|one)|go back|as it was|like before"
)
PRICE = r"多少钱|什么价|啥价|价格|房价|how much|what does .{0,30} cost|\bprices?\b"
"""What one thing costs."""
IN_ALL = r"总|一共|合计|加起来|全部|整个|下来|total|altogether|in all|whole|everything|trip"
TOTAL = (
    r"(?:总的|统共|拢共|通共|整个|全部下来|算下来|下来)\S{0,6}(?:多少|几|花|钱)|多少银子|"
    r"what'?s the (?:damage|bill|tally|bottom line|grand total|price tag)|the damage|grand total|"
    r"set (?:me|us) back|price tag|how much (?:am i|are we|money|in total)|final (?:bill|price|cost)|"
    r"add(?:s)? up to|cost (?:us|me) (?:all|over)?|(?:一共|总共|总计|合计|总费用|总花费|全程|总价|加起来|"
    r"全部)\S{0,8}(?:多少|花|钱|费用|预算)?|花费?多少|要多少钱|多少钱(?!一晚)|total|altogether|in all|"
    r"all in|overall cost|whole (?:trip|thing) cost|how much for (?:everything|it all|the whole)|"
    r"how much (?:is|does|will|would) (?:it|this|the (?:whole|trip|entire)|everything|that all)"
)
ETIQUETTE = (
    r"(?:当地|那边|那里)(?:人)?(?:有)?(?:什么|啥|哪些)(?:规矩|讲究|习惯)|注意啥|入乡随俗|offen[ds]|"
    r"faux pas|do'?s and don'?t|cultural|respectful|bad form|frowned|礼仪|礼节|习俗|风俗|忌讳|禁忌|规矩|"
    r"讲究|小费|注意(?:些|点)?什么|(?:什么|哪些)\S{0,4}注意|etiquette|customs?\b|manners|taboos?|"
    r"dos and don'?ts|rude|polite|local rules|should i know|be aware|\btip(?:ping)?\b|should i not|"
    r"not do in|avoid doing"
)
HISTORY = (
    r"我(?:上|前)(?:一|个|一个|一?条|一?句|次|回)\S{0,6}(?:说|问|提|要|发|讲)|(?:上一|前一|第一|最早一|"
    r"最后一)(?:条|句)(?:消息|话|问题|要求)?\S{0,4}(?:说|问|是)|我(?:刚才|刚刚|之前|先前)\S{0,4}(?:问|说|"
    r"提)(?:的|了)?(?:啥|什么|哪)|(?:my|the) (?:last|previous|earlier|opening|very first) (?:message|"
    r"question|request)|(?:did|have) i (?:just )?(?:say|ask|type|write|request|tell)|remind me what i|"
    r"i (?:asked|said|wrote) (?:first|last|before|earlier|at the (?:start|beginning))|start(?:ed)? (?:out|"
    r"off) asking|我(?:一开始|最初|最开始|最早|第一次|刚开始|开头|起初|第一句|最先)\S{0,6}(?:问|说|要|提|"
    r"想)|(?:最初|最开始|一开始|第一句|第一个)(?:的)?(?:要求|问题|需求|请求|话)|what (?:did|was) (?:i|"
    r"my)\b.{0,24}(?:first|originally|initially|start|begin|initial|original)|my (?:first|original|"
    r"initial|very first) (?:question|request|message|ask)|(?:first|originally|initially) ask|(?:first|"
    r"last) thing i (?:asked|said)|what i asked"
)
COMPARE = (
    r"哪(?:个|家|一?晚)\S{0,6}(?:强|值)|比一比|比比|pk|(?:how|do) .{0,40}(?:stack up|compare|differ|"
    r"measure up)|side by side|pros and cons|weigh up|up against|对比|比较|相比|哪[个家]\S{0,6}(?:好|(?<!最)划算|"
    r"更|合适|值)|还是\S{1,12}(?:好|划算)\s*[??]?$|区别|差别|compare|versus|\bvs\b|difference between|"
    r"which (?:one |hotel )?is (?:better|nicer|best value)|better,? .+ or "
)
CHEAPEST = (
    r"(?:花钱|价格|价钱|房费|费用)(?:最少|最低|最便宜)|最省(?:钱)?|最划算|最低价|lowest[- ](?:cost|rate|"
    r"price)|least (?:costly|pricey)|most affordable|costs? (?:the )?least|best price|"
    r"easiest on the wallet|最便宜|最低价|价格最低|最实惠|cheapest|lowest price|least expensive"
)
ASK = (
    r"啥|咋|几点|几个|能不能|可以.{0,6}吗|run (?:me|us) through|walk (?:me|us) through|talk me through|"
    r"recap|\bcan (?:a|we|i|you|they|my)\b|list|\bgive me\b|any\b|\bwhere|\bwhen\b|具体|看看|讲(?:一)?下|[??]|"
    r"吗|呢$|哪|什么|多少|怎么样|如何|是不是|有没有|介绍|说说|讲讲|告诉我|what|which|\bwho\b|how|"
    r"tell (?:me|us)|introduce|describe|remind|is (?:it|there|that|the|this)|are (?:there|they|the)|does|"
    r"explain|show|^(?:is|are|does|do|can i) "
)
INTRODUCE = (
    r"(?:说|讲|聊)(?:一)?聊|科普|有啥(?:好玩|好看|意思|特色|看头|看点)|啥(?:地方|来头)|来头|fill me in on|"
    r"what'?s the (?:story|deal|fuss)|info(?:rmation)? (?:on|about)|background (?:on|of)|all about|"
    r"details (?:on|about)|(?:deal|fuss) with|known for|famous for|give me .{0,14} on\b|介绍|讲讲|说说|"
    r"讲一下|说一下|是什么(?:地方)?|有什么(?:好玩|特色|看点|好看)|好玩吗|值得去|怎么样|了解(?:一下)?|"
    r"introduce|tell (?:me|us) (?:more |a bit |something )?about|describe|what(?:'s| is) (?:special|"
    r"interesting|so|there to)|know (?:more )?about|what is (?:the )?[a-z' ]+\?|\blike\?|是干嘛|干什么的|"
    r"worth (?:it|a visit|visiting|seeing)"
)
DIET_ASK = (
    r"(?:can|could) .{0,20}(?:vegetarians?|vegans?|muslims?|allerg\w*).{0,12} (?:eat|dine|go)|(?:吃素|"
    r"素食|清真|不吃辣|过敏)\S{0,8}(?:能|可以|行)\S{0,4}(?:吃|去|吗)|(?:anything|options?|"
    r"something) for .{0,14}(?:vegetarian|vegan|halal)|(?:vegetarian|vegan|halal|spicy|"
    r"pork)[- ]?(?:friendly|ok|free|options?).{0,20}\?|(?:素|清真|辣|花生|猪肉|海鲜|蔬)\S{0,6}(?:吗|么|\?|"
    r"不$)|辣不辣|(?:是不是|有没有|有|能吃)\S{0,6}(?:素|清真|辣|花生)|(?:is|are|does|do|has|have|serve|"
    r"any)\b.{0,40}(?:vegetarian|vegan|halal|spicy|peanuts?|pork|seafood|allerg\w*)|(?:ok|okay|safe|"
    r"suitable|fine) for .{0,24}(?:vegetarian|vegan|allerg|halal)"
)
MORE_DAYS = (
    r"(?:多|再|加(?!坡)|增加|延长|延|再多|多玩|多待|多住)(?:玩|待|住|加|上|留|呆|接|续)?(?P<n>"
    + COUNT
    + r")\s*(?:天|日|晚(?!上|餐|饭))|晚(?:回|走)?(?P<z>"
    + COUNT
    + r")\s*天(?:回|返|$)|(?:add|extend|one more|(?P<m>"
    + COUNT
    + r") more|an? (?:extra|additional|more)|another)\b.{0,16}\b(?:days?|nights?)\b(?! hotel|'s)|"
    r"(?:back|home|return)\b[^.,;]{0,16}\b(?P<l>"
    + COUNT
    + r") days? later|extend (?:it |the trip )?by (?P<k>"
    + COUNT
    + r") days?|stay (?:a|one) day longer|(?P<j>"
    + COUNT
    + r") days? (?:longer|more|extra)"
)
FEWER_DAYS = (
    r"(?:少|减|砍|缩短|去掉|减少|提前|缩)(?:玩|待|住|掉|去)?(?:了)?(?P<n>"
    + COUNT
    + r")\s*(?:天|日|晚(?!上|餐|饭))(?!的)|早(?:回|走)?(?P<z>"
    + COUNT
    + r")\s*天(?:回|返|走|$)|(?:back|home|return|finish|end)\b[^.,;]{0,16}\b(?P<l>"
    + COUNT
    + r") days? (?:early|earlier|sooner)"
    r"|第\S{1,2}天(?:整个|整天|全部|全)(?:都)?(?:不要|取消|去掉|砍)"
    r"|(?:cut|drop|remove|lose|shorten|take off|knock off) (?:it |the trip )?(?:by |off )?(?P<k>"
    + COUNT
    + r") (?:whole )?days?\b(?! trip)"
    r"|(?:drop|skip|cut|cancel|remove|lose|scrap) the (?:last|first|final|whole) day\b(?!'| of)"
    r"|(?:drop|skip|cut|cancel|remove) day \S+ (?:altogether|entirely|completely)|(?P<m>"
    + COUNT
    + r") (?:fewer|less) days?|(?P<j>"
    + COUNT
    + r") days? (?:shorter|less|fewer|off)"
)
NEW_DAYS = (
    (
        r"(?:(?<!不)是|改成|改为|变成|换成|缩短(?:到|成|为)|延长(?:到|成|为)|缩到|一共|总共|只(?:玩|有|待|"
        r"能玩)|压缩(?:到|成)|改|玩|调整(?:到|为|成))\s*(?P<n>"
    )
    + COUNT
    + (
        r")\s*(?:天|日)(?!的)|(?:from " + COUNT + r" days? to|make it|change (?:it |the trip )?to|extend (?:it |the trip )?to|"
        r"shorten (?:it |the trip )?to|cut (?:it |the trip )?(?:down )?to|only (?:have|got)?|into|now|"
        r"stay(?:ing)?(?: for)?|down to|go for)\s*(?:a )?(?P<m>"
    )
    + COUNT
    + r")[- ]days?|(?:\bnot|不是)\s*"
    + COUNT
    + r"\s*(?:days?|天)\s*,?\s*(?:but |是)?(?P<k>"
    + COUNT
    + r")\s*(?:$|天|[.!]|days?)"
)
PEOPLE = (
    r"我们[俩仨]|[仨俩]|成年人|情侣|夫妻|闺蜜|同事|同学|老人|老妈|老爸|我妈|我爸|couples|family of|"
    r"party of|group of|pax|mates?\b|mum|mom|dad|sister|brother|grand\w+|twins|girlfriend|boyfriend|"
    r"partner|adults|just me|on my own|\bwe(?:'re| are) \w+\b|人数|"
    r"[\d一二两三四五六]大[\d一二两三四五六]小|个人(?!民)|人(?:一起|去|了|出行|$|,)|大人|成人|孩子|小孩|"
    r"小朋友|宝宝|娃|两口子|老婆|老公|爸妈|父母|朋友|一家|位|people|adults?|kids?|child|children|persons?|"
    r"of us|wife|husband|friends?|parents|son\b|daughter|solo|alone|joining|couple|toddler|baby"
)
NO_LIMIT = (
    r"花(?:多少|几)(?:钱)?(?:都|也)?(?:行|可以|没关系|无所谓|成|ok)|(?:预算|花费|上限)\S{0,6}(?:删|撤|去|"
    r"拿掉|取消|作废|不要了|抹掉)|(?:删|撤|取消|去掉|拿掉|抹掉)\S{0,3}(?:预算|上限)|不差钱|上不封顶|"
    r"(?:money|cost|price|budget)(?:'s| is|s)? ?(?:no|not an?) (?:object|issue|problem|concern)|"
    r"sky'?s the limit|spare no expense|(?:take|lift|drop|remove|scrap|lose|ditch|delete|cancel|"
    r"wipe) .{0,14}(?:budget|cap|spending limit)|without (?:a |any )?budget|whatever it costs|(?:预算|钱|"
    r"价格)\S{0,5}(?:不限|无所谓|随便|不是问题|取消|去掉|不管|没有?(?:上限|限制)|放开|不用(?:管|考虑))|"
    r"不设(?:预算|上限|限额)|不限预算|不限制?(?:预算|价格)|取消预算|no (?:budget )?limit|no budget|unlimited|money is no|"
    r"budget (?:is )?(?:open|no(?:t an)? (?:issue|object|problem)|off)|(?:不考虑|别管|不用管|"
    r"不管)\S{0,2}(?:预算|钱)|(?:forget|ignore|drop|remove|lift|scrap|clear) (?:about )?(?:the |my |"
    r"our )?(?:budget|spending)|don'?t (?:worry|care) about (?:the )?(?:budget|money|cost)|price doesn'?t"
)
INSTEAD = (
    r"应该(?:是|去)|写错|打错|输错|填错|搞混|记错|城市|(?:去|到)\S{1,5}才对|typo|mixed up|should(?:'ve|"
    r" have)? (?:be|been|say)|meant|mistake|let'?s (?:do|go)|swap .{2,14} for|trade .{2,14} for|"
    r"other city|new destination|head to|不(?:去|是|要|想去)|改去|换(?:成|到|去)|改成|我(?:说|"
    r"想)(?:的)?(?:是|去)|搞错|弄错|说错|目的地|\bnot\b|instead|i meant|rather|"
    r"change (?:the )?(?:destination|city)|switch to|wrong city|actually|make it|sorry|forget|go to|scrap|"
    r"i want|不对"
)
