"""The audit of any LangGraph app: which fields of its state its models never get, and what it would cost to hand them over."""

from collections.abc import Iterable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.pregel import Pregel

from travel_lab.context import Fact, FactRule
from travel_lab.evaluation.audited import Audit, AuditedCall, AuditedFact, AuditedThread
from travel_lab.evaluation.carrying import Carrier, shown_text
from travel_lab.evaluation.handing_over import cost_of
from travel_lab.evaluation.playing import THREAD, Played, Turn, play
from travel_lab.evaluation.state_facts import facts_of_field
from travel_lab.tokens import DEEPSEEK, TokenCounter

UNRECORDED = (
    "Nodes without a recorded model call: {nodes}. If one of them calls a model by another way than LangChain, what that model "
    "was shown is not measured."
)


def audit(  # noqa: PLR0913 (the graph and its turns; the rest has a default each and goes by name)
    graph: Pregel[Any, Any, Any, Any],
    turns: Sequence[Turn],
    *,
    messages: str = "messages",
    config: RunnableConfig | None = None,
    context: object = None,
    facts: Sequence[FactRule] | None = None,
    leave_out: Iterable[str] = (),
    budget: int | None = None,
    counter: TokenCounter = DEEPSEEK,
) -> Audit:
    """Play turns on a compiled graph and see which facts of its state reach any later model call of any of its agents.

    The graph runs on a copy that keeps its steps in memory: its own saver is not written to. Its models are called for real.

    Args:
        graph: Any compiled LangGraph graph, sync or async.
        turns: What the user says, turn by turn; or inputs as the graph takes them, `Command(resume=...)` among them.
        messages: The field that takes what the user says.
        config: Passed to every turn; its callbacks are called as well, its thread is not used.
        context: The graph's run-time context.
        facts: A rule for each kind of fact; left out, every leaf of the state is one.
        leave_out: Fields that are no business of any model.
        budget: Most tokens a field's packed tables may have; None: no limit.
        counter: Counts tokens.

    Raises:
        BadInput: The graph is not compiled, or there are no turns.
        UnknownName: The graph has no field `messages`.
    """
    played = play(
        graph,
        turns,
        messages=messages,
        config=config,
        context=context,
        rules=facts,
        leave_out=frozenset(leave_out),
        counter=counter,
    )
    return _of_played(played, getattr(graph, "name", "graph"), len(turns), facts, budget, counter)


def _of_played(
    played: Played, name: str, turns: int, rules: Sequence[FactRule] | None, budget: int | None, counter: TokenCounter
) -> Audit:
    seen: dict[tuple[str, Fact], list[str]] = {place: [] for place in played.appeared}
    calls = []
    for call, turn in zip(played.calls, played.turn_of, strict=True):
        there = [place for place, appearance in played.appeared.items() if appearance.after <= call.order]
        facts = list(dict.fromkeys(fact for _, fact in there))
        carrier = Carrier(facts)
        shown = frozenset().union(*(carrier.carried(shown_text(message)) for message in call.view))
        for place in there:
            if place[1] in shown:
                seen[place].append(call.path or call.agent)
        calls.append(
            AuditedCall(agent=call.path or call.agent, turn=turn, tokens=call.tokens, facts=len(facts), bound=len(shown))
        )
    audited = tuple(
        AuditedFact(
            field=where,
            fact=fact,
            thread=THREAD,
            turn=appearance.turn,
            looked_in=len(played.calls) - appearance.after,
            seen_by=tuple(seen[where, fact]),
            size=len(str(fact)),
        )
        for (where, fact), appearance in played.appeared.items()
    )
    hidden = {(found.field, found.fact) for found in audited if found.looked_in and not found.seen_by}
    costs = {
        where: cost_of(where, value, [f for f in facts_of_field(where, value, rules) if (where, f) in hidden], budget, counter)
        for where, value in played.values.items()
    }
    heard = {call.path.partition("/")[0] for call in played.calls}
    unrecorded = tuple(node for node in played.nodes if node not in heard)
    return Audit(
        measured="views",
        source=name,
        facts=audited,
        empty=tuple(where for where in played.values if not any(found.field == where for found in audited)),
        costs=costs,
        calls=tuple(calls),
        threads=(AuditedThread(name=THREAD, turns=turns, messages=None),),
        unrecorded=unrecorded,
        counter=counter.name,
        budget=budget,
        notes=(UNRECORDED.format(nodes=", ".join(unrecorded)),) if unrecorded else (),
    )
