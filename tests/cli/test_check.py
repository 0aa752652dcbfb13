"""``h2pc check``: a table that fits the terminal, and the command to go on with."""

import json
import random
import shlex

import pytest

N = 200


@pytest.fixture
def table(tmp_path):
    """A table with something of everything, as a German Excel writes it."""
    rng = random.Random(1)
    rows = [
        f"P{i};{rng.randint(18, 79)};{rng.choice('fm')};{rng.random() * 10:.2f};kg;"
        f"{rng.choice(['a', 'b', '', '', ''])}"
        for i in range(N)
    ]
    path = tmp_path / "a table.csv"
    text = "\r\n".join(["id;age;sex;höhe;unit;chapter", *rows]).replace(".", ",")
    path.write_bytes(text.encode("cp1252"))
    return path


def test_everything_is_said_in_options(run, table):
    told = run("check", table)

    assert told.exit_code == 0
    for word in ("left out: identifier", "left out: constant", "continuous"):
        assert word in told.stdout
    assert "Continuous variables (2) and discrete ones (2): the test auto is mixed" in told.stdout
    assert "samples per cell" not in told.stdout
    assert "  --missing level makes them a level of their own\n" in told.stdout
    assert "  --missing available uses, in every test, the rows" in told.stdout
    assert "--keep id,unit keeps them." in told.stdout
    assert "read as cp1252; --encoding cp1250 reads" in told.stdout
    assert "missing=" not in told.stdout
    assert f"Next: h2pc learn '{table}' --missing available\n" in told.stdout


def test_numbers_are_cut_where_one_wants_levels(run, table):
    told = run("check", table, "--discretize", 3)

    assert "cut into 3" in told.stdout
    assert "Discrete variables: the test auto is G²." in told.stdout
    assert "With 5 samples per cell, " in told.stdout
    assert f"Next: h2pc learn '{table}' --discretize 3 --missing available\n" in told.stdout


def test_missing_numbers_as_a_level_are_refused_in_options(run, tmp_path):
    rows = ["" if i % 4 == 0 else f"{i / 8}" for i in range(40)]
    (tmp_path / "a.csv").write_text("x,y\n" + "".join(f"{x},{i % 2}\n" for i, x in enumerate(rows)))

    told = run("learn", tmp_path / "a.csv", "--missing", "level")

    assert told.exit_code == 1
    assert "missing values in column 'x' (10) of numbers, which have no levels" in told.stderr
    for way in ("--missing available", "--missing drop", "--discretize 2 cuts numbers"):
        assert way in told.stderr


def test_the_next_command_works(run, table):
    answer = json.loads(run("check", table, "--discretize", 3, "--json").stdout)
    words = shlex.split(answer["next"])

    learned = run(*words[1:], "--json", "--quiet")

    assert learned.exit_code == 0, learned.stderr
    assert json.loads(learned.stdout)["variables"] == ["age", "chapter", "höhe", "sex"]


def test_options_that_were_given_are_part_of_the_next_command(run, table):
    told = run(
        "check", table, "--discretize", 2, "--missing", "drop", "--drop", "age", "--sep", ";"
    )

    next_ = told.stdout.splitlines()[-1]
    assert next_.endswith("--drop age --sep ';' --discretize 2 --missing drop")
    assert "Refused" not in told.stdout


def test_json_has_documented_fields(run, table, shaped):
    answer = json.loads(run("check", table, "--discretize", 3, "--json").stdout)
    mixed = json.loads(run("check", table, "--json").stdout)

    assert (answer["kind"], answer["test"]) == ("discrete", "g2")
    assert (mixed["kind"], mixed["test"], mixed["untested"]) == ("mixed", "mixed", None)
    shaped(
        answer,
        n_rows=int,
        n_samples=int,
        kind=str,
        test=str,
        columns=list,
        problems=list,
        remedies=list,
        notices=list,
        power_rule=float,
        untested=dict,
        untestable=list,
        next=str,
    )
    shaped(
        answer["columns"][0],
        name=str,
        kind=str,
        n_values=int,
        n_missing=int,
        action=str,
        levels=int,
        reason=str,
    )
    shaped(answer["untested"], marginal=float, given_one=float)


def test_dropped_rows_are_counted(run, table):
    told = run("learn", table, "--discretize", 2, "--missing", "drop")
    quiet = run("learn", table, "--discretize", 2, "--missing", "drop", "--quiet")

    assert "of 200 rows (" in told.stderr
    assert "%), most because of chapter.\n" in told.stderr
    assert quiet.stderr == ""


def test_everything_that_is_wrong_is_one_error(run, table):
    told = run("learn", table, "--keep", "id")

    assert told.exit_code == 1
    assert "missing values in column 'chapter'" in told.stderr
    assert "; --missing drop drops " in told.stderr
    told = run("learn", table, "--keep", "id", "--max-levels", 100)
    assert "column 'id' has 200 levels: expected at most 100; missing values in" in told.stderr
    assert "--drop id leaves it out; --missing drop drops " in told.stderr


def test_a_single_column_with_separators_is_refused_with_the_option(run, tmp_path, refused):
    (tmp_path / "a.csv").write_text("ab\n1;2\n3;4;5\n6;7\n")

    refused(run("learn", tmp_path / "a.csv"), 1, "--sep ';' splits the rows there")


def test_text_can_be_described(run, tmp_path):
    (tmp_path / "a.csv").write_bytes(("1,5:é\n2,5:a\n1,5:a\n" * 20).encode("latin-1"))

    told = run(
        "learn", tmp_path / "a.csv", "--sep", ":", "--decimal", ",", "--encoding", "latin-1",
        "--no-header", "--discretize", 2, "--json",
    )  # fmt: skip

    assert json.loads(told.stdout)["variables"] == ["X0", "X1"]
    assert told.stderr == ""


def test_genes_as_rows_are_transposed(run, tmp_path):
    rng = random.Random(2)
    names = [f"GSM{j}" for j in range(10)]
    rows = [[f"G{i}", *(f"{rng.random():.3f}" for _ in names)] for i in range(30)]
    text = "\n".join("\t".join(row) for row in [["gene", *names], *rows])
    (tmp_path / "g.tsv").write_text(text)

    told = run("check", tmp_path / "g.tsv")
    turned = json.loads(run("check", tmp_path / "g.tsv", "--transpose", "--json").stdout)

    assert "--transpose makes the rows variables." in told.stdout
    assert len(turned["columns"]) == 30
    assert turned["next"].endswith("--transpose")
    assert turned["kind"] == "continuous"


def test_few_samples_and_untestable_variables_are_named(run, tmp_path):
    rng = random.Random(3)
    rows = [f"{rng.random():.3f},{rng.random():.3f},{rng.random():.3f}" for _ in range(64)]
    (tmp_path / "a.csv").write_text("\n".join(["a,b,c", *rows]))
    places = [f"p{rng.randint(18, 59)},{rng.randint(0, 1)},{rng.randint(0, 1)}" for _ in range(300)]
    (tmp_path / "b.csv").write_text("\n".join(["place,x,y", *places]))

    few = run("neighbours", tmp_path / "a.csv", "-t", "a", "--discretize", 3)
    enough = run("neighbours", tmp_path / "a.csv", "-t", "a", "--discretize", 2)
    many = run("learn", tmp_path / "b.csv")

    assert "100 % of the tests given one variable are left out, with two levels 0 %" in few.stderr
    assert "--discretize 2 cuts numbers into two levels" in few.stderr
    assert enough.stderr == ""
    assert "Note: no test of 'place' has 5 samples per cell: 300 samples are too few" in many.stderr
    assert "untested" not in enough.stdout
