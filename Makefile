# Set-up, checks and tests. `make` alone lists the targets.
#
# Python packages go into .venv and nowhere else, with uv where it is present or can be installed
# there, else with pip. Paths are relative on purpose: make cannot handle a space in a
# prerequisite, and the checkout may lie below one.

PYTHON ?= python3 python3.14 python3.13 python3.12 python3.11
UV ?= uv
ARGS ?=

BIN := .venv/bin
IS_NEW_ENOUGH := -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
INSTALL_AGENTS := $(BIN)/python -m tests.engines.agents.install
# Node and npm from their wheel; a system Node is neither needed nor used.
NODE := $(BIN)/python -m tests.repo.node
WEB := $(wildcard hatch_build.py) \
  $(shell find web -name node_modules -prune -o -type f ! -name '*.test.*' -print 2>/dev/null)
SAY := @printf '==> %s\n'

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: demo test check agents lint bench format web schema pins audit sbom system clean help remake

# A stranger's settings must not lead an installer or an interpreter out of .venv.
unexport PYTHONHOME PYTHONPATH UV_SYSTEM_PYTHON VIRTUAL_ENV
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

demo: .venv/installed ## Show the whole loop on a sample, without any key (ARGS="…" are passed on)
	@$(BIN)/whet demo $(ARGS)

test: system lint ## Everything: system packages, lint, agents, all tests
	$(SAY) 'web: tests'
	@$(NODE) vitest run --silent --reporter=dot
	@$(INSTALL_AGENTS) || echo '==> tests of agents that are missing are skipped, or fail if CI is set'
	$(SAY) 'all tests'
	@SCREENSHOTS=build/screenshots $(BIN)/pytest -q -n auto --dist loadscope --no-loadscope-reorder $(ARGS)

# Lint uses one core for a minute: it runs beside the tests, and is told after them.
check: .venv/installed-dev ## The everyday command: lint and the fast tests
	$(SAY) 'lint beside the fast tests'
	@$(MAKE) --no-print-directory lint >.venv/lint.log 2>&1 & lint=$$!; \
	trap 'kill $$lint 2>/dev/null' INT TERM; \
	$(NODE) vitest run --silent --reporter=dot; web=$$?; \
	$(BIN)/pytest -q -n auto -m 'not slow' --hypothesis-profile=quick $(ARGS); tests=$$?; \
	wait $$lint; lint=$$?; cat .venv/lint.log; \
	[ $$web = 0 ] && [ $$tests = 0 ] && [ $$lint = 0 ]

agents: .venv/installed-dev ## Install the real agents that tests run, into the cache at home
	@$(INSTALL_AGENTS)

lint: .venv/installed-dev ## Formatting, ruff, types, import layers
	$(SAY) 'format'
	@$(BIN)/ruff format -q --check .
	$(SAY) 'ruff'
	@$(BIN)/ruff check -q .
	$(SAY) 'types'
	@$(BIN)/pyright
	$(SAY) 'import layers'
	@report=$$($(BIN)/lint-imports --no-logo 2>&1) || { printf '%s\n' "$$report"; exit 1; }
	$(SAY) 'web: format and lint'
	@$(NODE) biome check --error-on-warnings
	$(SAY) 'web: types'
	@$(NODE) tsc --noEmit

bench: .venv/installed-dev ## Measure speed (ARGS="…" are passed on)
	@$(BIN)/python bench/run.py $(ARGS)

format: .venv/installed-dev ## Format the code and sort its imports
	@$(BIN)/ruff check -q --select I --fix .
	@$(BIN)/ruff format .
	@$(NODE) biome check --write

web: .venv/installed-dev ## Serve the pages as they are edited, beside `whet serve` (ARGS="…" for vite)
	@$(NODE) vite $(ARGS)

schema: .venv/installed-dev ## Write the web interface's types anew from the API
	@$(BIN)/python -m tests.repo.contract > web/node_modules/.contract.json
	@$(NODE) openapi-typescript node_modules/.contract.json --output src/api/schema.d.ts >/dev/null

# Hashes of every file of a version, so for every system and Python; run.txt is a part of dev.txt.
COMPILE = "$$uv" pip compile -q --universal --python-version 3.11 --upgrade --generate-hashes \
  --no-header --no-annotate --no-emit-index-url --no-emit-find-links

pins: .venv/made ## Pin the newest versions that fit, with their hashes, into requirements/
	@$(FIND_UV); \
	if [ -z "$$uv" ]; then echo 'make pins needs uv' >&2; exit 1; fi; \
	$(COMPILE) pyproject.toml requirements/build.in --extra dev -o requirements/dev.txt >/dev/null && \
	$(COMPILE) pyproject.toml requirements/build.in -c requirements/dev.txt -o requirements/run.txt >/dev/null && \
	$(COMPILE) --no-deps requirements/agents.in -o requirements/agents.txt >/dev/null && \
	$(COMPILE) requirements/audit.in -o requirements/audit.txt >/dev/null && \
	echo uv | $(COMPILE) - -o requirements/uv.txt >/dev/null
	$(SAY) 'requirements/ is written; run make test'

audit: .venv/installed-dev ## Ask whether something is known against the pinned packages (needs a network)
	@$(FIND_UV); UV="$$uv" $(BIN)/python -m tests.repo.audit

