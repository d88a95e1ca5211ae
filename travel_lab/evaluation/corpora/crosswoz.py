"""CrossWOZ: Chinese, human to human, hotels, sights and restaurants of Beijing (Zhu et al., TACL 2020)."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from travel_lab.context import Fact
from travel_lab.evaluation.app import Conversation, Exchange
from travel_lab.evaluation.corpora.corpus import RECORDS, Corpus, Informed, Record, Source, corpus_of, read_member

DATABASES = {"酒店": "hotel_db.json", "景点": "attraction_db.json", "餐馆": "restaurant_db.json"}
CROSSWOZ = Source(
    name="CrossWOZ",
    language="zh",
    licence="Apache-2.0",
    url="https://github.com/thu-coai/CrossWOZ",
    files=("test.json.zip:test.json", *(f"database.zip:{file}" for file in DATABASES.values())),
)
NAME = "名称"
MONEY = frozenset({"价格", "人均消费", "门票"})
RATING = "评分"
INFORMING = frozenset({"Inform", "Recommend"})
FACILITY = "酒店设施-"
Acts = list[list[str]]


def read_crosswoz(folder: str | Path) -> Corpus:
    """The test dialogues of CrossWOZ as cases.

    An agent is a domain; its result of a turn are the database records of the system's `selectedResults`, where they are not
    what it found last. A probe is an `Inform` or `Recommend` act whose value stands in a record of an earlier turn: of the
    entity the reply names, else of the newest record that has it.

    Raises:
        BadInput: A file is missing.
    """
    place = Path(folder)
    database = {
        (domain, name): record
        for domain, file in DATABASES.items()
        for name, record in read_member(place, f"database.zip:{file}")
    }
    dialogues = read_member(place, "test.json.zip:test.json")
    read = {
        f"crosswoz-{key}": _Dialogue(f"crosswoz-{key}", dialogue["messages"], database) for key, dialogue in dialogues.items()
    }
    return corpus_of(
        CROSSWOZ.name, "zh", (found.conversation for found in read.values()), {key: found.informed for key, found in read.items()}
    )


class _Dialogue:
    """One dialogue, read from its first message to its last."""

    def __init__(self, case_id: str, messages: list[dict[str, Any]], database: Mapping[tuple[str, str], Record]) -> None:
        self._database = database
        self._earlier: dict[tuple[str, str], Record] = {}
        self._last: dict[str, list[str]] = {}
        self.informed: list[Informed] = []
        exchanges: list[Exchange] = []
        words = ""
        for message in messages:
            if message["role"] == "usr":
                words = message["content"]
                continue
            self.informed += self._told(message["dialog_act"], words, len(exchanges))
            found = self._new(message["sys_state"])
            exchanges.append(_exchange(words, message["content"], found, len(exchanges) + 1))
            for key, record in found.items():
                self._earlier.pop(key, None)
                self._earlier[key] = record
        self.conversation = Conversation(case_id=case_id, language="zh", exchanges=tuple(exchanges))

    def _new(self, state: Mapping[str, Any]) -> dict[tuple[str, str], Record]:
        """The records of each domain's results, where they are not what the domain found last."""
        found: dict[tuple[str, str], Record] = {}
        for domain in DATABASES:
            names = state[domain]["selectedResults"]
            if names and names != self._last.get(domain):
                self._last[domain] = names
                found |= {(domain, name): self._database[domain, name] for name in names if (domain, name) in self._database}
        return found

    def _told(self, acts: Acts, words: str, after: int) -> Iterator[Informed]:
        said = {(domain, value) for act, domain, slot, value in acts if slot == NAME}
        for act, domain, slot, value in acts:
            if act not in INFORMING or domain not in DATABASES:
                continue
            holders = [
                (key, fact)
                for key, record in self._earlier.items()
                if key[0] == domain and (fact := fact_of(domain, record, slot, value)) is not None
            ]
            if holders:
                _, fact = next((found for found in holders if found[0] in said), holders[-1])
                yield Informed(kind=f"{domain} {slot.partition('-')[0]}", words=words, after=after, fact=fact, gold=value)


def fact_of(domain: str, record: Record, slot: str, value: str) -> Fact | None:
    """The value of a record that an act informs, bound to the record's name; None when the record does not hold it."""
    name = record[NAME]
    if slot == NAME:
        return Fact(agent=domain, kind=f"{domain} {slot}", subject=name) if value == name else None
    if slot.startswith(FACILITY):
        slot, value = FACILITY[:-1], slot.removeprefix(FACILITY) if value == "是" else ""
    held = record.get(slot)
    if isinstance(held, list):
        return _fact(domain, name, slot, value) if value in held else None
    if isinstance(held, int | float):
        said = re.search(r"\d+(?:\.\d+)?", value)
        return _fact(domain, name, slot, float(held)) if said and float(said[0]) == held else None
    return _fact(domain, name, slot, held) if held and held == value else None


def _fact(domain: str, name: str, slot: str, value: float | str) -> Fact:
    unit = "" if isinstance(value, str) else "CNY" if slot in MONEY else "rating" if slot == RATING else ""
    return Fact(agent=domain, kind=f"{domain} {slot}", subject=name, value=value, unit=unit, keys=(slot,))


def _exchange(words: str, reply: str, found: Mapping[tuple[str, str], Record], turn: int) -> Exchange:
    domains = dict.fromkeys(domain for domain, _ in found)
    results = {domain: {RECORDS: [record for key, record in found.items() if key[0] == domain]} for domain in domains}
    return Exchange(words=words, results=results, closing=(AIMessage(reply, id=f"turn-{turn}-reply"),))
