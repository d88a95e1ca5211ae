"""The evaluation browser: filter the probes, worst first, and open one: its question, needed facts and view."""

from collections.abc import Iterable
from functools import cache
from html import escape

import ipywidgets as widgets

from travel_lab.context import Fact, Strategy, bound_facts
from travel_lab.display.style import PALETTE
from travel_lab.evaluation.app import App
from travel_lab.evaluation.cases import Case, Probe
from travel_lab.evaluation.observation import Observation
from travel_lab.evaluation.runner import Evaluation
from travel_lab.tokens import text_of

ALL = "all"
VISIBLE, LOST = PALETTE[2], PALETTE[5]


class EvaluationBrowser(widgets.VBox):  # type: ignore[misc]  # ipywidgets comes without types
    """Probes of an evaluation; `value` is the row on show.

    browser = EvaluationBrowser(evaluation, app, cases, strategies)
    browser.strategy.value = "silent"
    browser.value.completeness
    """

    def __init__(self, evaluation: Evaluation, app: App, cases: Iterable[Case], strategies: Iterable[Strategy]) -> None:
        self._rows = [row for row in evaluation.rows if not row.reader and row.completeness is not None]
        self._app, self._strategies = app, {strategy.name: strategy for strategy in strategies}
        self._play = cache(lambda case_id: app.play(self._cases[case_id]))
        self._cases: dict[str, Case] = {case.case_id: case for case in cases}
        self.strategy = widgets.Dropdown(options=list(dict.fromkeys(row.strategy for row in self._rows)), description="strategy")
        self.kind = widgets.Dropdown(options=[ALL, *dict.fromkeys(row.kind for row in self._rows)], description="kind")
        self.probe = widgets.Select(options=[], rows=8, description="probes", layout={"width": "640px"})
        self.opened = widgets.HTML()
        super().__init__([widgets.HBox([self.strategy, self.kind]), self.probe, self.opened])
        self.value: Observation | None = None
        for control in (self.strategy, self.kind):
            control.observe(self._filtered, names="value")
        self.probe.observe(self._chosen, names="value")
        self._filtered(None)

    def _filtered(self, change: object) -> None:
        own = [row for row in self._rows if row.strategy == self.strategy.value and self.kind.value in (ALL, row.kind)]
        own.sort(key=lambda row: (row.completeness, row.probe_id, row.call))
        self._shown = own
        self.probe.options = [(_line(row), at) for at, row in enumerate(own)]
        self.probe.value = 0 if own else None  # a list that is filled anew has nothing chosen
        self._chosen(None)

    def _chosen(self, change: object) -> None:
        at = self.probe.value
        self.value = self._shown[at] if at is not None and self._shown else None
        self.opened.value = self._html(self.value) if self.value else "<i>No probe of this kind was measured.</i>"

    def _html(self, row: Observation) -> str:
        probe = next(probe for probe in self._cases[row.case_id].probes if probe.probe_id == row.probe_id)
        view = self._app.view(self._play(row.case_id), probe, row.call, self._strategies[row.strategy], row.budget)
        return probe_html(probe, row, [(message.name or message.type, text_of(message)) for message in view])


def probe_html(probe: Probe, row: Observation, view: list[tuple[str, str]]) -> str:
    """Question, right answers, needed facts with whether the view binds them, and the view itself; all text escaped."""
    found: set[Fact] = set().union(*(bound_facts(text, probe.needed) for _, text in view))
    facts = "".join(
        f'<div style="color:{VISIBLE if fact in found else LOST}">{"●" if fact in found else "○"} {escape(str(fact))}</div>'
        for fact in probe.needed
    )
    gold = " or ".join(", ".join(answer) for answer in probe.gold) or "nothing: it was never given"
    said = "".join(
        f'<div style="margin:4px 0"><b>{escape(who)}</b>: {escape(text)}</div>'.replace("\n", "<br>") for who, text in view
    )
    return (
        f"<b>{escape(probe.words)}</b><br>right: {escape(gold)}<br>"
        f"{row.needed_bound} of {row.needed} needed facts are bound in the view of <b>{escape(row.call)}</b>, "
        f"{row.tokens} tokens:"
        f'{facts}<div style="max-width:760px;border-left:3px solid #ddd;padding-left:10px;margin-top:6px">{said}</div>'
    )


def _line(row: Observation) -> str:
    return f"{row.completeness:.2f}  {row.probe_id}  {row.kind}  ({row.call})"
