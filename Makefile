# make             builds and runs all tests that need only a C compiler
# make help        the other targets
#
# CC, CFLAGS, LDFLAGS, BUILD and all else here may be set on the command line or in Makefile.config.
-include Makefile.config

# With -Og compiling and running together take the least time; the sanitizers slow the tests down and get -O1.
BUILD    = build
OPTIMIZE = -Og
CFLAGS  ?= -std=c99 -g1 $(OPTIMIZE) -Wall -Wextra -Wpedantic
JOBS     = $(shell nproc 2>/dev/null || echo 2)
at_once  = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
headers  = md2.h md5.h

ifneq ($(words $(BUILD)),1)
  $(error BUILD is "$(BUILD)": make reads a name with blanks as several)
endif

.DEFAULT_GOAL = test
.SECONDEXPANSION:
.DELETE_ON_ERROR:

-include tests/tools/viewer/viewer.mk
-include tests/tools/convert/convert.mk
include tests/tests.mk

# Prints the text behind each ##, under the headlines of this file.
help:
	@awk '/^# -- /          { gsub(/^# -- | -+$$/, ""); headline = $$0 } \
	      /^[a-z-]+:.* ## / { if (headline != shown) print (shown ? "\n" : "") headline "\n"; \
	                          shown = headline; target = $$0; sub(/:.*/, "", target); sub(/.* ## /, ""); \
	                          printf "  make %-16s %s\n", target, $$0 }' Makefile

# -- The two commands ------------------------------------------------------------------------------

demo: deps-demo ## the viewer in a window; without a display, pictures in build/demo
	@$(demo)

test: deps-compiler ## build and run the tests; ONLY=fade runs those about fades
	@rm -f $(programs:=.log); \
	$(MAKE) $(at_once) -k $(programs:=.log) || true
	@ORPHANS='$(orphans)' ONLY='$(ONLY)' sh tests/support/sum_up.sh $(TEST_FLOOR) $(programs)

# -- Programs and the character --------------------------------------------------------------------

demo-pictures: deps-demo-pictures ## the pictures in any case
	@$(demo) --pictures

viewer: deps-examples ## the viewer, and info, which tells what is odd about a model
	@$(MAKE) --no-print-directory $(viewer_programs)

convert: deps-convert ## mdconvert, between MD2, MD5 and glTF: .glb for Blender, Godot, three.js
	@$(MAKE) --no-print-directory $(BUILD)/mdconvert

examples: deps-examples ## example_gl33 and example_legacy
	@$(MAKE) --no-print-directory $(example_programs)

