"""Models that are kept while others are fitted: an interrupted run goes on where it stopped."""

import numpy as np
import pytest

from h2pc import CompactForestClassifier, MinimalLabelPowersetClassifier
from h2pc.errors import FileFormatError, SettingError
from unit.multilabel.label_samples import DAG, NEW, X, Y

FOREST = CompactForestClassifier(3)


def classifier(folder, **settings):
    return MinimalLabelPowersetClassifier(
        settings.pop("base", FOREST),
        structure=DAG,
        checkpoint=folder,
        **{"random_state": 0, **settings},
    )


class Interrupted(CompactForestClassifier):
    """A forest that is not grown a second time."""

    n_fits = 0

    def fit(self, X, y, sample_weight=None):
        type(self).n_fits += 1
        if type(self).n_fits == 2:
            raise KeyboardInterrupt
        return super().fit(X, y, sample_weight)


@pytest.mark.parametrize("feature_selection", [None, "markov_boundary", "auto"])
def test_the_second_run_reads_what_the_first_one_fitted(tmp_path, feature_selection):
    first = classifier(tmp_path / "run", feature_selection=feature_selection).fit(X, Y)
    files = {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()}
    second = classifier(tmp_path / "run", feature_selection=feature_selection, n_jobs=2).fit(X, Y)
    alone = classifier(None, feature_selection=feature_selection).fit(X, Y)

    assert len(files) == 3  # two powersets, and what the run is
    assert files == {path.name: path.stat().st_mtime_ns for path in (tmp_path / "run").iterdir()}
    for other in (second, alone):
        np.testing.assert_array_equal(first.predict_proba(NEW), other.predict_proba(NEW))
        assert first.choices_ == other.choices_


def test_an_interrupted_run_fits_only_the_rest(tmp_path):
    Interrupted.n_fits = 0
    with pytest.raises(KeyboardInterrupt):
        classifier(tmp_path, base=Interrupted(3)).fit(X, Y)
    assert len(list(tmp_path.glob("*.h2pc"))) == 1

    again = classifier(tmp_path, base=Interrupted(3)).fit(X, Y)

    assert Interrupted.n_fits == 3
    np.testing.assert_array_equal(again.predict(NEW), classifier(None).fit(X, Y).predict(NEW))


@pytest.mark.parametrize(
    "other",
    [
        {"random_state": 1},
        {"feature_selection": "markov_boundary"},
        {"min_combination_samples": 5},
        {"base": CompactForestClassifier(4)},
    ],
    ids=str,
)
def test_the_folder_of_another_run_is_refused(tmp_path, other):
    classifier(tmp_path).fit(X, Y)

    with pytest.raises(SettingError, match="is of other data, parameters or versions"):
        classifier(tmp_path, **other).fit(X, Y)
    with pytest.raises(SettingError, match="is of other data, parameters or versions"):
        classifier(tmp_path).fit(X.assign(rain=X["rain"] + 1), Y)


def test_a_folder_of_other_files_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")

    with pytest.raises(SettingError, match="holds other files: expected a new folder"):
        classifier(tmp_path).fit(X, Y)


def test_a_damaged_checkpoint_is_refused(tmp_path):
    classifier(tmp_path).fit(X, Y)
    path = sorted(tmp_path.glob("*.h2pc"))[0]
    path.write_bytes(path.read_bytes()[:-100])

    with pytest.raises(FileFormatError, match="damaged"):
        classifier(tmp_path).fit(X, Y)
