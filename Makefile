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
headers  = md2.h md5.h

.DEFAULT_GOAL = test
.SECONDEXPANSION:
.DELETE_ON_ERROR:

-include tests/viewer/viewer.mk
include tests/tests.mk

# The text behind ## is what `make help` prints.
help:
	@sed -n 's/^\([a-z-]*\):.*## */make \1	/p' Makefile tests/tests.mk $(wildcard tests/viewer/viewer.mk) | expand -t 22
	@echo 'make web              example_gl33.c as a page, in $(BUILD)/web; make test-web visits it with a headless Chromium'
	@echo 'make demo             the examples in a window, or without a display as pictures in $(BUILD)/demo'
	@echo 'make test-examples    both examples by keys, mouse and dropped files; all models; pictures against tests/golden'
	@echo 'make test-film        the moving picture of the README against what the example draws; make golden-film makes it'

# -- Testing -------------------------------------------------------------------------------------------

test: deps-compiler ## build and run all tests that need a C compiler and nothing else
	@rm -f $(programs:=.log); \
	$(MAKE) --no-print-directory -k $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) $(programs:=.log) || true
	@ORPHANS='$(orphans)' sh tests/support/sum_up.sh $(TEST_FLOOR) $(programs)

asan: deps-compiler ## the same under AddressSanitizer (FULL=1 for the whole torture, MODELS=folder for more models)
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 SANITIZE='$(ADDRESS)' test

ubsan: deps-compiler ## the same under UndefinedBehaviorSanitizer
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/ubsan OPTIMIZE=-O1 SANITIZE='$(UNDEFINED)' test

sanitize: deps-compiler ## the same under both at once
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' test

everything: ## .ci/run and all that is slow: FULL=1, other platforms, the web page, fuzzers, valgrind, proof; before a release
	@.ci/run everything

strict: deps-strict ## compile matrix: gcc, clang and tcc, C99 to C23, C++98 to C++23, 32 bit, each promise (FULL=1 for all combinations)
	@FULL='$(FULL)' ONLY='$(ONLY)' bash tests/promises/strict.sh

symbols: deps-symbols ## the object code: no globals, no leaks of names, stack, recursion
	@bash tests/promises/symbols.sh $(headers)

twins: ## what md2.h and md5.h share is the same in both
	@sh tests/promises/twins.sh $(TWINS_FLOOR)

shape: ## length of the functions, share of comments
	@sh tests/promises/shape.sh $(headers)

readme: deps-readme $(BUILD)/character/tris.md2 ## every example in the README as C and C++, all warnings as errors
	@BUILD=$(BUILD) WINDOW_NEEDS='$(window_needs)' sh tests/readme/readme.sh

readme-bench: deps-readme-bench ## fills in the README's tables of speed from `make bench`; takes some minutes
	@mkdir -p $(BUILD) && FORMAT=markdown $(MAKE) --no-print-directory bench >$(BUILD)/bench.md; \
	sh tests/readme/readme_bench.sh $(BUILD)/bench.md README.md

# -- Coverage, mutation, proof -----------------------------------------------------------------------------

cover: deps-cover ## lines and branches of the headers that the tests run (BRANCHES=1 lists those never taken)
	@sh tests/quality/cover.sh $(BUILD)/cover $(headers)

mutate: deps-mutate $(BUILD)/mutate ## how many of MUTANTS=200 small changes to the headers the tests notice (SEED=1)
	@nice -n 15 $(BUILD)/mutate --count $(MUTANTS) --seed $(SEED) --percent $(MUTATE_PERCENT) \
	    --work $(BUILD)/mutants $(MUTATE_OPTIONS)

proof: deps-proof ## has Frama-C prove that no part of an MD2 outside the file is ever accepted; takes minutes
	@sh tests/quality/proof.sh $(abspath $(BUILD))/proof $(PROOF_FLOOR)

# -- OpenGL ----------------------------------------------------------------------------------------------

test-gl: ## OpenGL 3.3 and ES 3.0 on a software driver, without a display; pictures against tests/golden
	$(call where_possible,gl_needs,$(BUILD)/test_gl,$(run_gl))

