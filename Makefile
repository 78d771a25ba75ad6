# Every target sets itself up: a Python 3.11 with pip is all that is needed. The environment is made anew
# only when pyproject.toml has changed.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
WORKERS ?= 2
SUDO ?= $(shell test "$$(id -u)" = 0 || command -v sudo)
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
WARM := $(BIN)/python -c "from simlab import catalog; catalog.warm_up()"

.PHONY: help demo report browser bench test test-plain rules mutants verify golden calibrate check format clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

$(READY): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	touch $(READY)

demo: $(READY)  ## play 20,000 four-player games of D.E.I. and report on them
	@run=$$($(BIN)/simlab run experiments/dei/demo.toml | tail -n 1) && test -n "$$run" && $(BIN)/simlab report "$$run"

EXAMPLE := docs/example-report

report: $(READY)  ## write docs/example-report anew, from experiments/dei/demo.toml
	@run=$$($(BIN)/simlab run experiments/dei/demo.toml | tail -n 1) && test -n "$$run" && \
	$(BIN)/simlab report "$$run" --out $(EXAMPLE) >/dev/null
	rm -r $(EXAMPLE)/report.json $(EXAMPLE)/report/tables

browser:  ## install Debian's Chromium and its driver, which the tests of pages drive
	command -v chromium >/dev/null && command -v chromedriver >/dev/null || \
	{ $(SUDO) apt-get update -qq && $(SUDO) apt-get install -y -qq --no-install-recommends chromium chromium-driver; }

bench: $(READY)  ## measure how fast this machine plays and records
	$(BIN)/simlab bench

# Compiled code is made once, in one process, before several start to read it; array bounds are checked.
test: $(READY)  ## all tests but the long tier, compiled and bounds-checked
	NUMBA_BOUNDSCHECK=1 $(WARM)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(WORKERS) -m "not slow"

test-plain: $(READY)  ## the tests that are quick enough uncompiled, with coverage: of the games' own code 95 % at least
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n $(WORKERS) -m "not slow and not compiled_only" --cov --cov-report=term
	$(BIN)/coverage report --include='simlab/games/*' --fail-under=95

rules: $(READY)  ## every rule: where it is, which test notices when it is broken, how often it matters
	$(BIN)/python -m tests.mutations --workers $(WORKERS)

mutants: $(READY)  ## 200 mutations of the rules that nobody chose: who notices (about an hour)
	$(BIN)/python -m tests.mutations.drawn --workers $(WORKERS)

verify: $(READY)  ## the long tier (beside it: make mutants)
	NUMBA_BOUNDSCHECK=1 $(WARM)
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n $(WORKERS) -m slow

calibrate: $(READY)  ## hold the shipped pack to the bars of docs/packs.md
	$(BIN)/python benchmarks/calibration.py --workers $(WORKERS)

golden: $(READY)  ## write the games in tests/golden/playthroughs and the README's replay anew
	$(WARM)
	$(BIN)/python -m pytest -q tests/dei/test_playthroughs.py tests/test_docs.py -k "written_down or readme" --write-golden

check: $(READY)  ## lint, format, types, direction of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_layers.py

format: $(READY)  ## format, and mend what can be mended
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

clean:  ## remove the environment and caches, keep runs
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .coverage* dist build
