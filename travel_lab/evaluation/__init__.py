"""Measuring completeness: cases with probes, any app, strategies side by side; and the audit of an app that has no cases.

Reading order: cases, app, observation, reading, measuring, runner, progress, statistics, frame, plot, page, browser; corpora.
Of the audit: state_facts, carrying, handing_over, playing, audited, audit, stored, redaction, audit_frame.
"""

from travel_lab.evaluation.app import App, Conversation, Exchange, History, Transcripts, history_of
from travel_lab.evaluation.audit import audit
from travel_lab.evaluation.audited import Audit, AuditedCall, AuditedFact, FieldAudit, assert_context_complete
from travel_lab.evaluation.cases import SPLITS, Case, Probe, cases_hash, check_cases, read_cases, write_cases
from travel_lab.evaluation.handing_over import Cost
from travel_lab.evaluation.observation import DEFINITION, OUTCOMES, Observation
from travel_lab.evaluation.reading import Reader, judge, reader_of
from travel_lab.evaluation.redaction import redacted
from travel_lab.evaluation.runner import Evaluation, evaluate
from travel_lab.evaluation.statistics import Interval, difference, effective, interval
from travel_lab.evaluation.stored import audit_file

__all__ = [
    "DEFINITION",
    "OUTCOMES",
    "SPLITS",
    "App",
    "Audit",
    "AuditedCall",
    "AuditedFact",
    "Case",
    "Conversation",
    "Cost",
    "Evaluation",
    "Exchange",
    "FieldAudit",
    "History",
    "Interval",
    "Observation",
    "Probe",
    "Reader",
    "Transcripts",
    "assert_context_complete",
    "audit",
    "audit_file",
    "cases_hash",
    "check_cases",
    "difference",
    "effective",
    "evaluate",
    "history_of",
    "interval",
    "judge",
    "read_cases",
    "reader_of",
    "redacted",
    "write_cases",
]
