"""Writes `real_binding_cases.jsonl`: real output of every handoff with true and wrong facts, labelled by construction.

A label comes from the result the text was made from and from the exact words the handoff writes for a fact, never from the
matcher: in the whole JSON and in the unlimited packed tables every fact of the result is there; in the cut ones and in the
article's prose a fact is there when its own written form stands in the text. Wrong facts take the value or the place of
another thing of the same result: another hotel's price, another day's sight.

Run `python tests/context/make_real_cases.py` to make the file anew; look at it before it is committed.
"""

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path

from travel_lab.context import full_json
from travel_lab.lab import Lab
from travel_lab.planner import Packed, article_summary, facts_of, results_of

FILE = Path(__file__).parent / "real_binding_cases.jsonl"
TRIPS = (
    "帮我规划成都5天旅行，预算9000",
    "帮我规划成都和西安8天旅行",
    "Plan a 6-day trip to Sydney, budget 9000",
    "5 days in Shenzhen",
)
HANDOFFS = {"packed": Packed(budget=None), "packed cut": Packed(budget=90), "article": article_summary, "json": full_json}
FORMS = {"packed": "table", "packed cut": "table", "article": "prose", "json": "json"}
MOST = 8
"""Facts of each label taken from one text."""
SEED = 4


def stands(handoff, agent, fact, text, data):
    """Whether the handoff wrote the fact, by the words it writes for it."""
    if handoff in {"packed", "json"}:
        return True
    return (_in_article if handoff == "article" else _in_cut_table)(agent, fact, text, data)


def _in_article(agent, fact, text, data):
    if agent == "route":
        return fact.kind == "day sight"
    if agent == "food":
        # A name at the very end may be cut; the words for a meal always go on with a blank, a comma or a semicolon.
        meal = dict(fact.scope).get("meal")
        words = {"lunch": ("午餐", "lunch"), "dinner": ("晚餐", "dinner")}.get(meal, ())
        day = dict(fact.scope).get("day")
        part = next((p for p in text.replace("；", ";").replace("。", ";").split(";") if _names_day(p, day)), "")
        return fact.kind == "meal" and any(
            f"{word}:{fact.subject}" in part or f"{word}: {fact.subject}" in part for word in words
        )
    if agent == "info":
        return False
    listed = next((o for o in data["hotels"][:5] if o["name"] == fact.subject), None)
    if fact.kind == "hotel price":
        return listed is not None and any(f"{fact.subject}({sign}{fact.value:g})" in text for sign in ("¥", "A$"))
    if fact.kind == "hotel rating":
        return f"{fact.subject}评分最高({fact.value:g}分)" in text or f"{fact.subject} is rated highest ({fact.value:g})" in text
    if fact.kind == "hotel night":
        night = dict(fact.scope)["night"]
        stays = [s for s in text.replace(". ", "。").split("。") if fact.subject in s and ("住" in s or "stay" in s.casefold())]
        return any(f"第{night}晚" in s or f" {night}" in s.partition(":")[0] for s in stays)
    return False


def _names_day(part, day):
    return f"第{day}天" in part or f"Day {day} " in part


def _in_cut_table(agent, fact, text, data):
    if agent == "info":
        return fact.subject in text.split("\n")
    cells = [line.split("|") for line in text.split("\n") if "|" in line]
    header, rows = cells[0], cells[1:]
    if agent == "hotel":
        heads = {"hotel price": ("价格", "price"), "hotel rating": ("评分", "rating"), "hotel stars": ("星级", "stars")}
        heads |= {"hotel district": ("区域", "district"), "hotel night": ("晚", "night")}
        column = next((at for at, head in enumerate(header) if head.startswith(heads[fact.kind])), None)
        return column is not None and any(row[0] == fact.subject and row[column] for row in rows)
    parts = [
        (row[0], head, part.strip())
        for row in rows
        for head, cell in zip(header[1:], row[1:], strict=True)
        for part in cell.replace("→", "、").split("、")
    ]
    mine = [(day, head, part) for day, head, part in parts if part == fact.subject or part.startswith(f"{fact.subject} ")]
    if fact.kind in {"day sight", "meal"}:
        place = dict(fact.scope)
        heads = {"lunch": ("午餐", "lunch"), "dinner": ("晚餐", "dinner")}.get(place.get("meal"), ("景点", "sights"))
        return any(day == str(place["day"]) and head in heads for day, head, _ in mine)
    value = fact.value if isinstance(fact.value, str) else f"{fact.value:g}"
    return any(
        part.endswith((f"¥{value}", f"A${value}", value if ":" in value else "\n")) or f" {value} " in part for *_, part in mine
    )


def wrong_facts(facts):
    """Facts with the value and place of another of their kind that the result does not hold."""
    swapped = [
        replace(one, value=other.value, scope=other.scope)
        for one, other in itertools.permutations(facts, 2)
        if one.kind == other.kind and one.agent != "info"
    ]
    return [fact for fact in dict.fromkeys(swapped) if fact not in set(facts)]


def row(fact, label):
    return {
        "agent": fact.agent, "kind": fact.kind, "subject": fact.subject, "value": fact.value, "unit": fact.unit,
        "keys": list(fact.keys), "scope": [list(place) for place in fact.scope], "bound": label,
    }  # fmt: skip


def cases():
    chance = random.Random(SEED)
    with Lab.open() as lab:
        for trip in TRIPS:
            session = lab.session()
            session.send(trip)
            state = session.state()
            for agent, result in results_of(state).items():
                facts = facts_of({agent: result})
                for name, write in HANDOFFS.items():
                    text = write(agent, result["data"], state["language"])
                    labelled = [(fact, stands(name, agent, fact, text, result["data"])) for fact in facts]
                    labelled += [(fact, False) for fact in wrong_facts(facts)]
                    picked = [pair for want in (True, False) for pair in _some([p for p in labelled if p[1] is want], chance)]
                    yield {
                        "lang": state["language"],
                        "form": FORMS[name],
                        "handoff": name,
                        "text": text,
                        "facts": [row(*p) for p in picked],
                    }


def _some(pairs, chance):
    return chance.sample(pairs, min(MOST, len(pairs)))


if __name__ == "__main__":
    lines = [json.dumps({"id": f"r{at:03}", **case}, ensure_ascii=False) for at, case in enumerate(cases(), 1)]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
