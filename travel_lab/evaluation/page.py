"""An evaluation as one HTML page that needs nothing else: tables, pictures, definition, manifest."""

import base64
import io
from pathlib import Path
from typing import cast

import matplotlib.pyplot as plt
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from travel_lab.display.page import render_page
from travel_lab.evaluation.frame import answers_frame, frontier_frame, kinds_frame
from travel_lab.evaluation.observation import DEFINITION
from travel_lab.evaluation.plot import plot_frontier, plot_kinds, plot_sweep
from travel_lab.evaluation.runner import Evaluation

DIGITS = 3


def write_report(evaluation: Evaluation, path: str | Path) -> Path:
    """Write the report; returns where it is."""
    frontier, kinds, answers = frontier_frame(evaluation), kinds_frame(evaluation), answers_frame(evaluation)
    pictures = [("Completeness against tokens", plot_frontier(frontier)), ("Completeness by kind of probe", plot_kinds(kinds))]
    if frontier["budget"].notna().any():
        pictures.append(("Completeness against the budget", plot_sweep(frontier)))
    page = render_page(
        "evaluation.html",
        app=evaluation.manifest["app"],
        definition=DEFINITION,
        tables=[("Strategies", _table(frontier)), ("Kinds of probe", _table(kinds.reset_index())), ("Answers", _table(answers))],
        pictures=[(title, _png(axes)) for title, axes in pictures],
        failures=[(row.probe_id, row.strategy, row.error) for row in evaluation.failures],
        manifest=[(key, str(value)) for key, value in evaluation.manifest.items()],
    )
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page, encoding="utf-8")
    return target


def _table(frame: pd.DataFrame) -> tuple[list[str], list[list[str]]]:
    """Head and rows as text; what is missing was not measured."""
    missing = frame.isna().to_numpy()
    rows = [
        ["not measured" if lacks else _cell(value) for value, lacks in zip(row, lacking, strict=True)]
        for row, lacking in zip(frame.itertuples(index=False), missing, strict=True)
    ]
    return [str(column) for column in frame.columns], rows


def _cell(value: object) -> str:
    return f"{value:.{DIGITS}g}" if isinstance(value, float) else str(value)


def _png(axes: Axes) -> str:
    figure = cast(Figure, axes.get_figure())
    picture = io.BytesIO()
    figure.savefig(picture, format="png", dpi=120)
    plt.close(figure)
    return base64.b64encode(picture.getvalue()).decode()
