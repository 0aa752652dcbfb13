# Every target sets up .venv by itself; Python 3.11+ and make are all that is needed. Where the system
# has no C++ compiler, one comes from PyPI.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
PEERS := $(VENV)/.peers
DOCS := $(VENV)/.docs
PACKAGING := $(VENV)/.packaging
COMPILER := $(VENV)/.compiler
CONFIGURED := $(VENV)/engine/.configured

# CMake and ninja are those of .venv; .compiler sets CXX where the system has no compiler.
TOOLS = . ./$(COMPILER) && PATH="$(CURDIR)/$(BIN):$$PATH" &&
WERROR = -DH2PC_WERROR=$(if $(CI),ON,OFF)
CXX_FILES = src/engine/*.?pp tests/engine/*.?pp

.PHONY: demo docs engine test test-all test-clusters test-engine sanitize sanitize-short \
	fuzz lint format bench bench-large wheel clean

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("h2pc needs Python 3.11 or newer, this is " + sys.version.split()[0]) if sys.version_info < (3, 11) else None'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --group build
	$(BIN)/python -m pip install --quiet --no-build-isolation --editable '.[all]' \
		--config-settings wheel.cmake=false --config-settings wheel.py-api=py3 \
		--config-settings editable.mode=inplace \
		--group dev --group browser --group cluster --group experiments
	@touch $@

# zig builds its standard library for every way to link, so the file by which CMake finds out what
# compiler this is is compiled only.
define ZIG_CXX
#!/bin/sh
case "$$*" in *CMakeCXXCompilerId.cpp) set -- -c "$$@" ;; esac
exec "$(CURDIR)/$(BIN)/python" -m ziglang c++ -mcpu=baseline "$$@"
endef
define ZIG_TOOL
#!/bin/sh
exec "$(CURDIR)/$(BIN)/python" -m ziglang "$${0##*/}" "$$@"
endef
export ZIG_CXX ZIG_TOOL

$(COMPILER): $(INSTALLED)
	@for name in "$$CXX" c++ g++ clang++; do \
		if [ -n "$$name" ] && command -v $$name >/dev/null; then : >$@; exit; fi; \
	done; \
	echo 'No C++ compiler is installed: zig from PyPI is used. The first build takes a few minutes.'; \
	$(BIN)/python -m pip install --quiet --group zig && mkdir -p $(VENV)/zig && cd $(VENV)/zig && \
	echo "$$ZIG_CXX" >c++ && echo "$$ZIG_TOOL" >ar && cp ar ranlib && chmod +x c++ ar ranlib && \
	echo 'export CXX="$(CURDIR)/$(VENV)/zig/c++"' >../.compiler

$(CONFIGURED): $(COMPILER)
	$(TOOLS) cmake -S . -B $(VENV)/engine -G Ninja -DH2PC_INPLACE=ON $(WERROR) \
		-DPython_EXECUTABLE="$(CURDIR)/$(BIN)/python" || { rm -rf $(VENV)/engine; exit 1; }
	@touch $@

# The extension module in src/h2pc; ninja knows what changed.
engine: $(CONFIGURED)
	@$(TOOLS) cmake --build $(VENV)/engine

$(PEERS): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group peers
	@touch $@

demo: engine
	$(BIN)/python -m h2pc demo demo

$(DOCS): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group docs
	@touch $@

docs: $(DOCS) engine
	$(BIN)/python docs/draw_layers.py
	$(BIN)/python -m sphinx -W --keep-going -q -b html docs docs/_build/html

test: engine
	$(BIN)/python -m pytest -n auto -m 'not slow'

test-all: engine
	$(BIN)/python -m pytest -n auto

test-clusters: engine
	$(BIN)/python -m pytest tests/cluster

# Builds the library and its tests in build/$(1), with the options $(2), and runs them with ctest $(3).
define engine_tests
	$(TOOLS) cmake -S . -B build/$(1) -G Ninja -DCMAKE_BUILD_TYPE=Debug -DH2PC_PYTHON=OFF \
		-DH2PC_TESTS=ON -DH2PC_CHECKED=ON $(WERROR) $(2)
	$(TOOLS) cmake --build build/$(1)
	$(TOOLS) $(RUN_$(1)) ctest --test-dir build/$(1) --output-on-failure $(3)
endef

# Shadow memory of ThreadSanitizer does not go with every random layout of addresses.
RUN_tsan = $$(setarch -R true 2>/dev/null && echo setarch -R)

test-engine: $(COMPILER)
	$(call engine_tests,checked)

sanitize-short: $(COMPILER)
	$(call engine_tests,asan,-DH2PC_SANITIZE=address$(comma)undefined)
ifneq ($(wildcard tests/engine/test_threads*.cpp),)
	$(call engine_tests,tsan,-DH2PC_SANITIZE=thread,--label-regex threads)
endif
comma := ,

sanitize: export H2PC_TEST_ROUNDS ?= 20
sanitize: test-engine sanitize-short

fuzz: engine
	$(BIN)/python fuzz/run.py --inputs 100000

# import-linter reads .py files only: in a copy of the package, the engine's types stand in for it;
# without -S the package itself would be found first.
lint: engine
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/clang-format --dry-run -Werror $(CXX_FILES)
	$(BIN)/mypy
	rm -rf build/lint && mkdir -p build/lint && cp -r src/h2pc build/lint/
	cp src/h2pc/_engine.pyi build/lint/h2pc/_engine.py
	PYTHONPATH="build/lint:$$(echo $(VENV)/lib/python3*/site-packages)" $(BIN)/python -S $(BIN)/lint-imports

format: $(INSTALLED)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(CXX_FILES)

bench: $(PEERS) engine
	$(BIN)/python benchmarks/tests_per_second.py
	$(BIN)/python benchmarks/encode_wide.py
	$(BIN)/python benchmarks/skeletons.py
	$(BIN)/python benchmarks/scores.py
	$(BIN)/python benchmarks/networks.py

bench-large: engine
	$(BIN)/python benchmarks/networks.py --large

$(PACKAGING): $(INSTALLED)
	$(BIN)/python -m pip install --quiet --group packaging
	@touch $@

# The source distribution, a wheel from it, and the wheel at work where there is no compiler.
wheel: $(PACKAGING) $(COMPILER)
	rm -rf dist build/dist
	$(TOOLS) python -m build --outdir build/dist
	mkdir -p dist && cp build/dist/*.tar.gz dist/
	if [ -x $(BIN)/auditwheel ]; then $(TOOLS) auditwheel repair --wheel-dir dist build/dist/*.whl; \
	else cp build/dist/*.whl dist/; fi
	$(BIN)/python scripts/check_wheel.py dist/*.whl

clean:
	rm -rf $(VENV) build demo dist docs/_build docs/_generated .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	rm -f src/h2pc/_engine.pyi src/h2pc/_engine*.so
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
