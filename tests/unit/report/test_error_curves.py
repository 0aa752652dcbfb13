"""The picture of type I errors shows every test and the limits of chance."""

import matplotlib as mpl
import pytest

mpl.use("Agg")
from matplotlib import pyplot as plt

from h2pc import compare_tests, load_network, plot_test_errors
from h2pc.independence.comparing import LEVELS


@pytest.fixture(autouse=True)
def _closed():
    yield
    plt.close("all")


def test_every_test_has_a_line_within_a_band():
    data = load_network("asia").sample(200, random_state=1)
    compared = compare_tests(data, n_repetitions=30, progress=False)

    ax = plot_test_errors(compared)

    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["95 % limits of chance", *(curve.test for curve in compared.curves)]
    lines = [line for line in ax.get_lines() if line.get_label() in labels]
    for line, curve in zip(lines, compared.curves, strict=True):
        assert line.get_xdata().tolist() == list(LEVELS)
        assert line.get_ydata()[-1] == max(curve.errors[-1], 0.0005)
    assert ax.get_xscale() == ax.get_yscale() == "log"
    assert ax.get_title() == "type I errors on 200 samples"


def test_tests_that_were_never_performed_have_none():
    data = load_network("asia").sample(200, random_state=1)
    compared = compare_tests(data, tests=["g2"], power_rule=1e6, n_repetitions=5, progress=False)
    _, ax = plt.subplots()

    assert plot_test_errors(compared, ax) is ax
    assert ax.get_legend() is None
    assert list(ax.get_lines()) == []
