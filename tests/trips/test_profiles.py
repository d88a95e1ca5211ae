"""What a user's conversations have in common, kept apart from everybody else's."""

import subprocess
import sys
from threading import Barrier, Thread

import pytest
from langchain_core.messages import SystemMessage

from travel_lab.errors import BadUser, NotYourSession, UnknownName
from travel_lab.lab import Lab
from travel_lab.trips import Profiles

FIRST = "帮我规划成都3天旅行，预算5000，不吃辣"


@pytest.fixture
def lab(tmp_path):
    with Lab.open(tmp_path / "lab.db") as lab:
        yield lab


@pytest.fixture
def profiles(lab):
    return lab.profiles


def system_prompt(turn):
    (first,) = (message for message in turn.call("supervisor").view if message.type == SystemMessage("").type)
    return first.content


def test_turn_is_remembered_across_sessions(lab):
    """Destination, budget with its currency, and preferences of one session are known afterwards; the days are not."""
    lab.session(user="ann").send(FIRST)
    known = lab.profiles.read("ann")

    assert known["destinations"] == ["chengdu"]
    assert (known["budget"]["amount"], known["budget"]["currency"]) == (5000, "CNY")
    assert known["preferences"] == ["no_spicy"]
    assert "days" not in known


def test_profile_outlives_the_lab(tmp_path):
    """A lab opened later on the file knows the user."""
    with Lab.open(tmp_path / "lab.db") as lab:
        lab.session(user="ann").send(FIRST)
    with Lab.open(tmp_path / "lab.db") as lab:
        assert lab.profiles.read("ann")["preferences"] == ["no_spicy"]


@pytest.mark.parametrize(("message", "said"), [("帮我规划西安2天旅行", "不吃辣"), ("Plan 2 days in Xi'an", "no spicy")])
def test_prompt_of_a_new_session_carries_the_profile(lab, message, said):
    """The supervisor's recorded view of a later session says what is known, in the language of the session."""
    lab.session(user="ann").send(FIRST)

    assert said in system_prompt(lab.session(user="ann").send(message))


def test_new_session_plans_by_the_profile(lab):
    """Where the words are silent the profile's budget and wishes hold; its destination is not taken over."""
    lab.session(user="ann").send(FIRST)
    later = lab.session(user="ann")
    later.send("帮我规划西安2天旅行")
    known = later.state()["requirements"]

    assert (known["destinations"], known["budget"]["amount"], known["preferences"]) == (["xian"], 5000, ["no_spicy"])


def test_words_of_this_conversation_win(lab):
    """A budget said now replaces the profile's, in the plan and in the profile."""
    lab.session(user="ann").send(FIRST)
    later = lab.session(user="ann")
    later.send("帮我规划西安2天旅行，预算8000")

    assert later.state()["requirements"]["budget"]["amount"] == 8000
    assert lab.profiles.read("ann")["budget"]["amount"] == 8000


def test_old_session_does_not_bring_back_old_words(lab):
    """A further turn of an older session leaves what a newer one said."""
    old = lab.session(user="ann")
    old.send(FIRST)
    lab.session(user="ann").send("帮我规划西安2天旅行，预算8000")
    old.send("把第二天的酒店换成便宜点的")

    assert lab.profiles.read("ann")["budget"]["amount"] == 8000


def test_users_profile_reaches_nobody_else(lab):
    """Another user's view, and one without a user, hold nothing of it, and their plans do not either."""
    lab.session(user="ann").send(FIRST)
    bare = lab.session()
    prompt = system_prompt(bare.send("帮我规划西安2天旅行"))
    other = lab.session(user="bob")

    assert system_prompt(other.send("帮我规划西安2天旅行")) == prompt
    assert "不吃辣" not in prompt
    assert {"budget", "preferences"}.isdisjoint(other.state()["requirements"])


def test_without_a_user_nothing_is_kept(lab):
    """A lab nobody is named in has no tables of users in its file."""
    lab.session().send(FIRST)
    names = {row[0] for row in lab._store.connection.execute("SELECT name FROM sqlite_master")}

    assert names.isdisjoint({"profiles", "owners"})
    assert lab.profiles.read("ann") == {}


