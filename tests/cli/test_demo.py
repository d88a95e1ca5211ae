import io
import shlex
from dataclasses import replace
from html.parser import HTMLParser
from typing import NamedTuple

import pytest
from rich.console import Console

from travel_lab.catalogue import CuratedProvider, Names
from travel_lab.cli import demo
from travel_lab.lab import Lab
from travel_lab.planner import STRATEGIES

# In one worker: each conversation is played once for all the tests that look at it.
pytestmark = pytest.mark.xdist_group("demo")

IMAGE = "<img src=x onerror=alert(1)>"
ESCAPE = "\x1b[31m红\x07酒店"


def rows_of(output):
    """The table's rows without the tokens, whose number is the prompts' affair."""
    cells = [line.split() for line in output.split("\n")]
    return {(c[0], c[1]): (*c[2:8], c[9]) for c in cells if len(c) == 10 and c[0] in STRATEGIES}


class Page(HTMLParser):
    """Every tag with its attributes, and every text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.texts.append(data)


class Demo(NamedTuple):
    """A run of the installed command and what its table must say."""

    arguments: list[str]
    about: str
    needed: str
    facts: str
    code: int = -1
    out: str = ""
    err: str = ""
    page: str = ""


DEMOS = [
    pytest.param(Demo([], "hotel", "5", "22"), id="zh"),
    pytest.param(Demo(["--lang", "en"], "hotel", "5", "22"), id="en"),
    pytest.param(Demo(["--city", "西安"], "hotel", "3", "22"), id="another city"),
    pytest.param(Demo(["--ask", "去掉第三天的第一个景点"], "route", "3", "27"), id="another question"),
]


def played(demo, command, folder):
    done = command(folder, "demo", *demo.arguments)
    page = (folder / "out" / "demo.html").read_text(encoding="utf-8")
    return demo._replace(code=done.code, out=done.out, err=done.err, page=page)


@pytest.fixture(scope="module")
def plain(command, tmp_path_factory):
    """The demo as it comes."""
    return played(Demo([], "hotel", "5", "22"), command, tmp_path_factory.mktemp("demo"))


@pytest.fixture(scope="module", params=DEMOS)
def done(request, command, tmp_path_factory):
    """Each conversation, played once."""
    return played(request.param, command, tmp_path_factory.mktemp("demo"))


class TestDemo:
    def test_ends_well(self, done):
        """Nothing fails and nothing is warned about."""
        assert (done.code, done.err) == (0, "")

    def test_measures_silence_as_zero_and_a_question_back(self, done):
        """Under silent the supervisor binds nothing and asks; the agent is not called, which is a dash and not a zero."""
        rows = rows_of(done.out)

        assert rows["silent", "supervisor"] == (done.facts, "0", "0", done.needed, "0", "0.00", "yes")
        assert rows["silent", done.about] == (done.facts, "–", "–", done.needed, "–", "–", "–")

    @pytest.mark.parametrize("agent", ["supervisor", "agent"])
    def test_measures_full_json_as_everything_and_no_question(self, done, agent):
        """Under full JSON supervisor and agent bind every fact and act."""
        row = rows_of(done.out)["full/own", done.about if agent == "agent" else agent]

        assert row == (done.facts, done.facts, done.facts, done.needed, done.needed, "1.00", "no")

    def test_shows_both_agents_under_every_strategy(self, done):
        """Four strategies by two agents are eight rows."""
        assert list(rows_of(done.out)) == [(strategy, agent) for strategy in STRATEGIES for agent in ("supervisor", done.about)]

    def test_writes_the_page(self, done):
        """The page holds the rows of the terminal's table and the way to make it again."""
        page = Page(done.page)
        cells = [text for text in page.texts if text.strip()]

        assert [cell for row in rows_of(done.out).values() for cell in row if cell not in cells] == []
        assert shlex.join(["travel-lab", "demo", *done.arguments]) in page.texts

    def test_writes_a_page_that_loads_nothing(self, done):
        """No script, no style sheet, no image and no address: the page reads the same without a network."""
        page = Page(done.page)
        attributes = {name for _, attrs in page.tags for name in attrs}

        assert {"script", "link", "img", "iframe", "object", "embed", "base", "form"} & {tag for tag, _ in page.tags} == set()
        assert {name for name in attributes if name.startswith("on")} | {"src", "href", "srcset", "action"} & attributes == set()
        assert [mark for mark in ("http://", "https://", "url(", "@import") if mark in done.page] == []


def test_the_itinerary_of_turn_one_is_shown(plain):
    """Days, sights, meals, the hotel of each night and the cost against the budget are printed."""
    for words in ("成都 3天行程（第1轮）", "第3天 成都", "午餐: ", "晚餐: ", "住宿: ", "预算 5,000 CNY，剩余"):
        assert words in plain.out


