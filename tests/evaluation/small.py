"""A small app of known contents: one agent, a hotel list a turn, questions about it."""

from travel_lab.context import Fact, NothingRemembered, Strategy, full_json, silent
from travel_lab.evaluation import Case, Conversation, Exchange, Probe, Transcripts

HOTELS = ({"name": "Harbour Inn", "price": 200}, {"name": "Garden Lodge", "price": 150})
SILENT = Strategy(name="silent", handoff=silent)
FULL = Strategy(name="full", handoff=full_json)
NOTHING = Strategy(name="nothing", handoff=silent, trimming=NothingRemembered())


def price(name: str, value: float) -> Fact:
    """The fact that a hotel costs so much."""
    return Fact(agent="hotel", kind="hotel price", subject=name, value=float(value), keys=("price",))


def probe(number: str, *facts: Fact, kind: str = "price", gold: tuple[tuple[str, ...], ...] = ()) -> Probe:
    """A probe after the first turn."""
    return Probe(probe_id=number, kind=kind, words="How much is it?", after=1, calls=("assistant",), needed=facts, gold=gold)


def case(number: int, *probes: Probe) -> Case:
    """A conversation of one turn."""
    return Case(case_id=f"case-{number}", language="en", split="held_out", turns=("Find hotels",), probes=probes)


def app(cases) -> Transcripts:
    """Every case found the same hotels in its first turn."""
    played = (Exchange(words="Find hotels", results={"hotel": {"hotels": list(HOTELS)}}),)
    return Transcripts(
        name="small",
        conversations={one.case_id: Conversation(case_id=one.case_id, language="en", exchanges=played) for one in cases},
        system="Answer from the conversation.",
    )


def some_cases(how_many: int = 4) -> list[Case]:
    """Cases whose probes need one known price, one wrong price and nothing."""
    return [
        case(
            number,
            probe(f"{number}-a", price("Harbour Inn", 200), gold=(("200",),)),
            probe(f"{number}-b", price("Harbour Inn", 200), price("Garden Lodge", 999), kind="half"),
            probe(f"{number}-c", kind="never given"),
        )
        for number in range(how_many)
    ]
