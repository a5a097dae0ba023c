# The one list of commands. Everything is installed into this clone: .venv, .tools, target.
PY ?= python3
VENV := .venv
BIN := $(VENV)/bin
CARGO ?= cargo
export CARGO_TERM_COLOR ?= never
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_QUIET := 1

.PHONY: help demo test fmt lint rust python stubs deny bench clean

help: ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | sort

demo: $(VENV)/.release ## build, then show what self-diagnosis would report on a real log
	$(BIN)/the-loop diagnose --dry-run --no-agent --log examples/events.jsonl

test: rust deny python ## every check there is

fmt: $(VENV)/.tools ## format everything
	$(CARGO) fmt --all
	$(BIN)/ruff format python tests benches
	$(BIN)/ruff check --fix python tests benches

rust: ## rustfmt, clippy, Rust tests and doctests
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings
	$(CARGO) test --locked

deny: .tools/bin/cargo-deny ## licences and sources of every crate
	.tools/bin/cargo-deny --all-features check licenses sources bans

python: $(VENV)/.dev ## ruff, mypy strict, stubs, pytest
	$(BIN)/ruff format --check python tests benches
	$(BIN)/ruff check python tests benches
	$(BIN)/mypy
	$(BIN)/python -m mypy.stubtest the_loop_core._core
	git diff --exit-code -- python/the_loop_core/_core.pyi
	$(BIN)/pytest

# The existing host, for comparison, in an environment of its own.
.bench/peer/bin/python:
	$(PY) -m venv .bench/peer
	.bench/peer/bin/python -m pip install the-loopy-one==20.10.2

bench: $(VENV)/.release .bench/peer/bin/python ## every figure of docs/benchmarks.md, beside its peer
	$(BIN)/python -m pip install ripgrep
	$(CARGO) build --quiet --release --locked -p loop-core --examples
	$(BIN)/python benches/bench.py --gigabyte --peer .bench/peer/bin/python

stubs: $(VENV)/.dev ## write python/the_loop_core/_core.pyi anew

clean: ## remove what was built
	rm -rf target $(VENV) .tools .bench

$(VENV)/.venv:
	$(PY) -m venv $(VENV)
	$(BIN)/python -m pip install --upgrade "pip>=25.1"
	touch $@

$(VENV)/.tools: $(VENV)/.venv pyproject.toml
	$(BIN)/python -m pip install --group dev
	touch $@

RUST := $(shell find rust Cargo.toml Cargo.lock -name '*.rs' -o -name '*.toml' -o -name Cargo.lock 2>/dev/null)

# A build for tests: the profile that clippy and cargo test use, and the stubs that it describes itself with.
$(VENV)/.dev: $(VENV)/.tools $(RUST) pyproject.toml
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --locked --quiet --features stubs --generate-stubs
	touch $@ && rm -f $(VENV)/.release

# A build for use.
$(VENV)/.release: $(VENV)/.venv $(RUST) pyproject.toml
	$(BIN)/python -m pip install "maturin>=1.16,<2"
	VIRTUAL_ENV=$(CURDIR)/$(VENV) $(BIN)/maturin develop --locked --quiet --release
	touch $@ && rm -f $(VENV)/.dev

.tools/bin/cargo-deny:
	$(CARGO) install --quiet --locked --root .tools cargo-deny@0.20.2
