"""Fuzz one kind of file with atheris, which looks for inputs that reach new code.

Started by ``python fuzz/run.py --guided``.
"""

from __future__ import annotations

import json
import random
import sys
import warnings
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["h2pc"]):
    pass

LONGEST = 20_000


def main() -> None:
    """Run the inputs, and write the figures as JSON after the last one."""
    from mutations import mutators_of
    from run import options
    from seeds import seeds_of
    from trials import Trials

    chosen = options().parse_args()
    warnings.simplefilter("ignore")
    kind, folder = chosen.child, Path(chosen.folder)
    corpus, work = folder / "corpus", folder / "work"
    for place in (corpus, work):
        place.mkdir(exist_ok=True)
    for number, seed in enumerate(seeds_of(kind)):
        if len(seed) <= LONGEST:
            (corpus / str(number)).write_bytes(seed)
    trials = Trials(kind, work, chosen.keep, seconds=chosen.seconds, megabytes=0)
    mutators = mutators_of(kind)

    def one(content: bytes) -> None:
        (folder / "started").write_bytes(b"%d %s" % (trials.figures.n_inputs, content))
        trials.run(content)
        if trials.figures.n_inputs >= chosen.inputs - chosen.skip:
            (folder / "figures.json").write_text(json.dumps(trials.figures.as_dict()))
            sys.stdout.flush()
            raise SystemExit

    def damaged(content: bytes, most: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if rng.random() < 0.5:
            return bytes(atheris.Mutate(content, most))
        return rng.choice(mutators)(content, rng)[:most]

    settings = [f"-seed={chosen.seed + 1}", f"-max_len={LONGEST}", "-rss_limit_mb=4096"]
    settings += [f"-timeout={int(6 * chosen.seconds)}", "-print_final_stats=1"]
    settings.append(f"-artifact_prefix={folder}/")  # what it keeps goes with the folder
    # A few more than are counted: the last one ends the process before they run out.
    arguments = [sys.argv[0], *settings, f"-runs={10 * chosen.inputs + 1000}", str(corpus)]
    atheris.Setup(arguments, one, custom_mutator=damaged)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
