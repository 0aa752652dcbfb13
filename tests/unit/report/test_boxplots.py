"""Pictures of increase factors: boxes to the extremes, a line through the means, equal files."""

import re

import pytest

pytest.importorskip("matplotlib")

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas
from matplotlib.text import Text

from h2pc.report.boxplots import (
    _FONTS,
    Boxes,
    Figure,
    Lines,
    _drawn,
    plot_boxes,
    plot_lines,
    save_figures,
)

BOXES = Boxes("Recall", {50: (1.0, 1.0, 4.0), 100: (), 200: (0.5, 1.5)})
LINES = Lines("Rate", {"HPC": {50: 0.4, 100: 0.2}, "MMPC": {50: 0.5, 100: 0.4}})


@pytest.fixture
def ax():
    return Canvas().subplots()


def test_the_line_goes_through_the_means_and_leaves_out_sizes_without_values(ax):
    plot_boxes(BOXES, ax)

    assert ax.lines[-1].get_xydata().tolist() == [[0.0, 2.0], [2.0, 1.0]]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["50", "100", "200"]


def test_whiskers_reach_to_the_most_extreme_values(ax):
    plot_boxes(BOXES, ax)

    heights = {float(y) for line in ax.lines[:-1] for y in line.get_ydata()}
    assert {1.0, 4.0, 0.5, 1.5} <= heights


def test_factors_that_are_far_apart_are_drawn_by_their_logarithms(ax):
    plot_boxes(BOXES._replace(log=True), ax)

    assert ax.get_yscale() == "log"


def test_learners_differ_in_more_than_their_colour(ax):
    plot_lines(LINES, ax)

    one, two = ax.lines
    assert one.get_linestyle() != two.get_linestyle()
    assert one.get_marker() != two.get_marker()
    assert two.get_ydata().tolist() == [0.5, 0.4]


def test_lines_join_only_what_may_be_compared_and_means_have_their_limits(ax):
    limits = {"HPC": {50: (0.3, 0.5), 100: (0.1, 0.3)}, "MMPC": {50: (0.4, 0.6), 100: (0.3, 0.5)}}
    plot_lines(LINES._replace(limits=limits, segments=[[50], [100]]), ax)

    lines = [line.get_ydata() for line in ax.lines]
    assert [0.4] in [list(line) for line in lines]
    assert [0.3, 0.5] in [list(line) for line in lines]
    assert [0.4, 0.2] not in [list(line) for line in lines]
    assert ax.get_legend_handles_labels()[1] == ["HPC", "MMPC"]


def test_an_axis_has_its_level_or_starts_at_zero(ax):
    plot_lines(LINES._replace(level=1.0), ax)
    high = ax.get_ylim()[1]
    ax.clear()
    plot_lines(LINES, ax)

    assert high >= 1.0
    assert ax.get_ylim()[0] == 0.0


def test_figures_are_as_wide_as_a_page_and_their_letters_can_be_read(tmp_path):
    figure = Figure("Title", (BOXES, LINES))
    _, svg = save_figures({"figure1": figure}, tmp_path)
    with mpl.rc_context(_FONTS):
        letters = [text for text in _drawn(figure).findobj(Text) if text.get_text()]

    width = re.search(r'<svg [^>]*width="([\d.]+)pt"', svg.read_text(), re.DOTALL)
    assert float(width[1]) / 72 * 2.54 == pytest.approx(17, abs=0.1)
    assert min(text.get_fontsize() for text in letters) >= 6


def test_long_titles_have_two_lines(ax):
    plot_lines(LINES._replace(title="word " * 20), ax)

    assert max(map(len, ax.get_title().splitlines())) <= 60


def test_equal_figures_give_equal_files(tmp_path):
    figures = {"figure1": Figure("Title", (BOXES,))}
    one = save_figures(figures, tmp_path / "one")
    two = save_figures(figures, tmp_path / "two")

    assert [path.name for path in one] == ["figure1.png", "figure1.svg"]
    assert one[0].read_bytes().startswith(b"\x89PNG")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in two]
