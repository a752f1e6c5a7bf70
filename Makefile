# make run     open the lab, the web page (sets everything up first)
# make test    run every check (sets everything up first)
# The rest is for developers: hostile, sanitized, mutants, lint, format, stub, types, figures-in-docs, lock,
# bench, clean.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet
BUILD_TOOLS = scikit-build-core nanobind cmake ninja
CORE = $(shell find core -name '*.cpp' -o -name '*.hpp') CMakeLists.txt

# The switch for a portable build: make run OUTFLANK_PORTABLE=1
export OUTFLANK_PORTABLE

.PHONY: FORCE run test hostile sanitized mutants lint format stub types figures-in-docs lock bench clean
.DELETE_ON_ERROR:

run: $(VENV)/.installed
	@$(BIN)/outflank lab

# The checks of the source run beside the first tests; both must pass.
test: $(VENV)/.installed-dev
	@$(MAKE) --no-print-directory lint & lint=$$!; \
	$(BIN)/python -m pytest --numprocesses auto --dist loadfile --no-loadscope-reorder; tests=$$?; \
	wait $$lint && exit $$tests

# Hostile use at length: bad values for every command, kill -9, nonsense sent to the lab, engines that
# misbehave, mutated files, and the core under the sanitizers; prints the figures.
hostile: $(VENV)/.installed-dev
	OUTFLANK_HOSTILE=long $(BIN)/python -m pytest tests/hostile --numprocesses auto -rP
	PYTHONPATH=tests $(BIN)/python -m hostile.kill
	PYTHONPATH=tests $(BIN)/python -m hostile.sockets
	PYTHONPATH=tests $(BIN)/python -m hostile.engines
	PYTHONPATH=tests $(BIN)/python -m hostile.fuzzed 180
	@$(MAKE) --no-print-directory sanitized

# The hostile calls of the core's functions, in a build that checks every memory access.
sanitized: $(VENV)/.installed-dev
	@mkdir -p build
	@$(BIN)/cmake -S . -B build/sanitized -G Ninja -DOUTFLANK_SANITIZE=ON \
	  -DCMAKE_MAKE_PROGRAM=$(abspath $(BIN))/ninja -DPython_EXECUTABLE=$(abspath $(BIN))/python \
	  -Dnanobind_DIR=$$($(BIN)/python -m nanobind --cmake_dir) > build/sanitized.log
	$(BIN)/cmake --build build/sanitized
	PYTHONPATH=tests $(BIN)/python -m hostile.sanitized build/sanitized

# Changes the program in small ways, 60 of them drawn at random, and counts how many the tests notice.
mutants: $(VENV)/.installed-dev
	PYTHONPATH=tests $(BIN)/python -m mutants.run

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror $(filter %.cpp %.hpp,$(CORE))
	scripts/check-page

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i $(filter %.cpp %.hpp,$(CORE))

# Writes the stub of the compiled module anew.
stub: $(VENV)/.installed-dev
	$(BIN)/python -m nanobind.stubgen -q -m outflank._core -o src/outflank/_core.pyi

# Writes the types of the page's JavaScript anew from the API's document.
types: $(VENV)/.installed-dev
	$(BIN)/python -m outflank.lab.page_types

# Judges the shipped results again, and writes the figures in docs/ from them.
figures-in-docs: $(VENV)/.installed-dev
	$(BIN)/outflank study judge --out src/outflank/studies
	$(BIN)/python -m outflank.studies.documents docs/*.md

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/rules.py

# Writes constraints.txt anew from pyproject.toml, for every supported Python; needs uv. What
# PyTorch needs for GPUs is left to it.
lock:
	uv pip compile --universal --python-version 3.10 --extra cluster --extra dev --extra envs \
	  --extra lab --extra train --upgrade --no-annotate --no-header --quiet pyproject.toml | \
	  grep -v -E '^(nvidia|triton|cuda)' > constraints.txt.part
	mv constraints.txt.part constraints.txt

$(VENV)/.tools: constraints.txt scripts/prepare
	@scripts/prepare $(PYTHON) $(VENV)
	@echo "Installing the build tools ..."
	@$(PIP) install --constraint constraints.txt $(BUILD_TOOLS)
	@touch $@

# An editable install knows only the modules that were there: new ones need a new install.
$(VENV)/.modules: $(VENV)/.tools FORCE
	@find src -name '*.py' | sort | cmp -s - $@ || find src -name '*.py' | sort > $@

$(VENV)/.installed: $(VENV)/.modules pyproject.toml $(CORE)
	@echo "Building outflank ..."
	@$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[lab]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@echo "Installing what the tests need ..."
	@$(PIP) install --constraint constraints.txt --no-build-isolation --editable '.[dev,envs,lab,train]'
	@touch $@

clean:
	rm -rf $(VENV) build node_modules
