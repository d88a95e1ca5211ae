import sqlite3
from contextlib import closing

import pytest

from travel_lab.context import Strategy, own_handoff, task_only
from travel_lab.errors import BadSessionId, NotADatabase, StorageError, StoreClosed, UnknownName, UnreadableStep
from travel_lab.lab import DEFAULT_STRATEGY, MAX_ID, Lab

PLAN = "帮我规划成都3天旅行，预算5000"
CHEAPER = "把第二天的酒店换成便宜点的"


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as lab:
        yield lab


def name_only(agent, result, language):
    return f"{agent} is done"


def one_price(agent, result, language):
    return "锦江宾馆(¥500)"


class TestOpen:
    def test_takes_a_path(self, tmp_path):
        """The database stands where it was asked for."""
        with Lab.open(tmp_path / "旅行 lab.db") as lab:
            lab.session().send(PLAN)

            assert lab.path == tmp_path / "旅行 lab.db"
        assert (tmp_path / "旅行 lab.db").read_bytes().startswith(b"SQLite format 3\x00")

    def test_without_a_path_works_on_a_temporary_file(self):
        """A lab for a quick look needs no path; its file exists while it is open."""
        with Lab.open() as lab:
            assert lab.session().send(PLAN).reply == "为用户规划了成都 3天行程"
            assert lab.path.is_file()

    def test_removes_its_temporary_file_on_close(self):
        """Nothing of a temporary lab is left behind, neither file nor folder."""
        with Lab.open() as lab:
            folder = lab.path.parent
            lab.session().send(PLAN)

        assert not folder.exists()

    def test_keeps_a_file_it_was_given(self, lab):
        """A file with a name stays after close."""
        lab.session("trip").send(PLAN)
        lab.close()

        assert lab.path.is_file()

    def test_two_labs_may_share_a_file(self, tmp_path):
        """A second lab on the same file goes on with a session the first one began."""
        with Lab.open(tmp_path / "lab.db") as one, Lab.open(tmp_path / "lab.db") as two:
            one.session("trip").send(PLAN)

            assert two.session("trip").send(CHEAPER).number == 2

    @pytest.mark.parametrize(
        ("place", "message"),
        [
            ("missing/lab.db", "does not exist. Create it first."),
            ("file.txt/lab.db", "does not exist. Create it first."),
            (".", "is a folder"),
        ],
    )
    def test_a_path_that_cannot_be_used_is_refused_by_name(self, tmp_path, place, message):
        """The error says what is wrong with the path, and nothing is created."""
        (tmp_path / "file.txt").write_text("Hello", encoding="utf-8")

        with pytest.raises(StorageError) as caught:
            Lab.open(tmp_path / place)

        assert message in str(caught.value)
        assert [path.name for path in tmp_path.iterdir()] == ["file.txt"]

    @pytest.mark.parametrize("path", ["", "   ", ":memory:", "https://example.org/lab.db"])
    def test_what_is_no_path_is_refused_by_name(self, path):
        """A blank, a memory database and a URL are no files."""
        with pytest.raises(StorageError):
            Lab.open(path)

    def test_a_file_that_is_no_database_is_refused_by_name(self, tmp_path):
        """A file of something else is named and left as it is."""
        (tmp_path / "notes.txt").write_text("预算五千", encoding="utf-8")

        with pytest.raises(NotADatabase, match="is no SQLite database"):
            Lab.open(tmp_path / "notes.txt")

        assert (tmp_path / "notes.txt").read_text(encoding="utf-8") == "预算五千"

    def test_a_refused_path_leaves_the_next_lab_alone(self, tmp_path):
        """After a refusal a lab on a good path opens and plans."""
        with pytest.raises(StorageError):
            Lab.open(tmp_path / "missing" / "lab.db")

        with Lab.open(tmp_path / "lab.db") as lab:
            assert lab.session().send(PLAN).reply_kind == "plan"

    @pytest.mark.parametrize("name", ["full", "FULL/OWN", "", "summary"])
    def test_an_unknown_strategy_is_named_with_the_known_ones(self, tmp_path, name):
        """The error lists every strategy there is, and no file is made."""
        with pytest.raises(UnknownName) as caught:
            Lab.open(tmp_path / "lab.db", strategy=name)

        assert str(caught.value) == (
            f"No strategy {name!r}. Known: silent, summary/task, summary/own, full/own, nothing, article, "
            "packed, digest, look-up. Pass a Strategy of your own for anything else."
        )
        assert list(tmp_path.iterdir()) == []


