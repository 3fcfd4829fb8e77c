# make             builds and runs all tests that need only a C compiler
# make help        the other targets
#
# CC, CFLAGS, LDFLAGS, BUILD and all else here may be set on the command line or in Makefile.config.
-include Makefile.config

# With -Og compiling and running together take the least time; the sanitizers, who run longer, have -O1.
BUILD  = build
OPTIMIZE = -Og
CFLAGS ?= -std=c99 $(OPTIMIZE) -g1 -Wall -Wextra -Wpedantic

# A test program is one name here: tests/NAME.c, with NAME_parts when it has more than one file. It runs
# as `NAME $(NAME_arguments)` and ends with the line "N passed, N failed". Those that take longest begin.
TESTS                 = test_md5 torture_md2 hashes test_gl_mock test_character test_fuzz test_md2 torture_md5 \
                        test_names test_threads test_recipes test_md5_edges test_md2_edges test_docs
test_threads_flags    = -pthread
hashes_parts          = tests/hashes_character.c
hashes_arguments      = $(BUILD)/hashed
test_md2_edges_parts  = tests/test_md2_scalar.c
test_md2_parts        = tests/test_md2_scalar.c
test_md5_parts        = tests/test_md5_scalar.c
torture_md2_arguments = $(QUICK)
torture_md5_arguments = $(QUICK)
make_models_arguments = $(BUILD)/models
test_character_arguments = $(BUILD)/character
test_gl_mock_arguments = $(BUILD)
test_fuzz_arguments = tests/fuzz
test_recipes_arguments = $(BUILD)/recipes
test_recipes_flags    = -pthread -I. -Itests/recipes -I$(BUILD)/recipes
test_recipes_parts    = $(wildcard tests/recipes_*.c) tests/hashes_character.c
QUICK                 = --quick
GL_TESTS              = test_gl
JOBS                  = $(shell nproc 2>/dev/null || echo 2)

# Each of these gates fails when it looked at fewer things than this.
TEST_FLOOR   = 2000000
STRICT_FLOOR = 120
TWINS_FLOOR  = 18
SHADERS_FLOOR = 8
COVER_FLOOR   = 1500
LINES_PERCENT = 100
BRANCHES_PERCENT = 98
MUTANTS = 200
SEED    = 1
MUTATE_PERCENT = 90

WARNINGS = -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-align \
           -Wcast-qual -Wundef -Wvla -Wwrite-strings -Wpointer-arith -Wformat=2
C_WARNINGS   = $(WARNINGS) -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wc++-compat
CXX_WARNINGS = $(WARNINGS)
export C_WARNINGS CXX_WARNINGS STRICT_FLOOR BUILD CC

ADDRESS   = -fsanitize=address -fno-omit-frame-pointer
UNDEFINED = -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all

headers  = $(wildcard md2.h md5.h)
sources  = $(filter-out $(if $(wildcard md5.h),,%md5.c),$(wildcard tests/make_models.c $(TESTS:%=tests/%.c)))
programs = $(sources:tests/%.c=$(BUILD)/%)
orphans  = $(filter-out $(foreach name,$(TESTS) $(GL_TESTS),tests/$(name).c $($(name)_parts)),$(wildcard tests/test_*.c tests/torture*.c))

.DEFAULT_GOAL = test
.SECONDEXPANSION:
.DELETE_ON_ERROR:

# -- Building ------------------------------------------------------------------------------------------

programs: $(programs)

$(programs): $(BUILD)/%: tests/%.c $$(wildcard $$($$*_parts)) $(wildcard *.h tests/*.h tests/recipes/*.h tests/recipes/*/*.h) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) $($*_flags) $(SANITIZE) -o $@ $(filter %.c,$^) $(LDFLAGS) -lm

# What the page shows, for test_recipes.c to include.
$(BUILD)/test_recipes: $(BUILD)/recipes/all.inc
$(BUILD)/recipes/all.inc: README.md tests/recipes.sh
	@sh tests/recipes.sh README.md $(BUILD)/recipes

# Changes when the compiler or its flags do, so that they rebuild everything.
$(BUILD)/flags: always
	@mkdir -p $(BUILD)/models $(BUILD)/character $(BUILD)/hashed
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)' | cmp -s - $@ || \
	 echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)' > $@

