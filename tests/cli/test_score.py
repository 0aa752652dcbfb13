"""``h2pc score``: how well a graph fits data."""

import json

import pytest

from h2pc import load_network, network_score

GOLDEN = """\
asia on 5,000 samples
┏━━━━━━━━┳━━━━━━━━━━━━━┳━━━━━━━━━━━━┓
┃ score  ┃ total       ┃ per sample ┃
┡━━━━━━━━╇━━━━━━━━━━━━━╇━━━━━━━━━━━━┩
│ bdeu   │ -11,300.468 │ -2.26009   │
│ bic    │ -11,270.507 │ -2.25410   │
│ aic    │ -11,211.852 │ -2.24237   │
│ k2     │ -11,270.279 │ -2.25406   │
│ bds    │ -11,300.468 │ -2.26009   │
│ qnml   │ -11,262.067 │ -2.25241   │
│ fnml   │ -11,258.384 │ -2.25168   │
│ loglik │ -11,193.852 │ -2.23877   │
└────────┴─────────────┴────────────┘
"""


def test_all_scores_are_a_table(run, asia_file):
    told = run("score", "asia", asia_file)

    assert told.exit_code == 0
    assert told.stdout == GOLDEN


def test_json_has_documented_fields(run, asia_file, shaped):
    told = run(
        "score",
        "asia",
        asia_file,
        "--scoring",
        "bic",
        "--scoring",
        "bdeu",
        "--equivalent-sample-size",
        1,
        "--json",
    )
    answer = json.loads(told.stdout)
    asia = load_network("asia")
    data = asia.sample(5000, random_state=2)

    shaped(
        answer,
        n_samples=int,
        n_variables=int,
        n_edges=int,
        equivalent_sample_size=float,
        scores=dict,
    )
    assert list(answer["scores"]) == ["bic", "bdeu"]
    bdeu = answer["scores"]["bdeu"]
    assert bdeu["total"] == network_score(asia.dag, data, equivalent_sample_size=1.0)
    assert bdeu["per_sample"] == bdeu["total"] / 5000


def test_other_columns_do_not_matter(run, asia_file, tmp_path):
    lines = asia_file.read_text().splitlines()
    wider = tmp_path / "wider.csv"
    wider.write_text("".join(f"{line},{i % 3 if i else 'more'}\n" for i, line in enumerate(lines)))

    assert run("score", "asia", wider).stdout == GOLDEN


@pytest.mark.parametrize(
    ("network", "arguments", "code", "sentence"),
    [
        ("alarm", (), 1, "unknown variable"),
        ("asai", (), 2, "did you mean 'asia'?"),
        (
            "asia",
            ("--equivalent-sample-size", "0", "--scoring", "bdeu"),
            2,
            "--equivalent-sample-size must be a number above 0",
        ),
        ("asia", ("--drop", "lung"), 1, "unknown variable 'lung'"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(
    run, asia_file, refused, network, arguments, code, sentence
):
    refused(run("score", network, asia_file, *arguments), code, sentence)
