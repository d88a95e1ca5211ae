"""Running an evaluation: cells, controls, failures, executors, interruption."""

import json
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace

import pytest

from tests.evaluation.small import FULL, NOTHING, SILENT, app, case, probe, some_cases
from travel_lab.context import NewestWithin, Strategy, full_json
from travel_lab.errors import BadInput
from travel_lab.evaluation import Reader, Transcripts, evaluate


def by_probe(evaluation, strategy):
    """Completeness by probe id under a strategy."""
    return {row.probe_id: row.completeness for row in evaluation.rows if row.strategy == strategy and not row.reader}


class TestCells:
    """What one cell says."""

    def test_a_handoff_that_says_everything_is_complete(self):
        """The known price is bound, the wrong one is not."""
        cases = some_cases(1)
        assert by_probe(evaluate(app(cases), cases, [FULL]), "full") == {"0-a": 1.0, "0-b": 0.5, "0-c": None}

    def test_a_silent_agent_leaves_nothing(self):
        """Without a handoff no price is bound."""
        cases = some_cases(1)
        assert by_probe(evaluate(app(cases), cases, [SILENT]), "silent") == {"0-a": 0.0, "0-b": 0.0, "0-c": None}

    def test_a_probe_that_needs_nothing_has_no_completeness(self):
        """It is missing, not zero and not one."""
        cases = [case(1, probe("p"))]
        (row,) = evaluate(app(cases), cases, [FULL]).rows
        assert row.completeness is None
        assert row.needed == 0

    def test_a_budget_that_is_too_short_drops_the_handoff(self):
        """With five tokens only the words being asked are left; without a limit all is there."""
        cases = some_cases(1)
        short = Strategy(name="short", handoff=full_json, trimming=NewestWithin())
        rows = evaluate(app(cases), cases, [short], budgets=(5, None)).rows
        found = {row.budget: row.completeness for row in rows if row.probe_id == "0-a"}
        assert found == {5: 0.0, None: 1.0}

    def test_agents_run_once_a_conversation_however_many_strategies(self):
        """Three strategies, two budgets, one play."""

        @dataclass(frozen=True)
        class Counting(Transcripts):
            plays: list[str] = None

            def play(self, case):
                self.plays.append(case.case_id)
                return super().play(case)

        cases = some_cases(2)
        plain = app(cases)
        counting = Counting(name="small", conversations=plain.conversations, plays=[])
        evaluate(counting, cases, [FULL, SILENT, NOTHING], budgets=(None, 50))
        assert counting.plays == ["case-0", "case-1"]


class TestFailures:
    """What goes wrong is a row."""

    def test_a_trimming_that_fails_is_a_row_with_its_reason(self):
        """The other strategy's cells are measured all the same."""

        @dataclass(frozen=True)
        class Broken:
            reads_state: bool = False

            def __call__(self, messages, results, question, budget):
                raise RuntimeError("no such luck")

        cases = some_cases(1)
        broken = Strategy(name="broken", handoff=full_json, trimming=Broken())
        evaluation = evaluate(app(cases), cases, [broken, FULL])
        assert {row.error for row in evaluation.failures} == {"RuntimeError: no such luck"}
        assert all(row.completeness is None for row in evaluation.failures)
        assert by_probe(evaluation, "full")["0-a"] == 1.0

    def test_a_case_that_cannot_be_played_is_a_row_a_cell(self):
        """Every probe and strategy of the case says why; the next case is measured."""
        cases = some_cases(2)
        known = app(cases)
        without = replace(known, conversations={"case-1": known.conversations["case-1"]})
        evaluation = evaluate(without, cases, [FULL, SILENT])
        assert len(evaluation.failures) == 3 * 2
        assert {row.case_id for row in evaluation.failures} == {"case-0"}
        assert by_probe(evaluation, "full")["1-a"] == 1.0

    def test_a_reader_that_fails_is_a_row(self):
        """The view is measured; the reading says what went wrong."""

        def ask(view, replicate):
            raise TimeoutError("no answer")

        cases = [case(1, probe("p", gold=(("200",),)))]
        view, reading = evaluate(app(cases), cases, [FULL], readers=[Reader(name="slow", ask=ask)]).rows
        assert (view.error, reading.outcome, reading.error) == ("", "failed", "TimeoutError: no answer")