knight: deps-compiler $(BUILD)/character/tris.md2 ## the model that the README's programs load, in the folder knight
	@mkdir -p knight && cp $(BUILD)/character/* knight

web: deps-web ## the viewer as a page in build/web, for any server; at first 1.2 GB of packages
	@$(MAKE) --no-print-directory $(BUILD)/web/index.html
	@echo 'the page is in $(BUILD)/web; to see it: python3 -m http.server --directory $(BUILD)/web'
	@$(if $(WEB_REPOSITORY),,echo 'with WEB_REPOSITORY=https://... its headline links to the repository')

bench: deps-bench $(if $(GPU),deps-gl) ## times beside those of plain code; gates correct results only (GPU=1: a GPU's)
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench $(BUILD)/character/tris.md2
	@$(BUILD)/bench $(BUILD)/character $(BUILD) </dev/null
	@$(if $(GPU),$(MAKE) --no-print-directory --silent $(BUILD)/bench_gpu && $(BUILD)/bench_gpu $(BUILD)/character)

# -- More tests ------------------------------------------------------------------------------------

test-gl: ## OpenGL 3.3 and ES 3.0 on a software driver, without a display (GPU=1: on the GPU)
	$(call where_possible,gl_needs,$(BUILD)/test_gl,$(run_gl))

test-examples: ## examples and viewer by keys, mouse, dropped files; compares pictures
	$(call where_possible,test_examples_needs,$(test_programs) $(BUILD)/make_models,$(test_viewer))

test-film: ## the moving picture of the README against what the viewer draws
	$(call where_possible,film_needs,$(test_programs),$(test_film))

test-web: ## the page in a headless Chromium, against the viewer's pictures; test-gl on WebGL 2
	$(call where_possible,test_web_needs,$(BUILD)/web/index.html $(BUILD)/web-gl/test_gl.html $(test_programs),$(test_web))

test-convert: ## mdconvert's files in three.js, Khronos' validator, Blender (MODELS=folder)
	$(call where_possible,test_convert_needs,$(test_convert_parts),$(test_convert))

test-bare: deps-test-bare ## a clean copy on a PATH with gcc and make alone
	@BUILD=$(BUILD) sh tests/support/test_bare.sh

bare-root: deps-bare-root ## a new Debian with gcc and make alone: tests, demo, what the README names; as root
	@BUILD=$(BUILD) bash tests/support/bare_root.sh '$(ONLY)'

readme: deps-readme $(BUILD)/character/tris.md2 ## every example in the README as C and C++, all warnings as errors
	@BUILD=$(BUILD) WINDOW_NEEDS='$(window_needs)' sh tests/readme/readme.sh

recipes: deps-readme $(BUILD)/character/tris.md2 ## the complete programs in tests/recipes as C and C++, likewise
	@sh tests/recipes/recipes.sh $(BUILD)/character

engines: ## the programs for SFML, raylib and sokol; compares pictures (ENGINES=folder with raylib, sokol)
	$(call where_possible,engines_needs,$(BUILD)/character/tris.md2,sh tests/recipes/engines/engines.sh $(BUILD)/character)

long-life: deps-compiler $(BUILD)/long_life ## years of playing; a crowd comes and goes while all fails; 30 s
	@$(BUILD)/long_life --folder=$(BUILD)

everything: ## .ci/run and all that is slow, as before a release; an hour
	@.ci/run everything

# -- The tests under sanitizers, and fuzzers -------------------------------------------------------

asan: deps-sanitize ## make test under AddressSanitizer (FULL=1 for all damaged files)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 SANITIZE='$(ADDRESS)' test

ubsan: deps-sanitize ## the same under UndefinedBehaviorSanitizer
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/ubsan OPTIMIZE=-O1 SANITIZE='$(UNDEFINED)' test

sanitize: deps-sanitize ## the same under both at once
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' test

tsan: deps-tsan ## eight threads share a model, under ThreadSanitizer
	@BUILD=$(BUILD) bash tests/quality/tsan.sh

valgrind: deps-valgrind ## the tests in their short form under memcheck
	@$(MAKE) $(at_once) BUILD=$(BUILD)/valgrind programs >/dev/null
	@CHECK_SECONDS=1500 BUILD=$(BUILD) VALGRIND_FLOOR=$(VALGRIND_FLOOR) bash tests/quality/valgrind.sh $(valgrind_commands)

fuzz: deps-fuzz ## fuzzers with ASan and UBSan (FUZZ_SECONDS=20 FUZZ="md2 pcx")
	@$(MAKE) $(at_once) $(FUZZ:%=$(BUILD)/fuzz/%)
	@bash tests/fuzz/run.sh $(FUZZ)

fuzz-fast: deps-fuzz ## ten times as fast: guard pages instead of ASan (FUZZ_RUNS=100000000)
	@$(MAKE) $(at_once) $(FUZZ:%=$(BUILD)/fast/%)
	@FUZZ_RUNS=$(FUZZ_RUNS) bash tests/fuzz/run.sh $(FUZZ)

fuzz-memory: ## the fuzzers with MemorySanitizer
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/memory FUZZ_WITH='-fsanitize=memory -fsanitize-memory-track-origins' fuzz

fuzz-corpus: deps-fuzz $(FUZZ:%=$(BUILD)/fuzz/%) ## packs what the runs found into tests/fuzz/corpus
	@bash tests/fuzz/minimise.sh $(FUZZ)

# -- Other compilers, processors and systems -------------------------------------------------------

strict: deps-strict ## gcc, clang, tcc, C99 to C23, C++98 to C++23, 32 bit (FULL=1, ONLY=name)
	@FULL='$(FULL)' ONLY='$(ONLY)' bash tests/source/strict.sh

symbols: deps-symbols ## the object code: no globals, no leaks of names, stack, recursion
	@bash tests/source/symbols.sh $(headers)

emulated: deps-emulated ## other processors and systems: the same bits (ONLY='s390x|tcc')
	@CHECK_SECONDS=1500 ONLY='$(ONLY)' EMULATED_FLOOR=$(EMULATED_FLOOR) python3 -B tests/portable/emulated.py

# -- The headers as text ---------------------------------------------------------------------------

twins: deps-docs ## write what both headers share from md2.h into md5.h
	@python3 -B tests/source/twins.py --write

twins-check: deps-docs ## what md2.h and md5.h share is the same in both
	@python3 -B tests/source/twins.py --check $(TWINS_FLOOR)

shaders: deps-shaders ## paste shaders/ into the headers
	@python3 -B tests/gl/shaders.py --write

shaders-check: deps-shaders ## compare the two and compile the shaders
	@SHADERS_FLOOR=$(SHADERS_FLOOR) python3 -B tests/gl/shaders.py

docs: deps-docs ## every public name has a comment and a test; the README's links work
	@python3 -B tests/source/docs.py

same-code: deps-same-code ## the machine code is that of the last commit, as after renaming
	@sh tests/source/same_code.sh

lint: deps-lint ## clang-tidy, with the static analyzer of clang
	@BUILD=$(BUILD) bash tests/quality/lint.sh $(headers)

# -- How much the tests see ------------------------------------------------------------------------

cover: deps-cover ## lines and branches that the tests run (BRANCHES=1 lists the others)
	@python3 -B tests/quality/cover.py $(BUILD)/cover $(headers)

mutate: deps-mutate ## which of MUTANTS=100 small changes to the headers no test notices (SEED=1)
	@nice -n 15 python3 -B tests/quality/mutate.py --count $(MUTANTS) --seed $(SEED) \
	    --percent $(MUTATE_PERCENT) --work $(BUILD)/mutants $(MUTATE_OPTIONS)

planted: deps-planted ## each gate finds a fault that is planted for it (ONLY='tsan|asan'); ten minutes
	@BUILD=$(BUILD) bash tests/quality/planted.sh '$(ONLY)'

proof: deps-proof ## Frama-C proves that no byte outside of a file is read; ten minutes
	@sh tests/quality/proof.sh $(abspath $(BUILD))/proof $(PROOF_FLOOR)

# -- Records, and what compares with them -----------------------------------------------------------

record-hashes: deps-compiler $(BUILD)/hashes ## write tests/golden/hashes.txt anew, after a change that is meant; asks first
	@printf 'This replaces tests/golden/hashes.txt. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@mkdir -p $(BUILD)/hashed && $(BUILD)/hashes --print --folder=$(BUILD)/hashed >$(BUILD)/hashes.log && \
	 grep ' [0-9a-f]\{16\}$$' $(BUILD)/hashes.log >tests/golden/hashes.txt

golden-examples: deps-test-examples ## draw the pictures of examples and viewer anew; asks first
	@$(call confirm,the pictures but for the film's in tests/golden)
	@$(make_silent) $(test_programs) $(BUILD)/make_models && $(test_viewer) --record

golden-engines: deps-engines ## draw the pictures of engines anew (ENGINES=folder); asks first
	@$(call confirm,engine_* in tests/golden)
	@$(make_silent) $(BUILD)/character/tris.md2 && sh tests/recipes/engines/engines.sh $(BUILD)/character record

golden-film: deps-film ## make the moving picture of the README anew; asks first
	@$(call confirm,tests/golden/crowd.webp)
	@$(make_silent) $(test_programs) && $(test_film) --record

bench-check: deps-bench-check ## instruction counts against the record; BENCH_RECORD=1 writes it anew
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain \
	    $(BUILD)/character/tris.md2
	@python3 -B tests/tools/bench/bench_check.py $(BUILD)/bench_counts $(BUILD)/character $(BUILD)

readme-bench: deps-readme-bench ## write the README's table of speed and its picture anew; minutes
	@mkdir -p $(BUILD) && $(MAKE) --no-print-directory bench >$(BUILD)/bench.md && \
	sh tests/readme/readme_bench.sh $(BUILD)/bench.md README.md $(BUILD)/character tests/golden/speed.svg

# -- The rest --------------------------------------------------------------------------------------

deps: deps-all ## install what any of these needs, several GB; each does so for itself

clean: ## remove the folder build/
	rm -rf $(BUILD)

.PHONY: help demo test demo-pictures viewer convert test-convert examples knight web bench test-gl test-examples \
        test-film test-web test-bare bare-root readme recipes engines long-life everything asan ubsan \
        sanitize tsan valgrind fuzz fuzz-fast fuzz-memory fuzz-corpus strict symbols emulated twins \
        twins-check shaders shaders-check docs same-code lint cover mutate planted proof record-hashes \
        golden-examples golden-engines golden-film bench-check readme-bench deps clean
