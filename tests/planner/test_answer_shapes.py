import json

import pytest

from travel_lab.errors import UnreadableReply
from travel_lab.planner.replies import LINE_FORM, SupervisorLine, read_line, read_question

FULL = SupervisorLine(kind="plan", destination="成都", days="3", origin="深圳", budget="5000", agents=("route", "hotel"))


@pytest.mark.parametrize(
    "text",
    [
        "PLAN: 成都|3|深圳||5000|route,hotel",
        "PLAN：成都｜3｜深圳｜｜5000｜route，hotel",
        "PLAN: 成都|３|深圳||５０００|route、hotel",
        "PLAN|成都|3|深圳||5000|route;hotel",
        "plan: 成都 | 3 | 深圳 | | 5000 | Route, Hotel",
        "好的！\nPLAN: 成都|3|深圳||5000|route,hotel\n祝您旅途愉快",
        "**PLAN: 成都|3|深圳||5000|route,hotel**",
        "`PLAN: 成都|3|深圳||5000|route,hotel`",
        "```\nPLAN: 成都|3|深圳||5000|route,hotel\n```",
        "<think>PLAN: 西安|1||||info</think>PLAN: 成都|3|深圳||5000|route,hotel",
        "PLAN: 成都|3|深圳||5000|route,hotel|",
        "PLAN: |成都|3|深圳||5000|route,hotel|",
        "PLAN: |成都|3|深圳||5000|route,hotel",
        "PLAN: 成都|3|深圳|5000|route,hotel",
        '{"kind":"plan","text":"","destination":"成都","days":3,"origin":"深圳","date":"","budget":"5000","agents":["route","hotel"]}',
        "```json\n{'kind':'PLAN','destination':'成都','days':'3','origin':'深圳','budget':5000,'agents':'route, hotel'}\n```",
    ],
)
def test_plan_is_read_alike_in_every_shape(text):
    """Full-width signs, marks, prose, case, a trailing sign and JSON mean the same plan."""
    assert read_line(text) == FULL


def test_sign_inside_a_wish_shifts_no_column():
    """A wish with the separator in it stays one wish."""
    line = read_line("PLAN: 成都|3|||不吃辣|带孩子|route,food")

    assert (line.budget, line.agents) == ("不吃辣,带孩子", ("route", "food"))


@pytest.mark.parametrize("text", ["PLAN: 成都|3", "PLAN: 成都|3|深圳|周五|route", "PLAN: a|b|c|d|e|f|g|h", "PLAN:", "PLAN 成都"])
def test_columns_that_cannot_be_told_apart_are_refused(text):
    """Too few or too many columns are refused rather than shifted."""
    with pytest.raises(UnreadableReply):
        read_line(text)


@pytest.mark.parametrize(
    "text", ["好的，我来安排。", "", '{"kind":"plan"', '{"days":3}', '{"kind":"ask","text":" "}', "<think>ASK: 几天？"]
)
def test_answer_without_a_decision_is_refused(text):
    """Prose, half an object and a thought are no decision."""
    with pytest.raises(UnreadableReply):
        read_line(text)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("ASK: 去哪？", "去哪？"),
        ('{"kind":"ask","text":"去哪？"}', "去哪？"),
        ("REPLY: 好", None),
        ('{"days":[1]}', None),
        ("", None),
    ],
)
def test_question_is_told_from_other_answers(text, question):
    """A question is one as a line and as JSON, and a plan's JSON is none."""
    assert read_question(text) == question


def test_unknown_agents_are_named():
    """Names that are no agent are kept apart, and part of a name is no name."""
    line = read_line("PLAN: 成都|3||||route,weather,hot")

    assert (line.agents, line.unknown) == (("route",), ("weather", "hot"))


def test_schema_is_what_the_reader_reads():
    """An object that fits the schema is read as a decision."""
    example = {
        "kind": "reply",
        "text": "第1天",
        "destination": "",
        "days": 0,
        "origin": "",
        "date": "",
        "budget": "",
        "agents": [],
    }

    assert set(example) == set(LINE_FORM.schema["required"])
    assert read_line(json.dumps(example, ensure_ascii=False)) == SupervisorLine(kind="reply", text="第1天")
