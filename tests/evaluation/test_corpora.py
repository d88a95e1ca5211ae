"""Readers of public dialogues, on small records of our own making."""

import json
import zipfile

import pytest

from travel_lab.context import Fact
from travel_lab.errors import BadInput
from travel_lab.evaluation import evaluate
from travel_lab.evaluation.corpora import CROSSWOZ, missing_in, read_crosswoz, read_sgd, strategies_for

HOTEL = {
    "领域": "酒店", "名称": "湖畔酒店", "地址": "东街1号", "电话": "010-1", "价格": 300, "评分": 4.5,
    "酒店设施": ["无烟房", "健身房"], "周边景点": ["北海", "故宫"],
}  # fmt: skip
OTHER = {**HOTEL, "名称": "山景酒店", "电话": "010-2"}
EMPTY = {domain: {"selectedResults": []} for domain in ("酒店", "景点", "餐馆")}


def _says(words):
    return {"role": "usr", "content": words}


def _replies(text, acts, *names):
    return {"role": "sys", "content": text, "dialog_act": acts, "sys_state": {**EMPTY, "酒店": {"selectedResults": list(names)}}}


def _crosswoz(folder, messages):
    with zipfile.ZipFile(folder / "test.json.zip", "w") as archive:
        archive.writestr("test.json", json.dumps({"1": {"messages": messages}}))
    with zipfile.ZipFile(folder / "database.zip", "w") as archive:
        archive.writestr("hotel_db.json", json.dumps([[record["名称"], record] for record in (HOTEL, OTHER)]))
        archive.writestr("attraction_db.json", "[]")
        archive.writestr("restaurant_db.json", "[]")
    return read_crosswoz(folder)


def _probes(corpus):
    return [probe for case in corpus.cases for probe in case.probes]


OPENING = [_says("找酒店"), _replies("湖畔酒店。", [["Inform", "酒店", "名称", "湖畔酒店"]], "湖畔酒店")]


class TestCrossWOZ:
    """Which acts are probes, and of whom."""

    def test_a_value_of_an_earlier_result_is_a_probe_bound_to_its_entity(self, tmp_path):
        """The phone of the hotel that was found a turn before."""
        corpus = _crosswoz(tmp_path, [*OPENING, _says("电话？"), _replies("010-1", [["Inform", "酒店", "电话", "010-1"]])])
        (probe,) = _probes(corpus)
        assert probe.needed == (Fact(agent="酒店", kind="酒店 电话", subject="湖畔酒店", value="010-1", keys=("电话",)),)
        assert (probe.words, probe.after, probe.gold) == ("电话？", 1, (("010-1",),))

    def test_a_value_only_its_own_turn_found_is_no_probe(self, tmp_path):
        """No history could hold it."""
        acts = [["Inform", "酒店", "电话", "010-1"]]
        assert _probes(_crosswoz(tmp_path, [_says("找酒店"), _replies("010-1", acts, "湖畔酒店")])) == []

    def test_the_entity_a_reply_names_is_meant(self, tmp_path):
        """Both hotels have the address; the reply names the first."""
        both = [_says("找酒店"), _replies("两家。", [], "湖畔酒店", "山景酒店")]
        acts = [["Inform", "酒店", "名称", "湖畔酒店"], ["Inform", "酒店", "地址", "东街1号"]]
        corpus = _crosswoz(tmp_path, [*both, _says("第一家地址？"), _replies("湖畔酒店在东街1号", acts)])
        assert [probe.needed[0].subject for probe in _probes(corpus)] == ["湖畔酒店", "湖畔酒店"]

    @pytest.mark.parametrize(
        ("slot", "value", "expected"),
        [("评分", "4.5分", 4.5), ("价格", "300元", 300.0), ("酒店设施-健身房", "是", "健身房"), ("周边景点", "故宫", "故宫")],
    )
    def test_numbers_facilities_and_neighbours_are_values(self, tmp_path, slot, value, expected):
        """As the record holds them, not as the reply writes them."""
        corpus = _crosswoz(tmp_path, [*OPENING, _says("？"), _replies(value, [["Inform", "酒店", slot, value]])])
        assert [probe.needed[0].value for probe in _probes(corpus)] == [expected]

    @pytest.mark.parametrize(
        ("slot", "value"),
        [("评分", "4.6分"), ("价格", "3000元"), ("酒店设施-游泳池", "是"), ("酒店设施-健身房", "否"), ("周边景点", "天坛")],
    )
    def test_a_value_no_record_holds_is_no_probe(self, tmp_path, slot, value):
        """Another rating, a longer number, a facility that is not there."""
        assert _probes(_crosswoz(tmp_path, [*OPENING, _says("？"), _replies(value, [["Inform", "酒店", slot, value]])])) == []

    def test_a_result_that_is_found_again_is_handed_over_once(self, tmp_path):
        """The second turn with the same selection has no new result."""
        corpus = _crosswoz(tmp_path, [*OPENING, _says("好"), _replies("好", [["Inform", "酒店", "电话", "010-1"]], "湖畔酒店")])
        (conversation,) = corpus.app.conversations.values()
        assert [list(exchange.results) for exchange in conversation.exchanges] == [["酒店"], []]


