# Thin: the dependency script installs what is missing, CMake presets do the rest.
#   make demo    build and show the main job        make bench   speed and memory, as ratios
#   make test    build and run every test           make help    all targets
.DEFAULT_GOAL := help
JOBS ?= $(shell nproc)
RELEASE := build/release

.PHONY: help deps build demo test stress fuzz tidy coverage bench bench-live bench-classify \
  bench-record bench-sampling bench-lockset verdicts real-programs figures install clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

deps: ## install the Debian packages that are missing
	@scripts/deps.sh build test bench

build: ## build the release into build/release
	@scripts/deps.sh build test bench
	@cmake --preset release $(if $(VERBOSE),,>/dev/null)
	@cmake --build --preset release -j $(JOBS)

demo: build ## find the race of a small program, then analyse an example trace
	@examples/demo.sh $(RELEASE)/bin/steward $(RELEASE)/demo

test: ## run every test: release build, sanitizer build, fuzz corpus
	@scripts/deps.sh llvm
	@$(MAKE) --no-print-directory build
	@scripts/test.sh

stress: build ## run every program of tests/programs STRESS_TIMES (100) times, gcc and clang
	@for c in gcc clang-19; do for o in O0 O2; do echo "$$c -$$o"; \
	  tests/programs/run.sh --tool steward --steward $(RELEASE)/bin/steward --compiler $$c --opt $$o \
	  --symbolizer libdw --times $${STRESS_TIMES:-100} --jobs $(JOBS) || exit 1; done; done

fuzz: ## fuzz the trace readers for FUZZ_SECONDS (60) each
	@scripts/deps.sh build test
	@scripts/fuzz.sh $${FUZZ_SECONDS:-60}

tidy: build ## clang-tidy over src/
	@scripts/tidy.sh

coverage: ## line coverage of the tests, into build/coverage/report.txt
	@scripts/deps.sh build test coverage
	@scripts/coverage.sh

bench: build ## speed and memory of the analyser, then bench-live, as tables
	@bench/run.sh $(RELEASE)/bin
	@bench/live/run.sh

bench-live: build ## time and memory of programs under Steward, ThreadSanitizer, Helgrind, DRD
	@bench/live/run.sh

bench-classify: build ## the paper's Figure 9 and what jumbling costs, into docs/classify.md
	@bench/classify/run.sh --into-doc $(RELEASE)/bin/steward
	@bench/classify/overhead.sh --into-doc $(RELEASE)/bin/steward

bench-record: build ## what recording costs, against ThreadSanitizer, into docs/record.md
	@bench/record/run.sh --into-doc $(RELEASE)/bin/steward

bench-sampling: build ## what PACER costs and finds at each rate: tables and plots
	@bench/sampling/run.sh

bench-lockset: build ## the lockset tool: read against write barrier, into docs/performance-lockset.md
	@bench/lockset/run.sh --into-doc $(RELEASE)/bin/steward

verdicts: build ## what each tool says of every test program, into docs/who-is-right.md
	@bench/verdicts.sh

figures: build ## RADISH simulated on recorded programs: tables into docs/simulate.md, plots into docs/figures
	@bench/sim/run.sh $(RELEASE)/bin

real-programs: build ## build and run real programs from Debian's sources under the detectors
	@bench/programs/run.sh

install: build ## install into PREFIX (/usr/local)
	@cmake --install $(RELEASE) --prefix $${PREFIX:-/usr/local}

clean: ## remove build/
	rm -rf build
