import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from travel_lab.errors import UnreadableReply
from travel_lab.planner import replies
from travel_lab.planner.replies import SupervisorLine, read_line, read_question


def read_object(text):
    return replies.read_object(text).value


CHENGDU = SupervisorLine(
    kind="plan", destination="成都", days="3", origin="深圳", budget="5000", agents=("route", "hotel", "food"), unknown=()
)
ROUTE_HOTEL = SupervisorLine(kind="plan", destination="成都", days="3", budget="5000", agents=("route", "hotel"))


class TestPlan:
    @pytest.mark.parametrize(
        "line",
        [
            "PLAN: 成都|3|深圳||5000|route,hotel,food",
            "PLAN：成都｜3｜深圳｜｜5000｜route，hotel，food",
            "PLAN：成都|３|深圳||５０００|route、hotel、food",
            "PLAN: 成都|3|深圳||5000|route；hotel；food",
            "PLAN: 成都|3|深圳||5000|route;hotel;food",
            "PLAN: 成都|3|深圳||5000|food hotel route",
            "PLAN：成都｜3｜深圳｜｜5000｜ｒｏｕｔｅ，hotel，food",
        ],
    )
    def test_full_width_signs_read_like_half_width_ones(self, line):
        """Colons, bars, commas, digits and letters may be full-width."""
        assert read_line(line) == CHENGDU

    @pytest.mark.parametrize(
        "line",
        [
            "PLAN|成都|3|||5000|route,hotel",
            "PLAN｜成都｜3｜｜｜5000｜route，hotel",
            "plan: 成都 | 3 | | | 5000 | Route, Hotel",
            "Plan : 成都|3|||5000|ROUTE,HOTEL",
            "  PLAN:成都|3|||5000|hotel,route,hotel",
            "PLAN：　成都　|　3　|　|　|　5000　|　route，　hotel",
        ],
    )
    def test_bar_after_the_word_case_and_blanks_do_not_matter(self, line):
        """Both forms of the articles, any case and any spacing read alike; agents come in their own order, each once."""
        assert read_line(line) == ROUTE_HOTEL

    @pytest.mark.parametrize(
        "text",
        [
            "好的！\nPLAN: 成都|3|||5000|route,hotel\n祝您旅途愉快",
            "**PLAN: 成都|3|||5000|route,hotel**",
            "`PLAN: 成都|3|||5000|route,hotel`",
            "```\nPLAN: 成都|3|||5000|route,hotel\n```",
            "```text\nPLAN: 成都|3|||5000|route,hotel\n```\n旅途愉快",
            "> PLAN: 成都|3|||5000|route,hotel",
            "* PLAN: 成都|3|||5000|route,hotel",
            "Sure!\r\nPLAN: 成都|3|||5000|route,hotel\r\nEnjoy.",
            "<think>PLAN: 北京|9||||food 还是成都？</think>\nPLAN: 成都|3|||5000|route,hotel",
            "<think>\nASK: 哪里？\n</think>PLAN: 成都|3|||5000|route,hotel",
        ],
    )
    def test_prose_marks_fences_and_thinking_around_the_line_are_left_out(self, text):
        """What a chatty model writes around its line does not stick to the last agent's name."""
        assert read_line(text) == ROUTE_HOTEL

    def test_names_that_are_no_agents_are_kept_apart(self):
        """Unknown names are reported as they were written, in lower case; a plural is no agent."""
        line = read_line("PLAN: 成都|3||||hotels,route,Weather")

        assert (line.agents, line.unknown) == (("route",), ("hotels", "weather"))

    def test_no_agents_are_no_agents(self):
        """An empty last column calls nobody."""
        assert read_line("PLAN: 成都|3||||").agents == ()

    def test_columns_stand_under_their_own_names(self):
        """Each of the six columns is read into its field."""
        assert read_line("PLAN: 悉尼+墨尔本|7|北京|2026-05-01|便宜|info") == SupervisorLine(
            kind="plan", destination="悉尼+墨尔本", days="7", origin="北京", date="2026-05-01", budget="便宜", agents=("info",)
        )

    @pytest.mark.parametrize(
        ("line", "count"),
        [
            ("PLAN: 成都|3|深圳|周五|route,hotel", 5),
            ("PLAN: 成都|3|深圳||不吃辣|带孩子|逛", 7),
            ("PLAN: |成都|三|深圳||5000|route", 7),
            ("PLAN: 成都", 1),
            ("PLAN:", 1),
            ("PLAN: 成都,3,深圳,,5000,route", 1),
        ],
    )
    def test_a_wrong_number_of_columns_is_refused_by_name(self, line, count):
        """Too few or too many columns are never shifted into each other; the error says how many there were."""
        with pytest.raises(UnreadableReply, match=f"A PLAN line has 6 columns, found {count} in "):
            read_line(line)


