"""Names in boxes: long ones lose their middle, and stay different."""

import pytest

pytest.importorskip("matplotlib")

from hypothesis import given
from hypothesis import strategies as st

from h2pc.report.box_names import abbreviated, natural_order, text_width


@given(st.sets(st.text("ab_ ", min_size=1, max_size=40), max_size=12), st.integers(5, 20))
def test_short_names_stay_and_long_ones_lose_their_middle(names, longest):
    for name, text in abbreviated(sorted(names), longest).items():
        whole = " ".join(name.split()) or "·"
        head, _, tail = text.partition("…")
        assert text == whole if len(whole) <= longest else len(text) <= len(whole)
        assert whole.startswith(head)
        assert whole.endswith(tail)


def test_names_that_would_look_alike_keep_more_letters():
    names = [f"{'x' * 12}{digit}{'y' * 12}" for digit in "123"]

    assert len(set(abbreviated(names, 12).values())) == 3


def test_cuts_are_between_words():
    name = "Mean_Acc1298_Mean_Mem40_MFCC_3"

    assert abbreviated([name], 16) == {name: "Mean…MFCC_3"}


def test_numbers_are_sorted_by_their_size():
    names = ["Class-10", "Class-2", "Class-1-b", "7", "a"]

    assert sorted(names, key=natural_order) == ["7", "Class-1-b", "Class-2", "Class-10", "a"]


def test_widths_grow_with_texts_and_sizes():
    assert text_width("sky", 8) < text_width("skyline", 8) < text_width("skyline", 9)
    assert text_width("名前", 9) >= 2 * 9 / 72
