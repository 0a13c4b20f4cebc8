# Lexigraph: one command per job. `make` alone lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)
export CARGO_TARGET_DIR ?= $(CACHE)/lexigraph/target
JAVA_TARGET ?= $(CACHE)/lexigraph/java

# A directory's own time changes when a file in it comes or goes, so deleted sources count too.
RUST_SOURCES := Cargo.toml Cargo.lock $(shell find native -name '*.rs' -o -name Cargo.toml -o -type d)
NATIVE_MODULE := $(wildcard src/lexigraph/_native*.so)

# $(call step,what is about to happen,command): says it, does it, says how long it took.
# The words must not hold a comma: make would take it for the next argument.
# In brackets: a shell does not stop at a failure in the middle of an "and".
step = @echo "--> $(1)"; start=$$SECONDS; ( $(2) ); echo "    done in $$((SECONDS - start)) s"
# $(call finish,what was done): says it, with the time since make started.
START := $(shell date +%s)
finish = @echo "$(1) ($$(($$(date +%s) - $(START))) s in all)"

.PHONY: help
help: ## list the targets
	@echo "Lexigraph: make <target>. Times are those of 2 cores."
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

.PHONY: setup
setup: $(VENV)/.native ## create .venv with the pinned packages and the native module (up to 3 minutes the first time)
	$(call finish,setup: $(VENV) is up to date with requirements/dev.txt and Cargo.lock and native/)

.PHONY: tools
tools:
	@command -v $(PYTHON) > /dev/null || { \
		echo "Python 3.11 or newer is needed: install python3 with its venv module, or set PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys, venv; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer with its venv module is needed; $(PYTHON) is $$($(PYTHON) --version 2>&1)." \
			"Install it, or name another one: make PYTHON=python3.12 ..."; exit 1; }
	@command -v cargo > /dev/null || { \
		echo "Rust is needed for the native module: install it with rustup, then open a new shell."; exit 1; }

$(VENV)/bin/pip: | tools
	$(call step,make $(VENV) with $(PYTHON) (about 5 s),$(PYTHON) -m venv $(VENV))

$(VENV)/.packages: requirements/dev.txt | $(VENV)/bin/pip
	$(call step,install the Python packages pinned in $< (about 15 s),\
		$(BIN)/pip install --quiet --no-deps --no-compile --requirement $< && $(BIN)/pip check --quiet)
	@touch $@

# One clone at a time: they share the target, and the module is copied out of it.
$(VENV)/.native: $(VENV)/.packages pyproject.toml $(RUST_SOURCES) $(if $(NATIVE_MODULE),,rebuild) | tools
	$(call step,build the native module and install lexigraph from src (about 10 s; up to 2 minutes when nothing is built yet),\
		mkdir -p $(CARGO_TARGET_DIR) && flock $(CARGO_TARGET_DIR)/.building \
			env PIP_QUIET=1 $(BIN)/maturin develop --quiet --profile clone --locked)
	@touch $@

.PHONY: rebuild
rebuild:

.PHONY: demo
demo: setup ## show what Lexigraph does, on a graph of road traffic (less than a minute)
	@$(BIN)/python -m lexigraph.examples.demo
	$(call finish,demo: ran lexigraph.examples.demo)

# $(call maven,goal,directory): runs Maven on java/ where it is there with Java, else says loudly what is left out.
# It builds into JAVA_TARGET unless a directory is given.
# One clone at a time: they share the target. CI must not leave it out.
maven = if command -v mvn > /dev/null && command -v javac > /dev/null; then \
		mkdir -p $(JAVA_TARGET) && flock $(JAVA_TARGET)/.building \
			mvn -q -B -f java/pom.xml -Dlexigraph.target=$(or $(2),$(JAVA_TARGET)) $(1); \
	else \
		echo "!!! SKIPPED: mvn $(1) in java/ needs Maven and a JDK of version 11 or newer"; \
		echo "!!! Install both to use or test Lexigraph on Apache Accumulo"; test -z "$${CI:-}"; \
	fi

.PHONY: java
java: ## build the jar for tablet servers and clients of Accumulo (about 20 s; downloads 100 MB the first time)
	$(call step,mvn package: java/ into $(JAVA_TARGET),$(call maven,-DskipTests package))
	@if command -v mvn > /dev/null && command -v javac > /dev/null; then \
		echo "java: built $(JAVA_TARGET)/lexigraph-accumulo.jar ($$(($$(date +%s) - $(START))) s in all)"; \
	else echo "java: built nothing"; fi