golden: deps-gl $(BUILD)/test_gl ## draws these pictures anew; asks first
	@printf 'This replaces the pictures in tests/golden. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@$(run_gl) --record

shaders: deps-shaders ## pastes shaders/ into the headers
	@sh tests/gl/shaders.sh --write

shaders-check: deps-shaders ## compares the two and compiles the shaders
	@SHADERS_FLOOR=$(SHADERS_FLOOR) sh tests/gl/shaders.sh

# -- Fuzzing, other platforms, analysis ----------------------------------------------------------------

fuzz: deps-fuzz $(FUZZ:%=$(BUILD)/fuzz/%) $(BUILD)/fuzz/fuzz_seeds ## fuzzers with ASan and UBSan (FUZZ_SECONDS=20 FUZZ="md2 pcx")
	@bash tests/fuzz/run.sh $(FUZZ)

fuzz-memory: ## the same with MSan
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/memory FUZZ_WITH='-fsanitize=memory -fsanitize-memory-track-origins' fuzz

fuzz-corpus: deps-fuzz $(FUZZ:%=$(BUILD)/fuzz/%) $(BUILD)/fuzz/fuzz_seeds ## packs what the runs found into tests/fuzz/corpus
	@bash tests/fuzz/minimise.sh $(FUZZ)

everywhere: deps-everywhere ## the core tests on other processors and systems, emulated: the same bits (ONLY='s390x|tcc')
	@ONLY='$(ONLY)' JOBS=$(JOBS) EVERYWHERE_FLOOR=$(EVERYWHERE_FLOOR) bash tests/portable/everywhere.sh

record-hashes: $(BUILD)/hashes ## writes tests/golden/hashes.txt anew, after a change that is meant; asks first
	@printf 'This replaces tests/golden/hashes.txt. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@mkdir -p $(BUILD)/hashed; $< --print $(BUILD)/hashed | grep ' [0-9a-f]\{16\}$$' >$(BUILD)/hashes.txt && \
	 cp $(BUILD)/hashes.txt tests/golden/hashes.txt

tsan: deps-tsan ## eight threads share a model, under ThreadSanitizer
	@BUILD=$(BUILD) bash tests/quality/tsan.sh

valgrind: deps-valgrind ## the tests in their short form under memcheck
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind programs >/dev/null
	@BUILD=$(BUILD) VALGRIND_FLOOR=$(VALGRIND_FLOOR) bash tests/quality/valgrind.sh $(valgrind_commands)

lint: deps-lint ## cppcheck, clang-tidy, clang --analyze and scan-build over the headers
	@BUILD=$(BUILD) LINT_FLOOR=$(LINT_FLOOR) bash tests/quality/lint.sh $(headers)

# -- Speed -----------------------------------------------------------------------------------------------

bench: deps-bench ## times beside floors and baselines; FORMAT=markdown, MODELS=folder; it gates correct results only
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench $(BUILD)/character/tris.md2
	@$(BUILD)/bench $(BUILD)/character $(BUILD) </dev/null

bench-check: deps-bench-check ## instruction counts against tests/bench/bench_counts.txt; BENCH_RECORD=1 records them anew
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain \
	    $(BUILD)/character/tris.md2
	@sh tests/bench/bench_check.sh $(BUILD)/bench_counts $(BUILD)/character $(BUILD)

# -- The rest --------------------------------------------------------------------------------------------

deps: deps-gl deps-shaders deps-strict deps-symbols deps-test-web deps-compiler ## install through apt-get what any of these lacks; each does so for itself

clean: ## remove the folder build/
	rm -rf $(BUILD)

.PHONY: help test asan ubsan sanitize everything strict symbols twins shape readme readme-bench cover mutate proof test-gl golden \
        shaders shaders-check fuzz fuzz-memory fuzz-corpus everywhere record-hashes tsan valgrind lint bench bench-check \
        deps clean

# -- Examples ------------------------------------------------------------------------------------------

examples: $(BUILD)/example_gl33 $(BUILD)/example_legacy $(BUILD)/info $(BUILD)/character/tris.md2