RECORDS = [
    {"hotel_name": "Harbour Inn", "price_per_night": "200", "location": "Sydney"},
    {"hotel_name": "Garden Lodge", "price_per_night": "150", "location": "Sydney"},
]


def _turn(speaker, text, **frame):
    return {"speaker": speaker, "utterance": text, "frames": [{"service": "Hotels_9", "actions": [], **frame}]}


def _user(text, **chosen):
    return _turn("USER", text, state={"slot_values": {slot: [value] for slot, value in chosen.items()}})


def _act(act, slot, value):
    return {"act": act, "slot": slot, "values": [value], "canonical_values": [value]}


def _sgd(folder, turns):
    with zipfile.ZipFile(folder / "test-open.zip", "w") as archive:
        archive.writestr("dialogues_001.json", json.dumps([{"dialogue_id": "1", "turns": turns}]))
    return read_sgd(folder, ["001"])


FOUND = [_user("hotels in Sydney"), _turn("SYSTEM", "Two.", service_results=RECORDS)]


class TestSGD:
    """The same of English services."""

    def test_a_price_of_an_earlier_result_is_a_probe(self, tmp_path):
        """Bound to the record that agrees with the whole reply."""
        acts = [_act("OFFER", "hotel_name", "Garden Lodge"), _act("INFORM", "price_per_night", "150")]
        corpus = _sgd(tmp_path, [*FOUND, _user("a cheap one"), _turn("SYSTEM", "Garden Lodge, $150", actions=acts)])
        name, price = (probe.needed[0] for probe in _probes(corpus))
        assert (name.subject, name.value) == ("Garden Lodge", None)
        assert (price.subject, price.value, price.unit) == ("Garden Lodge", 150.0, "$")

    def test_the_record_the_user_chose_is_meant(self, tmp_path):
        """Both lie in Sydney; the user has chosen the first."""
        turns = [
            *FOUND,
            _user("where is it?", hotel_name="Harbour Inn"),
            _turn("SYSTEM", "In Sydney", actions=[_act("INFORM", "location", "Sydney")]),
        ]
        (probe,) = _probes(_sgd(tmp_path, turns))
        assert probe.needed[0].subject == "Harbour Inn"

    @pytest.mark.parametrize("act", ["CONFIRM", "REQUEST"])
    def test_only_what_is_informed_or_offered_is_a_probe(self, tmp_path, act):
        """A confirmation repeats the user's own words."""
        turns = [*FOUND, _user("book it"), _turn("SYSTEM", "Sydney?", actions=[_act(act, "location", "Sydney")])]
        assert _probes(_sgd(tmp_path, turns)) == []


def test_packed_keeps_what_full_keeps_in_a_small_corpus(tmp_path):
    """Silent loses the phone; packed, full and the digest hold it."""
    corpus = _crosswoz(tmp_path, [*OPENING, _says("电话？"), _replies("稍等", [["Inform", "酒店", "电话", "010-1"]])])
    rows = evaluate(corpus.app, corpus.cases, strategies_for("zh")).rows
    assert {row.strategy: row.completeness for row in rows} == {
        "nothing": 0.0, "silent": 0.0, "summary": 0.0, "packed": 1.0, "full": 1.0, "packed × pinned digest": 1.0,
    }  # fmt: skip


class TestFolders:
    """What a folder must hold."""

    def test_an_empty_folder_lacks_everything(self, tmp_path):
        """Every file is named."""
        assert missing_in(tmp_path, CROSSWOZ) == list(CROSSWOZ.files)

    def test_a_missing_file_is_named(self, tmp_path):
        """The error says where to get it."""
        with pytest.raises(BadInput, match=r"no database\.zip with hotel_db\.json.*travel-lab corpora"):
            read_crosswoz(tmp_path)

    def test_a_damaged_archive_is_named(self, tmp_path):
        """It is no traceback of the archive reader."""
        (tmp_path / "database.zip").write_bytes(b"junk")
        with pytest.raises(BadInput, match="is damaged"):
            read_crosswoz(tmp_path)

    def test_files_beside_the_archive_will_do(self, tmp_path):
        """An unpacked folder is read as well."""
        (tmp_path / "dialogues_001.json").write_text("[]")
        assert read_sgd(tmp_path, ["001"]).cases == ()