# -- Testing -------------------------------------------------------------------------------------------

# What a program prints, and behind it how it ended. make_models counts nothing, so its end is its count.
$(programs:=.log): %.log: % always
	@$< $($(*F)_arguments) >$@ 2>&1 </dev/null; status=$$?; \
	if [ $(*F) = make_models ] && [ $$status = 0 ]; then echo '1 passed, 0 failed' >>$@; fi; \
	echo "status $$status" >>$@

# Builds and runs all there is, as many at a time as there are processors, whatever fails; then shows what
# each printed and sums up their last lines. A program that cannot be built, crashes, or ends without its
# count is a failure.
test: compiler
	@rm -f $(programs:=.log); mkdir -p $(BUILD); \
	$(MAKE) --no-print-directory -k $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) $(programs:=.log) || true
	@passed=0; failed=0; \
	$(if $(orphans),echo '$(orphans): part of no test program'; failed=1;) \
	for program in $(programs); do \
	    log=$$program.log; status=; counts=; \
	    echo "-- $$program"; \
	    if [ -e $$log ]; then \
	        status=$$(sed -n '$$s/^status //p' $$log); \
	        sed '$$d' $$log; \
	        counts=$$(sed '$$d' $$log | sed -n '$$s/^\([0-9][0-9]*\) passed, \([0-9][0-9]*\) failed$$/\1 \2/p'); \
	    fi; \
	    if [ -z "$$counts" ]; then \
	        if [ "$$status" ]; then echo "$$program: ended with status $$status and no count"; \
	        else echo "$$program: was not built"; fi; \
	        counts='0 1'; \
	    elif [ "$$status" != 0 ] && [ "$${counts#* }" = 0 ]; then \
	        echo "$$program: counted no failure but ended with status $$status"; counts="$${counts% *} 1"; \
	    fi; \
	    passed=$$((passed + $${counts% *})); failed=$$((failed + $${counts#* })); \
	done; \
	echo "-- $(words $(programs)) programs"; \
	if [ $$passed -lt $(TEST_FLOOR) ]; then \
	    echo "only $$passed checks, at least $(TEST_FLOOR) expected"; failed=$$((failed + 1)); \
	fi; \
	echo "$$passed passed, $$failed failed"; \
	[ $$failed = 0 ]

# The same tests, with all of the torture; MODELS=folder adds the models there.
asan: compiler
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan OPTIMIZE=-O1 SANITIZE='$(ADDRESS)' QUICK= test

ubsan: compiler
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/ubsan OPTIMIZE=-O1 SANITIZE='$(UNDEFINED)' QUICK= test

sanitize: compiler
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' QUICK= test

strict: deps-strict
	@ONLY='$(ONLY)' bash tests/strict.sh

symbols: deps-symbols
	@bash tests/symbols.sh $(headers)

twins:
	@sh tests/twins.sh $(TWINS_FLOOR)

shape:
	@sh tests/shape.sh $(headers)

# Every block of C in the README, compiled by each as C and as C++ with all warnings as errors, and run;
# the shader of the page by the compiler of record; the page's window on a display of its own.
readme: deps-readme
	@BUILD=$(BUILD) WINDOW_NEEDS='$(window_needs)' sh tests/readme.sh

# Fills in the tables of speed in the README from a run of `make bench`; takes some minutes.
readme-bench: deps-readme-bench
	@mkdir -p $(BUILD) && FORMAT=markdown $(MAKE) --no-print-directory bench >$(BUILD)/bench.md; \
	sh tests/readme_bench.sh $(BUILD)/bench.md README.md

.PHONY: readme readme-bench deps-readme deps-readme-bench

# -- Coverage and mutation ---------------------------------------------------------------------------------

# Lines and branches of the headers that the tests run; BRANCHES=1 shows each branch never taken. The torture
# is left out: it counts decisions by macros, which makes branches of their own. So are the recipes, for they
# compile what they do not use.
cover: deps-cover
	@rm -f $(BUILD)/cover/*.gcda; mkdir -p $(BUILD)/cover; \
	if ! $(MAKE) --no-print-directory BUILD=$(BUILD)/cover CC=gcc CFLAGS='-std=c99 -O0 --coverage' test \
	     >$(BUILD)/cover/test.log 2>&1; then \
	    cat $(BUILD)/cover/test.log; echo 'cover: the tests themselves fail'; echo '0 passed, 1 failed'; exit 1; \
	fi
	@rm -f $(BUILD)/cover/torture_*.gcda $(BUILD)/cover/test_recipes-*.gcda
	@LINES_PERCENT=$(LINES_PERCENT) BRANCHES_PERCENT=$(BRANCHES_PERCENT) COVER_FLOOR=$(COVER_FLOOR) \
	BRANCHES=$(BRANCHES) sh tests/cover.sh $(BUILD)/cover $(headers)

# Small changes to the headers, MUTANTS of them chosen at random by SEED (0: all, for hours), and how many
# the tests notice. MUTATE_OPTIONS=--simd changes what only processors with vectors run.
mutate: deps-mutate
	@mkdir -p $(BUILD) && $(CC) -std=c99 -O1 -o $(BUILD)/mutate_headers tests/mutate.c && \
	nice -n 15 $(BUILD)/mutate_headers --count $(MUTANTS) --seed $(SEED) --percent $(MUTATE_PERCENT) \
	    --work $(BUILD)/mutants $(MUTATE_OPTIONS)

# What Frama-C proves of the headers for every input, and that it finds what is broken on purpose: minutes.
PROOF_FLOOR = 200
proof: deps-proof
	@sh tests/proof.sh $(abspath $(BUILD))/proof $(PROOF_FLOOR)

proof_needs = gcc libc6-dev:stdio.h frama-c-base why3 cvc4 z3
deps-proof: ; @sh tests/deps.sh $(proof_needs)

.PHONY: proof deps-proof

# -- OpenGL ----------------------------------------------------------------------------------------------

# On Mesa's software driver, without a display. SKIPPED where that cannot be had; with CI set, a failure.
test-gl:
	@if sh tests/deps.sh $(gl_needs); then \
	    $(MAKE) --no-print-directory $(BUILD)/test_gl && $(run_gl); \
	else \
	    echo 'SKIPPED: what the OpenGL tests need cannot be had here'; \
	    if [ "$$CI" ]; then echo '0 passed, 1 failed'; exit 1; else echo '0 passed, 0 failed'; fi; \
	fi

# Draws the pictures of record anew: look at each of them afterwards.
golden: deps-gl
	@printf 'This replaces the pictures in tests/golden. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@$(MAKE) --no-print-directory $(BUILD)/test_gl && $(run_gl) --record

run_gl = LIBGL_ALWAYS_SOFTWARE=1 $(BUILD)/test_gl $(BUILD) tests/golden

$(BUILD)/test_gl: tests/test_gl.c $(wildcard *.h tests/*.h) $(BUILD)/glad/include/glad/gl.h $(BUILD)/flags
	$(CC) $(CPPFLAGS) -isystem $(BUILD)/glad/include $(CFLAGS) $(SANITIZE) -o $@ $< $(LDFLAGS) -lEGL -lstb -lm

$(BUILD)/glad/include/glad/gl.h:
	$(GLAD) --quiet --reproducible --api gl:core=3.3 --extensions '' --out-path $(BUILD)/glad c --header-only

shaders: deps-shaders
	@sh tests/shaders.sh --write

shaders-check: deps-shaders
	@SHADERS_FLOOR=$(SHADERS_FLOOR) sh tests/shaders.sh

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
	@$(call confirm,the pictures example_* and viewer_* in tests/golden)
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

$(BUILD)/make_character: tests/make_character.c tests/character.h $(headers) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LDFLAGS) -lm

$(BUILD)/character/tris.md2: $(BUILD)/make_character
	$(BUILD)/make_character $(BUILD)/character

include tests/viewer/viewer.mk
.PHONY: demo demo-pictures viewer examples test-examples golden-examples test-film golden-film web test-web test-deps

# -- Fuzzing --------------------------------------------------------------------------------------------

# libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer; fuzz-memory with MemorySanitizer. FUZZ names
# the targets, FUZZ_SECONDS is the time of each. test_fuzz replays what they found with any compiler.
FUZZ_TARGETS = md2 md5_mesh md5_anim pcx frame_names paths numbers everything
FUZZ         = $(FUZZ_TARGETS)
FUZZ_SECONDS = 20
FUZZ_LENGTH  = 1024
FUZZ_FLOOR   = 200
FUZZ_WITH    = $(ADDRESS) $(UNDEFINED)
FUZZ_FLAGS   = -std=c99 -O2 -g1 -Wall -Wextra -fsanitize=fuzzer -fno-sanitize-coverage=trace-cmp
export FUZZ_SECONDS FUZZ_LENGTH FUZZ_FLOOR

fuzz: deps-fuzz $(FUZZ:%=$(BUILD)/fuzz/%) $(BUILD)/fuzz/fuzz_seeds
	@bash tests/fuzz/run.sh $(FUZZ)

fuzz-memory:
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/memory FUZZ_WITH='-fsanitize=memory -fsanitize-memory-track-origins' fuzz

# Packs what the runs found into tests/fuzz/corpus.
fuzz-corpus: deps-fuzz $(FUZZ:%=$(BUILD)/fuzz/%) $(BUILD)/fuzz/fuzz_seeds
	@bash tests/fuzz/minimise.sh $(FUZZ)

$(BUILD)/fuzz/%: tests/fuzz/%.c $(wildcard *.h tests/*.h tests/fuzz/*) | deps-fuzz
	@mkdir -p $(@D)
	clang $(FUZZ_FLAGS) $(FUZZ_WITH) $(if $(filter numbers,$*),,-fsanitize-coverage-ignorelist=tests/fuzz/uncounted.list) -o $@ $< -lm

$(BUILD)/fuzz/fuzz_seeds: tests/fuzz/seeds.c $(wildcard *.h tests/*.h tests/fuzz/*.h)
	@mkdir -p $(FUZZ_TARGETS:%=$(BUILD)/fuzz/seeds/%)
	$(CC) $(CPPFLAGS) $(CFLAGS) -o $@ $< $(LDFLAGS) -lm
	$@ $(BUILD)/fuzz/seeds

# The sanitizers lie in a package of the compiler's version.
deps-fuzz:
	@sh tests/deps.sh $(compiler_needs) clang && sh tests/deps.sh libclang-rt-$$(clang -dumpversion | cut -d. -f1)-dev

# -- Everywhere ------------------------------------------------------------------------------------------

# The core tests under many compilers and, emulated, on other processors and systems; all must compute what
# tests/golden/hashes.txt says. ONLY='s390x|tcc' picks platforms.
everywhere: deps-everywhere
	@ONLY='$(ONLY)' JOBS=$(JOBS) EVERYWHERE_FLOOR=$(EVERYWHERE_FLOOR) bash tests/everywhere.sh

# After a change of what is computed, and only after one that was meant.
record-hashes: $(BUILD)/hashes
	@printf 'This replaces tests/golden/hashes.txt. Type yes: '; read -r answer; [ "$$answer" = yes ]
	@mkdir -p $(BUILD)/hashed; $< --print $(BUILD)/hashed | grep ' [0-9a-f]\{16\}$$' >$(BUILD)/hashes.txt && \
	 cp $(BUILD)/hashes.txt tests/golden/hashes.txt

EVERYWHERE_FLOOR = 100
everywhere_needs = gcc g++ clang tcc libc6-dev:stdio.h m32 qemu-user \
                   gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-powerpc-linux-gnu libc6-dev-powerpc-cross \
                   gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
                   gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-mingw-w64-x86-64 wine wine64 emscripten
deps-everywhere: ; @sh tests/deps.sh $(everywhere_needs)

# -- Analysis --------------------------------------------------------------------------------------------

tsan: deps-tsan
	@BUILD=$(BUILD) bash tests/tsan.sh

# Each program in its short form.
valgrind: deps-valgrind
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/valgrind programs >/dev/null
	@mkdir -p $(BUILD)/valgrind/models $(BUILD)/valgrind/character $(BUILD)/valgrind/hashed
	@BUILD=$(BUILD) VALGRIND_FLOOR=$(VALGRIND_FLOOR) bash tests/valgrind.sh \
	    $(foreach name,$(TESTS),'$(BUILD)/valgrind/$(name) $(patsubst $(BUILD),$(BUILD)/valgrind,$(subst $(BUILD)/,$(BUILD)/valgrind/,$(subst --quick,--brief,$($(name)_arguments))))')

lint: deps-lint
	@BUILD=$(BUILD) LINT_FLOOR=$(LINT_FLOOR) bash tests/lint.sh $(headers)

LINT_FLOOR     = 36
VALGRIND_FLOOR = 8
tsan_needs     = gcc clang libc6-dev:stdio.h
valgrind_needs = $(compiler_needs) valgrind
lint_needs     = $(compiler_needs) cppcheck clang clang-tidy clang-tools
deps-tsan:     ; @sh tests/deps.sh $(tsan_needs)
deps-valgrind: ; @sh tests/deps.sh $(valgrind_needs)
deps-lint:     ; @sh tests/deps.sh $(lint_needs)

.PHONY: everywhere record-hashes deps-everywhere tsan valgrind lint deps-tsan deps-valgrind deps-lint

# -- Speed -----------------------------------------------------------------------------------------------

# Our times beside a floor or a baseline, in one table; FORMAT=markdown prints it for a page, MODELS=folder
# adds the models there. It gates nothing but that results are right.
bench: deps-bench
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench $(BUILD)/character/tris.md2
	@$(BUILD)/bench $(BUILD)/character $(BUILD) </dev/null

# Instructions by callgrind, which are the same on each run, against tests/bench_counts.txt.
bench-check: deps-bench-check
	@$(MAKE) --no-print-directory --silent $(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain \
	    $(BUILD)/character/tris.md2
	@sh tests/bench_check.sh $(BUILD)/bench_counts $(BUILD)/character $(BUILD)

BENCH_FLAGS = -std=c99 -O2 -Wall -Wextra -Wpedantic
assimp = $(shell echo '\#include <assimp/cimport.h>' | $(CC) -E -x c - >/dev/null 2>&1 && echo -DBENCH_ASSIMP -lassimp)

$(BUILD)/bench: tests/bench.c tests/bench_scalar.c $(headers) $(wildcard tests/*.h) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(BENCH_FLAGS) -DBENCH_CC='"$(CC)"' -o $@ $(filter %.c,$^) $(LDFLAGS) $(assimp) -lm

$(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain: tests/bench_counts.c tests/bench_library.c $(headers) \
                                                        $(wildcard tests/*.h) $(BUILD)/flags
	$(CC) $(BENCH_FLAGS) $(if $(filter %.plain,$@),-DMD2_NO_SIMD -DMD5_NO_SIMD) -o $@ $(filter %.c,$^) -lm

bench_needs       = $(compiler_needs) binutils libstb-dev:stb/stb_image.h
bench_check_needs = $(compiler_needs) valgrind:valgrind/callgrind.h
deps-bench:       ; @sh tests/deps.sh $(bench_needs)
deps-bench-check: ; @sh tests/deps.sh $(bench_check_needs)

.PHONY: bench bench-check deps-bench deps-bench-check

# -- What the targets need: installed when missing, through apt-get -------------------------------------

compiler_needs = $(firstword $(CC)) libc6-dev:stdio.h
symbols_needs  = gcc g++ clang binutils libc6-dev:stdio.h
strict_needs   = gcc g++ clang tcc binutils libc6-dev:stdio.h libssl-dev:openssl/md5.h libmd-dev:md5.h \
                 $(if $(filter x86_64,$(shell uname -m)),m32)

readme_needs   = gcc g++ clang libc6-dev:stdio.h glslang-tools
window_needs   = libglfw3-dev:GLFW/glfw3.h libgl-dev:GL/gl.h libstb-dev:stb/stb_image.h libgl1-mesa-dri xvfb xauth
cover_needs    = gcc libc6-dev:stdio.h
mutate_needs   = gcc tcc libc6-dev:stdio.h
gl_needs       = $(compiler_needs) python3-glad libegl-dev:EGL/egl.h libegl1 libgl1-mesa-dri libstb-dev:stb/stb_image.h
shaders_needs  = glslang-tools

deps: deps-gl deps-shaders deps-strict deps-symbols deps-test-web compiler
compiler:     ; @sh tests/deps.sh $(compiler_needs)
deps-symbols: ; @sh tests/deps.sh $(symbols_needs)
deps-strict:  ; @sh tests/deps.sh $(strict_needs)
deps-readme:  ; @sh tests/deps.sh $(readme_needs)
deps-readme-bench: ; @sh tests/deps.sh $(bench_needs) libassimp-dev:assimp/cimport.h
deps-cover:   ; @sh tests/deps.sh $(cover_needs)
deps-mutate:  ; @sh tests/deps.sh $(mutate_needs)
deps-gl:      ; @sh tests/deps.sh $(gl_needs)
deps-shaders: ; @sh tests/deps.sh $(shaders_needs)

# -- The rest --------------------------------------------------------------------------------------------

clean:
	rm -rf $(BUILD)

help:
	@echo 'make [test]    build and run all tests that need a C compiler and nothing else'
	@echo 'make strict    compile matrix: gcc, clang and tcc, C99 to C23, C++98 to C++23, 32 bit, all promises'
	@echo 'make asan      the tests and the whole torture under AddressSanitizer (MODELS=folder for more models)'
	@echo 'make ubsan     the same under UndefinedBehaviorSanitizer'
	@echo 'make sanitize  the same under both at once'
	@echo 'make symbols   what the object code contains: no globals, no leaks of names, stack, recursion'
	@echo 'make twins     what md2.h and md5.h share is the same in both'
	@echo 'make shape     length of the functions, share of comments'
	@echo 'make cover     lines and branches of the headers that the tests run (BRANCHES=1 lists those never taken)'
	@echo 'make mutate    how many of MUTANTS=200 small changes to the headers the tests notice (SEED=1)'
	@echo 'make proof     has Frama-C prove that no part of an MD2 outside the file is ever accepted'
	@echo 'make test-gl   OpenGL 3.3 and ES 3.0 on a software driver, without a display; pictures against tests/golden'
	@echo 'make viewer    builds the viewer and info; make examples, both examples'
	@echo 'make web       the viewer as a page, in $(BUILD)/web; make test-web visits it with a headless Chromium'
	@echo 'make golden    draws these pictures anew; asks first'
	@echo 'make demo      the viewer in a window, or without a display pictures in $(BUILD)/demo'
	@echo 'make test-examples  both examples and the viewer by keys, mouse and dropped files; pictures against tests/golden'
	@echo 'make readme    every example in the README as C and C++, all warnings as errors; make readme-bench fills its tables'
	@echo 'make test-film  the moving picture of the README against what the viewer draws; make golden-film makes it'
	@echo 'make shaders   pastes shaders/ into the headers; make shaders-check compares and compiles them'
	@echo 'make fuzz      fuzzers with ASan and UBSan (FUZZ_SECONDS=20 FUZZ="md2 pcx"); make fuzz-memory with MSan'
	@echo 'make everywhere  the core tests on other processors and systems, emulated: the same bits on all of them'
	@echo 'make tsan      eight threads share a model, under ThreadSanitizer'
	@echo 'make valgrind  the tests in their short form under memcheck'
	@echo 'make lint      cppcheck, clang-tidy, clang --analyze and scan-build over the headers'
	@echo 'make bench     times beside floors and baselines; FORMAT=markdown, MODELS=folder'
	@echo 'make bench-check   instruction counts against tests/bench_counts.txt; BENCH_RECORD=1 records them anew'
	@echo 'make deps      install through apt-get what any of these lacks; each does so for itself; make test-deps tests that'
	@echo 'make clean     remove $(BUILD)/'

always:
.PHONY: programs test cover deps-cover mutate deps-mutate test-gl golden shaders shaders-check deps-gl \
        deps-shaders asan ubsan sanitize fuzz fuzz-memory fuzz-corpus deps-fuzz strict symbols twins shape \
        deps compiler deps-symbols deps-strict clean help always
