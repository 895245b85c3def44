# Every target sets up what it needs; on a fresh machine `make magic` is the only command.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PIP := "pip>=25.1"
# What is compiled is kept, whatever the shell says: the tests start hundreds of processes.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: magic studio setup test check lint golden messages pictures bench compare corpus fuzz clean

magic: $(READY)
	$(BIN)/cardgen build magic

studio: $(READY)
	$(BIN)/cardgen studio magic

setup: $(READY)

test: $(READY)
	$(BIN)/pytest -n auto

# mypy has one processor on a fresh clone for half a minute; the tests have the others meanwhile.
check: $(READY)
	$(MAKE) --no-print-directory -j 2 lint test

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

golden: messages
	$(BIN)/pytest tests/layout/test_golden.py tests/pages/test_target_docs.py --renew-golden
	git diff --stat -- tests/layout/golden docs/messages.md docs/targets.md

# Every message with its cause and its cure, as docs/messages.md.
messages: $(READY)
	$(BIN)/python docs/write_messages.py

pictures: $(READY)
	$(BIN)/python docs/draw_pictures.py

# What is promised of speed and memory, measured and written into docs/performance.md. Takes some
# minutes on a machine that does nothing else; BENCH=--all adds WeasyPrint, --large 100,000 cards.
bench: $(READY)
	$(BIN)/python -m bench --page $(BENCH)

# Whether cardgen still prints and says what it did in another checkout: make compare BEFORE=../base
compare: $(READY)
	$(BIN)/python -m bench.compare $(BEFORE) .

# How well cards and play sheets are recognised in texts; with FAULTS=--faults also what went wrong.
# RENEW=1 writes the scores that no text may fall below. PUBLIC=FOLDER adds documents of others, with
# their truth beside them; CORPUS="--set locked --names" says which texts, and how they are read.
corpus: export RENEW := $(RENEW)
corpus: $(READY)
	$(BIN)/python tests/importing/corpus.py $(CORPUS) $(if $(PUBLIC),--public "$(PUBLIC)") $(FAULTS)
	$(BIN)/python tests/importing/sheet_corpus.py $(FAULTS)

# Spoiled decks, templates and projects, each in a process with limits; those that fail are left in
# .fuzz/. FUZZ="--cases 100000 --seed 2" tries more, or others.
fuzz: $(READY)
	$(BIN)/python tests/fuzz/fuzz.py $(FUZZ)

clean:
	rm -rf $(VENV) output dist .bench .pytest_cache .mypy_cache .ruff_cache .hypothesis .fuzz

# pip older than 25.1 cannot read dependency groups, so a new one is had, by that of PYTHON where it
# has one: to unpack another first would take some seconds. What builds the package is installed once,
# not in places of its own each time. pip compiles file by file, and also what nobody runs; so all is
# compiled afterwards, by every processor, and the package too: that is half of a small build's time.
$(READY): pyproject.toml
	$(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --no-compile $(PIP) 2>/dev/null \
	    || { $(BIN)/python -m ensurepip && $(BIN)/python -m pip install --quiet --upgrade $(PIP); }
	$(BIN)/python -m pip install --quiet --no-compile "hatchling>=1.27" editables
	$(BIN)/python -m pip install --quiet --no-compile --no-build-isolation --editable . --group dev
	$(BIN)/python -m compileall -q -j 0 -x "/(mypyc?|pip|pkg_resources|pygments|setuptools)/" \
	    cardgen $(VENV)/lib || true
	touch $(READY)
