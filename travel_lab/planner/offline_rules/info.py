"""The offline model as info agent: the task's sentences by kind."""

import json
from collections.abc import Sequence

from langchain_core.messages import BaseMessage

from travel_lab.planner.offline_rules.task import read_task


def info(messages: Sequence[BaseMessage]) -> str:
    """Culture, trivia and etiquette as one JSON object."""
    rows = read_task(messages[-1]).rows
    by_kind = {kind: [row[1] for row in rows if row[0] == kind] for kind in ("culture", "trivia", "etiquette")}
    return json.dumps(by_kind, ensure_ascii=False)
