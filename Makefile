# make             builds and runs all tests that need only a C compiler
# make help        the other targets
#
# CC, CFLAGS, LDFLAGS, BUILD and all else here may be set on the command line or in Makefile.config.
-include Makefile.config

# With -Og compiling and running together take the least time; the sanitizers slow the tests down and get -O1.
BUILD    = build
OPTIMIZE = -Og
CFLAGS  ?= -std=c99 $(OPTIMIZE) -g1 -Wall -Wextra -Wpedantic
JOBS     = $(shell nproc 2>/dev/null || echo 2)
at_once  = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
headers  = md2.h md5.h

.DEFAULT_GOAL = test
.SECONDEXPANSION:
.DELETE_ON_ERROR:

-include tests/viewer/viewer.mk
include tests/tests.mk

# The text behind ## is what `make help` prints.
help:
	@sed -n 's/^\([a-z-]*\):.*## */make \1	/p' Makefile tests/tests.mk $(wildcard tests/viewer/viewer.mk) | expand -t 22

# -- Testing -------------------------------------------------------------------------------------------

test: deps-compiler ## build and run all tests that need a C compiler and nothing else
	@rm -f $(programs:=.log); \
	$(MAKE) $(at_once) -k $(programs:=.log) || true
	@ORPHANS='$(orphans)' sh tests/support/sum_up.sh $(TEST_FLOOR) $(programs)

test-bare: deps-test-bare ## a copy without what git ignores, and a PATH of the base system, gcc and make: the tests, the page's commands
	@BUILD=$(BUILD) sh tests/promises/test_bare.sh

asan: deps-sanitize ## the same under AddressSanitizer (FULL=1 for the whole torture, MODELS=folder for more models)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 SANITIZE='$(ADDRESS)' test

ubsan: deps-sanitize ## the same under UndefinedBehaviorSanitizer
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/ubsan OPTIMIZE=-O1 SANITIZE='$(UNDEFINED)' test

sanitize: deps-sanitize ## the same under both at once
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' test

everything: ## .ci/run and all that is slow: FULL=1, other platforms, the web page, fuzzers, valgrind, proof; before a release
	@.ci/run everything

strict: deps-strict ## compile matrix: gcc, clang and tcc, C99 to C23, C++98 to C++23, 32 bit, each promise (FULL=1 for all combinations)
	@FULL='$(FULL)' ONLY='$(ONLY)' bash tests/promises/strict.sh

symbols: deps-symbols ## the object code: no globals, no leaks of names, stack, recursion
	@bash tests/promises/symbols.sh $(headers)

twins: deps-docs ## write what both headers share from md2.h into md5.h
	@python3 -B tests/promises/twins.py --write

twins-check: deps-docs ## what md2.h and md5.h share is the same in both
	@python3 -B tests/promises/twins.py --check $(TWINS_FLOOR)

same-code: deps-same-code ## the machine code of the headers is that of the last commit, as after a change of names
	@sh tests/promises/same_code.sh

shape: ## how the headers read, in figures: size, length of functions, names, comments
	@sh tests/promises/shape.sh $(headers)

docs: deps-docs ## every public name has a comment and a test; the README's links and targets are there
	@python3 -B tests/promises/docs.py

readme: deps-readme $(BUILD)/character/tris.md2 ## every example in the README as C and C++, all warnings as errors
	@BUILD=$(BUILD) WINDOW_NEEDS='$(window_needs)' sh tests/readme/readme.sh