def test_user_edits_and_deletes_theirs(profiles):
    """An edit replaces fields and takes None ones away; after deleting nothing is known; others are untouched."""
    for user in ("ann", "bob"):
        profiles.learn(user, {"destinations": ["chengdu"], "preferences": ["slow"]})
    profiles.edit("ann", {"preferences": ["fast"], "destinations": None})

    assert profiles.read("ann") == {"preferences": ["fast"]}
    assert profiles.delete("ann")
    assert profiles.read("ann") == {}
    assert not profiles.delete("ann")
    assert profiles.read("bob") == {"destinations": ["chengdu"], "preferences": ["slow"]}


def test_edit_of_an_unknown_field_changes_nothing(profiles):
    """A field profiles do not have is named, with those they have."""
    with pytest.raises(UnknownName, match=r"budgget.*destinations, budget, preferences"):
        profiles.edit("ann", {"preferences": ["slow"], "budgget": 1})

    assert profiles.read("ann") == {}


def test_two_threads_lose_no_update(profiles):
    """Two threads that add forty wishes at once leave all forty."""
    start = Barrier(2)

    def add(name):
        start.wait()
        for number in range(20):
            profiles.learn("ann", {"preferences": [f"no:{name}{number}"]})

    threads = [Thread(target=add, args=(name,)) for name in "xy"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert set(profiles.read("ann")["preferences"]) == {f"no:{name}{number}" for name in "xy" for number in range(20)}


ADD = """
import sys
from travel_lab.trips import Profiles
profiles = Profiles(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
for number in range(20):
    profiles.learn("ann", {"preferences": [f"no:{sys.argv[2]}{number}"]})
"""


def test_two_processes_lose_no_update(lab):
    """Two real processes that add forty wishes at once leave all forty."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    writers = [subprocess.Popen([sys.executable, "-c", ADD, str(lab.path), name], **pipes) for name in "xy"]
    for writer in writers:
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        writer.stdin.write("\n")
        writer.stdin.flush()
    for writer in writers:
        writer.communicate(timeout=60)
    kept = Profiles(lab.path).read("ann")["preferences"]

    assert [writer.returncode for writer in writers] == [0, 0]
    assert set(kept) == {f"no:{name}{number}" for name in "xy" for number in range(20)}


def test_session_of_another_user_is_refused(lab):
    """The same id under another user, or under none, opens nothing; the owner's goes on."""
    lab.session("demo", user="ann").send(FIRST)
    for user in ("bob", None):
        with pytest.raises(NotYourSession, match="demo"):
            lab.session("demo", user=user)

    assert lab.session("demo", user="ann").send("把第二天的酒店换成便宜点的").number == 2


def test_session_is_owned_before_its_first_turn(lab):
    """Whoever opens an id first has it, though nothing was said in it yet."""
    lab.session("demo", user="ann")

    with pytest.raises(NotYourSession):
        lab.session("demo", user="bob")


def test_session_begun_by_nobody_cannot_be_taken(lab):
    """A session that has turns and no owner does not become somebody's by being opened."""
    lab.session("demo").send(FIRST)

    with pytest.raises(NotYourSession):
        lab.session("demo", user="bob")
    assert lab.session("demo").send("把第二天的酒店换成便宜点的").number == 2


def test_lists_show_ones_own(lab):
    """A user's list has their sessions only; the list without a user is the explicit look at all."""
    for user in ("ann", "bob"):
        lab.session(f"of {user}", user=user).send(FIRST)

    assert lab.sessions(user="ann") == ("of ann",)
    assert lab.sessions() == ("of ann", "of bob")


def test_only_the_owner_deletes(lab):
    """Another user's delete, and one without a user, are refused and delete nothing."""
    lab.session("demo", user="ann").send(FIRST)
    for user in ("bob", None):
        with pytest.raises(NotYourSession):
            lab.delete("demo", user=user)

    assert lab.sessions(user="ann") == ("demo",)
    assert lab.delete("demo", user="ann")


@pytest.mark.parametrize("user", ["", "  ", "None", 7, "x" * 201])
def test_blank_or_odd_user_is_refused(lab, user):
    """An id that several callers would share by mistake is refused everywhere."""
    for call in (lambda: lab.session(user=user), lambda: lab.profiles.read(user), lambda: lab.sessions(user=user)):
        with pytest.raises(BadUser):
            call()