class TestQuestionsAndAnswers:
    @pytest.mark.parametrize(
        "text",
        [
            "ASK: 你想去哪玩呢？",
            "ASK：你想去哪玩呢？",
            "ask: 你想去哪玩呢？",
            "**ASK: 你想去哪玩呢？**",
            "好的。\nASK| 你想去哪玩呢？\n",
        ],
    )
    def test_ask_is_a_question(self, text):
        """An ASK line gives its question, with the traveller's own punctuation."""
        assert read_line(text) == SupervisorLine(kind="ask", text="你想去哪玩呢？")

    @pytest.mark.parametrize("text", ["REPLY: 每晚¥500｜含早餐", "Reply：每晚¥500｜含早餐", "`REPLY: 每晚¥500｜含早餐`"])
    def test_reply_is_an_answer(self, text):
        """A REPLY line gives its answer as it was written, bars included."""
        assert read_line(text) == SupervisorLine(kind="reply", text="每晚¥500｜含早餐")

    def test_the_first_line_decides(self):
        """Of several lines the first is taken."""
        assert read_line("ASK: 哪里？\nPLAN: 成都|3||||route").kind == "ask"

    @pytest.mark.parametrize("text", ["", "   ", "好的，马上规划。", "PLANNING: 成都|3||||route", "My plan: 成都", "{}"])
    def test_text_without_a_line_is_refused_by_name(self, text):
        """Prose is no decision; the error quotes what was found."""
        with pytest.raises(UnreadableReply, match="Expected one line PLAN:, ASK: or REPLY:"):
            read_line(text)

    def test_a_specialists_question_is_told_from_its_result(self):
        """An ASK line of a specialist is a question, anything else is not."""
        assert read_question("ASK: 哪家酒店？") == "哪家酒店？"
        assert read_question('{"comparison": "ASK: 哪家酒店？"}') is None
        assert read_question("PLAN: 成都|3||||route") is None
        assert read_question("") is None


class TestObject:
    @pytest.mark.parametrize(
        "text",
        [
            '{"days":[1]}',
            '好的，以下是行程：\n{"days":[1]}',
            '```json\n{"days":[1]}\n```',
            '```JSON\n{"days":[1]}\n```\n祝您旅途愉快！',
            '{"days":[1]} 参考[1]。',
            '{"days":[1]}{"days":[2]}',
            '<think>maybe {"draft":true}</think>{"days":[1]}',
            '<think>\n{"draft":\n</think>\n好的：{"days":[1]}',
            '好的。<think>{"draft":true}</think>{"days":[1]}',
            '[1, 2, 3] 然后 {"days":[1]}',
            '参考{不是 JSON}：{"days":[1]}',
            '{ "days" : [ 1 ] }',
            '\ufeff{"days":[1]}',
        ],
    )
    def test_the_object_is_found_in_what_stands_around_it(self, text):
        """Fences, prose, thinking blocks, arrays and stray brackets around the JSON are left out."""
        assert read_object(text) == {"days": [1]}

    @pytest.mark.parametrize(
        "value",
        [
            "用```包裹```即可",
            "写<think>标签</think>的书店",
            "a { b } c",
            "第一行\n第二行",
            '推荐"龙抄手"',
            "C:\\d",
            "</think>",
        ],
    )
    def test_a_value_is_kept_exactly(self, value):
        """Back-ticks, brackets, tags and quotes inside a value are the value's own."""
        assert read_object("好的：" + json.dumps({"tip": value, "days": [1]}, ensure_ascii=False)) == {"tip": value, "days": [1]}

    @pytest.mark.parametrize("text", ["", "  ", "对不起，我不能。", "[1, 2]", "null", "{占位}"])
    def test_text_without_an_object_is_refused_by_name(self, text):
        """What is no JSON object is no result; the error quotes what was found."""
        with pytest.raises(UnreadableReply, match="Expected one JSON object, found"):
            read_object(text)

    def test_an_object_that_was_cut_off_is_not_completed(self):
        """Nothing is made up for the missing end of a cut-off answer."""
        with pytest.raises(UnreadableReply):
            read_object('{"days":"宽窄巷子","tip":"锦')

    def test_an_object_nested_too_deep_is_refused_by_name(self):
        """Brackets without end are unreadable, not a crash of the parser."""
        with pytest.raises(UnreadableReply):
            read_object('{"a":' * 3_000)

    def test_a_number_too_long_is_refused_by_name(self):
        """Digits without end are unreadable as well."""
        with pytest.raises(UnreadableReply):
            read_object('{"price":' + "9" * 5_000 + "}")


PIECES = st.sampled_from(
    [
        "PLAN",
        "ASK",
        "REPLY",
        ":",
        "：",
        "|",
        "｜",
        "\n",
        "<think>",
        "</think>",
        "{",
        "}",
        "[",
        "]",
        '"',
        "```",
        "成都",
        "3",
        "\\",
        "\x00",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(st.one_of(PIECES, st.text(max_size=3)), max_size=40).map("".join))


@given(TEXTS)
@example("PLAN:\ud800|||||")
@example("PLAN: ½|²|①||५|route")
def test_reading_a_line_raises_nothing_but_the_named_error(text):
    """Whatever a model writes, it is a line or unreadable by name."""
    try:
        line = read_line(text)
    except UnreadableReply:
        return
    assert line.kind in {"plan", "ask", "reply"}
    assert set(line.agents) <= {"route", "hotel", "food", "info"}


@given(TEXTS)
@example('{"a":{"b":' * 400)
@example('{"\ud800":1}')
def test_reading_an_object_raises_nothing_but_the_named_error(text):
    """Whatever a model writes, it holds an object or is unreadable by name."""
    try:
        value = read_object(text)
    except UnreadableReply:
        return
    assert isinstance(value, dict)


@given(TEXTS)
def test_reading_a_question_raises_nothing(text):
    """Whatever a model writes, it is a question in its own words or none."""
    question = read_question(text)

    assert question is None or question in text


JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(value=st.dictionaries(st.text(), JSON), before=st.text(alphabet="好的 \n`:：。"), after=st.text())
def test_every_object_is_read_as_it_was_written(value, before, after):
    """Any object comes out whole, whatever its values hold and whatever follows it."""
    assert read_object(f"{before}{json.dumps(value)}{after}") == value