knight: deps-compiler $(BUILD)/character/tris.md2 ## the model that the README's programs load, in the folder knight
	@mkdir -p knight && cp $(BUILD)/character/* knight

recipes: deps-readme $(BUILD)/character/tris.md2 ## the complete programs in tests/recipes as C and C++, all warnings as errors
	@sh tests/recipes/recipes.sh $(BUILD)/character

settings: ## the headers inside SDL 2 with a renderer of its own, and inside an engine, Irrlicht; looks at the pictures
	$(call where_possible,settings_needs,$(BUILD)/character/tris.md2,sh tests/recipes/recipes.sh $(BUILD)/character settings)

readme-bench: deps-readme-bench ## fills in the README's tables of speed from `make bench`; takes some minutes
	@rm -f $(BUILD)/bench # it may have been built before assimp came
	@mkdir -p $(BUILD) && $(MAKE) --no-print-directory bench >$(BUILD)/bench.md && \
	sh tests/readme/readme_bench.sh $(BUILD)/bench.md README.md $(BUILD)/character

# -- Coverage, mutation, proof -----------------------------------------------------------------------------

cover: deps-cover ## lines and branches of the headers that the tests run (BRANCHES=1 lists those never taken)
	@python3 -B tests/quality/cover.py $(BUILD)/cover $(headers)

mutate: deps-mutate ## how many of MUTANTS=200 small changes to the headers the tests notice (SEED=1)
	@nice -n 15 python3 -B tests/quality/mutate.py --count $(MUTANTS) --seed $(SEED) \
	    --percent $(MUTATE_PERCENT) --work $(BUILD)/mutants $(MUTATE_OPTIONS)

proof: deps-proof ## has Frama-C prove that no byte outside of the sections of an MD2 or the text of an MD5 is read; half an hour of one core
	@sh tests/quality/proof.sh $(abspath $(BUILD))/proof $(PROOF_FLOOR)

# -- OpenGL ----------------------------------------------------------------------------------------------

test-gl: ## OpenGL 3.3 and ES 3.0 on a software driver, without a display
	$(call where_possible,gl_needs,$(BUILD)/test_gl,$(run_gl))

shaders: deps-shaders ## pastes shaders/ into the headers
	@python3 -B tests/gl/shaders.py --write

shaders-check: deps-shaders ## compares the two and compiles the shaders
	@SHADERS_FLOOR=$(SHADERS_FLOOR) python3 -B tests/gl/shaders.py

# -- Fuzzing, other platforms, analysis ----------------------------------------------------------------

fuzz: deps-fuzz ## fuzzers with ASan and UBSan (FUZZ_SECONDS=20 FUZZ="md2 pcx")
	@$(MAKE) $(at_once) $(FUZZ:%=$(BUILD)/fuzz/%)
	@bash tests/fuzz/run.sh $(FUZZ)

fuzz-many: deps-fuzz ## ten times as fast: guard pages in the place of ASan, no libFuzzer (FUZZ_RUNS=100000000)
	@$(MAKE) $(at_once) $(FUZZ:%=$(BUILD)/many/%)
	@FUZZ_RUNS=$(FUZZ_RUNS) bash tests/fuzz/run.sh $(FUZZ)

fuzz-memory: ## the same with MSan
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/memory FUZZ_WITH='-fsanitize=memory -fsanitize-memory-track-origins' fuzz

fuzz-corpus: deps-fuzz $(FUZZ:%=$(BUILD)/fuzz/%) ## packs what the runs found into tests/fuzz/corpus
	@bash tests/fuzz/minimise.sh $(FUZZ)

everywhere: deps-everywhere ## the core tests on other processors and systems, emulated: the same bits (ONLY='s390x|tcc')
	@ONLY='$(ONLY)' EVERYWHERE_FLOOR=$(EVERYWHERE_FLOOR) python3 -B tests/portable/everywhere.py

record-hashes: deps-compiler $(BUILD)/hashes ## writes tests/golden/hashes.txt anew, after a change that is meant; asks first
	@printf 'This replaces tests/golden/hashes.txt. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@mkdir -p $(BUILD)/hashed && $(BUILD)/hashes --print $(BUILD)/hashed >$(BUILD)/hashes.log && \
	 grep ' [0-9a-f]\{16\}$$' $(BUILD)/hashes.log >tests/golden/hashes.txt

long-life: deps-compiler $(BUILD)/long_life ## years of playing, and a crowd that comes and goes while all fails; half a minute
	@$(BUILD)/long_life

tsan: deps-tsan ## eight threads share a model, under ThreadSanitizer
	@BUILD=$(BUILD) bash tests/quality/tsan.sh

valgrind: deps-valgrind ## the tests in their short form under memcheck
	@$(MAKE) $(at_once) BUILD=$(BUILD)/valgrind programs >/dev/null
	@BUILD=$(BUILD) VALGRIND_FLOOR=$(VALGRIND_FLOOR) bash tests/quality/valgrind.sh $(valgrind_commands)

lint: deps-lint ## cppcheck, clang-tidy, clang --analyze and scan-build over the headers
	@BUILD=$(BUILD) LINT_FLOOR=$(LINT_FLOOR) bash tests/quality/lint.sh $(headers)

# -- Speed -----------------------------------------------------------------------------------------------

bench: deps-bench ## times beside those of plain code; it gates correct results only
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench $(BUILD)/character/tris.md2
	@$(BUILD)/bench $(BUILD)/character $(BUILD) </dev/null

bench-check: deps-bench-check ## instruction counts against tests/bench/bench_counts.txt; BENCH_RECORD=1 records them anew
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain \
	    $(BUILD)/character/tris.md2
	@python3 -B tests/bench/bench_check.py $(BUILD)/bench_counts $(BUILD)/character $(BUILD)

# -- The rest --------------------------------------------------------------------------------------------

deps: deps-gl deps-shaders deps-strict deps-symbols deps-test-web deps-compiler ## install through apt-get what any of these lacks; each does so for itself

clean: ## remove the folder build/
	rm -rf $(BUILD)

.PHONY: help test test-bare asan ubsan sanitize everything strict symbols twins twins-check shape docs readme knight recipes settings readme-bench cover mutate proof \
        test-gl shaders shaders-check fuzz fuzz-many fuzz-memory fuzz-corpus everywhere record-hashes long-life tsan valgrind lint bench bench-check \
        deps clean

# -- Examples ------------------------------------------------------------------------------------------

demo: deps-demo ## the viewer in a window, or without a display pictures in build/demo
	@$(demo)

demo-pictures: deps-demo-pictures ## the pictures in any case
	@$(demo) --pictures

viewer: deps-examples ## the viewer, and info, which tells what is odd about a model
	@$(MAKE) --no-print-directory $(viewer_programs)

examples: deps-examples ## both examples
	@$(MAKE) --no-print-directory $(example_programs)

test-examples: ## both examples and the viewer by keys, mouse and dropped files; all models; pictures against tests/golden
	$(call where_possible,test_viewer_needs,$(test_programs) $(BUILD)/make_models,$(test_viewer))

golden-examples: deps-test-examples ## draws these pictures anew; asks first
	@$(call confirm,example_* viewer_* gallery.png smooth.png scales.png in tests/golden)
	@$(make_silent) $(test_programs) $(BUILD)/make_models && $(test_viewer) --record

test-film: ## the moving picture of the README against what the viewer draws
	$(call where_possible,film_needs,$(test_programs),$(test_film))

golden-film: deps-film ## makes this picture anew; asks first
	@$(call confirm,tests/golden/crowd.webp)
	@$(make_silent) $(test_programs) && $(test_film) --record

web: deps-web ## the viewer as a page, in build/web: put this folder on any server that hands out files
	@$(MAKE) --no-print-directory $(BUILD)/web/index.html
	@echo 'the page is in $(BUILD)/web; to see it: python3 -m http.server --directory $(BUILD)/web'

test-web: ## the page in a headless Chromium, against the viewer's pictures
	$(call where_possible,test_web_needs,$(BUILD)/web/index.html $(test_programs),$(test_web))

test-deps: ## what the targets need is found, named, asked for and installed, by an apt-get that does nothing
	@sh tests/support/test_deps.sh $(deps_script) $(BUILD)/test_deps

.PHONY: demo demo-pictures viewer examples test-examples golden-examples test-film golden-film web test-web test-deps