class TestExecutors:
    """Any executor, the same rows."""

    @pytest.mark.parametrize("pool", [ThreadPoolExecutor, ProcessPoolExecutor])
    def test_rows_are_the_same_as_without(self, pool):
        """Same numbers in the same order, from threads and from processes."""
        cases = some_cases(6)
        serial = evaluate(app(cases), cases, [FULL, SILENT])
        with pool(2) as executor:
            assert evaluate(app(cases), cases, [FULL, SILENT], executor=executor) == serial

    def test_progress_is_told_case_by_case(self):
        """From one to all."""
        told = []
        cases = some_cases(3)
        evaluate(app(cases), cases, [FULL], tick=lambda done, of: told.append((done, of)))
        assert told == [(1, 3), (2, 3), (3, 3)]


class TestKept:
    """A folder keeps what is done."""

    def test_an_interrupted_run_goes_on(self, tmp_path):
        """After two cases and Ctrl-C, the second run plays only the rest and has all rows."""
        cases = some_cases(5)

        def stop(done, of):
            if done == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            evaluate(app(cases), cases, [FULL], folder=tmp_path, tick=stop)
        told = []
        again = evaluate(app(cases), cases, [FULL], folder=tmp_path, tick=lambda *done: told.append(done[0]))
        assert told == [3, 4, 5]
        assert again == evaluate(app(cases), cases, [FULL])

    def test_a_line_that_was_cut_off_is_run_again(self, tmp_path):
        """A crash in the middle of a line costs that case only."""
        cases = some_cases(3)
        whole = evaluate(app(cases), cases, [FULL], folder=tmp_path)
        rows = tmp_path / "rows.jsonl"
        rows.write_text(rows.read_text()[:-20])
        assert evaluate(app(cases), cases, [FULL], folder=tmp_path) == whole
        assert len(rows.read_text().splitlines()) == 3

    def test_a_folder_of_another_experiment_is_refused(self, tmp_path):
        """The error names what differs, and nothing is changed."""
        cases = some_cases(2)
        evaluate(app(cases), cases, [FULL], folder=tmp_path)
        before = (tmp_path / "rows.jsonl").read_bytes()
        with pytest.raises(BadInput, match="strategies differ"):
            evaluate(app(cases), cases, [SILENT], folder=tmp_path)
        assert (tmp_path / "rows.jsonl").read_bytes() == before

    def test_the_manifest_says_what_was_run(self, tmp_path):
        """Versions, hash of the cases, definition of the metric, strategies."""
        cases = some_cases(1)
        evaluate(app(cases), cases, [FULL], folder=tmp_path)
        manifest = json.loads((tmp_path / "manifest.json").read_text())
        assert manifest["definition"].startswith(
            "completeness = facts the probe needs that are bound in the view / facts it needs"
        )
        assert manifest["probes"] == 3
        assert "langgraph" in manifest["versions"]
        assert len(manifest["cases_sha256"]) == 64


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"strategies": [FULL, FULL]}, "strategy name 'full' is given twice"),
        ({"strategies": []}, "at least one strategy"),
        ({"strategies": [FULL], "budgets": ()}, "at least one strategy and one budget"),
        ({"strategies": [FULL], "repeats": 0}, "repeats is 0"),
    ],
)
def test_an_experiment_that_cannot_be_run_is_refused(given, told):
    """Before anything is played."""
    cases = some_cases(1)
    with pytest.raises(BadInput, match=told):
        evaluate(app(cases), cases, **given)
