"""What many tasks need is packed once, and travels as its arrays."""

import pickle

import numpy as np

from h2pc import GTest, hpc, load_network
from h2pc.runs.shared import Shared

DATA = load_network("alarm").sample(5000, random_state=1)


def test_a_test_travels_as_the_codes_of_its_data():
    packed = Shared(GTest(DATA)).packed

    assert DATA.codes.nbytes <= packed.n_bytes < DATA.codes.nbytes + 10_000


def test_packing_copies_no_array():
    packed = Shared(GTest(DATA)).packed

    assert any(np.shares_memory(array, DATA.codes) for array in packed.arrays)


def test_it_is_packed_once():
    shared = Shared(GTest(DATA))

    assert shared.packed is shared.packed


def test_what_arrives_gives_the_same_answers():
    test = GTest(DATA)
    arrived = pickle.loads(pickle.dumps(Shared(test))).value

    assert arrived is not test
    assert hpc(0, arrived, tuple(range(37))) == hpc(0, test, tuple(range(37)))


def test_functions_without_a_name_travel():
    arrived = pickle.loads(pickle.dumps(Shared(lambda x: x + 1))).value

    assert arrived(1) == 2


def test_empty_arrays_travel():
    arrived = pickle.loads(pickle.dumps(Shared(np.empty((0, 3), np.uint8)))).value

    assert arrived.shape == (0, 3)
