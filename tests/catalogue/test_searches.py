"""Outside sources against a loopback server and a stub of the command-line tool: what they find and how they fail."""

import json
import stat
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

from travel_lab.catalogue import load_catalogue
from travel_lab.catalogue.providers import FlyAISearch, OverpassSearch
from travel_lab.catalogue.providers.flyai import read_price
from travel_lab.clock import Clock
from travel_lab.errors import BadInput, ProviderFailed
from travel_lab.retry import RetryPolicy

CHENGDU = load_catalogue().find_city("成都")
NODE = {"type": "node", "id": 1, "lat": 30.66, "lon": 104.05, "tags": {"name": "宽窄巷子", "name:en": "Kuanzhai Alley"}}
WAY = {"type": "way", "id": 2, "center": {"lat": 30.64, "lon": 104.04}, "tags": {"name": "锦里"}}
FOUND = (200, {"elements": [NODE, WAY]}, {})
RETRY = RetryPolicy(attempts=3, jitter=0)


class Overpass(ThreadingHTTPServer):
    """Gives its answers in order, the last one again and again; None keeps the client waiting."""

    def __init__(self, answers):
        self.answers, self.asked, self.closing = list(answers), [], threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.asked.append((parse_qs(body)["data"][0], self.headers["User-Agent"]))
        answer = self.server.answers.pop(0) if len(self.server.answers) > 1 else self.server.answers[0]
        if answer is None:
            self.server.closing.wait(10)
            return
        status, said, headers = answer
        data = said.encode() if isinstance(said, str) else json.dumps(said).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def overpass():
    """Makes a search over a server with these answers: (search, what it was asked, the waits between)."""
    servers = []

    def make(*answers, seconds=5.0):
        server, waits = Overpass(answers), []
        servers.append(server)
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        url = f"http://127.0.0.1:{server.server_address[1]}/api/interpreter"
        return OverpassSearch(url=url, seconds=seconds, retry=RETRY, clock=Clock(sleep=waits.append)), server.asked, waits

    yield make
    for server in servers:
        server.closing.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def flyai(tmp_path):
    """Makes a search over a stub tool that runs this code: (search, its calls so far, the waits between)."""

    def make(code, seconds=10.0):
        tool, calls, waits = tmp_path / "flyai", tmp_path / "calls", []
        tool.write_text(
            f"#!{sys.executable} -S\nimport json, sys\n"
            f"open({str(calls)!r}, 'a').write(json.dumps(sys.argv[1:]) + '\\n')\n"
            f"CALLS = len(open({str(calls)!r}).readlines())\n{code}\n",
            encoding="utf-8",
        )
        tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
        search = FlyAISearch(command=str(tool), seconds=seconds, retry=RETRY, clock=Clock(sleep=waits.append))
        return search, lambda: [json.loads(line) for line in calls.read_text(encoding="utf-8").splitlines()], waits

    return make


def says(status, items):
    """Code of a tool that says this."""
    body = {"status": status, "message": "m", "systemMessage": "", "data": {"itemList": items}}
    return f"print({json.dumps(body)!r})"


def test_overpass_finds_places_in_the_language(overpass):
    """A node and a way come with name, position and attribution, and without a price."""
    search, _, _ = overpass(FOUND)
    found = search.sights(CHENGDU, "en")
    assert [(place.name, place.lat, place.lon, place.price) for place in found] == [
        ("Kuanzhai Alley", 30.66, 104.05, None),
        ("锦里", 30.64, 104.04, None),
    ]
    assert {place.source for place in found} == {"© OpenStreetMap contributors (ODbL)"}


def test_overpass_is_told_who_asks_and_where(overpass):
    """The query asks for JSON in the city's box, and the user agent names the project."""
    search, asked, _ = overpass(FOUND)
    search.hotels(CHENGDU, "zh")
    assert asked[0][0].startswith("[out:json]")
    assert "(30.3,103.3,31.1,104.4)" in asked[0][0]
    assert asked[0][1].startswith("travel_lab/")


def test_overpass_is_asked_once_for_one_question(overpass):
    """The second search is answered from memory."""
    search, asked, _ = overpass(FOUND)
    assert search.sights(CHENGDU, "zh") == search.sights(CHENGDU, "zh")
    assert len(asked) == 1


def test_overpass_may_find_nothing(overpass):
    """No element is an answer, not a failure."""
    assert overpass((200, {"elements": []}, {}))[0].sights(CHENGDU, "zh") == ()


@pytest.mark.parametrize(
    "busy", [(429, "", {}), (504, "", {}), (200, {"elements": [NODE], "remark": "runtime error: Query timed out"}, {})]
)
def test_a_busy_overpass_is_asked_again(overpass, busy):
    """429, 504 and a remark are tried again; the answer then is whole."""
    search, asked, waits = overpass(busy, FOUND)
    assert len(search.sights(CHENGDU, "zh")) == 2
    assert (len(asked), waits) == (2, [1.0])


