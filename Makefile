# One entry for everything. `make play` and `make test` set up what they need the first time; after that they take no network.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
GAME ?= bamogo
PORT ?= 8000
PLIES ?= 1000

.PHONY: play test slow check format lint types imports tests golden bench soak docs wheel clean

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

# The stamps say for which pyproject.toml the packages were installed.
$(VENV)/.play: pyproject.toml | $(VENV)/bin/python
	@echo "Setting up in $(VENV): this takes a minute or two, the first time only."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/.play

play: $(VENV)/.play
	@$(BIN)/stonelight play $(GAME) --http-port $(PORT) $(ARGS)

test: $(VENV)/.dev
	$(BIN)/python -m pytest -n auto $(ARGS)

# Whole games through every kind of trouble, under both interpreters of the firmware.
slow: $(VENV)/.dev
	$(BIN)/python -m pytest -m slow $(ARGS)

check: format lint types imports tests

format: $(VENV)/.dev
	$(BIN)/ruff format --check .

lint: $(VENV)/.dev
	$(BIN)/ruff check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

tests: test

# Rewrites what the golden records replay to. Read the difference: a changed line needs its reason in the commit.
golden: $(VENV)/.dev
	@for record in tests/golden/*.pgn; do \
		$(BIN)/stonelight replay --json $$record > $${record%.pgn}.jsonl || test $$? -eq 1 || exit 1; \
	done

bench: $(VENV)/.dev
	$(BIN)/python -m tests.bench $(ARGS)

# Clumsy people on a board with every fault that must do no harm: says what was wrong, and what got stuck.
soak: $(VENV)/.dev
	$(BIN)/python -m tests.soak $(GAME) --plies $(PLIES) $(ARGS)

# Rewrites the pages of docs/ that are drawn from the code.
docs: $(VENV)/.play
	@$(BIN)/python -c 'from pathlib import Path; from controller.cli import docs; docs.write(Path("docs"))'

wheel: $(VENV)/.dev
	$(BIN)/python -m hatchling build --target wheel

clean:
	rm -rf $(VENV) dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
