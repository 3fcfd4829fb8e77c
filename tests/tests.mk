# How the tests are built and run: their programs and packages. The targets are in ../Makefile.

# -- Programs --------------------------------------------------------------------------------------------

# A program is a word in one of these lists and NAME_files, the list of its sources. The programs of TESTS and OTHERS
# are built as $(BUILD)/NAME and share objects. `make test` runs TESTS, the slow programs first, as
# `NAME $(NAME_arguments)`; each ends with the line "N passed, N failed". The programs of APART have separate build
# rules. A source file that belongs to no program fails `make test`. QUICK=1 is for testing the headers again with other
# compilers and options: it leaves out the programs of the tools and some cases of the slow tests.
header_tests  = test_md5 test_md2 hashes hashes_plain test_fuzz test_gl_mock test_nulls
tool_tests    = test_character test_recipes test_convert test_retarget test_files
TESTS  ?= $(header_tests) $(if $(QUICK),,$(tool_tests))
OTHERS ?= test_gl make_character make_dancer make_models mdconvert positions
APART  ?= test_threads test_gl_web bench bench_counts readme_window

support   = tests/support/check.c tests/support/support.c
trees     = tests/support/trees.c
fake_gl   = tests/support/fake_gl.c tests/support/fake_gl_shaders.c
md2       = tests/support/md2_implementation.c
md5       = tests/support/md5_implementation.c
md2_gl    = tests/support/md2_gl_implementation.c
md5_gl    = tests/support/md5_gl_implementation.c
character_parts = make_character skeleton mesh curves animations poses skin palette
writers   = $(addprefix tests/tools/convert/,blob.c write_md2.c write_md5.c)
converter = $(writers) $(addprefix tests/tools/convert/,write_glb.c request.c outputs.c check_outputs.c pictures.c frame_names.c \
            convert_md2.c convert_md5.c bake_md2.c names.c skeleton_of_md2.c \
            skeleton_input.c skeleton_errors.c) $(bones) $(addprefix tests/tools/viewer/,folder.c heading.c)
bones     = $(addprefix tests/tools/convert/,fit_bones.c build_hierarchy.c between_frames.c bind_pose.c fit_weapon.c \
            measure_body.c find_trunk.c find_limbs.c name_bones.c humanoid.c bone_math.c)
archive   = tests/tools/viewer/archive.c
scene     = $(addprefix tests/tools/convert/,blob.c names.c read_json.c read_gltf.c read_accessors.c read_materials.c \
            read_meshes.c read_nodes.c read_anims.c scene.c matrix.c)
from_scene = $(filter-out %/blob.c %/names.c,$(scene)) $(addprefix tests/tools/convert/,open_scene.c retarget_anims.c match_bones.c reference_poses.c ground.c root_motion.c retarget_notes.c anim_sources.c anim_names.c make_textures.c scene_to_md5.c scene_to_md2.c)
character = $(character_parts:%=tests/tools/character/%.c) $(writers)
md2_builder = tests/support/model_builder_md2.c tests/support/model_builder_md2_cases.c
md5_builder = tests/support/model_builder_md5.c tests/support/model_builder_md5_flaws.c

md2_chapters = loading strips errors repairs poses vertices player textures pcx smooth names corpus work
test_md2_files       = tests/md2/test_md2.c tests/md2/helpers.c \
                       $(md2_chapters:%=tests/md2/%.c) $(md2) $(md2_builder) $(support)
md5_chapters = errors text numbers loading meshes poses mixing root_motion skeletons vertices scales slices textures player work
test_md5_files       = tests/md5/test_md5.c tests/md5/helpers.c \
                       $(md5_chapters:%=tests/md5/%.c) $(md5) $(md5_builder) $(support)