def test_a_rate_limit_is_waited_for_as_told(overpass):
    """Retry-After is the wait."""
    search, _, waits = overpass((429, "", {"Retry-After": "7"}), FOUND)
    search.sights(CHENGDU, "zh")
    assert waits == [7.0]


@pytest.mark.parametrize(
    ("answer", "calls"),
    [
        ((504, "", {}), 3),
        ((200, {"elements": [], "remark": "out of memory"}, {}), 3),
        ((400, "bad query", {}), 1),
        ((200, "<html>", {}), 1),
        ((200, [], {}), 1),
        ((200, {"elements": [{"type": "node", "tags": {"name": "x"}}]}, {}), 1),
    ],
)
def test_an_overpass_failure_is_named_after_bounded_attempts(overpass, answer, calls):
    """A lasting or hopeless failure is a ProviderFailed, and nothing of it is kept as an answer."""
    search, asked, _ = overpass(answer)
    with pytest.raises(ProviderFailed, match="Overpass"):
        search.sights(CHENGDU, "zh")
    assert (len(asked), search.answers) == (calls, {})


def test_a_silent_overpass_is_left(overpass):
    """A server that never answers is given up at the time limit, each attempt."""
    search, asked, _ = overpass(None, seconds=0.1)
    with pytest.raises(ProviderFailed, match="ReadTimeout"):
        search.sights(CHENGDU, "zh")
    assert len(asked) == 3


def test_flyai_finds_hotels_with_prices(flyai):
    """`¥618` is 618, and the source is named."""
    search, calls, _ = flyai(says(0, [{"name": "锦江宾馆", "price": "¥618", "latitude": "30.648", "longitude": "104.065"}]))
    hotel = search.hotels("成都")[0]
    assert (hotel.name, hotel.price, hotel.lat, hotel.source) == ("锦江宾馆", 618.0, 30.648, "飞猪 Fliggy (flyai)")
    assert calls() == [["search-hotel", "--dest-name", "成都"]]


@pytest.mark.parametrize("ticket", [None, {"price": None}, {"price": ""}])
def test_a_ticket_without_a_price_is_not_free(flyai, ticket):
    """An unknown price is None."""
    search, _, _ = flyai(says(0, [{"name": "武侯祠", "ticketInfo": ticket}]))
    assert [place.price for place in search.sights("成都")] == [None]


@pytest.mark.parametrize(
    ("said", "price"), [("¥618", 618), ("￥1,280起", 1280), ("¥ 59.5", 59.5), (50, 50), ("免费", 0), ("待定", None), (None, None)]
)
def test_prices_are_read(said, price):
    """Signs, thousands and words around the number do not matter."""
    assert read_price(said) == price


def test_flyai_may_find_nothing_and_is_asked_once(flyai):
    """No item is an answer, and it is kept."""
    search, calls, _ = flyai(says(0, []))
    assert (search.sights("成都"), search.sights("成都"), len(calls())) == ((), (), 1)


def test_a_rate_limited_flyai_is_asked_again(flyai):
    """Status 429 is tried again after a wait."""
    search, calls, waits = flyai(f"if CALLS == 1:\n    {says(429, [])}\nelse:\n    {says(0, [{'name': 'x'}])}")
    assert [place.name for place in search.sights("成都")] == ["x"]
    assert (len(calls()), waits) == (2, [1.0])


@pytest.mark.parametrize(
    ("code", "calls"),
    [
        ("print('not json')", 1),
        ("print('[]')", 1),
        ('print(\'{"status": 0, "data": null}\')', 1),
        (says(0, [{"price": "¥1"}]), 1),
        (says(0, [{"name": None}]), 1),
        (says(500, []), 1),
        (says(429, []), 3),
        ("sys.stderr.write('key sk-canary123'); sys.exit(3)", 1),
    ],
)
def test_a_flyai_failure_is_named_and_holds_no_key(flyai, code, calls):
    """Whatever the tool does wrong is a ProviderFailed without the tool's own words."""
    search, made, _ = flyai(code)
    with pytest.raises(ProviderFailed, match="flyai") as failed:
        search.sights("成都")
    assert "sk-canary123" not in str(failed.value)
    assert len(made()) == calls


def test_a_hanging_flyai_is_ended(flyai):
    """The tool is ended at the time limit, each attempt."""
    search, _, waits = flyai("import time; time.sleep(30)", seconds=0.3)
    with pytest.raises(ProviderFailed, match="longer than"):
        search.sights("成都")
    assert waits == [1.0, 2.0]


def test_a_missing_flyai_is_named(tmp_path):
    """Without the tool the error says what to install."""
    with pytest.raises(ProviderFailed, match="installed"):
        FlyAISearch(command=str(tmp_path / "flyai")).sights("成都")


@pytest.mark.parametrize("city", ["", " ", "--help"])
def test_a_name_that_is_an_option_is_refused(city):
    """A traveller's words never become an option of the tool."""
    with pytest.raises(BadInput):
        FlyAISearch().sights(city)