DIST ?= dist
WHEEL_PROFILE ?= release
PACKED_JAR := src/lexigraph/store/accumulo/lexigraph-accumulo.jar
.PHONY: wheel
wheel: setup ## build a wheel into dist/, with the jar for Accumulo where there are Maven and a JDK (about 3 minutes)
	$(call step,mvn package: java/ into $(JAVA_TARGET),$(call maven,-DskipTests package))
	$(call step,maturin build: the wheel into $(DIST),\
		trap 'rm -f $(PACKED_JAR)' EXIT; \
		if command -v mvn > /dev/null && command -v javac > /dev/null; then cp $(JAVA_TARGET)/lexigraph-accumulo.jar $(PACKED_JAR); \
		else echo "!!! the wheel will have no jar for Accumulo"; fi; \
		flock $(CARGO_TARGET_DIR)/.building $(BIN)/maturin build --quiet --locked --profile $(WHEEL_PROFILE) --out $(DIST))
	$(call finish,wheel: it is in $(DIST))

# Each level of tests/levels.py has its target: check, test, soak. A check keeps compiled tests: compiling is half of its start.
# Its end lists what failed; skips and expected failures are listed by make test.
.PHONY: check
check: lint ## a verdict in less than 3 minutes: lint, unit tests, memory and embedded suites, sampled properties
	$(call step,pytest: the level check (no cluster and no durability and no packaging; about 2 minutes),\
		env -u PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX=$(CACHE)/lexigraph/pycache LEXIGRAPH_TESTS=check \
			$(BIN)/python -m pytest -q -rfE -n 2 $(ARGS))
	$(call finish,check: lint and the sampled tests passed; make test runs everything)

# Beside pytest, since its tests of a cluster wait for servers. What they print comes at the end. Tests that failed are
# run once more with nothing beside them: servers, kills and processes do not always keep to their time on a busy
# machine. What passes then is named as UNSTEADY.
.PHONY: test
test: setup ## run all tests: Python, doctests of src and docs, a real Accumulo, Rust core, Java (about 40 minutes)
	$(call step,pytest: tests/ and the examples in src/ and docs/ and a real cluster; beside it cargo test and mvn test,\
		beside=$$(mktemp); told=$$(mktemp); native=; trap 'kill $$native 2> /dev/null || true; rm -f $$beside $$told' EXIT; \
		nice make test-native > $$beside 2>&1 & native=$$!; failed=0; others=0; \
		$(BIN)/python -m pytest -q -n 2 --durations=20 $(ARGS) | tee $$told || failed=$$?; \
		wait $$native || others=$$?; native=; cat $$beside; \
		if [ $$failed = 1 ]; then echo "UNSTEADY or broken; each runs once more:"; grep -E '^(FAILED|ERROR) ' $$told || true; \
			$(BIN)/python -m pytest -q --last-failed --last-failed-no-failures none && failed=0; fi; \
		exit $$(($$failed + $$others)))
	$(call finish,test: Python and Rust and Java tests passed)

.PHONY: test-native
test-native: ## run only the tests of the Rust core and of Java (about 3 minutes)
	$(call step,cargo test: native/core,cargo test --quiet --locked --package lexigraph-core)
	$(call step,mvn test: java/ (about 1 minute),$(call maven,test))
	$(call step,mvn compile: java/ against the newest Accumulo 2.1,$(call maven,-Pnewest compile,$(JAVA_TARGET)/newest))

.PHONY: test-cluster
test-cluster: setup ## run only the tests of a real Accumulo, which they start and stop (about 10 minutes)
	$(call step,pytest: what is marked accumulo,$(BIN)/python -m pytest -q -n 2 -m accumulo $(ARGS))
	$(call finish,test-cluster: tests on a real Accumulo passed)

.PHONY: lint
lint: setup ## check style, types, layers and Rust lints; changes nothing
	$(call step,ruff: lint and format,$(BIN)/ruff check --quiet && $(BIN)/ruff format --check --quiet)
	$(call step,mypy: strict types,$(BIN)/mypy)
	$(call step,import-linter: nothing imports upwards,$(BIN)/lint-imports --no-logo)
	$(call step,cargo fmt: Rust format,cargo fmt --all --check)
	$(call step,cargo clippy: Rust lints,\
		cargo clippy --quiet --locked --workspace --all-targets -- -D warnings)
	$(call finish,lint: style and types and layers and Rust lints are clean)