test_gl_mock_files   = tests/gl/test_gl_mock.c tests/gl/mock_md2.c tests/gl/mock_md5.c tests/gl/models.c $(fake_gl) $(md2_builder) $(md5_builder) $(support)
render_shared = $(addprefix tests/gl/,test_gl.c render_support.c render_md2.c render_md5.c)
render        = $(render_shared) tests/gl/context_egl.c tests/gl/render_vertices.c
render_parts  = tests/gl/models.c tests/gl/stb_implementation.c $(md2_builder) $(md5_builder) $(support)
test_gl_files     = $(render) $(render_parts)
test_gl_web_files = $(render_shared) tests/gl/context_web.c $(render_parts)
test_nulls_files     = tests/both/test_nulls.c tests/both/nulls_md2.c tests/both/nulls_md5.c $(fake_gl) $(md2_builder) $(md5_builder) $(support)
test_threads_files   = tests/both/test_threads.c $(md2) $(md5) $(md2_builder) $(md5_builder) $(support)
test_recipes_files   = tests/readme/test_recipes.c $(wildcard tests/readme/recipes_*.c) $(fake_gl) $(md2_builder) $(support)
test_character_files = tests/tools/character/test_character.c $(md2) $(md5) $(support)
test_fuzz_files      = tests/fuzz/test_fuzz.c $(scene) $(archive) $(md2_gl) $(md5_gl) $(fake_gl) tests/md5/helpers.c $(md2_builder) $(md5_builder) $(support)
hashing              = $(wildcard tests/portable/hashes*.c) $(character) $(fake_gl) $(md2_builder) $(md5_builder) $(support)
hashes_files         = $(hashing) $(md2_gl) $(md5_gl)
hashes_plain_files   = $(hashing) tests/support/md2_plain_implementation.c tests/support/md5_plain_implementation.c
make_character_files = tests/tools/character/character_program.c $(character) $(md2)
make_dancer_files    = tests/tools/character/dancer.c $(writers) $(md2)
mdconvert_files      = $(addprefix tests/tools/convert/,mdconvert.c codecs.c stb.c) $(from_scene) $(converter)
test_convert_files   = $(addprefix tests/tools/convert/,test_convert.c test_support.c test_outputs.c test_scenes.c test_codecs.c) $(trees) $(from_scene) $(converter) $(md2) $(md5) $(support)
test_retarget_files  = $(addprefix tests/tools/convert/,test_retarget.c test_support.c test_codecs.c) $(from_scene) $(converter) $(md2) $(md5) $(support)
test_files_files     = $(addprefix tests/tools/viewer/,test_files.c files.c folder.c) $(archive) $(trees) $(support)
positions_files      = tests/tools/convert/positions.c
make_models_files    = tests/support/make_models.c $(md2_builder) $(md5_builder) $(support)
bench_files          = tests/tools/bench/bench.c $(fake_gl) $(support)
bench_counts_files   = tests/tools/bench/bench_counts.c tests/tools/bench/bench_library.c $(fake_gl) $(support)
readme_window_files  = tests/readme/readme_window.c $(support)

test_recipes_libraries = -pthread
test_gl_libraries      = -lEGL -lstb

hashes_arguments         = --folder=$(BUILD)/character
hashes_plain_arguments   = --folder=$(BUILD)/character
test_character_arguments = --folder=$(BUILD)/character
test_convert_arguments   = --character=$(BUILD)/character --folder=$(BUILD)/convert
test_retarget_arguments  = --character=$(BUILD)/character --folder=$(BUILD)/convert
test_recipes_arguments   = --character=$(BUILD)/character --folder=$(BUILD)/recipes
test_gl_mock_arguments   = --folder=$(BUILD)
test_nulls_arguments     = --folder=$(BUILD)

programs = $(TESTS:%=$(BUILD)/%)
linked   = $(header_tests) $(tool_tests) $(OTHERS)

