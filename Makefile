# Every target sets up what it needs; on a fresh machine `make magic` is the only command.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: magic test check lint golden pictures bench compare corpus clean

magic: $(READY)
	$(BIN)/cardgen build magic

test: $(READY)
	$(BIN)/pytest -n auto

check: lint test

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

golden: $(READY)
	$(BIN)/pytest tests/test_golden.py tests/test_messages.py --renew-golden
	git diff --stat -- tests/golden tests/messages.txt

pictures: $(READY)
	$(BIN)/python docs/draw_pictures.py

bench: $(READY)
	$(BIN)/python -m bench

# Whether cardgen still prints and says what it did in another checkout: make compare BEFORE=../base
compare: $(READY)
	$(BIN)/python -m bench.compare $(BEFORE) .

# How well cards and play sheets are recognised in texts; with FAULTS=--faults also what went wrong.
corpus: $(READY)
	$(BIN)/python tests/import_corpus.py $(FAULTS)
	$(BIN)/python tests/sheet_corpus.py $(FAULTS)

clean:
	rm -rf $(VENV) output dist .bench .pytest_cache .mypy_cache .ruff_cache .hypothesis

# pip older than 25.1 cannot read dependency groups, so it is brought up to date first.
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $(READY)
