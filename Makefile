# make             builds and runs all tests that need only a C compiler
# make help        the other targets
#
# CC, CFLAGS, LDFLAGS, BUILD and all other names in capitals can be set on the command line or in Makefile.config.
-include Makefile.config

# -Og gives the shortest total time of compiling and running. The sanitizers slow the tests down, so they use -O1.
BUILD     ?= build
OPTIMIZE  ?= -Og
CFLAGS    ?= -std=c99 -g1 $(OPTIMIZE) -Wall -Wextra -Wpedantic
JOBS      ?= $(shell nproc 2>/dev/null || echo 2)
at_once    = --no-print-directory $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
quietly    = $(MAKE) --no-print-directory --silent
headers    = md2.h md5.h
smoothing  = tests/recipes/md2_smooth.h

ifneq ($(words $(BUILD)),1)
  $(error BUILD is "$(BUILD)": make reads a name with spaces as several names)
endif

.DEFAULT_GOAL = test
.SECONDEXPANSION:
.DELETE_ON_ERROR:

-include tests/tools/viewer/viewer.mk
-include tests/tools/convert/convert.mk
include tests/tests.mk

# Prints the text after each ##, under the headings of this file.
help:
	@awk '/^# -- /          { gsub(/^# -- | -+$$/, ""); headline = $$0 } \
	      /^[a-z0-9-]+:.* ## / { if (headline != shown) print (shown ? "\n" : "") headline; \
	                          shown = headline; target = $$0; sub(/:.*/, "", target); sub(/.* ## /, ""); \
	                          printf "  make %-13s %s\n", target, $$0 }' Makefile

# -- The two commands ------------------------------------------------------------------------------

demo: deps-demo ## open the viewer; without a display, or with PICTURES=1, write pictures to build/demo
	@$(demo) $(if $(PICTURES),--pictures)

test: deps-compiler ## build and run the tests; ONLY='fade|seek' runs the tests with these words in their names
	@rm -f $(programs:=.log); \
	$(MAKE) $(at_once) -k $(programs:=.log) || true
	@ORPHANS='$(if $(ONLY),,$(orphans))' ONLY='$(ONLY)' sh tests/support/sum_up.sh $(programs)

# -- The character and the programs ----------------------------------------------------------------

