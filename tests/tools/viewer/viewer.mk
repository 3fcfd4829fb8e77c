# Rules for the viewer, the examples, the page and the film: how they are built, tested and recorded. The
# targets are in ../../../Makefile.

viewer_sources   = $(addprefix tests/tools/viewer/,main.c models.c crowd.c scene_text.c film.c stage.c offscreen.c input.c commands.c text.c files.c archive.c list.c pictures.c folder.c)
viewer_headers   = $(addprefix tests/tools/viewer/,viewer.h files.h archive.h folder.h offscreen.h)
viewer_programs  = $(BUILD)/viewer $(BUILD)/info $(BUILD)/character/tris.md2
example_programs = $(BUILD)/example_gl33 $(BUILD)/example_legacy $(BUILD)/character/tris.md2
test_programs    = $(viewer_programs) $(example_programs) $(BUILD)/mdconvert $(BUILD)/dancer/dancer.md5mesh $(BUILD)/stopped_clock.so

# Every desktop sets XDG_RUNTIME_DIR. In a container it is not set, and GLFW 3.4 prints a warning.
display          = xvfb-run -a -s '-screen 0 1280x1024x24 -noreset' env LIBGL_ALWAYS_SOFTWARE=1 XDG_RUNTIME_DIR=$(abspath $(BUILD))

demo        = $(MAKE) $(at_once) demo-programs && \
              BUILD=$(BUILD) INSTALL='sh tests/support/deps.sh $(pictures_needs)' sh tests/tools/viewer/demo.sh
test_viewer = $(BUILD)/make_models $(BUILD)/models && \
              $(display) </dev/null python3 -B tests/tools/viewer/test_viewer.py $(BUILD) tests/golden $(only)
test_web    = python3 -B tests/tools/viewer/test_web.py $(BUILD) $(only) </dev/null

# -- Programs ------------------------------------------------------------------------------------------

glad_include  = -isystem $(BUILD)/glad/include
stb_include   = -isystem /usr/include/stb
tool_support  = $(wildcard $(addprefix tests/support/,check.c support.c))

egl    = $(if $(filter Linux,$(shell uname)),-lEGL)
opengl = $(if $(filter Darwin,$(shell uname)),-framework OpenGL,-lGL)

$(BUILD)/viewer: $(viewer_sources) $(viewer_headers) tests/recipes/hero.c $(headers) $(smoothing) $(BUILD)/glad/include/glad/gl.h $(BUILD)/flags
	$(call say,build $@)$(CC) $(CPPFLAGS) $(includes) $(glad_include) $(CFLAGS) -O2 $(SANITIZE) -o $@ $(viewer_sources) $(LDFLAGS) -lglfw $(egl) -lm

$(BUILD)/example_gl33: example_gl33.c $(headers) $(BUILD)/glad/include/glad/gl.h $(BUILD)/flags
	$(call say,build $@)$(CC) $(CPPFLAGS) $(glad_include) $(stb_include) $(CFLAGS) -O2 $(SANITIZE) -o $@ $< $(LDFLAGS) -lglfw -lm

$(BUILD)/example_legacy: example_legacy.c $(headers) $(BUILD)/flags
	$(call say,build $@)$(CC) $(CPPFLAGS) $(stb_include) $(CFLAGS) -O2 $(SANITIZE) -o $@ $< $(LDFLAGS) -lglfw $(opengl) -lm

info_files = $(addprefix tests/tools/viewer/,info.c folder.c heading.c) $(tool_support)

$(BUILD)/info: $(info_files) $(addprefix tests/tools/viewer/,folder.h heading.h) $(headers) $(BUILD)/flags
	$(call say,build $@)$(CC) $(CPPFLAGS) $(includes) $(CFLAGS) $(SANITIZE) -o $@ $(info_files) $(LDFLAGS) -lm

