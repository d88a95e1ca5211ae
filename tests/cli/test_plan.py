import re
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from travel_lab.chat_models import Fault, FaultyModel, Schedule
from travel_lab.lab import Lab
from travel_lab.planner import offline_model

PLAN = "帮我规划成都3天旅行，预算5000"
CHEAPER = "把第二天的酒店换成便宜点的"


def test_messages_as_arguments_are_one_turn_each(travel_lab):
    """Two arguments are two turns of one session: a plan and its change."""
    done = travel_lab("plan", PLAN, CHEAPER)

    assert (done.code, done.err) == (0, "")
    assert "成都 3天行程（第1轮）" in done.out
    assert "已更新成都 3天行程：hotel" in done.out
    assert "成都 3天行程（第2轮）" in done.out
    assert "route：沿用第1轮的结果" in done.out


def test_lines_of_a_pipe_are_one_turn_each(travel_lab):
    """The same messages from a pipe print the same."""
    piped, given = travel_lab("plan", typed=f"{PLAN}\n{CHEAPER}\n"), travel_lab("plan", PLAN, CHEAPER)

    assert (piped.code, piped.err) == (0, "")
    assert piped.out == given.out


def test_a_real_pipe_is_read_to_its_end(command, tmp_path):
    """The installed command behind a pipe plays each line and ends well."""
    done = command(tmp_path, "plan", "--db", "lab.db", "--session", "trip", typed=f"{PLAN}\n{CHEAPER}\n")

    assert (done.code, done.err) == (0, "")
    assert "成都 3天行程（第2轮）" in done.out


def test_a_blank_line_ends_the_conversation(travel_lab):
    """What stands after an empty line is not played."""
    done = travel_lab("plan", typed=f"{PLAN}\n\n{CHEAPER}\n")

    assert "第1轮" in done.out
    assert "第2轮" not in done.out


def test_nothing_typed_is_no_turn(travel_lab):
    """An empty pipe ends at once and well."""
    done = travel_lab("plan", typed="")

    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_session_in_a_file_is_continued(travel_lab, tmp_path):
    """A second call with the same database and session goes on where the first one ended."""
    first = travel_lab("plan", "--db", "lab.db", "--session", "trip", PLAN)
    second = travel_lab("plan", "--db", "lab.db", "--session", "trip", CHEAPER)

    assert "Session trip is kept in lab.db." in first.out
    assert "成都 3天行程（第2轮）" in second.out
    with Lab.open(tmp_path / "lab.db") as lab:
        assert (lab.sessions(), lab.session("trip").state()["turn"]) == (("trip",), 2)


def test_a_session_without_a_name_gets_a_fresh_one(travel_lab, tmp_path):
    """Two calls on one file without a session are two conversations, each told its id."""
    outputs = [travel_lab("plan", "--db", "lab.db", PLAN).out for _ in range(2)]

    with Lab.open(tmp_path / "lab.db") as lab:
        sessions = lab.sessions()
    assert len(sessions) == 2
    assert [[session for session in sessions if f"Session {session} is kept" in output] for output in outputs].count([]) == 0


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0天", "天数需要是 1 到 14 之间的整数，你想玩几天？"),
        ("🎉", "你想去哪玩呢？"),
        ("帮我规划亚特兰蒂斯3天旅行", "还不会规划「亚特兰蒂斯」。"),
    ],
)
def test_a_message_that_cannot_be_planned_is_answered_and_the_next_one_played(travel_lab, text, told):
    """What cannot be planned does not end the conversation."""
    done = travel_lab("plan", text, PLAN)

    assert done.code == 0
    assert told in done.out
    assert "为用户规划了成都 3天行程" in done.out


@pytest.mark.parametrize("arguments", [[""], [" \t"], [PLAN, ""], [PLAN, "成" * 20_001]], ids=["none", "blank", "second", "long"])
def test_a_message_that_cannot_be_sent_is_a_wrong_command_line(travel_lab, arguments):
    """A blank or far too long message among the arguments ends with 2 before any of them is played."""
    done = travel_lab("plan", "--db", "lab.db", *arguments)

    assert (done.code, done.out) == (2, "")
    assert re.search(r"error: The message (is blank|has 20,001 characters).* nothing was stored\.", done.err)
    assert not Path("lab.db").exists()


def test_a_typed_line_that_is_too_long_is_told_and_the_next_one_played(travel_lab):
    """In a conversation a wrong line is told; the exit code says that one of the messages was not played."""
    done = travel_lab("plan", typed=f"{'成' * 20_001}\n{PLAN}\n")

    assert done.code == 1
    assert "The message has 20,001 characters; at most 20,000 are taken." in done.out
    assert "为用户规划了成都 3天行程" in done.out


def test_a_turn_that_fails_is_told_and_ends_with_one(travel_lab, monkeypatch):
    """When an agent without a fallback fails, what failed is told and the exit code is not that of a plan."""
    schedule = Schedule([Fault(kind="bad key", on="info agent")])
    model = FaultyModel(inner=offline_model(), schedule=schedule, sleep=time.sleep)
    monkeypatch.setattr("travel_lab.lab.offline_model", lambda: model)
    done = travel_lab("plan", PLAN)

    assert done.code == 1
    assert "The service refuses the key." in " ".join(done.out.split())


def test_a_closed_standard_input_is_a_named_error(travel_lab, monkeypatch):
    """Without messages and without an input to read them from there is nothing to do, which is told."""
    monkeypatch.setattr("travel_lab.cli.plan.sys", SimpleNamespace(stdin=None))
    done = travel_lab("plan")

    assert (done.code, done.out) == (1, "")
    assert "the standard input is closed" in done.err


def test_a_strategy_can_be_chosen(travel_lab):
    """Under silent the change ends in a question."""
    done = travel_lab("plan", "--strategy", "silent", PLAN, CHEAPER)

    assert "请问您之前看的是哪家酒店？" in done.out
    assert "第2轮" not in done.out


def test_which_agents_ran_is_told(travel_lab):
    """Each turn has a line with everyone who worked and how it went."""
    lines = [line for line in travel_lab("plan", PLAN, CHEAPER).out.split("\n") if line.startswith("agents:")]

    assert [sorted(line.removeprefix("agents:").split("  ")[1:]) for line in lines] == [
        ["aggregator ✓", "food ✓", "hotel ✓", "info ✓", "route ✓", "supervisor ✓"],
        ["aggregator ✓", "hotel ✓", "supervisor ✓"],
    ]


def test_text_is_printed_as_it_is(travel_lab):
    """Neither markup of the terminal library nor control codes in a message have any effect."""
    done = travel_lab("plan", "帮我规划[red]\x1b[31m西湖[/red]3天旅行")

    assert done.code == 0
    assert "\x1b" not in done.out + done.err


def test_an_english_conversation_is_answered_in_english(travel_lab):
    """Card and words follow the traveller's language."""
    done = travel_lab("plan", "Plan a 3-day trip to Sydney, budget 3000")

    assert "Planned 3 days in Sydney for the traveller" in done.out
    assert "Sydney, 3 days (turn 1)" in done.out