class TestSession:
    @pytest.mark.parametrize(
        "session_id", ["", "  ", "\n", "None", " None ", "x" * (MAX_ID + 1), 42, 0, False, b"trip", ["trip"], "\ud800"]
    )
    def test_an_unusable_id_is_refused_by_name(self, lab, session_id):
        """A blank, the text None, an endless one and what is no text name no session that callers could share by accident."""
        with pytest.raises(BadSessionId, match="A session id is a text of 1 to 200 characters"):
            lab.session(session_id)

    @pytest.mark.parametrize("session_id", ["", "None", "x" * (MAX_ID + 1), 42])
    def test_the_lab_works_after_a_refused_id(self, lab, session_id):
        """A refused id costs nothing: the next session plans."""
        with pytest.raises(BadSessionId):
            lab.session(session_id)

        assert lab.session("trip").send(PLAN).reply_kind == "plan"

    @pytest.mark.parametrize("session_id", ["x" * MAX_ID, "旅行", "'; DROP TABLE checkpoints; --", "a/b:c", "none of these", "🏝️"])
    def test_any_other_text_is_an_id(self, lab, session_id):
        """Two handles of one id are one session, whatever characters it has."""
        lab.session(session_id).send(PLAN)

        assert lab.session(session_id).send(CHEAPER).number == 2
        assert lab.sessions() == (session_id,)

    def test_no_id_makes_a_fresh_one_each_time(self, lab):
        """Callers without an id never meet in one session."""
        one, other = lab.session(), lab.session(None)
        one.send(PLAN)

        assert one.session_id != other.session_id
        assert other.state() == {}

    def test_a_fresh_id_cannot_be_guessed(self, lab):
        """It holds 64 random bits."""
        assert len(lab.session().session_id.removeprefix("sess_")) == 16

    def test_may_have_a_strategy_of_its_own(self, lab):
        """One lab compares strategies: a session follows its own, the others the lab's."""
        assert lab.session(strategy="silent").send(PLAN).strategy == "silent"
        assert lab.session().send(PLAN).strategy == DEFAULT_STRATEGY

    def test_an_unknown_strategy_is_refused_by_name(self, lab):
        """A session takes no strategy the package does not know."""
        with pytest.raises(UnknownName, match="No strategy 'fullest'"):
            lab.session(strategy="fullest")

    def test_takes_a_strategy_of_the_callers_own(self, lab):
        """Any handoff and briefing can be tried without touching the package."""
        loud = Strategy(name="loud", handoff=name_only, briefing=own_handoff)
        session = lab.session(strategy=loud)
        session.send(PLAN)

        view = session.send(CHEAPER).call("supervisor").view

        assert [message.text for message in view if message.name in {"route", "hotel", "food", "info"}] == [
            "route is done",
            "hotel is done",
            "food is done",
            "info is done",
        ]

    def test_the_briefing_of_a_strategy_reaches_the_agent(self, lab):
        """The hotel agent's call has its handoff under one briefing and nothing but its task under the other."""
        views = {}
        for briefing in (own_handoff, task_only):
            quick = Strategy(name="quick", handoff=one_price, briefing=briefing)
            session = lab.session(strategy=quick)
            session.send(PLAN)
            views[briefing] = session.send(CHEAPER).call("hotel").view

        assert [message.type for message in views[own_handoff]] == ["system", "ai", "human"]
        assert [message.type for message in views[task_only]] == ["system", "human"]


class TestClose:
    def test_twice_is_allowed(self, lab):
        """Closing a closed lab does nothing."""
        lab.close()
        lab.close()

        assert lab.path.is_file()

    @pytest.mark.parametrize("use", ["session", "sessions"])
    def test_makes_further_use_an_error_with_a_name(self, lab, use):
        """A closed lab gives no sessions."""
        lab.close()

        with pytest.raises(StoreClosed, match="is closed"):
            getattr(lab, use)()

    def test_folds_everything_into_the_one_file(self, lab):
        """After close the database is a single file that can be copied."""
        lab.session().send(PLAN)
        lab.close()

        assert [path.name for path in lab.path.parent.iterdir()] == ["lab.db"]


def test_sessions_lists_those_with_steps(lab):
    """A session is in the file once something was said in it."""
    lab.session("b").send(PLAN)
    lab.session("a").send("你好")
    lab.session("c")

    assert lab.sessions() == ("a", "b")


@pytest.mark.parametrize("noise", [b"", b"\xc1", b"\x00\xc1", b"\x01noise", b"hello"])
@pytest.mark.parametrize("use", [lambda s: s.state(), lambda s: s.send("more"), lambda s: s.resume(), lambda s: s.waits_for()])
def test_a_damaged_step_is_named_and_other_sessions_go_on(tmp_path, noise, use):
    """Using a session whose newest step is noise names session and step; the session beside it is played on."""
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session("hurt").send("hello")
        lab.session("whole").send("hello")
        step = lab.session("hurt").chain().at(-1).checkpoint_id
    with closing(sqlite3.connect(tmp_path / "lab.db")) as file, file:
        file.execute("UPDATE checkpoints SET checkpoint = ? WHERE checkpoint_id = ?", (noise, step))

    with Lab.open(tmp_path / "lab.db") as lab:
        with pytest.raises(UnreadableStep, match=f"Step '{step}' of session 'hurt'"):
            use(lab.session("hurt"))
        assert lab.sessions() == ("hurt", "whole")
        assert lab.session("whole").send("more").number == 2
