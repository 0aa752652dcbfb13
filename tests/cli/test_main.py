"""What all commands share: help at once, closed pipes, interrupts, disks that are full."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import pytest

COMMANDS = (
    "check",
    "estimate",
    "learn",
    "neighbours",
    "strength",
    "compare",
    "score",
    "sample",
    "networks",
    "demo",
    "doctor",
)


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_has_examples(run, command):
    told = run(*command.split(), "--help")

    assert told.exit_code == 0
    assert "Examples:\n    h2pc " in told.stdout


HEAVY = ("sklearn", "scipy", "pandas", "polars", "pyarrow", "narwhals", "matplotlib", "networkx")


def loaded_by(arguments, names):
    """The exit code of a command, and which of some modules its process has loaded."""
    code = (
        "import sys\nfrom h2pc.cli.main import app\n"
        "try:\n    app(sys.argv[1:])\nexcept SystemExit as end:\n"
        f"    print(end.code, *(m for m in {names} if m in sys.modules))"
    )
    command = [sys.executable, "-c", code, *map(str, arguments)]
    told = subprocess.run(command, capture_output=True, text=True, check=True)
    exit_code, *loaded = told.stdout.splitlines()[-1].split()
    return int(exit_code), loaded


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("--help",), 0),
        (("learn", "--help"), 0),
        (("learn", "nothing.csv"), 1),
        (("learn", "nothing.doc"), 2),
        (("learn", "--nonsense"), 2),
        (("learn", "nothing.csv", "--reference", "alarm"), 1),
        (("check", "nothing.csv"), 1),
        (("estimate", "nothing.csv"), 1),
        (("neighbours", "nothing.csv", "--targets", "lung"), 1),
        (("strength", "nothing.csv"), 1),
        (("score", "alarm", "nothing.csv"), 1),
        (("compare", "nothing.bif", "alarm"), 1),
        (("compare", "alarm", "alram"), 2),
        (("sample", "nothing.bif"), 1),
        (("networks", "alram"), 2),
        (("multilabel", "fit", "nothing.arff", "-o", "model.h2pc"), 1),
        (("multilabel", "predict", "nothing.h2pc", "nothing.csv"), 1),
    ],
)
def test_help_and_mistyped_names_load_nothing_heavy(arguments, code):
    assert loaded_by(arguments, ("numpy", "joblib", "rich", *HEAVY)) == (code, [])


def test_learning_loads_only_what_it_needs(asia_file):
    reader = ("polars", "narwhals")
    others = [module for module in HEAVY if module not in reader]

    assert loaded_by(("learn", asia_file), others) == (0, [])


def test_no_arguments_show_help(run):
    told = run()

    assert told.output.startswith("Usage: ")
    assert all(f"\n  {command} " in told.output for command in (*COMMANDS, "multilabel"))


@pytest.mark.parametrize("arguments", [("nonsense",), ("learn", "--nonsense"), ("compare", "asia")])
def test_commands_and_options_that_do_not_exist_are_code_2(run, arguments):
    refused = run(*arguments)

    assert refused.exit_code == 2
    assert "Traceback" not in refused.output


def test_a_closed_pipe_ends_a_command_silently(start):
    # Unbuffered, Python takes what a pipe took before it was closed for all there was.
    buffered = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with start("sample", "alarm", "-n", 20_000, env=buffered) as process:
        process.stdout.readline()
        process.stdout.close()
        told = process.stderr.read()
        process.wait(timeout=60)

    assert told == ""
    assert process.returncode == 141


@pytest.mark.usefixtures("ctrl_c_is_heard")
def test_ctrl_c_is_one_word_and_code_130(start):
    with start("score", "asia", "-", stdin=subprocess.PIPE, start_new_session=True) as process:
        process.stdin.write("a,b\n")
        process.stdin.flush()
        _wait_until_it_reads(process)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)

    assert (process.returncode, out, err) == (130, "", "Interrupted.\n")


def _wait_until_it_reads(process):
    """Wait until what was written to the pipe has been taken out of it."""
    import fcntl
    import struct
    import termios

    until = time.monotonic() + 60
    while time.monotonic() < until:
        left = fcntl.ioctl(process.stdin.fileno(), termios.FIONREAD, b"\0" * 4)
        if struct.unpack("i", left) == (0,):
            time.sleep(0.05)
            return
        time.sleep(0.02)


def test_a_file_that_the_disk_cannot_hold_is_not_there_in_the_end(start, tmp_path):
    def with_small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    out = tmp_path / "alarm.csv"
    with start("sample", "alarm", "-o", out, preexec_fn=with_small_files) as process:
        told = process.communicate(timeout=60)

    assert process.returncode == 1
    assert told == ("", f"Error: {out}: File too large.\n")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_told_and_leaves_no_part_of_a_file(start, tmp_path):
    if not shutil.which("mount") or os.geteuid() != 0:
        pytest.skip("needs the superuser, to mount a small disk")
    mounted = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(tmp_path)]
    if subprocess.run(mounted, capture_output=True, check=False).returncode:
        pytest.skip("needs a machine that may mount a small disk")
    try:
        with start("sample", "alarm", "-o", tmp_path / "alarm.csv") as process:
            told = process.communicate(timeout=60)
        left = list(tmp_path.iterdir())
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)

    assert process.returncode == 1
    assert told == ("", f"Error: {tmp_path / 'alarm.csv'}: No space left on device.\n")
    assert left == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_standard_output_on_a_full_disk_is_told(start):
    with open("/dev/full", "w") as full, start("sample", "asia", "-n", 1, stdout=full) as process:
        told = process.stderr.read()
        process.wait(timeout=60)

    assert told == "Error: No space left on device.\n"
    assert process.returncode == 1


def test_a_folder_that_may_not_be_written_to_is_told_before_the_work(run, tmp_path, refused):
    tmp_path.chmod(0o500)
    try:
        if os.access(tmp_path, os.W_OK):
            pytest.skip("needs an ordinary user: the superuser may write anywhere")
        refused(run("sample", "asia", "-o", tmp_path / "a.csv"), 2, "cannot be written to")
    finally:
        tmp_path.chmod(0o700)


def test_a_library_that_is_missing_is_told_with_how_to_install_it(
    run, monkeypatch, refused, tmp_path
):
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    (tmp_path / "a.xlsx").write_bytes(b"PK")

    told = run("learn", tmp_path / "a.xlsx")

    refused(told, 2, "Excel files need fastexcel: expected it to be installed, as by pip install")


def test_names_of_the_library_complete(run):
    environment = {
        "_H2PC_COMPLETE": "complete_bash",
        "COMP_WORDS": "h2pc networks al",
        "COMP_CWORD": "2",
    }
    code = "from h2pc.cli.main import app; app(prog_name='h2pc')"
    told = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )

    assert told.stdout.split() == ["alarm"]


def test_errors_that_nobody_thought_of_are_one_sentence_too(run, monkeypatch, refused):
    monkeypatch.setattr("h2pc.networks.load_network", lambda _: 1 // 0)

    refused(run("networks", "asia"), 1, "Something went wrong: ZeroDivisionError: ")
