"""All cells of one case: what every probe's call would be shown under every strategy and budget."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from langgraph.errors import GraphBubbleUp

from travel_lab.context import Fact, FactFinder, Strategy
from travel_lab.evaluation.app import App, Conversation, View
from travel_lab.evaluation.cases import Case, Probe
from travel_lab.evaluation.observation import Observation
from travel_lab.evaluation.reading import Reader, judge
from travel_lab.tokens import DEEPSEEK, TokenCounter, text_of


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is varied: strategies × budgets × readers × replicates."""

    strategies: tuple[Strategy, ...]
    budgets: tuple[int | None, ...] = (None,)
    readers: tuple[Reader, ...] = ()
    repeats: int = 1
    counter: TokenCounter = DEEPSEEK


def measure_case(app: App, case: Case, plan: Plan) -> list[Observation]:
    """Every cell of a case; a cell that fails is a row that says so.

    The agents run once; a strategy only rebuilds the calls of the probes.
    """
    try:
        conversation = app.play(case)
    except GraphBubbleUp:
        raise
    except Exception as error:  # noqa: BLE001 (apps raise what they like; whatever it is, this case has no views)
        return [
            _unplayed(app, case, probe, call, cell, error)
            for probe in case.probes
            for call in probe.calls
            for cell in _cells(plan)
        ]
    measuring = _Measuring(app, case, conversation, plan)
    return [row for probe in case.probes for row in measuring.rows(probe)]


Cell = tuple[Strategy, int | None]


def _cells(plan: Plan) -> list[Cell]:
    return [(strategy, budget) for strategy in plan.strategies for budget in plan.budgets]


class _Measuring:
    """The views of one conversation, each message's facts looked for once."""

    def __init__(self, app: App, case: Case, conversation: Conversation, plan: Plan) -> None:
        self.app, self.case, self.conversation, self.plan = app, case, conversation, plan
        self._facts = {after: app.facts(conversation, after) for after in {probe.after for probe in case.probes}}
        produced = [fact for facts in self._facts.values() for fact in facts]
        self._finder = FactFinder({*produced, *(fact for probe in case.probes for fact in probe.needed)})
        self._bound: dict[str, frozenset[Fact]] = {}

    def rows(self, probe: Probe) -> Iterator[Observation]:
        for call in probe.calls:
            for strategy, budget in _cells(self.plan):
                yield from self._cell(probe, call, strategy, budget)

    def _cell(self, probe: Probe, call: str, strategy: Strategy, budget: int | None) -> Iterator[Observation]:
        try:
            view = self.app.view(self.conversation, probe, call, strategy, budget)
            row = self._measured(probe, call, strategy, budget, view)
        except GraphBubbleUp:
            raise
        except Exception as error:  # noqa: BLE001 (as above: this cell has no view)
            yield _unplayed(self.app, self.case, probe, call, (strategy, budget), error)
            return
        yield row
        if call == probe.calls[-1]:
            yield from self._read(row, probe, view)

    def _measured(self, probe: Probe, call: str, strategy: Strategy, budget: int | None, view: View) -> Observation:
        facts = self._facts[probe.after]
        in_view = frozenset().union(*(self._bound_in(text_of(message)) for message in view))
        return replace(
            _row(self.app, self.case, probe, call, strategy, budget),
            reads_state=strategy.trimming.reads_state,
            produced=len(facts),
            bound=len(in_view.intersection(facts)),
            needed_bound=len(in_view.intersection(probe.needed)),
            tokens=self.plan.counter.messages(view),
            messages=len(view),
        )

    def _bound_in(self, text: str) -> frozenset[Fact]:
        if text not in self._bound:
            self._bound[text] = frozenset(self._finder.bound_in(text))
        return self._bound[text]

    def _read(self, row: Observation, probe: Probe, view: View) -> Iterator[Observation]:
        facts = self._facts[probe.after]
        for reader in self.plan.readers:
            for replicate in range(self.plan.repeats):
                try:
                    reply = reader(view, replicate)
                except GraphBubbleUp:
                    raise
                except Exception as error:  # noqa: BLE001 (models raise what they like; this reading failed)
                    told = f"{type(error).__name__}: {error}"
                    yield replace(row, reader=reader.name, replicate=replicate, outcome="failed", error=told)
                    continue
                outcome = judge(reply, probe, facts)
                yield replace(row, reader=reader.name, replicate=replicate, outcome=outcome, reply=reply)


def _row(app: App, case: Case, probe: Probe, call: str, strategy: Strategy, budget: int | None) -> Observation:
    return Observation(
        app=app.name,
        case_id=case.case_id,
        language=case.language,
        split=case.split,
        probe_id=probe.probe_id,
        kind=probe.kind,
        call=call,
        strategy=strategy.name,
        budget=budget,
        reads_state=None,
        produced=None,
        bound=None,
        needed=len(set(probe.needed)),
        needed_bound=None,
        tokens=None,
        messages=None,
    )


def _unplayed(app: App, case: Case, probe: Probe, call: str, cell: Cell, error: Exception) -> Observation:
    return replace(_row(app, case, probe, call, *cell), error=f"{type(error).__name__}: {error}")
