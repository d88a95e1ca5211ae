"""Schema-Guided Dialogue: English services such as hotels, restaurants, flights (Rastogi et al., AAAI 2020)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from travel_lab.context import Fact
from travel_lab.evaluation.app import Conversation, Exchange
from travel_lab.evaluation.corpora.corpus import RECORDS, Corpus, Informed, Record, Source, corpus_of, read_member

PARTS = ("001", "002", "003", "004", "011")
SGD = Source(
    name="SGD",
    language="en",
    licence="CC BY-SA 4.0",
    url="https://github.com/google-research-datasets/dstc8-schema-guided-dialogue",
    files=tuple(f"test-open.zip:dialogues_{part}.json" for part in PARTS),
)
INFORMING = frozenset({"INFORM", "OFFER"})
NAMING = (
    "name", "title", "track", "address", "outbound_departure_time", "departure_time", "ride_type", "airlines",
)  # fmt: skip
"""Ends of slots that say which record is meant, the best first: services without names are told apart by these."""


def read_sgd(folder: str | Path, parts: Sequence[str] = PARTS) -> Corpus:
    """Dialogues of SGD's test files as cases.

    An agent is a service; its result of a turn are the records of `service_results`. A probe is a value of an `INFORM` or
    `OFFER` act of a system turn that stands, under its slot, in a record of an earlier turn: of the record that agrees best
    with the whole reply, else with what the user has chosen, else the newest.

    Raises:
        BadInput: A file is missing.
    """
    place = Path(folder)
    dialogues = [dialogue for part in parts for dialogue in read_member(place, f"test-open.zip:dialogues_{part}.json")]
    read = {f"sgd-{dialogue['dialogue_id']}": _Dialogue(dialogue) for dialogue in dialogues}
    return corpus_of(
        SGD.name, "en", (found.conversation for found in read.values()), {key: found.informed for key, found in read.items()}
    )


class _Dialogue:
    """One dialogue, read from its first turn to its last."""

    def __init__(self, dialogue: Mapping[str, Any]) -> None:
        self._earlier: dict[str, list[Record]] = {}
        self._chosen: dict[str, Mapping[str, Sequence[str]]] = {}
        self.informed: list[Informed] = []
        exchanges: list[Exchange] = []
        words = ""
        for turn in dialogue["turns"]:
            if turn["speaker"] == "USER":
                words = turn["utterance"]
                self._chosen |= {frame["service"]: frame["state"]["slot_values"] for frame in turn["frames"]}
                continue
            for frame in turn["frames"]:
                self.informed += self._told(frame, words, len(exchanges))
            found = {frame["service"]: frame["service_results"] for frame in turn["frames"] if frame.get("service_results")}
            exchanges.append(_exchange(words, turn["utterance"], found, len(exchanges) + 1))
            for service, records in found.items():
                known = [record for record in self._earlier.get(service, []) if record not in records]
                self._earlier[service] = [*known, *records]
        self.conversation = Conversation(case_id=f"sgd-{dialogue['dialogue_id']}", language="en", exchanges=tuple(exchanges))

    def _told(self, frame: Mapping[str, Any], words: str, after: int) -> Iterator[Informed]:
        service = frame["service"]
        told = [
            (action["slot"], value)
            for action in frame["actions"]
            if action["act"] in INFORMING
            for value in action["canonical_values"] or action["values"]
        ]
        for slot, value in told:
            holders = [record for record in self._earlier.get(service, []) if record.get(slot) == value]
            if not holders:
                continue
            record = max(reversed(holders), key=lambda record: (_agrees(record, told), self._agrees_with_user(service, record)))
            yield Informed(kind=f"{service} {slot}", words=words, after=after, fact=fact_of(service, record, slot), gold=value)

    def _agrees_with_user(self, service: str, record: Record) -> int:
        return sum(record.get(slot) in values for slot, values in self._chosen.get(service, {}).items())


def _agrees(record: Record, told: Sequence[tuple[str, str]]) -> int:
    return sum(record.get(slot) == value for slot, value in told)


def naming_slot(record: Record) -> str:
    """The slot that says which record it is."""
    return next(slot for end in NAMING for slot in record if slot.endswith(end))


def fact_of(service: str, record: Record, slot: str) -> Fact:
    """What a record says under a slot, bound to the record's name."""
    name = naming_slot(record)
    if slot == name:
        return Fact(agent=service, kind=f"{service} {slot}", subject=record[slot])
    unit = (
        "$" if "price" in slot or "fare" in slot else "rating" if slot == "rating" else "stars" if slot == "star_rating" else ""
    )
    value = float(record[slot]) if unit and record[slot].replace(".", "", 1).isdigit() else record[slot]
    return Fact(
        agent=service,
        kind=f"{service} {slot}",
        subject=record[name],
        value=value,
        unit=unit if isinstance(value, float) else "",
        keys=(slot,),
    )


def _exchange(words: str, reply: str, found: Mapping[str, Sequence[Record]], turn: int) -> Exchange:
    results = {service: {RECORDS: list(records)} for service, records in found.items()}
    return Exchange(words=words, results=results, closing=(AIMessage(reply, id=f"turn-{turn}-reply"),))
