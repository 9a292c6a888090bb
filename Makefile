# Everything a developer does, in one word each. Needs Python 3.11 or newer and make.

PYTHON ?= python3
UV_VERSION := 0.13.9

BIN := .venv/bin
INSTALLED := .venv/.installed
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-header pyproject.toml

.PHONY: install run test lint suite bench docs lock clean

install: $(INSTALLED)

$(INSTALLED): requirements-dev.lock
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Pitbook needs Python 3.11 or newer")'
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	touch $@

# The whole house on this machine: `make run`, `make run DEMO=0`, `make run PORT=8080`.
run: install
	@exec $(BIN)/python -m casino.house

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	LOCAL_HOUSE=1 $(BIN)/python manage.py makemigrations --check --dry-run

# Side by side: neither needs the other, and a browser that waits leaves a core idle.
test: install
	@$(MAKE) --no-print-directory --jobs=2 lint suite

suite: install
	$(BIN)/pytest --numprocesses 2 --dist worksteal

bench: install
	$(BIN)/python -m bench

# The pages that a command writes; a test holds them against it.
docs: install
	LOCAL_HOUSE=1 $(BIN)/python manage.py house_edge --format markdown > docs/house-edges.md

# Choose versions anew within the bounds of pyproject.toml.
lock: install
	$(BIN)/python -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(COMPILE) --upgrade --output-file requirements.lock
	$(COMPILE) --upgrade --extra local --constraint requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