$(BUILD)/example_gl33: example_gl33.c $(headers) $(BUILD)/glad/include/glad/gl.h $(BUILD)/flags
	$(CC) $(CPPFLAGS) -isystem $(BUILD)/glad/include $(CFLAGS) -O2 $(SANITIZE) -o $@ $< $(LDFLAGS) -lglfw -lm

$(BUILD)/example_legacy: example_legacy.c $(headers) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -O2 $(SANITIZE) -o $@ $< $(LDFLAGS) -lglfw -lGL -lm

$(BUILD)/info: tests/info.c tests/support/check.h $(headers) $(BUILD)/flags
	$(CC) $(CPPFLAGS) -I. -Itests/support $(CFLAGS) $(SANITIZE) -o $@ $< $(support) $(LDFLAGS) -lm

$(BUILD)/test_examples: tests/test_examples.c tests/support/check.h tests/support/picture.h $(headers) $(BUILD)/flags
	$(CC) $(CPPFLAGS) -I. -Itests/support $(CFLAGS) $(SANITIZE) -o $@ $< $(support) tests/support/picture.c $(LDFLAGS) -lX11 -lXtst -lm

GL_TESTS += test_examples
run_examples = timeout 1800 xvfb-run -a -s '-screen 0 1280x1024x24' \
               env LIBGL_ALWAYS_SOFTWARE=1 $(BUILD)/test_examples $(BUILD) tests/golden

# Keys, mouse, dropped files and pictures, on a display of their own. SKIPPED where that cannot be had; with
# CI set, a failure.
test-examples:
	@if sh tests/support/deps.sh $(test_examples_needs); then \
	    $(MAKE) --no-print-directory examples $(BUILD)/test_examples $(BUILD)/make_models && \
	    $(BUILD)/make_models $(BUILD)/models && $(run_examples) </dev/null; \
	else \
	    echo 'SKIPPED: what the tests of the examples need cannot be had here'; \
	    if [ "$$CI" ]; then echo '0 passed, 1 failed'; exit 1; else echo '0 passed, 0 failed'; fi; \
	fi

# Draws the examples' pictures of record anew: look at each of them afterwards.
golden-examples: deps-test-examples
	@printf 'This replaces the pictures example_* in tests/golden. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@sh tests/support/deps.sh imagemagick
	@$(MAKE) --no-print-directory examples $(BUILD)/test_examples && $(run_examples) --record </dev/null
	@for file in tests/golden/example_*.png; do convert "$$file" -strip PNG24:"$$file" || exit 1; done

# The moving picture of the README, against what the example draws now. SKIPPED where that cannot be had; with
# CI set, a failure.
test-film:
	@if sh tests/support/deps.sh $(film_needs); then \
	    $(MAKE) --no-print-directory $(film_programs) && $(draw_film) && \
	    $(BUILD)/test_film tests/golden/crowd.webp $(BUILD)/film; \
	else \
	    echo 'SKIPPED: what the film needs cannot be had here'; \
	    if [ "$$CI" ]; then echo '0 passed, 1 failed'; exit 1; else echo '0 passed, 0 failed'; fi; \
	fi

# Makes that picture anew: look at it afterwards.
golden-film: deps-film
	@printf 'This replaces tests/golden/crowd.webp. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@$(MAKE) --no-print-directory $(film_programs) && $(draw_film) && \
	sh tests/film.sh --record $(BUILD)/film tests/golden/crowd.webp

film_programs = $(BUILD)/example_gl33 $(BUILD)/character/tris.md2 $(BUILD)/test_film
draw_film     = BUILD=$(BUILD) timeout 600 xvfb-run -a -s '-screen 0 1280x1024x24 -noreset' \
                sh tests/film.sh $(BUILD)/film
film_needs    = $(demo_needs) libwebp-dev:webp/demux.h
deps-film:    ; @sh tests/support/deps.sh $(film_needs)
GL_TESTS     += test_film

