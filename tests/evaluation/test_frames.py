"""Tables and pictures of an evaluation, its report and its browser."""

import html.parser
from dataclasses import replace

import matplotlib as mpl
import pandas as pd
import pytest

from tests.evaluation.small import FULL, NOTHING, SILENT, app, case, price, probe, some_cases
from travel_lab.context import PinnedDigest, Strategy, full_json, silent
from travel_lab.evaluation import Reader, evaluate
from travel_lab.evaluation.browser import EvaluationBrowser
from travel_lab.evaluation.frame import (
    answers_frame,
    differences_frame,
    frontier_frame,
    kinds_frame,
    results_frame,
    worst_frame,
)
from travel_lab.evaluation.page import write_report
from travel_lab.evaluation.plot import plot_frontier, plot_kinds, plot_sweep

mpl.use("agg")
DIGEST = Strategy(name="digest", handoff=silent, trimming=PinnedDigest(write=full_json))


@pytest.fixture(scope="module")
def measured():
    """Four cases under four strategies."""
    cases = some_cases()
    return evaluate(app(cases), cases, [NOTHING, SILENT, FULL, DIGEST], budgets=(None, 60))


def test_results_are_long_form(measured):
    """One row a probe × strategy × budget; what has no completeness is missing."""
    frame = results_frame(measured)
    assert len(frame) == 4 * 3 * 4 * 2
    assert frame.loc[frame["kind"] == "never given", "completeness"].isna().all()
    assert frame["completeness"].notna().sum() == 4 * 2 * 4 * 2


def test_the_frontier_stands_between_its_controls(measured):
    """Effective completeness is 0 at nothing and 1 at full."""
    frame = frontier_frame(measured).set_index(["strategy", "budget"])["effective"]
    unlimited = frame[frame.index.get_level_values("budget").isna()].droplevel("budget")
    assert unlimited["nothing"] == 0
    assert unlimited["full"] == 1


def test_without_controls_effective_completeness_is_missing():
    """It is not measured, and not zero."""
    cases = some_cases(2)
    assert frontier_frame(evaluate(app(cases), cases, [SILENT]))["effective"].isna().all()


def test_the_frontier_says_what_it_rests_on(measured):
    """Conversations, probes with a completeness, failures."""
    row = frontier_frame(measured).iloc[0]
    assert (row["conversations"], row["probes"], row["failed"]) == (4, 8, 0)


def test_strategies_that_read_the_state_are_marked(measured):
    """The digest does, the others do not."""
    frame = frontier_frame(measured)
    assert set(frame.loc[frame["reads_state"], "strategy"]) == {"digest"}


def test_kinds_that_need_nothing_are_missing(measured):
    """A row of missing values, not of zeros."""
    frame = kinds_frame(measured)
    assert frame.loc["never given"].isna().all()
    assert frame.loc["price", "silent"] == 0


def test_a_difference_is_called_one_only_when_its_interval_excludes_zero(measured):
    """Full gains 0.75 on silent in every case; nothing gains 0."""
    frame = differences_frame(measured, "silent").set_index(["strategy", "budget"])
    unlimited = frame[frame.index.get_level_values("budget").isna()].droplevel("budget")
    assert unlimited.loc["full", "minus silent"] == pytest.approx(0.75)
    assert unlimited.loc["full", "differs"]
    assert not unlimited.loc["nothing", "differs"]


def test_the_worst_probes_come_first(measured):
    """Half a fact bound before all of them."""
    assert worst_frame(measured, "full")["completeness"].is_monotonic_increasing


def test_without_a_reader_there_are_no_answers(measured):
    """An empty table with its columns."""
    frame = answers_frame(measured)
    assert frame.empty
    assert "answered" in frame.columns


def test_answers_say_what_their_reader_may_be_used_for():
    """Shares over replies, the spread over replicates, and the use."""
    cases = [case(1, probe("p", gold=(("200",),)), probe("q", gold=(("200",),)))]
    reader = Reader(name="odd", ask=lambda _view, replicate: "200" if replicate else "which?", use="check of the instrument")
    frame = answers_frame(evaluate(app(cases), cases, [FULL], readers=[reader], repeats=2))
    assert frame.loc[0, ["answered", "abstained", "spread", "replies"]].tolist() == [0.5, 0.5, 1.0, 4]
    assert frame.loc[0, "use"] == "check of the instrument"


def test_the_frontier_has_one_point_a_strategy_and_budget(measured):
    """Diamonds for those that read the state."""
    frame = frontier_frame(measured)
    axes = plot_frontier(frame)
    marks = [line.get_marker() for line in axes.lines]
    assert len(marks) == len(frame)
    assert marks.count("D") == frame["reads_state"].sum()


def test_the_matrix_writes_every_number_and_a_dash_for_what_was_not_measured(measured):
    """One text a cell."""
    frame = kinds_frame(measured)
    texts = [text.get_text() for text in plot_kinds(frame).texts]
    assert len(texts) == frame.size
    assert texts.count("–") == int(frame.isna().sum().sum())


def test_the_sweep_draws_a_line_a_strategy(measured):
    """Only rows with a budget."""
    assert len(plot_sweep(frontier_frame(measured)).lines) == 4


class _Loads(html.parser.HTMLParser):
    """What a page would fetch."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in {"src", "href"} and not str(value).startswith("data:")]


def test_the_report_needs_nothing_else(measured, tmp_path):
    """No link, no script, pictures inside; definition and hash of the cases stand in it."""
    page = write_report(measured, tmp_path / "out" / "report.html").read_text(encoding="utf-8")
    reader = _Loads()
    reader.feed(page)
    assert reader.found == []
    assert "<script" not in page
    assert measured.manifest["definition"].split("/")[0] in page
    assert measured.manifest["cases_sha256"] in page


def test_the_report_escapes_what_comes_from_cases(tmp_path):
    """A kind of probe that looks like HTML stays text."""
    cases = [case(1, probe("p", kind="<script>alert(1)</script>"))]
    page = write_report(evaluate(app(cases), cases, [FULL]), tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<script>" not in page


def test_the_browser_shows_the_worst_probe_of_a_strategy_first():
    """Choosing a strategy filters; the opened probe says what its view lacks."""
    cases = some_cases(2)
    strategies = [SILENT, FULL]
    browser = EvaluationBrowser(evaluate(app(cases), cases, strategies), app(cases), cases, strategies)
    browser.strategy.value = "full"
    assert browser.value.completeness == 0.5
    assert "1 of 2 needed facts are bound" in browser.opened.value
    browser.kind.value = "price"
    assert browser.value.completeness == 1.0


def test_the_browser_escapes_the_view():
    """A question that looks like HTML stays text."""
    asked = replace(probe("p", price("Harbour Inn", 200)), words="<b>x</b>")
    cases = [case(1, asked)]
    browser = EvaluationBrowser(evaluate(app(cases), cases, [FULL]), app(cases), cases, [FULL])
    assert "<b>x</b>" not in browser.opened.value
    assert "&lt;b&gt;x&lt;/b&gt;" in browser.opened.value


def test_missing_budgets_stay_missing(measured):
    """A budget of None is missing, not zero."""
    assert results_frame(measured)["budget"].isna().sum() == 4 * 3 * 4
    assert isinstance(results_frame(measured)["budget"].dtype, pd.Int64Dtype)
