"""H2PC and MMHC as scikit-learn estimators."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

from h2pc import H2PC, MMHC, Dag, HillClimbing, TabuSearch, load_network, skeleton
from h2pc.algorithms.class_search import class_search
from h2pc.algorithms.tabu import tabu_search
from h2pc.errors import DataError, SettingError
from h2pc.scores import BIC, BDeu

DATA = load_network("asia").sample(5000, random_state=2)
FRAME = DATA.to_pandas().astype(str)
HYBRID = [H2PC, MMHC]
EVERY = [*HYBRID, HillClimbing, TabuSearch]

WORDS = "the data are refused, in words of our own"
EXPECTED = {
    "check_complex_data": WORDS,
    "check_estimators_empty_data_messages": WORDS,
    "check_estimators_nan_inf": WORDS,
}


@pytest.mark.filterwarnings("ignore::h2pc.DataWarning")  # samples of these checks are few
@parametrize_with_checks(
    [learner() for learner in EVERY], expected_failed_checks=lambda _: EXPECTED
)
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module", params=EVERY, ids=lambda learner: learner.__name__)
def fitted(request):
    return request.param().fit(FRAME)


def test_fit_leaves_everything_behind(fitted):
    result = fitted.result_

    assert fitted.edges_ == list(result.dag.named_edges)
    assert fitted.dag_ is result.dag
    assert fitted.cpdag_ == result.cpdag
    assert fitted.score_ == result.score
    assert fitted.n_tests_ == result.n_tests
    assert fitted.n_features_in_ == 8
    assert fitted.feature_names_in_.tolist() == list(FRAME.columns)
    assert result.settings["algorithm"] == type(fitted).__name__


def test_boundaries_are_those_of_the_graph(fitted):
    dag = fitted.dag_

    assert list(fitted.markov_boundaries_) == list(DATA.names)
    for name, boundary in fitted.markov_boundaries_.items():
        assert boundary == [dag.names[v] for v in dag.markov_boundary(dag.variable(name))]


def test_results_survive_json(fitted):
    result = fitted.result_

    assert type(result).from_json(result.to_json()) == result


@pytest.mark.parametrize("learner", EVERY)
def test_the_order_of_columns_and_rows_changes_nothing(learner, fitted):
    rng = np.random.default_rng(0)
    shuffled = FRAME.iloc[rng.permutation(len(FRAME)), rng.permutation(FRAME.shape[1])]

    assert learner().fit(shuffled).result_ == learner().fit(FRAME).result_


@pytest.mark.parametrize("data", [DATA, pl.from_pandas(FRAME)], ids=["Dataset", "polars"])
def test_every_kind_of_table_gives_the_same_graph(data):
    assert H2PC().fit(data).edges_ == H2PC().fit(FRAME).edges_


def test_arrays_have_no_names_of_their_own():
    learner = H2PC().fit(FRAME).fit(DATA.codes.T.copy())

    assert learner.n_features_in_ == 8
    assert not hasattr(learner, "feature_names_in_")


@pytest.mark.parametrize("learner", EVERY)
def test_clones_are_unfitted_and_alike(learner):
    original = learner(scoring="bic", max_parents=3)

    copy = clone(original)

    assert copy.get_params() == original.get_params()
    assert copy.fit(FRAME).result_ == original.fit(FRAME).result_


@pytest.mark.parametrize(
    "scoring", ["bdeu", "bic", "aic", "loglik", "k2", "bds", "qnml", "fnml", BIC]
)
def test_every_score_can_be_chosen(scoring):
    learner = H2PC(scoring=scoring).fit(FRAME)

    assert learner.score_ < 0


def test_targets_give_the_local_graph():
    learner = H2PC(targets=["asia"]).fit(FRAME)

    assert list(learner.markov_boundaries_) == ["asia"]
    assert "bronc" not in learner.dag_.names


def test_the_most_parents_are_kept_to():
    parents = [len(above) for above in TabuSearch(max_parents=1).fit(FRAME).dag_.parent_sets]

    assert max(parents) == 1


def test_constraints_are_honoured():
    learner = H2PC(required=[("lung", "smoke")], forbidden=[("bronc", "smoke")]).fit(FRAME)

    assert ("lung", "smoke") in learner.edges_
    assert ("bronc", "smoke") not in learner.edges_


def test_a_search_starts_where_it_is_told():
    start = Dag.from_edges(tuple(FRAME.columns), [("xray", "asia")])

    learner = TabuSearch(start=start).fit(FRAME)

    assert learner.result_.settings["start"] == (("xray", "asia"),)
    assert learner.score_ >= TabuSearch(start=start, patience=0).fit(FRAME).score_


def test_the_paper_is_a_single_tabu_search_inside_the_skeleton():
    data = load_network("insurance").sample(1000, random_state=1)
    learner = H2PC(variant="paper", patience=7, tabu_size=9).fit(data)

    found = tabu_search(
        BDeu(data), skeleton(data).skeleton, patience=7, list_size=9, max_parents=None
    )
    assert learner.dag_.parent_sets == found.parent_sets
    assert learner.result_.n_moves == found.n_moves
    assert learner.result_.settings.items() >= {"variant": "paper", "patience": 7}.items()
    assert "outside_penalty" not in learner.result_.settings


@pytest.mark.parametrize("settings", [{}, {"targets": ["Age"]}, {"required": [("Age", "Theft")]}])
@pytest.mark.parametrize("learner", HYBRID)
def test_the_default_searches_among_classes_with_the_skeleton_as_a_prior(learner, settings):
    data = load_network("insurance").sample(1000, random_state=1)
    fitted = learner(max_parents=2, **settings).fit(data)

    problem = fitted._search_problem(data, fitted._fitted_params)

    known, trials = problem.constraints, None if "targets" in settings else "pairs"
    found = class_search(
        problem.score, problem.skeleton, constraints=known, max_parents=2, trials=trials
    )
    edges = {(data.names[u], data.names[v]) for u, v in found.edges}
    assert set(fitted.edges_) == edges
    assert fitted.result_.settings["outside_penalty"] == 3.0
    assert "patience" not in fitted.result_.settings


@pytest.mark.parametrize("learner", HYBRID)
def test_a_higher_price_keeps_edges_out(learner):
    data = load_network("insurance").sample(1000, random_state=1)

    def n_outside(**prices):
        fitted = learner(**prices).fit(data)
        return len(set(fitted.dag_.skeleton().named_edges) - set(fitted.skeleton_edges_))

    free = n_outside(one_sided_penalty=0, outside_penalty=0)
    usual = n_outside()
    none = n_outside(one_sided_penalty=1e9, outside_penalty=None)
    assert free > usual > none == 0


@pytest.mark.parametrize("learner", [HillClimbing, TabuSearch])
def test_restarts_never_lose(learner):
    once, often = learner(restarts=0), learner(restarts=5, random_state=1)

    assert often.fit(FRAME).score_ >= once.fit(FRAME).score_
    assert (once.result_.seed, often.result_.seed) == (None, 1)
    assert often.result_.settings["restarts"] == 5


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (H2PC(alpha=2), "alpha must lie between 0 and 1"),
        (H2PC(alpha="small"), "alpha must be a number"),
        (H2PC(test="g3"), "test must be one of 'auto', 'g2', .*; got 'g3'"),
        (H2PC(symmetry="xor"), "symmetry must be one of"),
        (H2PC(scoring="bdue"), "Did you mean 'bdeu'"),
        (H2PC(equivalent_sample_size=0), "equivalent_sample_size must"),
        (
            H2PC(scoring="bic", equivalent_sample_size=None),
            "equivalent_sample_size must be a number",
        ),
        (TabuSearch("bic", equivalent_sample_size=float("nan")), "a number above 0; got nan"),
        (H2PC(required=None), "required must be a list"),
        (H2PC(forbidden=iter([])), "forbidden must be a list"),
        (H2PC(tiers=None), "tiers must be a list"),
        (H2PC(targets=[]), "targets must name at least one"),
        (H2PC(max_parents=-1), "max_parents must be a whole number"),
        (H2PC(variant="papers"), "variant must be one of 'accurate', 'paper'; got 'papers'"),
        (H2PC(variant="paper", patience=1.5), "patience must be a whole number"),
        (H2PC(variant="paper", tabu_size=None), "tabu_size must be a whole number"),
        (
            H2PC(patience=3),
            "patience is of variant='paper' only; got 3 and variant='accurate'",
        ),
        (MMHC(tabu_size=3), "tabu_size is of variant='paper' only"),
        (H2PC(variant="paper", one_sided_penalty=2), "one_sided_penalty is of variant='acc"),
        (H2PC(variant="paper", outside_penalty=None), "outside_penalty is of variant='acc"),
        (H2PC(one_sided_penalty=None), "one_sided_penalty must be a number from 0 on; got None"),
        (H2PC(outside_penalty=-1), "must be a number from 0 on, 'auto' or None; got -1"),
        (H2PC(n_jobs=0), "n_jobs must be"),
        (H2PC(progress=1), "progress must be"),
        (H2PC(scoring=lambda _: 3), "scoring must make a LocalScore"),
        (TabuSearch(start=[("a", "b")]), "start must be a Dag"),
        (TabuSearch(start=Dag.from_edges(("a",))), "its names differ"),
        (HillClimbing(restarts=-1), "restarts must be a whole number"),
        (TabuSearch(restarts=0.5), "restarts must be a whole number"),
        (HillClimbing(random_state="x"), "random_state must be None, a whole number"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_settings_without_sense_are_refused(learner, message):
    with pytest.raises(SettingError, match=message):
        learner.fit(FRAME)


def test_unknown_targets_are_refused_by_name():
    with pytest.raises(DataError, match="smokes"):
        H2PC(targets=["smokes"]).fit(FRAME)
