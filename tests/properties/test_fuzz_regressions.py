"""Inputs that once led to something else than a refusal, each in the smallest form."""

import subprocess
import sys
from pathlib import Path

import pytest
from parsers import PARSERS, is_read

FUZZ = Path(__file__).parents[2] / "fuzz"

RESULT = (
    '{"format":"h2pc-result","version":1,"names":["NAME"],"edges":[],"skeleton":null,"score":1,'
    '"n_tests":1,"n_scores":1,"n_moves":1,"seconds":{"all":SECONDS},"settings":{"a":SETTING}}'
)


def result(name="x", seconds="1", setting="1"):
    return RESULT.replace("NAME", name).replace("SECONDS", seconds).replace("SETTING", setting)


@pytest.mark.parametrize(
    ("kind", "content"),
    [
        ("xmlbif", "<?xml version='1.0' encoding='nothing'?><BIF/>"),
        ("xmlbif", "<?xml version='1.0' encoding='utf-7'?><BIF/>"),
        ("learn result", result().replace('"score":1', '"score":1' + "0" * 400)),
        ("learn result", result(name="\\ud800")),
        ("learn result", result(seconds="NaN")),
        ("learn result", result(seconds="1e999")),
        ("learn result", result(setting="-Infinity")),
        ("checkpoint", '{"network":"\\ud800","size":1}\n'),
        ("checkpoint", '{"network":"a","size":1,"recall":NaN}\n'),
        ("checkpoint", '{"network":"a","size":null}\n{"network":"a","size":1}\n'),
        ("constraints", '{"tiers":[[' + "9" * 5000 + "]]}"),
        ("constraints toml", "tiers=[[" + "9" * 5000 + "]]"),
    ],
    ids=lambda value: value[:40],
)
def test_what_once_led_astray_is_refused(tmp_path, kind, content):
    assert not is_read(PARSERS[kind], content.encode(), tmp_path)


PROGRAM = """
import sys
from pathlib import Path
from h2pc.io.table_files import read_dataset
import resource
read_dataset(sys.argv[1])  # libraries are loaded and their threads started
pages = int(Path("/proc/self/statm").read_text().split()[0])
limit = pages * resource.getpagesize() + (1 << 28)
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
print(read_dataset(sys.argv[1]).n_samples)
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs the /proc of Linux")
def test_a_small_table_does_not_ask_for_the_memory_of_the_largest(tmp_path):
    path = tmp_path / "small.csv"
    path.write_text("x\n1\n2\n1\n")

    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(path)], capture_output=True, text=True
    )

    assert done.stdout == "3\n", done.stderr
