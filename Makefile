# Every target does its own set-up, inside this folder. Stamps make the second run start in seconds.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The package needs 3.11; lessons and their references need CPython 3.14, which `python3.14` below sees to.
PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11 python3.14,$(shell $(p) -c 'import sys, venv, ensurepip; sys.version_info >= (3, 11) and print("$(p)")' 2>/dev/null)))
BIN := .venv/bin
# A notice of the theme about another product, on every build.
export NO_MKDOCS_2_WARNING := 1
ASSETS := py/src/tracepane/_assets/build.json
SITE_SOURCES := $(shell find site -type f -not -name "*.tsbuildinfo" 2>/dev/null)

say = @printf '\033[1m== %s\033[0m\n' $(1)

##@ The two commands

serve: setup $(ASSETS) ## Build the site and serve it at http://127.0.0.1:8000 with live reload
	$(call say,"serving the site; stop it with Ctrl-C")
	TRACEPANE_RECORD=1 $(BIN)/mkdocs serve --dev-addr 127.0.0.1:8000

test: setup chromium $(ASSETS) ## Run everything: check, tests of Python and TypeScript, browsers, verify
	$(BIN)/python scripts/suite.py

##@ Parts of it

check: setup ## Linters, types, formats and the rules of who may import whom
	$(BIN)/python scripts/suite.py check

test-python: setup $(ASSETS) ## The Python tests only
	$(BIN)/python scripts/suite.py python

test-site: setup ## The TypeScript tests only
	$(BIN)/python scripts/suite.py site

test-browser: setup chromium $(ASSETS) ## The browser tests only
	$(BIN)/python scripts/suite.py browser

verify: setup chromium $(ASSETS) ## Compare every pane and scenario, native against browser
	$(BIN)/tracepane verify

bench: setup chromium $(ASSETS) ## Measure ours and other recorders in one run; options in BENCH="--only fib --repeat 3", see --help
	$(BIN)/python -m bench $(BENCH)

fuzz: setup ## Give both readers 100,000 damaged, forged and made-up trace files (FUZZ="--seed 1 --count 5000")
	$(BIN)/python tests/fuzz/fuzz.py $(FUZZ)

format: setup ## Put Python and TypeScript into the house's format
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format --quiet .
	npx biome check --write site tests/site

##@ What can be built

assets: setup $(ASSETS) ## The browser code, the Pyodide core and the compiled standard library

build: setup $(ASSETS) ## The site in build/www, with every reference recorded natively
	$(call say,"building the site into build/www")
	TRACEPANE_RECORD=1 $(BIN)/mkdocs build --strict

wheel: setup $(ASSETS) ## The wheel in dist/, with the browser code and the Pyodide core inside
	$(BIN)/pip wheel --quiet --no-deps --wheel-dir dist .
	@ls -l dist/*.whl

screenshots: build chromium ## The pictures of the README, taken from the built site
	$(BIN)/python scripts/screenshots.py

##@ Set-up and cleaning

setup: .venv/.ready node_modules/.ready python3.14 ## .venv with the package, node_modules, native CPython 3.14

.venv/.ready: pyproject.toml
	@test -n "$(PYTHON)" || { echo 'error: Python 3.11 or newer with its venv module is needed (on Debian: apt-get install python3-venv)' >&2; exit 2; }
	$(call say,"installing the Python package and its tools into .venv")
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[mkdocs,verify,dev,sdk]'
	@touch $@

node_modules/.ready: package.json package-lock.json
	@command -v npm >/dev/null || { echo 'error: Node 20 or newer with npm is needed for the browser code' >&2; exit 2; }
	$(call say,"installing the npm packages into node_modules")
	npm ci --no-fund --no-audit --loglevel=error
	@touch $@

python3.14: | .venv/.ready ## Native CPython 3.14 as .venv/bin/python3.14
	@$(BIN)/python scripts/native_python.py

chromium: | .venv/.ready ## A Chromium for the tests; says so before it installs anything
	@$(BIN)/python scripts/chromium.py

$(ASSETS): $(SITE_SOURCES) package-lock.json | setup
	$(call say,"building the browser code")
	npm run --silent build
	@touch $@

clean: ## Remove what was built; keep .venv, node_modules and CPython 3.14
	rm -rf build/www build/test dist py/src/tracepane/_assets test-results
	find . -name '*.tsbuildinfo' -not -path './node_modules/*' -delete

distclean: clean ## Remove everything that git does not know
	rm -rf .venv node_modules build

help: ## This list
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-zA-Z0-9_.-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: serve test check test-python test-site test-browser verify bench fuzz format assets build wheel screenshots setup python3.14 chromium clean distclean help