sbom: .venv/installed-dev ## Write build/sbom.cdx.json: every package that whet is built from
	@mkdir -p build
	@$(BIN)/python -m tests.repo.sbom > build/sbom.cdx.json
	$(SAY) 'build/sbom.cdx.json is written'

# bubblewrap is the sandbox of agents; chromium and the fonts are for tests of the web interface.
MISSING_PACKAGES = missing=; \
  command -v bwrap >/dev/null || missing=" bubblewrap"; \
  command -v chromium >/dev/null || missing="$$missing chromium"; \
  [ -e $(CHINESE_FONT) ] || missing="$$missing fonts-noto-cjk"
CHINESE_FONT ?= /usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc

system: ## Install the system packages that tests need (as root on Debian)
	@$(MISSING_PACKAGES); \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo "==> system packages:$$missing"; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  get="apt-get install -qq -y --no-install-recommends$$missing"; \
	  $$get >/dev/null 2>&1 || { apt-get update -qq && $$get >/dev/null; }; \
	fi; \
	$(MISSING_PACKAGES); \
	for package in $$missing; do \
	  echo "==> tests that need $$package are skipped, or fail if CI is set: it is not installed"; \
	done

clean: ## Remove .venv, caches and build results; workspaces stay
	@rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache dist build
	@rm -rf src/whet/static web/node_modules
	@find src tests bench -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' Makefile

# ---------------------------------------------------------------------------------------------
# .venv. While it is being written it carries the mark `half-made`; what was killed on the way
# is made anew. So is one that was copied from another folder, since it still points there, and
# one whose Python has gone. A .venv of the user's own is taken over as it is.

IS_STALE := $(shell [ -e .venv/made ] || exit 0; \
  [ ! -e .venv/half-made ] && [ "$$(cat .venv/made)" = "$$(pwd -P)" ] && [ -x $(BIN)/python ] \
  || echo remake)

# Pages that were removed are built anew.
UNBUILT := $(shell [ ! -e hatch_build.py ] || [ -e src/whet/static/.inputs.sha256 ] || echo remake)

define FIND_PYTHON
for python in $(PYTHON) ''; do \
  if [ -z "$$python" ]; then \
    echo 'whet needs Python 3.11 or newer (tried: $(PYTHON)); install one and name it, as in: make $(or $(MAKECMDGOALS),demo) PYTHON=python3.12' >&2; \
    exit 1; \
  fi; \
  "$$python" $(IS_NEW_ENOUGH) && break; \
done
endef

# uv keeps a cache at home; where that cannot be written, it lives and dies with .venv.
define FIND_UV
uv=; \
if [ -n "$(UV)" ]; then \
  if command -v "$(UV)" >/dev/null 2>&1; then uv="$(UV)"; \
  elif [ -x $(BIN)/uv ] || $(BIN)/python -m pip install -qq --disable-pip-version-check \
    --require-hashes -r requirements/uv.txt 2>/dev/null; \
  then uv=$(BIN)/uv; \
  fi; \
  cache="$${UV_CACHE_DIR:-$${XDG_CACHE_HOME:-$${HOME:-/nonexistent}/.cache}/uv}"; \
  if ! { mkdir -p "$$cache" && [ -w "$$cache" ]; } 2>/dev/null; then export UV_CACHE_DIR=.venv/cache; fi; \
fi
endef

# Nothing is installed that has another hash than it had when it was pinned, and nothing is fetched
# to build whet with: what that needs is pinned too.
PINNED = { $(1) --require-hashes -r requirements/$(2).txt && $(1) --no-deps --no-build-isolation -e .; }

define INSTALL
@touch .venv/half-made
@$(FIND_UV); \
printf '==> install %s with %s\n' "$(1)" "$$([ -n "$$uv" ] && echo uv || echo pip)"; \
if [ -z "$$uv" ] || ! $(call PINNED,"$$uv" pip install -q --python $(BIN)/python,$(2)); then \
  if [ -n "$$uv" ]; then echo '==> uv could not; trying pip'; fi; \
  $(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip >/dev/null; \
  $(call PINNED,$(BIN)/python -m pip install -qq --disable-pip-version-check,$(2)); \
fi
@touch .venv/installed $@
@rm .venv/half-made
endef

.venv/made: $(IS_STALE)
	@if [ -e .venv/made ] || [ -e .venv/half-made ] || ! $(BIN)/python $(IS_NEW_ENOUGH); then \
	  $(FIND_PYTHON); \
	  printf '==> .venv with %s\n' "$$("$$python" --version)"; \
	  rm -rf .venv && mkdir .venv && touch .venv/half-made; \
	  without_pip=$$([ -n "$(UV)" ] && command -v "$(UV)" >/dev/null 2>&1 && echo --without-pip); \
	  if ! report=$$("$$python" -m venv $$without_pip .venv 2>&1); then \
	    printf '%s\n' "$$report" >&2; exit 1; \
	  fi; \
	fi
	@pwd -P > .venv/made
	@rm -f .venv/half-made

.venv/installed: .venv/made pyproject.toml requirements/run.txt $(WEB) $(UNBUILT)
	$(call INSTALL,.,run)

.venv/installed-dev: .venv/made pyproject.toml requirements/dev.txt $(WEB) $(UNBUILT)
	$(call INSTALL,.[dev],dev)