.PHONY: format
format: setup ## rewrite Python and Rust sources in the house format
	$(call step,ruff: fix and format,$(BIN)/ruff check --quiet --fix && $(BIN)/ruff format --quiet)
	$(call step,cargo fmt,cargo fmt --all)
	$(call finish,format: Python and Rust sources are in the house format)

SCALE ?= full
.PHONY: bench
bench: bench-tools ## ask one graph of Lexigraph and of its peers; a disturbed run is repeated (about 8 minutes; SCALE=small is a try)
	@$(BIN)/python -m benchmarks.run
	@$(BIN)/python -m benchmarks.graph --scale $(SCALE) --out benchmarks/results/$(if $(filter full,$(SCALE)),graph,local/graph-$(SCALE)).json
	@$(BIN)/python -m benchmarks.records --scale $(SCALE) --out benchmarks/results/$(if $(filter full,$(SCALE)),records,local/records-$(SCALE)).json
	$(call finish,bench: wrote its figures below benchmarks/results)

# Measured as a wheel has it: the module of a clone is built for a quick build.
.PHONY: bench-tools
bench-tools: setup
	$(call step,install what is measured against from requirements/bench.txt,\
		$(BIN)/pip install --quiet --no-deps --requirement requirements/bench.txt)
	$(call step,build the native module as in a wheel (about 2 minutes),\
		flock $(CARGO_TARGET_DIR)/.building env PIP_QUIET=1 $(BIN)/maturin develop --quiet --release --locked)

.PHONY: bench-store
bench-store: bench-tools ## measure the embedded engine and DuckDB (about 6 minutes)
	@$(BIN)/python -m benchmarks.store --out benchmarks/results/store.json
	$(call finish,bench-store: wrote benchmarks/results/store.json)

.PHONY: bench-large
bench-large: bench-tools ## load 100 million cells and read them in less memory than their file takes (about 10 minutes)
	@$(BIN)/python -m benchmarks.store.large --out benchmarks/results/store-100m.json
	$(call finish,bench-large: wrote benchmarks/results/store-100m.json)

.PHONY: bench-cluster
bench-cluster: bench-tools java ## measure reading and writing on a real Accumulo beside a Java program (about 10 minutes)
	@$(BIN)/python -m benchmarks.accumulo --out benchmarks/results/cluster.json
	$(call finish,bench-cluster: wrote benchmarks/results/cluster.json)

.PHONY: soak
soak: setup ## the long versions: every property with 20 times the examples, whole suites on a cluster, 1,000 kills (hours)
	$(call step,pytest: tests/durability with many rounds,\
		LEXIGRAPH_CRASHES=1000 LEXIGRAPH_POWER_LOSSES=1000 LEXIGRAPH_READERS_S=300 LEXIGRAPH_RESULTS=benchmarks/results \
		$(BIN)/python -m pytest -q -n 2 tests/durability)
	$(call step,pytest: the level soak with every stack of iterators that real Accumulo ran on a cluster,\
		LEXIGRAPH_TESTS=soak LEXIGRAPH_CLUSTER_CASES=1 $(BIN)/python -m pytest -q -n 2 --durations=20 \
			--ignore tests/durability $(ARGS))
	$(call finish,soak: no promise was broken)

.PHONY: docs
docs: setup ## regenerate the pages of docs/reference
	@$(BIN)/python -m docs.generate
	$(call finish,docs: wrote the generated pages)

.PHONY: docs-check
docs-check: setup ## check that docs examples run, generated pages are fresh and links resolve (15 s)
	$(call step,generated pages,$(BIN)/python -m docs.generate --check)
	$(call step,examples and links,$(BIN)/python -m pytest -q tests/docs)
	$(call finish,docs-check: examples run and generated pages are fresh and links resolve)

.PHONY: clean
clean: ## remove .venv, the built module and caches of this clone (the shared cargo target stays)
	@rm -rf $(VENV) src/lexigraph/_native*.so dist build .pytest_cache .mypy_cache .ruff_cache \
		.import_linter_cache .hypothesis
	@find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +
	$(call finish,clean: removed $(VENV) and the native module and caches; $(CARGO_TARGET_DIR) and $(JAVA_TARGET) stay)
