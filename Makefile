# make             builds and runs all tests that need only a C compiler
# make help        the other targets
#
# CC, CFLAGS, LDFLAGS, BUILD and all else here may be set on the command line or in Makefile.config.
-include Makefile.config

BUILD  = build
CFLAGS ?= -std=c99 -O1 -g1 -Wall -Wextra -Wpedantic

# A test program is one name here: tests/NAME.c, with NAME_parts when it has more than one file. It runs
# as `NAME $(NAME_arguments)` and ends with the line "N passed, N failed".
TESTS                 = test_md2_edges test_md5_edges test_md2 test_names test_gl_mock torture_md2 test_md5 torture_md5 test_character
test_md2_edges_parts  = tests/test_md2_scalar.c
test_md2_parts        = tests/test_md2_scalar.c
test_md5_parts        = tests/test_md5_scalar.c
torture_md2_arguments = $(QUICK)
torture_md5_arguments = $(QUICK)
make_models_arguments = $(BUILD)/models
test_character_arguments = $(BUILD)/character
test_gl_mock_arguments = $(BUILD)
QUICK                 = --quick
GL_TESTS              = test_gl
JOBS                  = $(shell nproc 2>/dev/null || echo 2)

# Each of these gates fails when it looked at fewer things than this.
TEST_FLOOR   = 2000000
STRICT_FLOOR = 120
TWINS_FLOOR  = 17
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

$(programs): $(BUILD)/%: tests/%.c $$(wildcard $$($$*_parts)) $(wildcard *.h tests/*.h) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(LDFLAGS) -lm

# Changes when the compiler or its flags do, so that they rebuild everything.
$(BUILD)/flags: always
	@mkdir -p $(BUILD)/models $(BUILD)/character
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
	@$(MAKE) --no-print-directory BUILD=$(BUILD)/asan SANITIZE='$(ADDRESS)' QUICK= test

ubsan: compiler
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/ubsan SANITIZE='$(UNDEFINED)' QUICK= test

sanitize: compiler
	@UBSAN_OPTIONS=print_stacktrace=1 \
	$(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize SANITIZE='$(ADDRESS) $(UNDEFINED)' QUICK= test

strict: deps-strict
	@ONLY='$(ONLY)' bash tests/strict.sh

symbols: deps-symbols
	@bash tests/symbols.sh $(headers)

twins:
	@sh tests/twins.sh $(TWINS_FLOOR)

shape:
	@sh tests/shape.sh $(headers)

# -- Coverage and mutation ---------------------------------------------------------------------------------

# Lines and branches of the headers that the tests run; BRANCHES=1 shows each branch never taken.
cover: deps-cover
	@rm -f $(BUILD)/cover/*.gcda; mkdir -p $(BUILD)/cover; \
	if ! $(MAKE) --no-print-directory BUILD=$(BUILD)/cover CC=gcc CFLAGS='-std=c99 -O0 --coverage' test \
	     >$(BUILD)/cover/test.log 2>&1; then \
	    cat $(BUILD)/cover/test.log; echo 'cover: the tests themselves fail'; echo '0 passed, 1 failed'; exit 1; \
	fi
	@LINES_PERCENT=$(LINES_PERCENT) BRANCHES_PERCENT=$(BRANCHES_PERCENT) COVER_FLOOR=$(COVER_FLOOR) \
	BRANCHES=$(BRANCHES) sh tests/cover.sh $(BUILD)/cover $(headers)

# Small changes to the headers, MUTANTS of them chosen at random by SEED (0: all, for hours), and how many
# the tests notice. MUTATE_OPTIONS=--simd changes what only processors with vectors run.
mutate: deps-mutate
	@mkdir -p $(BUILD) && $(CC) -std=c99 -O1 -o $(BUILD)/mutate_headers tests/mutate.c && \
	nice -n 15 $(BUILD)/mutate_headers --count $(MUTANTS) --seed $(SEED) --percent $(MUTATE_PERCENT) \
	    --work $(BUILD)/mutants $(MUTATE_OPTIONS)

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
	glad --quiet --reproducible --api gl:core=3.3 --extensions '' --out-path $(BUILD)/glad c --header-only

shaders: deps-shaders
	@sh tests/shaders.sh --write

shaders-check: deps-shaders
	@SHADERS_FLOOR=$(SHADERS_FLOOR) sh tests/shaders.sh

# -- What the targets need: installed when missing, through apt-get -------------------------------------

compiler_needs = $(firstword $(CC)) libc6-dev:stdio.h
symbols_needs  = gcc g++ clang binutils libc6-dev:stdio.h
strict_needs   = gcc g++ clang tcc binutils libc6-dev:stdio.h libssl-dev:openssl/md5.h libmd-dev:md5.h \
                 $(if $(filter x86_64,$(shell uname -m)),m32)

cover_needs    = gcc libc6-dev:stdio.h
mutate_needs   = gcc tcc libc6-dev:stdio.h
gl_needs       = $(compiler_needs) python3-glad libegl-dev:EGL/egl.h libegl1 libgl1-mesa-dri libstb-dev:stb/stb_image.h
shaders_needs  = glslang-tools

deps: deps-gl deps-shaders deps-strict deps-symbols compiler
compiler:     ; @sh tests/deps.sh $(compiler_needs)
deps-symbols: ; @sh tests/deps.sh $(symbols_needs)
deps-strict:  ; @sh tests/deps.sh $(strict_needs)
deps-cover:   ; @sh tests/deps.sh $(cover_needs)
deps-mutate:  ; @sh tests/deps.sh $(mutate_needs)
deps-gl:      ; @sh tests/deps.sh $(gl_needs)
deps-shaders: ; @sh tests/deps.sh $(shaders_needs)

# -- The rest --------------------------------------------------------------------------------------------

clean:
	rm -rf $(BUILD)

help:
	@echo 'make [test]    build and run all tests that need only a C compiler, under 10 seconds'
	@echo 'make strict    compile matrix: gcc, clang and tcc, C99 to C23, C++98 to C++23, 32 bit, all promises'
	@echo 'make asan      the tests and the whole torture under AddressSanitizer (MODELS=folder for more models)'
	@echo 'make ubsan     the same under UndefinedBehaviorSanitizer'
	@echo 'make sanitize  the same under both at once'
	@echo 'make symbols   what the object code contains: no globals, no leaks of names, stack, recursion'
	@echo 'make twins     what md2.h and md5.h share is the same in both'
	@echo 'make shape     length of the functions, share of comments'
	@echo 'make cover     lines and branches of the headers that the tests run (BRANCHES=1 lists those never taken)'
	@echo 'make mutate    how many of MUTANTS=200 small changes to the headers the tests notice (SEED=1)'
	@echo 'make test-gl   OpenGL 3.3 and ES 3.0 on a software driver, without a display; pictures against tests/golden'
	@echo 'make golden    draws these pictures anew; asks first'
	@echo 'make shaders   pastes shaders/ into the headers; make shaders-check compares and compiles them'
	@echo 'make deps      install through apt-get what any of these lacks; each does so for itself'
	@echo 'make clean     remove $(BUILD)/'

always:
.PHONY: programs test cover deps-cover mutate deps-mutate test-gl golden shaders shaders-check deps-gl deps-shaders asan ubsan sanitize \
        strict symbols twins shape deps compiler deps-symbols deps-strict clean help always