knight: deps-compiler $(BUILD)/character/tris.md2 $(BUILD)/dancer/dancer.md5mesh ## write the folder knight: the model that the README's programs load
	@mkdir -p knight/dancer && cp $(BUILD)/character/* knight && cp $(BUILD)/dancer/* knight/dancer
	@echo 'the folder knight has tris.md2, knight.md5mesh and their animations and pictures; knight/dancer has a dance'

viewer: deps-viewer ## build the viewer, info (which reports problems of a model) and both examples
	@$(MAKE) --no-print-directory $(viewer_programs) $(example_programs)

convert: deps-convert ## build mdconvert, for MD2, MD5 and glTF (.glb for Blender, Godot, three.js)
	@$(MAKE) --no-print-directory $(BUILD)/mdconvert

web: deps-web ## build the viewer as a web page in build/web; the first time, up to 360 MB of packages
	@$(MAKE) --no-print-directory $(BUILD)/web/index.html
	@echo 'the page is in $(BUILD)/web; to see it: python3 -m http.server --directory $(BUILD)/web'
	@$(if $(WEB_REPOSITORY),,echo 'with WEB_REPOSITORY=https://... its heading links to the repository')

bench: $(if $(COUNTS),deps-counts,deps-bench) ## compare times with plain code; COUNTS=1: compare instruction counts with the record (gcc 12 and 14, x86-64)
	@$(if $(COUNTS),$(bench_counts),$(bench))

# -- Before a change goes in -----------------------------------------------------------------------

check: ## run every check that a change must pass, on Debian; about ten minutes (ONLY='strict|lint')
	@ONLY='$(ONLY)' .ci/run

everything: ## run check and all slow checks, before a release; an hour
	@ONLY='$(ONLY)' .ci/run everything

# -- Tests of OpenGL, the tools and the examples ---------------------------------------------------

test-gl: ## test OpenGL 3.3 and ES 3.0 on a software driver, without a display (GPU=1: on the GPU)
	$(call where_possible,gl_needs,$(BUILD)/test_gl,$(run_gl))

test-examples: ## test the examples and the viewer with keys, mouse and dropped files; compares pictures
	$(call where_possible,test_examples_needs,$(test_programs) $(BUILD)/make_models,$(test_viewer))

test-web: ## test the page in a headless Chromium, compared with the viewer's pictures; test-gl on WebGL 2
	$(call where_possible,test_web_needs,$(BUILD)/web/index.html $(BUILD)/web-gl/test_gl.html $(BUILD)/dancer/dancer.md5mesh $(test_programs),$(test_web))

test-convert: ## test mdconvert's files in three.js, Khronos' validator and Blender (MODELS=folder)
	$(call where_possible,test_convert_needs,$(test_convert_parts),$(test_convert))

readme: deps-readme $(BUILD)/character/tris.md2 $(BUILD)/dancer/dancer.md5mesh $(BUILD)/mdconvert ## compile all code of the README and the cookbook as C and C++, all warnings as errors
	@$(all_of) "WINDOW_NEEDS='$(window_needs)' sh tests/readme/readme.sh" 'sh tests/recipes/recipes.sh $(BUILD)/character'

engines: ## test the programs for SFML, SDL, raylib and sokol; compares pictures (ENGINES=folder with raylib, sokol)
	$(call where_possible,engines_needs,$(BUILD)/character/tris.md2,sh tests/recipes/engines/engines.sh $(BUILD)/character)

bare-root: deps-bare-root ## test in new Debians with only gcc and make: tests, demo, the README's targets; as root (DEBIANS=trixie)
	@bash tests/support/bare_root.sh '$(ONLY)'

# -- Checks of the headers -------------------------------------------------------------------------

twins: deps-lint ## paste the shared blocks of md2.h into md5.h, and shaders/ into both
	@python3 -B tests/source/twins.py --write
	@python3 -B tests/gl/shaders.py --write

lint: deps-lint ## check that make twins has nothing to do; check shaders, links, comments, versions; clang-tidy
	@$(all_of) 'python3 -B tests/source/twins.py --check $(TWINS_FLOOR)' 'python3 -B tests/gl/shaders.py' \
	    'python3 -B tests/source/docs.py' 'python3 -B tests/source/version.py' 'bash tests/quality/lint.sh $(headers)'

strict: deps-$(if $(EMULATED),emulated,strict) ## compile with gcc, clang, tcc, C99 to C23, C++98 to C++23 (FULL=1); EMULATED=1: other processors
	@$(if $(EMULATED),$(emulated),$(strict))

sanitize: deps-sanitize ## run the tests under AddressSanitizer and UBSan, threads under ThreadSanitizer (ONLY=threads)
	@$(all_of) $(if $(filter threads,$(ONLY)),,'$(sanitize)') 'bash tests/quality/tsan.sh'

fuzz: deps-fuzz ## run the fuzzers (FUZZ_SECONDS=20 ONLY='md2|pcx'; MEMORY=1, PACK=1)
	@$(fuzz)

# -- Coverage of the tests -------------------------------------------------------------------------

cover: deps-cover ## count the lines and branches that the tests run (BRANCHES=1 lists the branches they miss)
	@python3 -B tests/quality/cover.py $(BUILD)/cover $(headers) $(smoothing)

mutate: $(if $(GATES),deps-all,deps-cover) ## find out which of MUTANTS=100 small faults no test notices (SEED=1); GATES=1: one fault for each gate
	@$(if $(GATES),$(plant),$(mutate))

# -- Other targets ---------------------------------------------------------------------------------

record: ## replace the recorded results: WHAT=hashes, models, counts, speed, pictures, film or engines; asks first
	@$(if $(record_$(WHAT)),,echo 'record what? WHAT=hashes, models, counts, speed, pictures, film or engines'; exit 1)
	@printf 'This replaces $(firstword $(record_$(WHAT))). Type yes: '; read -r answer; [ "$$answer" = yes ]
	@$(wordlist 2,999,$(record_$(WHAT)))

deps: deps-all ## install the packages of all targets, several GB; each target also installs its own

clean: # removes the folder build/
	rm -rf $(BUILD)

.PHONY: help demo test knight viewer convert web bench check everything test-gl test-examples test-web test-convert \
        readme engines bare-root twins lint strict sanitize fuzz cover mutate record deps clean