# Sources that other sources include, or that scripts compile.
included = $(FUZZ_TARGETS:%=tests/fuzz/%.c) tests/portable/emulated_powerpc.c $(wildcard tests/recipes/*.c)
orphans  = $(filter-out tests/tools/viewer/% $(included) $(foreach name,$(linked) $(APART),$($(name)_files)), \
                        $(wildcard tests/*/*.c tests/tools/*/*.c))

# -- Building ------------------------------------------------------------------------------------------

# Sources include the headers of the library, of tests/support and of their own folder, and md2_smooth.h of
# tests/recipes, by name only. They include everything else by its path from the root of the repository.
includes = -I. -Itests/support -Itests/recipes
# tcc can have the name cc.
is_tcc  := $(findstring tcc,$(shell $(CC) -v 2>&1))
depend   = $(if $(is_tcc),-MD,-MMD -MP) -MF $(@:.o=.d)

objects_of = $(patsubst tests/%.c,$(BUILD)/obj/%.o,$($(1)_files))

programs: $(programs) $(BUILD)/character/tris.md2

# A rule prints what it makes; with V=1 it prints the command, with make -s nothing.
is_silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
say = $(if $(V),,@$(if $(is_silent),,echo '$(1)'; ))

# `-x c++` makes a C++ compiler read C sources; objects must link without it.
$(linked:%=$(BUILD)/%): $(BUILD)/%: $$(call objects_of,$$*)
	$(call say,link $@)$(CC) $(filter-out -x c++,$(CFLAGS)) $(SANITIZE) -o $@ $^ $(LDFLAGS) $($*_libraries) -lm

$(BUILD)/obj/%.o: tests/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,compile $<)$(CC) $(CPPFLAGS) $(includes) $(CFLAGS) $(folder_flags) $(SANITIZE) $(depend) -c -o $@ $<

-include $(wildcard $(BUILD)/obj/*/*.d $(BUILD)/obj/tools/*/*.d)

# Finding bones takes three times as long at -Og, so these files always get -O2.
$(bones:tests/%.c=$(BUILD)/obj/%.o): folder_flags = -O2

# Flags that only the implementations of the headers get. `make strict` optimizes them more than the tests.
$(BUILD)/obj/support/md2%implementation.o $(BUILD)/obj/support/md5%implementation.o: folder_flags = $(HEADER_FLAGS)

# test_recipes includes the C blocks of the README and the cookbook. The stubs of GLFW and stb_image are in recipes/.
$(BUILD)/obj/readme/%.o: folder_flags = -Itests/readme/recipes -I$(BUILD)/recipes
$(filter $(BUILD)/obj/readme/%,$(call objects_of,test_recipes)): $(BUILD)/recipes/all.inc
$(BUILD)/recipes/all.inc: README.md tests/recipes/README.md tests/readme/recipes.sh
	@sh tests/readme/recipes.sh $(BUILD)/recipes

# Only the files that draw with a driver get glad. The files that test_gl shares with programs of `make test` must not
# include it.
glad_objects = $(render:tests/%.c=$(BUILD)/obj/%.o)
$(glad_objects): folder_flags = -isystem $(BUILD)/glad/include
$(glad_objects): $(BUILD)/glad/include/glad/gl.h

$(BUILD)/glad/include/glad/gl.h:
	@sh tests/support/deps.sh python3-glad=glad
	$(call say,generate $@)glad --quiet --reproducible --api gl:core=3.3 --extensions '' --out-path $(BUILD)/glad c --header-only

$(BUILD)/character/tris.md2: $(BUILD)/make_character
	@mkdir -p $(@D)
	$(call say,generate $(@D))$< $(BUILD)/character

$(BUILD)/dancer/dancer.md5mesh: $(BUILD)/make_dancer
	@mkdir -p $(@D)
	$< $(BUILD)/dancer

# Changes when the compiler or its flags do, which rebuilds everything.
$(BUILD)/flags: always
	@mkdir -p $(BUILD)/models $(BUILD)/convert $(BUILD)/character
	@echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)' | cmp -s - $@ || \
	 echo '$(CC) $(CPPFLAGS) $(CFLAGS) $(SANITIZE) $(LDFLAGS)' > $@

always:
.PHONY: always programs

# -- Running -------------------------------------------------------------------------------------------

# ONLY chooses by words with | between them, in all targets.
only = $(if $(ONLY),'$(ONLY)')

# A log has the output of a program, then its exit status.
$(programs:=.log): %.log: % always
	@$< $($(*F)_arguments) $(if $(QUICK),--quick) $(only) >$@ 2>&1 </dev/null; echo "status $$?" >>$@

$(foreach name,hashes hashes_plain test_character test_recipes test_convert,$(BUILD)/$(name).log): $(BUILD)/character/tris.md2

all_of = sh tests/support/all_of.sh

# Prints the include paths and sources of a program, for the scripts that compile it with other compilers.
files-%:
	@echo $(includes) $($*_files)

# where_possible NEEDS,TARGETS,COMMAND: builds and runs, or prints SKIPPED if the packages cannot be installed. A script
# recognizes this by the last line, "0 passed, 0 failed, 1 skipped". With CI set, it is a failure.
where_possible = @if sh tests/support/deps.sh $($(1)); then \
	    $(MAKE) --no-print-directory $(2) && $(3); \
	else \
	    echo 'SKIPPED: the packages for this cannot be installed here'; \
	    if [ "$$CI" ]; then echo '0 passed, 1 failed'; exit 1; else echo '0 passed, 0 failed, 1 skipped'; fi; \
	fi

run_gl = GPU=$(GPU) LIBGL_ALWAYS_SOFTWARE=$(if $(GPU),0,1) $(BUILD)/test_gl --folder=$(BUILD) $(only)

# The commands of targets that depend on a variable.
sanitize = $(MAKE) --no-print-directory BUILD=$(BUILD)/sanitize OPTIMIZE=-O1 SANITIZE="$(ADDRESS) $(UNDEFINED)" QUICK=1 test
strict   = $(all_of) 'bash tests/source/strict.sh' 'bash tests/source/symbols.sh $(headers)'
emulated = $(all_of) 'CHECK_SECONDS=1500 python3 -B tests/portable/emulated.py' 'bash tests/portable/windows.sh'
mutate   = nice -n 15 python3 -B tests/quality/mutate.py --count $(MUTANTS) --seed $(SEED) --percent $(MUTATE_PERCENT) \
               --work $(BUILD)/mutants $(MUTATE_OPTIONS)
plant    = bash tests/quality/planted.sh '$(ONLY)'
bench    = $(quietly) $(BUILD)/bench $(BUILD)/character/tris.md2 && $(BUILD)/bench $(BUILD)/character $(BUILD) </dev/null
bench_counts = $(quietly) $(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain $(BUILD)/character/tris.md2 && \
               python3 -B tests/tools/bench/bench_check.py $(BUILD)/bench_counts $(BUILD)/character $(BUILD)

# The files that `make record WHAT=...` replaces, then the commands.
record_hashes   = tests/golden/hashes.txt \
                  $(quietly) $(BUILD)/hashes $(BUILD)/character/tris.md2 && \
                  $(BUILD)/hashes --print --folder=$(BUILD)/character >$(BUILD)/hashes.log && \
                  grep ' [0-9a-f]\{16\}$$' $(BUILD)/hashes.log >tests/golden/hashes.txt
record_models   = $(if $(MODELS),,$(error give the folder of the models: MODELS=folder))$(MODELS)/hashes.txt \
                  $(quietly) $(BUILD)/hashes && $(BUILD)/hashes --print-models >$(BUILD)/models.txt && \
                  mv $(BUILD)/models.txt $(MODELS)/hashes.txt
record_counts   = tests/tools/bench/bench_counts.txt \
                  $(quietly) deps-counts && BENCH_RECORD=1 $(quietly) bench COUNTS=1
record_speed    = tests/golden/speed.svg \
                  $(quietly) deps-bench && $(quietly) bench >$(BUILD)/bench.md && \
                  sh tests/readme/readme_bench.sh $(BUILD)/bench.md README.md $(BUILD)/character tests/golden/speed.svg
record_pictures = tests/golden/*.png \
                  $(quietly) deps-test-examples $(test_programs) $(BUILD)/make_models && $(test_viewer) --record
record_film     = tests/golden/crowd.webp \
                  $(quietly) deps-test-examples $(test_programs) $(BUILD)/make_models && $(test_viewer) --record film
record_engines  = tests/golden/engine_*.png \
                  $(quietly) deps-engines $(BUILD)/character/tris.md2 && \
                  sh tests/recipes/engines/engines.sh $(BUILD)/character record

# -- Bench ---------------------------------------------------------------------------------------------

# The sources are compiled together and optimized, because the benchmark measures what a user's compiler makes.
BENCH_FLAGS   ?= -std=c99 -O2 -Wall -Wextra -Wpedantic
bench_headers  = $(headers) $(wildcard tests/tools/bench/*.h tests/support/*.h) $(BUILD)/flags

$(BUILD)/bench: $(bench_files) $(bench_headers)
	$(CC) $(CPPFLAGS) $(includes) $(BENCH_FLAGS) -DBENCH_CC='"$(CC)"' -o $@ $(bench_files) $(LDFLAGS) -lm

$(BUILD)/bench_counts.sse2 $(BUILD)/bench_counts.plain: $(bench_counts_files) $(bench_headers)
	$(CC) $(includes) $(BENCH_FLAGS) $(if $(filter %.plain,$@),-DMD2_NO_SIMD -DMD5_NO_SIMD) -o $@ $(bench_counts_files) -lm

# -- Fuzzers -------------------------------------------------------------------------------------------

# libFuzzer with AddressSanitizer and UndefinedBehaviorSanitizer, or with MemorySanitizer if MEMORY=1. ONLY chooses
# targets, and FUZZ_SECONDS is the time of each target. With -no-pie, memory has the same addresses in each run.
# test_fuzz replays the corpus of the fuzzers with any compiler.
FUZZ_TARGETS ?= md2 md5_mesh md5_anim md5_scale pcx frame_names paths gltf archive calls
if_wanted     = $(if $(strip $(foreach word,$(subst |, ,$(ONLY)),$(findstring $(word),$1))),$1)
FUZZ         ?= $(strip $(if $(ONLY),$(foreach target,$(FUZZ_TARGETS),$(call if_wanted,$(target))),$(FUZZ_TARGETS)))
FUZZ_SECONDS ?= 20
FUZZ_LENGTH  ?= 1024
FUZZ_WITH    ?= $(if $(MEMORY),-fsanitize=memory -fsanitize-memory-track-origins,$(ADDRESS) $(UNDEFINED))
fuzzers       = $(BUILD)/$(if $(MEMORY),memory,fuzz)
fuzz          = $(if $(FUZZ),,$(error no fuzzer is called '$(ONLY)'))$(MAKE) $(at_once) $(FUZZ:%=$(fuzzers)/%) && \
               FUZZERS=$(fuzzers) bash tests/fuzz/$(if $(PACK),minimize.sh,run.sh) $(FUZZ)
FUZZ_FLAGS ?= -std=c99 -O2 -g1 -Wall -Wextra -fno-pie -fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp $(FUZZ_WITH)

# The sources that each target calls.
fuzz_md2_files         = $(md2)
fuzz_pcx_files         = $(md2)
fuzz_frame_names_files = $(md2)
fuzz_md5_mesh_files    = $(md5)
fuzz_md5_anim_files    = $(md5)
fuzz_md5_scale_files   = $(md5)
fuzz_paths_files       = $(md2) $(md5)
fuzz_gltf_files        = $(scene)
fuzz_archive_files     = $(archive)
fuzz_calls_files  = $(md2_gl) $(md5_gl) $(fake_gl) $(md5_builder) tests/support/support.c
fuzz_objects_of = $(patsubst tests/%.c,$(fuzzers)/obj/%.o,tests/fuzz/$(1).c $(fuzz_$(1)_files))

$(FUZZ_TARGETS:%=$(fuzzers)/%): $(fuzzers)/%: $$(call fuzz_objects_of,$$*)
	clang -no-pie -fsanitize=fuzzer $(FUZZ_WITH) -o $@ $^ -lm

compile_fuzzer = @mkdir -p $(@D); clang $(FUZZ_FLAGS) $(includes) -MMD -MP -MF $(@:.o=.d) -c -o $@ $<

$(fuzzers)/obj/%.o: tests/%.c | deps-fuzz
	$(compile_fuzzer)

-include $(wildcard $(fuzzers)/obj/*.d $(fuzzers)/obj/*/*.d $(fuzzers)/obj/tools/*/*.d)

# -- Limits --------------------------------------------------------------------------------------------

# The releases of Debian on which everything must run, here and in .github/workflows.
DEBIANS ?= bookworm trixie

# A check that searches for files or lines fails if it finds fewer than its floor.
TWINS_FLOOR      ?= 5 2200
RECIPES_FLOOR    ?= 21
COVER_FLOOR      ?= 4500
LINES_PERCENT    ?= 100
BRANCHES_PERCENT ?= 98
MUTANTS          ?= 100
SEED             ?= 1
MUTATE_PERCENT   ?= 88

WARNINGS ?= -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wdouble-promotion -Wcast-align \
           -Wcast-qual -Wundef -Wvla -Wwrite-strings -Wpointer-arith -Wformat=2
C_WARNINGS   ?= $(WARNINGS) -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wc++-compat
CXX_WARNINGS ?= $(WARNINGS)
ADDRESS      ?= -fsanitize=address -fno-omit-frame-pointer
UNDEFINED    ?= -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all
export C_WARNINGS CXX_WARNINGS DEBIANS ENGINES RECIPES_FLOOR ONLY FULL BUILD CC JOBS MAKE FUZZ_SECONDS FUZZ_LENGTH \
       COVER_FLOOR LINES_PERCENT BRANCHES_PERCENT BRANCHES

# -- Packages ------------------------------------------------------------------------------------------

# deps-NAME installs NAME_needs with apt-get if something is missing. An item is a package, or package=command.
# The name of gcc's package for -m32 includes the version. gcc-multilib would work too, but it removes every cross
# compiler.
compiler_needs = $(patsubst c++,g++=c++,$(patsubst cc,gcc=cc,$(firstword $(CC)))) libc6-dev
multilib       = $(patsubst %,gcc-%-multilib,$(shell gcc -dumpversion 2>/dev/null | cut -d. -f1)) libc6-dev-i386
compilers      = gcc g++ clang libc6-dev
screen         = libgl1-mesa-dri xvfb=xvfb-run xauth
window_needs   = libglfw3-dev libgl-dev libstb-dev $(screen)
gl_needs       = $(compiler_needs) python3-glad=glad libegl-dev libegl1 libgl1-mesa-dri libstb-dev
bench_needs    = $(compiler_needs) binutils libstb-dev
counts_needs   = $(compiler_needs) python3 valgrind
readme_needs   = $(compilers) python3 libstb-dev glslang-tools cmake git
lint_needs     = $(compiler_needs) python3 glslang-tools clang-tidy
strict_needs   = $(compilers) tcc binutils libssl-dev libmd-dev $(if $(filter x86_64,$(shell uname -m)),$(multilib))
sanitize_needs = $(compiler_needs) gcc clang libclang-rt-dev
cover_needs    = gcc libc6-dev python3
check_needs    = $(sort $(gl_needs) $(counts_needs) $(readme_needs) $(window_needs) $(lint_needs) $(strict_needs) \
                        $(sanitize_needs) $(cover_needs) $(test_examples_needs))

engines_needs  = $(compilers) libsfml-dev libsdl2-dev libgl-dev libstb-dev $(screen) imagemagick \
                 $(if $(ENGINES),libx11-dev libxrandr-dev libxinerama-dev libxcursor-dev libxi-dev)
bare_root_needs = debootstrap git
fuzz_needs     = $(compiler_needs) clang libclang-rt-dev python3
emulated_needs = $(compilers) python3 python3-glad=glad libglfw3-dev libgl-dev libstb-dev tcc $(multilib) qemu-user \
                 gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-powerpc-linux-gnu libc6-dev-powerpc-cross \
                 gcc-riscv64-linux-gnu libc6-dev-riscv64-cross gcc-aarch64-linux-gnu libc6-dev-arm64-cross \
                 gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-mingw-w64-x86-64 wine wine64 emscripten=emcc
all_needs      = $(sort git $(check_needs) $(engines_needs) $(bare_root_needs) $(fuzz_needs) $(emulated_needs) \
                        $(test_web_needs) $(test_convert_needs))

deps-%:
	@sh tests/support/deps.sh $($(subst -,_,$*)_needs)
