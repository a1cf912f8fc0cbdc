# make        build the environment, run the demo study, print where the report is
#             STUDY=FOLDER runs another study, TARGET=FILE makes a file that is not made by default
# make test   build the test environment and run the tests
# make test-long   the long tests: whole studies, measured trials, browsers, many solves
# make test-exhaustive   further cases of claims that the long tests check on other cases: before a release
# make lint   style and types
# make mutants     how many wrong physical lines the tests detect (hours)
# make docs   the documentation site, in site/
# make lock   pin the newest versions of all dependencies (needs uv)
# make reference   the reference of the configuration, in config/README.md and config/schemas
# make clean  delete the environment, and the results and logs in this folder

PYTHON ?= python3
CORES  ?= 2
STUDY  ?= .
TARGET ?=
BIN    := .venv/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check
LOCKED := $(PIP) install --require-hashes --no-deps --no-compile

# Compile all modules on all cores; pip would compile them one after another. Like pip, continue if a package contains a
# file that is not valid for this Python version.
COMPILE_ALL := $(BIN)/python -m compileall -qq -j 0 .venv/lib pipeline || true

# One thread for each small dense solve: two threads cost several times the processor time.
export OPENBLAS_NUM_THREADS = 1
export OMP_NUM_THREADS      = 1
export MKL_NUM_THREADS      = 1

# Compiled modules are kept: a workflow and its tests start dozens of processes that load the same ones.
unexport PYTHONDONTWRITEBYTECODE

# The tests of a file run in one process, which sets up their fixtures once.
TEST   := $(BIN)/python -m pytest -q -n $(CORES) --dist loadfile --no-loadscope-reorder --durations 12

.PHONY: demo test test-long test-exhaustive mutants lint docs lock reference clean
.DELETE_ON_ERROR:

demo: .venv/run.stamp
	@$(BIN)/gait run "$(STUDY)" --cores $(CORES) $(TARGET:%=--target "%")

test: .venv/test.stamp
	$(TEST) -m "not long"

test-long: .venv/test.stamp
	$(TEST) -m "long and not exhaustive"

test-exhaustive: .venv/test.stamp
	$(TEST) -m exhaustive

mutants: .venv/test.stamp
	$(BIN)/python -m tests.mutants

lint: .venv/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: .venv/test.stamp
	$(BIN)/mkdocs build --strict

# The lock has the digest of every package, so an environment is the same everywhere or is not built at all. It names
# all dependencies, so pip resolves none. The project itself is installed in place, with the build tool pinned in the
# lock, without a download, and compiled: a workflow starts dozens of processes, which may be unable to do that.
.venv/run.stamp: requirements.lock pyproject.toml | .venv/bin/python
	$(LOCKED) -r requirements.lock
	$(PIP) install --no-deps --no-build-isolation --editable .
	$(COMPILE_ALL)
	@touch $@

.venv/test.stamp: requirements-test.lock .venv/run.stamp
	$(LOCKED) -r requirements-test.lock
	$(COMPILE_ALL)
	@touch $@

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	$(PYTHON) -m venv .venv

COMPILE = uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --upgrade \
	--no-emit-index-url --no-emit-find-links --no-header --no-annotate

lock:
	echo "setuptools>=77" | $(COMPILE) pyproject.toml - -o requirements.lock
	$(COMPILE) pyproject.toml --extra test -c requirements.lock -o requirements-test.lock

reference: .venv/run.stamp
	$(BIN)/python -m pipeline.config.reference config/README.md
	$(BIN)/python -m pipeline.cli.schemas config/schemas

clean:
	rm -rf .venv .snakemake data/results logs
