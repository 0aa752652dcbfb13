# Every target sets up .venv by itself; Python 3.11+ and make are all that is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PEERS := $(VENV)/.peers

DOCS := $(VENV)/.docs

.PHONY: demo docs test test-all test-clusters fuzz lint format bench bench-large clean

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("h2pc needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable '.[all]' --group dev --group browser --group cluster
	@touch $@

$(PEERS): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group peers
	@touch $@

demo: $(INSTALLED)
	$(BIN)/python -m h2pc.cli.demo demo

$(DOCS): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

docs: $(DOCS)
	$(BIN)/python docs/draw_floors.py
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

test: $(INSTALLED)
	$(BIN)/python -m pytest -n auto -m 'not slow'

test-all: $(INSTALLED)
	$(BIN)/python -m pytest -n auto

test-clusters: $(INSTALLED)
	$(BIN)/python -m pytest tests/cluster

fuzz: $(INSTALLED)
	$(BIN)/python fuzz/run.py --inputs 100000

lint: $(INSTALLED)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(PEERS)
	$(BIN)/python benchmarks/tests_per_second.py
	$(BIN)/python benchmarks/encode_wide.py
	$(BIN)/python benchmarks/skeletons.py
	$(BIN)/python benchmarks/scores.py
	$(BIN)/python benchmarks/networks.py

bench-large: $(INSTALLED)
	$(BIN)/python benchmarks/networks.py --large

clean:
	rm -rf $(VENV) demo dist docs/_build docs/_generated .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