$(BUILD)/test_film: tests/test_film.c $(wildcard tests/support/*.h) $(BUILD)/flags
	$(CC) $(CPPFLAGS) -I. -Itests/support $(CFLAGS) $(SANITIZE) -o $@ $< $(support) tests/support/picture.c $(LDFLAGS) -lwebpdemux -lm

.PHONY: test-film golden-film deps-film

# The window where there is a display; else, and with demo-pictures, pictures and a film in $(BUILD)/demo.
demo: deps-examples
	@$(MAKE) --no-print-directory --silent examples
	@BUILD=$(BUILD) sh tests/demo.sh

demo-pictures: deps-demo-pictures
	@$(MAKE) --no-print-directory --silent examples
	@BUILD=$(BUILD) sh tests/demo.sh --pictures

examples_needs      = $(compiler_needs) python3-glad libglfw3-dev:GLFW/glfw3.h libgl-dev:GL/gl.h \
                      libstb-dev:stb/stb_image.h libgl1-mesa-dri
demo_needs          = $(examples_needs) xvfb xauth webp
test_examples_needs = $(examples_needs) xvfb xauth libx11-dev:X11/Xlib.h libxtst-dev:X11/extensions/XTest.h
deps-examples:      ; @sh tests/support/deps.sh $(examples_needs)
deps-demo-pictures: ; @sh tests/support/deps.sh $(demo_needs)
deps-test-examples: ; @sh tests/support/deps.sh $(test_examples_needs)

.PHONY: examples test-examples golden-examples demo demo-pictures deps-examples deps-demo-pictures deps-test-examples

# -- The web ---------------------------------------------------------------------------------------------

# example_gl33.c as a page: put the folder $(BUILD)/web on any server that hands out files.
web: deps-web
	@$(MAKE) --no-print-directory $(BUILD)/web/index.html
	@echo 'the page is in $(BUILD)/web; to see it: python3 -m http.server --directory $(BUILD)/web'

# In a headless Chromium, against the native program's pictures. SKIPPED where that cannot be had; with CI
# set, a failure.
test-web:
	@if sh tests/support/deps.sh $(test_web_needs); then \
	    $(MAKE) --no-print-directory $(BUILD)/web/index.html $(BUILD)/example_gl33 $(BUILD)/compare_pictures && \
	    timeout 900 python3 -B tests/web/test_web.py $(BUILD) </dev/null; \
	else \
	    echo 'SKIPPED: what the tests of the web page need cannot be had here'; \
	    if [ "$$CI" ]; then echo '0 passed, 1 failed'; exit 1; else echo '0 passed, 0 failed'; fi; \
	fi

EMCC     = emcc
WEBFLAGS = -O2 -Wall -Wextra -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH \
           -sEXPORTED_RUNTIME_METHODS=UTF8ToString --preload-file $(BUILD)/character@build/character

$(BUILD)/web/index.html: tests/web/index.html $(BUILD)/web/index.js
	cp tests/web/index.html $@

# stb's headers are in a folder of the system that emcc must not see as a whole. Debian's emcc finds its own
# JavaScript at NODE_PATH, whichever node runs it.
$(BUILD)/web/index.js: example_gl33.c $(headers) $(BUILD)/character/tris.md2
	@mkdir -p $(BUILD)/web $(BUILD)/web-include
	@ln -sfn "$$(echo '#include <stb/stb_image.h>' | $(CC) -M -x c - | grep -o '/[^ ]*/stb/stb_image.h' | sed 's,/[^/]*$$,,')" \
	    $(BUILD)/web-include/stb
	NODE_PATH=/usr/share/nodejs $(EMCC) -isystem $(BUILD)/web-include $(WEBFLAGS) -o $@ example_gl33.c

$(BUILD)/compare_pictures: tests/compare_pictures.c $(wildcard tests/support/*.h) $(BUILD)/flags
	$(CC) $(CPPFLAGS) -I. -Itests/support $(CFLAGS) -o $@ $< $(support) tests/support/picture.c $(LDFLAGS) -lm

web_needs = $(compiler_needs) libstb-dev:stb/stb_image.h python3 \
            $(if $(shell command -v $(EMCC) 2>/dev/null),,emscripten)
test_web_needs = $(web_needs) chromium chromium-driver python3-glad libglfw3-dev:GLFW/glfw3.h xvfb xauth \
                 libgl1-mesa-dri
deps-web: ; @sh tests/support/deps.sh $(web_needs)
deps-test-web: ; @sh tests/support/deps.sh $(test_web_needs)

.PHONY: web test-web deps-web deps-test-web
