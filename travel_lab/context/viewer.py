"""The context viewer: move a token budget and see messages fade and facts turn from visible to lost."""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import ipywidgets as widgets
from langchain_core.messages import BaseMessage

from travel_lab.context.facts import Fact
from travel_lab.context.preview import Preview, preview
from travel_lab.context.trimming import Trimming, label
from travel_lab.display.style import PALETTE
from travel_lab.tokens import DEEPSEEK, text_of

VISIBLE, LOST, ABSENT = PALETTE[2], PALETTE[5], "#888888"


class ContextViewer(widgets.VBox):  # type: ignore[misc]  # ipywidgets comes without types
    """A history under a choice of trimmings and budgets; `value` is the `Preview` on show.

    viewer = ContextViewer(trimmings, messages=turn.history, results=turn.results_before, question=turn.text, facts=turn.needed)
    viewer.budget.value = 300
    len(viewer.value.visible)
    """

    def __init__(
        self,
        trimmings: Mapping[str, Trimming],
        *,
        messages: Sequence[BaseMessage],
        results: Mapping[str, Any],
        question: str,
        facts: Sequence[Fact],
    ) -> None:
        self._trimmings, self._messages, self._results = dict(trimmings), tuple(messages), results
        self._question, self._facts = question, tuple(facts)
        most = max(DEEPSEEK.messages(self._messages), 1)
        self.trimming = widgets.Dropdown(options=list(self._trimmings), description="trimming")
        self.budget = widgets.IntSlider(
            value=most, min=0, max=most, step=max(most // 50, 1), description="budget", continuous_update=False
        )
        self.numbers, self.conversation, self.fact_list = widgets.HTML(), widgets.HTML(), widgets.HTML()
        super().__init__(
            [widgets.HBox([self.trimming, self.budget]), self.numbers, widgets.HBox([self.conversation, self.fact_list])]
        )
        self.value = self._preview()
        for control in (self.trimming, self.budget):
            control.observe(self._moved, names="value")
        self._show()

    def _moved(self, change: object) -> None:
        self.value = self._preview()
        self._show()

    def _preview(self) -> Preview:
        trimming = self._trimmings[self.trimming.value]
        return preview(trimming, self._messages, self._results, self._question, self.budget.value, self._facts)

    def _show(self) -> None:
        self.numbers.value = numbers_html(self.value)
        self.conversation.value = messages_html(self._messages, self.value)
        self.fact_list.value = facts_html(self.value)


def numbers_html(made: Preview) -> str:
    """Tokens, messages and facts of a preview in one line; or why there is none."""
    if made.trimmed is None:
        return f"<b>{escape(made.refused)}</b>"
    after = made.trimmed
    told = f"{after.tokens:,} of {after.tokens_before:,} tokens · {len(after.kept)} messages kept, {len(after.dropped)} dropped"
    told += f", {len(after.added)} written from results" if after.added else ""
    facts = f"{len(made.visible)} of {len(made.facts)} facts visible, {len(made.lost)} lost"
    return f"<b>{told} · {facts}</b>" + "".join(f"<br>{escape(incident)}" for incident in after.incidents)


def messages_html(messages: Sequence[BaseMessage], made: Preview) -> str:
    """The messages of the history, those that drop out faded and struck; what is written from results stands first."""
    kept = set(made.trimmed.kept) if made.trimmed else set()
    added = [m for m in made.trimmed.messages if str(m.id) in set(made.trimmed.added)] if made.trimmed else []
    shown = [_message(message, gone=False, mark="＋ ") for message in added]
    shown += [_message(message, gone=label(message, at) not in kept, mark="") for at, message in enumerate(messages)]
    return f'<div style="max-width:620px;line-height:1.35">{"".join(shown)}</div>'


def _message(message: BaseMessage, *, gone: bool, mark: str) -> str:
    style = "opacity:.35;text-decoration:line-through" if gone else "opacity:1"
    who = escape(message.name or message.type)
    text = escape(text_of(message)).replace("\n", "<br>")
    return f'<div style="{style};margin:4px 0"><b>{mark}{who}</b>: {text}</div>'


def facts_html(made: Preview) -> str:
    """The facts: visible, lost to the trimming, or never in the history."""
    rows = []
    for fact in made.facts:
        visible = fact in made.visible
        colour, sign = (VISIBLE, "●") if visible else (LOST, "○") if fact in made.before else (ABSENT, "–")
        rows.append(f'<div style="color:{colour};white-space:nowrap">{sign} {escape(str(fact))}</div>')
    return f'<div style="margin-left:16px;line-height:1.35">{"".join(rows)}</div>'