def test_the_replies_and_who_ran_are_shown(plain):
    """Silent asks back and runs nobody; full JSON runs the hotel agent."""
    assert "reply: 请问您之前看的是哪家酒店？我这里看不到第2晚的酒店和价格。" in plain.out
    assert [line.strip() for line in plain.out.split("\n") if "agents that ran" in line] == [
        "agents that ran: supervisor",
        "agents that ran: supervisor, hotel",
        "agents that ran: supervisor, hotel",
        "agents that ran: supervisor, hotel",
    ]


def test_progress_is_told_while_agents_run(plain):
    """Each turn under each strategy has its line."""
    lines = [line.split(":")[0] for line in plain.out.split("\n") if ", turn " in line and "✓" in line]

    assert lines == [f"{strategy}, turn {turn}" for strategy in STRATEGIES for turn in (1, 2)]


def test_it_is_played_on_a_real_file(travel_lab, tmp_path):
    """With a database named, the four conversations are in it."""
    travel_lab("demo", "--db", "lab.db")

    with Lab.open(tmp_path / "lab.db") as lab:
        assert [lab.session(session).state()["turn"] for session in lab.sessions()] == [2, 2, 2, 2]


def test_two_runs_write_the_same_page(travel_lab, tmp_path):
    """Nothing in the page depends on luck or time."""
    pages = []
    for _ in range(2):
        travel_lab("demo")
        pages.append((tmp_path / "out" / "demo.html").read_bytes())

    assert pages[0] == pages[1]


def test_a_city_that_cannot_be_planned_is_told(travel_lab):
    """The demo of an unknown city shows the planner's question and ends well."""
    done = travel_lab("demo", "--city", "亚特兰蒂斯")

    assert done.code == 0
    assert "还不会规划「亚特兰蒂斯」" in done.out


@pytest.mark.parametrize("out", ["page.html/demo.html", "folder"])
def test_a_page_that_cannot_be_written_is_a_named_error(travel_lab, tmp_path, out):
    """A file in the way of the folder, or a folder in the way of the page, is told without a traceback."""
    (tmp_path / "page.html").touch()
    (tmp_path / "folder").mkdir()

    done = travel_lab("demo", "--out", out)

    assert done.code == 1
    assert done.err.startswith("travel-lab demo: Cannot ")
    assert "with --out." in done.err
    assert "Traceback" not in done.err


class Hostile(CuratedProvider):
    """The catalogue with hotels that call themselves markup or control codes."""

    def hotels(self, city):
        names = [
            IMAGE,
            ESCAPE,
            "<script>alert(2)</script>",
            "[red]红[/red]",
            "{{ 7 * 7 }}",
            "' onmouseover='alert(3)",
            "&lt;b&gt;",
        ]
        known = super().hotels(city)
        return tuple(replace(hotel, name=Names(zh=name, en=name)) for hotel, name in zip(known, names, strict=False))


@pytest.fixture(scope="module", params=["zh", "en"])
def shown(request, tmp_path_factory):
    """The hostile catalogue through the demo: what the terminal and what the page shows."""
    out = io.StringIO()
    console = Console(file=out, width=10_000, force_terminal=False)
    with Lab.open(tmp_path_factory.mktemp("lab") / "lab.db", provider=Hostile()) as lab:
        first = demo.FIRST[request.param].format(city=demo.CITY[request.param])
        runs = [demo._play(lab, name, first, demo.ASK[request.param], console) for name in STRATEGIES]
    demo._show(console, runs)
    return out.getvalue(), demo._page(runs, request.param, "travel-lab demo")


class TestHostileNames:
    def test_are_text_in_the_page(self, shown):
        """A hotel called `<img …>` is read as those characters and makes no element."""
        page = Page(shown[1])

        assert {"img", "script", "b"} & {tag for tag, _ in page.tags} == set()
        assert {name for _, attrs in page.tags for name in attrs} <= {"lang", "charset", "name", "content", "http-equiv", "class"}
        assert IMAGE in "".join(page.texts)

    def test_are_escaped_in_the_pages_source(self, shown):
        """The source holds no `<` of theirs."""
        assert IMAGE not in shown[1]
        assert "&lt;img src=x onerror=alert(1)&gt;" in shown[1]

    def test_are_printed_as_they_are_in_the_terminal(self, shown):
        """Terminal markup and templates are shown, not obeyed."""
        assert [name for name in (IMAGE, "[red]红[/red]", "{{ 7 * 7 }}") if name not in shown[0]] == []

    def test_lose_their_control_characters_in_the_terminal(self, shown):
        """No escape sequence or bell reaches the terminal; the rest of the name does."""
        assert {char for char in shown[0] if ord(char) < 32} == {"\n"}
        assert "[31m红酒店" in shown[0]

    def test_lose_their_control_characters_in_the_page(self, shown):
        """The page holds none either, as HTML allows none."""
        assert {char for char in shown[1] if ord(char) < 32} == {"\n"}
        assert "[31m红酒店" in shown[1]
