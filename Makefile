# memlab: `make demo` shows it, `make test` checks it, `make` lists the rest.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

# The first Python that is new enough; `make PYTHON=/path/to/python demo` chooses another.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)

VENV ?= .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
PIP := $(PY) -m pip install --quiet --quiet --disable-pip-version-check --no-input
READY := $(VENV)/.memlab-ready
READY_DEV := $(VENV)/.memlab-ready-dev

NOTEBOOKS := $(sort $(wildcard notebooks/*.ipynb))
# Notebooks run with a home of their own and none of your variables, so that they show the same to all.
CLEAN_ENV = env -i PATH="$$PATH" LANG=C.UTF-8 HOME="$(CURDIR)/.cache/home" \
	MEMLAB_CACHE="$${MEMLAB_CACHE:-$${XDG_CACHE_HOME:-$$HOME/.cache}/memlab}"

.PHONY: help setup setup-dev demo test lint types layers unit notebooks engine refresh-notebooks clean

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv with memlab and what it needs

setup-dev: $(READY_DEV) ## the same, with the tools for working on memlab

demo: $(READY) ## open the sample bank, recall, evaluate, draw
	@$(PY) -m memlab demo

test: setup-dev engine lint types layers unit notebooks ## run every check
	@echo "All checks passed."

lint: $(READY_DEV) ## style of code and notebooks
	@$(PY) -m ruff check .
	@$(PY) -m ruff format --check .

types: $(READY_DEV) ## types of the package, strictly
	@$(PY) -m mypy

layers: $(READY_DEV) ## who may import whom
	@$(BIN)/lint-imports --no-logo --no-cache

unit: $(READY_DEV) ## the tests
	@$(PY) -m pytest

notebooks: $(READY_DEV) ## run the notebooks and compare every output
	@test -n "$(NOTEBOOKS)" || { echo "There is no notebook in notebooks/ to check." >&2; exit 1; }
	@mkdir -p .cache/home
	@$(CLEAN_ENV) $(PY) -m pytest notebooks --nbval --nbval-current-env \
		--nbval-sanitize-with notebooks/nbval_sanitize.cfg --nbval-cell-timeout 120 -p no:randomly

engine: $(READY) ## fetch the real memory engine by npm, once
	@$(PY) -m memlab engine install

refresh-notebooks: $(READY_DEV) ## run the notebooks and keep their new outputs
	@test -n "$(NOTEBOOKS)" || { echo "There is no notebook in notebooks/ to refresh." >&2; exit 1; }
	@mkdir -p .cache/home
	@$(CLEAN_ENV) $(BIN)/jupyter execute --inplace $(NOTEBOOKS)
	@$(BIN)/nbstripout --keep-output --keep-count $(NOTEBOOKS)

clean: ## remove caches and build results; .venv stays
	@rm -rf .cache .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache build dist
	@find memlab tests notebooks data -name __pycache__ -prune -exec rm -rf {} +

# The two stamps are older than pyproject.toml whenever what memlab needs has changed.
$(READY): pyproject.toml
	@$(call make-venv)
	@echo "Installing memlab and what it needs into $(VENV) ..."
	@$(PIP) --editable .
	@touch $@

$(READY_DEV): pyproject.toml
	@$(call make-venv)
	@echo "Installing memlab, what it needs and the tools for working on it into $(VENV) ..."
	@$(PIP) --editable '.[dev]'
	@touch $(READY) $@

# A half-made .venv, or one whose Python is gone, is made anew.
define make-venv
if ! $(PY) -m pip --version >/dev/null 2>&1; then \
	test -n "$(PYTHON)" || { echo "memlab needs Python 3.11 or newer, and none was found. Install one, or name it: make PYTHON=/path/to/python demo" >&2; exit 1; }; \
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "memlab needs Python 3.11 or newer; $(PYTHON) --version says: $$($(PYTHON) --version 2>&1). Name another: make PYTHON=/path/to/python demo" >&2; exit 1; }; \
	$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make a virtual environment: its ensurepip or venv is missing. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }; \
	echo "Making $(VENV) with $$($(PYTHON) --version) ..."; \
	$(PYTHON) -m venv --clear $(VENV); \
fi
endef
