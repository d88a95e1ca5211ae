"""Pictures of plans side by side, drawn with warnings as errors."""

from dataclasses import replace

import matplotlib.pyplot as plt
import pytest

from travel_lab.trips import compare
from travel_lab.trips.frame import comparison_frame, stops_frame
from travel_lab.trips.plot import plot_comparison, plot_maps


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def drawn(figure):
    figure.canvas.draw()
    return [panel for panel in figure.axes if panel.get_title()]


def test_every_measure_has_a_panel_with_a_bar_a_plan(whitsundays, sydney_zh):
    """Eight panels, two bars each; a Chinese plan's name needs no Chinese font."""
    panels = drawn(plot_comparison(comparison_frame(compare([whitsundays, sydney_zh]))))

    assert [len(panel.patches) for panel in panels] == [2] * 8


def test_bars_have_the_height_of_the_table(whitsundays, melbourne):
    """The first panel's bars are as high as the totals."""
    comparison = compare([whitsundays, melbourne])
    panels = drawn(plot_comparison(comparison_frame(comparison)))

    assert [bar.get_height() for bar in panels[0].patches] == [line.total for line in comparison.lines]


def test_what_is_not_measured_is_written_out(whitsundays):
    """A blank measure says so instead of looking like zero."""
    panels = drawn(plot_comparison(comparison_frame(compare([replace(whitsundays, tokens=None)]))))
    (tokens,) = (panel for panel in panels if panel.get_title() == "tokens")

    assert [text.get_text() for text in tokens.texts] == ["not\nmeasured"]


def test_map_draws_every_sight_and_says_where_a_plan_is_not(whitsundays, melbourne):
    """Each plan has a panel a city; all its sights are on it, and a city it leaves out is empty and says so."""
    stops = stops_frame(compare([whitsundays, melbourne]))
    panels = drawn(plot_maps(stops))
    points = sum(len(line.get_xdata()) for panel in panels for line in panel.lines)
    empty = [panel.get_title() for panel in panels if not panel.lines]

    assert (len(panels), points) == (6, len(stops))
    assert empty == ["A: Melbourne, not visited", "B: Whitsundays, not visited"]


def test_panels_of_one_city_show_the_same_piece(whitsundays, melbourne):
    """Sydney has the same limits in both rows."""
    panels = drawn(plot_maps(stops_frame(compare([whitsundays, melbourne]))))
    sydney = [panel for panel in panels if panel.get_title().endswith("Sydney")]

    assert len({(*panel.get_xlim(), *panel.get_ylim()) for panel in sydney}) == 1


def test_map_of_chinese_names_needs_no_chinese_font(whitsundays, sydney_zh):
    """Cities named in Chinese are numbered in their order; drawing warns of no missing letter."""
    panels = drawn(plot_maps(stops_frame(compare([whitsundays, sydney_zh], language="zh"))))

    assert [panel.get_title() for panel in panels] == ["A: city 1", "A: city 2", "B: city 1", "B: city 2"]
