# Needs make and Python 3.11 or newer. Uses uv when it is on the PATH, and otherwise Python's own venv and pip.
# Once .venv is set up nothing is downloaded again, and every target works without network (except `lock`).

PYTHON ?= python3
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
# Younger than the lock and pyproject.toml: .venv holds what they say.
READY := $(VENV)/.ready
UV := $(shell command -v uv 2>/dev/null)

.DEFAULT_GOAL := help
.PHONY: help setup lab demo test test-long lint notebooks lock clean

help: ## Show this list
	@echo 'Usage: make TARGET [ARGS="..."] [PYTHON=python3.11]'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{printf "%-12s %s\n", $$1, $$2}'

setup: $(READY) ## Make .venv with everything in it (the other targets do this on their own)

lab: $(READY) ## Open JupyterLab on the first notebook; ARGS goes to jupyter lab
	$(BIN)/jupyter lab $(ARGS) notebooks/00_start_here.ipynb

demo: $(READY) ## Play the demo conversation in the terminal; ARGS goes to travel-lab demo
	@$(BIN)/travel-lab demo $(ARGS)

test: $(READY) ## Run all tests; ARGS goes to pytest
	$(BIN)/pytest -n 2 --dist loadgroup $(ARGS)

test-long: $(READY) ## Run the tests that take minutes: long forms of short ones, 200 kills; ARGS goes to pytest
	$(BIN)/pytest -n 2 --dist loadgroup -m slow $(ARGS)

lint: $(READY) ## Check style, form, types and who imports whom
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

notebooks: $(READY) ## Build and execute the notebooks from notebooks/source
	$(BIN)/python notebooks/build.py $(ARGS)

lock: ## Resolve the dependencies anew (needs uv and network)
	@test -n "$(UV)" || { echo 'make lock needs uv: https://docs.astral.sh/uv/getting-started/installation/' >&2; exit 1; }
	uv lock $(ARGS)
	uv export --frozen --all-extras --no-emit-project --format requirements-txt --quiet --output-file requirements.lock

clean: ## Remove caches and built packages; .venv and out/ stay
	rm -rf .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks dist
	find . -path ./$(VENV) -prune -o -type d \( -name __pycache__ -o -name .ipynb_checkpoints \) -exec rm -rf {} +

# The first line is readable for Python 2 as well: it must be able to say that it is too old.
define CHECK_PYTHON
import sys
if sys.version_info < (3, 11):
    sys.exit("travel_lab needs Python 3.11 or newer; this is " + sys.version.split()[0] + " at " + sys.executable
             + ". Name another one: make PYTHON=python3.11")
endef
export CHECK_PYTHON

define CHECK_VENV
try:
    import ensurepip, venv
except ImportError:
    raise SystemExit("This Python has no venv. On Debian or Ubuntu: apt install python3-venv. Or install uv.")
endef
export CHECK_VENV

$(READY): requirements.lock pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo 'No $(PYTHON) found. Name your Python: make PYTHON=python3.11' >&2; exit 1; }
	@"$(PYTHON)" -c "$$CHECK_PYTHON"
	@echo 'Setting up $(VENV); the first time this takes a few minutes.'
ifneq ($(UV),)
	@test -x $(BIN)/python || uv venv --quiet --no-python-downloads --python "$(PYTHON)" $(VENV)
	@$(BIN)/python -c "$$CHECK_PYTHON" || { echo 'Remove the folder $(VENV) and try again.' >&2; exit 1; }
	uv pip install --python $(BIN)/python --require-hashes -r requirements.lock
	uv pip install --python $(BIN)/python --no-deps --no-build-isolation -e .
else
	@"$(PYTHON)" -c "$$CHECK_VENV"
	@"$(PYTHON)" -m venv $(VENV)
	@$(BIN)/python -c "$$CHECK_PYTHON" || { echo 'Remove the folder $(VENV) and try again.' >&2; exit 1; }
	$(BIN)/python -m pip install --disable-pip-version-check --progress-bar off --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --disable-pip-version-check --quiet --no-deps --no-build-isolation -e .
endif
	@touch $@