$(BUILD)/stopped_clock.so: tests/tools/viewer/stopped_clock.c $(BUILD)/flags
	$(call say,build $@)$(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<

demo-programs: $(viewer_programs)
	@:

# -- The page ------------------------------------------------------------------------------------------

EMCC     ?= emcc
WEBSIMD  ?= -msimd128 -msse2
WEBFLAGS ?= -Os $(WEBSIMD) -Wall -Wextra -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH \
           -sENVIRONMENT=web -sFORCE_FILESYSTEM -sEXPORTED_RUNTIME_METHODS=UTF8ToString,FS,ccall

WEBGLFLAGS ?= -O1 $(WEBSIMD) -Wall -Wextra -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH -sEXIT_RUNTIME

# WEB_REPOSITORY is the address of the repository, for links. WEB_PAGE is the address of the page, which ends
# with a slash. The page is built each time, because both may have changed.
$(BUILD)/web/index.html: $(wildcard tests/tools/viewer/page/*) tests/tools/viewer/page.py $(addprefix $(BUILD)/web-parts/,viewer.js mdconvert.js info.js) $(wildcard tests/golden/card.png tests/golden/poster.jpg) rewrite
	@python3 -B tests/tools/viewer/page.py $(BUILD) '$(WEB_REPOSITORY)' '$(WEB_PAGE)'

# emcc needs stb's headers, but must not use other headers of the system's folder, hence the link. Debian's emcc
# finds its JavaScript at NODE_PATH, with any version of node.
$(BUILD)/web-parts/viewer.js: $(viewer_sources) $(viewer_headers) tests/recipes/hero.c $(headers) $(smoothing) $(BUILD)/character/tris.md2
	@mkdir -p $(BUILD)/web-parts $(BUILD)/web-include
	@ln -sfn "$$(echo '#include <stb/stb_image.h>' | $(CC) -M -x c - | grep -o '/[^ ]*/stb/stb_image.h' | sed 's,/[^/]*$$,,')" \
	    $(BUILD)/web-include/stb
	NODE_PATH=/usr/share/nodejs $(EMCC) $(includes) -isystem $(BUILD)/web-include $(WEBFLAGS) -o $@ $(viewer_sources)

# mdconvert and info for the worker of the page.
WORKERFLAGS ?= -O2 $(WEBSIMD) -Wall -Wextra -sALLOW_MEMORY_GROWTH -sENVIRONMENT=worker -sFORCE_FILESYSTEM -sEXIT_RUNTIME \
              -sEXPORTED_RUNTIME_METHODS=FS

$(BUILD)/web-parts/mdconvert.js: $$(mdconvert_files) $(wildcard tests/tools/convert/*.h) $(headers) $(BUILD)/web-parts/viewer.js
	NODE_PATH=/usr/share/nodejs $(EMCC) -I. -isystem $(BUILD)/web-include $(WORKERFLAGS) -o $@ $(mdconvert_files)

$(BUILD)/web-parts/info.js: $(info_files) $(wildcard tests/tools/viewer/*.h) $(headers) $(BUILD)/web-parts/viewer.js
	NODE_PATH=/usr/share/nodejs $(EMCC) $(includes) -isystem $(BUILD)/web-include $(WORKERFLAGS) -o $@ $(info_files)

# test_gl as a page.
$(BUILD)/web-gl/test_gl.html: tests/gl/test_gl.html $(BUILD)/web-gl/test_gl.js
	cp $< $@

$(BUILD)/web-gl/test_gl.js: $(test_gl_web_files) $(wildcard tests/gl/*.h tests/support/*.h) $(headers) $(BUILD)/web-parts/viewer.js
	@mkdir -p $(@D)
	NODE_PATH=/usr/share/nodejs $(EMCC) $(includes) -isystem $(BUILD)/web-include $(WEBGLFLAGS) -o $@ $(test_gl_web_files)

# -- Needs ---------------------------------------------------------------------------------------------

page_needs          = $(compiler_needs) libstb-dev
viewer_needs        = $(page_needs) python3-glad=glad libglfw3-dev libgl-dev libegl-dev
pictures_needs      = $(viewer_needs) libgl1-mesa-dri
test_examples_needs = $(pictures_needs) $(screen) python3 libxtst6 imagemagick webp=img2webp
web_needs           = $(page_needs) python3 emscripten=$(EMCC)
test_web_needs      = $(pictures_needs) $(web_needs) chromium chromium-driver=chromedriver imagemagick
demo_needs          = $(if $(PICTURES),$(pictures_needs),$(if $(DISPLAY)$(WAYLAND_DISPLAY),$(viewer_needs),$(pictures_needs)))

.PHONY: rewrite demo-programs
