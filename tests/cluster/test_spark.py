"""The same answers on Spark, through joblib-spark; Spark runs on this machine."""

import os
import shutil
import sys
from collections import Counter

import joblib
import pytest

from cluster.conftest import TESTS
from h2pc import GTest, load_network
from h2pc.algorithms.skeletons import learned_skeleton
from h2pc.runs.workers import Shared, mapped
from noted_arrivals import Noted, place_of

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


@pytest.fixture(scope="module")
def spark():
    """A session with two Python processes."""
    pyspark = pytest.importorskip("pyspark.sql", reason="needs Spark (pip install pyspark)")
    joblibspark = pytest.importorskip("joblibspark", reason="needs joblibspark")
    if shutil.which("java") is None:
        pytest.skip("needs Java")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYTHONPATH", TESTS)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        builder = pyspark.SparkSession.builder.master("local[2]").config("spark.ui.enabled", False)
        session = builder.config("spark.ui.showConsoleProgress", False).getOrCreate()
        joblibspark.register_spark()
        with joblib.parallel_config(backend="spark"):
            yield session
        session.stop()


def test_spark_learns_the_same_skeleton(spark):
    data = load_network("alarm").sample(1000, random_state=1)
    together = learned_skeleton(GTest(data), data.names, n_jobs=-1, progress=False)
    with joblib.parallel_config(backend="threading"):
        alone = learned_skeleton(GTest(data), data.names, progress=False)

    assert together == alone


def test_data_arrive_once_at_a_process_of_spark(spark, tmp_path):
    file = tmp_path / "arrivals"
    shared = Shared(Noted(file))
    for _ in range(2):
        done = dict(mapped(place_of, [(shared, number) for number in range(8)], n_jobs=2))

    arrivals = Counter(map(int, file.read_text().split()))
    assert sorted(done) == list(range(8))
    assert os.getpid() not in done.values()
    assert set(arrivals.values()) == {1}


def test_an_error_of_a_task_on_spark_is_raised_as_it_is(spark):
    with pytest.raises(ZeroDivisionError):
        list(mapped(divmod, [(1, 0), (2, 1)], n_jobs=2))
    assert list(mapped(divmod, [(7, 2)], n_jobs=2)) == [(3, 1)]
