# viewer.mk: how the viewer, both examples, the page and the film are built, tested and recorded.

VIEWER        = tests/viewer
viewer_parts  = $(addprefix $(VIEWER)/,main.c models.c crowd.c stage.c input.c text.c)
with_glad     = -isystem $(BUILD)/glad/include
# check.h and picture.h
with_support  = -Itests/support -Itests
support       = $(wildcard $(addprefix tests/support/,*.h check.c support.c picture.c) tests/*.h)
deps_script   = $(firstword $(wildcard tests/support/deps.sh tests/deps.sh))
ask_for       = sh $(deps_script)
GLAD          = $(if $(shell command -v glad),glad,python3 -m glad)

# $(call test_or_skip,NEEDS,SENTENCE,COMMANDS): the commands, or where their needs cannot be had, SKIPPED;
# with CI set, that is a failure.
define test_or_skip
if $(ask_for) $(1); then $(3); else \
    echo 'SKIPPED: what $(2) cannot be had here'; \
    if [ "$$CI" ]; then echo '0 passed, 1 failed'; exit 1; else echo '0 passed, 0 failed'; fi; \
fi
endef
make_again = $(MAKE) --no-print-directory
a_display  = xvfb-run -a -s '-screen 0 1280x1024x24 -noreset' env LIBGL_ALWAYS_SOFTWARE=1
confirm    = printf 'This replaces $(1). Type yes: '; read -r answer; [ "$$answer" = yes ]

# -- Programs ------------------------------------------------------------------------------------------

viewer_programs  = $(BUILD)/viewer $(BUILD)/info $(BUILD)/character/tris.md2
example_programs = $(BUILD)/example_gl33 $(BUILD)/example_legacy $(BUILD)/character/tris.md2

$(BUILD)/viewer: $(viewer_parts) $(VIEWER)/viewer.h $(headers) $(BUILD)/glad/include/glad/gl.h $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(with_glad) $(CFLAGS) -O2 $(SANITIZE) -o $@ $(viewer_parts) $(LDFLAGS) -lglfw -lm

$(BUILD)/example_gl33: example_gl33.c $(headers) $(BUILD)/glad/include/glad/gl.h $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(with_glad) $(CFLAGS) -O2 $(SANITIZE) -o $@ $< $(LDFLAGS) -lglfw -lm

$(BUILD)/example_legacy: example_legacy.c $(headers) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -O2 $(SANITIZE) -o $@ $< $(LDFLAGS) -lglfw -lGL -lm

$(BUILD)/info $(BUILD)/compare_pictures: $(BUILD)/%: $(VIEWER)/%.c $(support) $(headers) $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(with_support) $(CFLAGS) $(SANITIZE) -o $@ $(filter %.c,$^) $(LDFLAGS) -lm

$(BUILD)/stopped_clock.so: $(VIEWER)/stopped_clock.c $(BUILD)/flags
	$(CC) $(CPPFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<

demo = $(make_again) --silent $(viewer_programs) $(example_programs) && \
       BUILD=$(BUILD) ASK_FOR_PICTURES='$(ask_for) $(pictures_needs)' sh $(VIEWER)/demo.sh

# -- Tests and pictures of record ----------------------------------------------------------------------

test_programs = $(viewer_programs) $(example_programs) $(BUILD)/compare_pictures $(BUILD)/stopped_clock.so
run_viewer  = timeout 1800 $(a_display) python3 -B $(VIEWER)/test_viewer.py $(BUILD) tests/golden </dev/null
test_viewer = $(make_again) $(test_programs) $(BUILD)/make_models && $(BUILD)/make_models $(BUILD)/models && \
              $(run_viewer) $(ONLY)
test_film   = $(make_again) $(test_programs) && \
              timeout 900 $(a_display) python3 -B $(VIEWER)/film.py $(BUILD) tests/golden/crowd.webp </dev/null

golden-examples: deps-test-examples
	@$(call confirm,the pictures example_* and viewer_* in tests/golden)
	@$(make_again) $(test_programs) && $(run_viewer) --record

golden-film: deps-film
	@$(call confirm,tests/golden/crowd.webp)
	@$(test_film) --record

# -- The page ------------------------------------------------------------------------------------------

EMCC     = emcc
WEBFLAGS = -O2 -Wall -Wextra -sUSE_GLFW=3 -sMIN_WEBGL_VERSION=2 -sMAX_WEBGL_VERSION=2 -sALLOW_MEMORY_GROWTH \
           -sEXPORTED_RUNTIME_METHODS=UTF8ToString --preload-file $(BUILD)/character@build/character
test_web = $(make_again) $(BUILD)/web/index.html $(BUILD)/viewer $(BUILD)/compare_pictures && \
           timeout 900 python3 -B $(VIEWER)/test_web.py $(BUILD) $(ONLY) </dev/null

$(BUILD)/web/index.html: $(VIEWER)/index.html $(BUILD)/web/index.js
	cp $< $@

# emcc must see stb's headers but not the system's folder that they are in. Debian's emcc finds its own
# JavaScript at NODE_PATH, whichever node runs it.
$(BUILD)/web/index.js: $(viewer_parts) $(VIEWER)/viewer.h $(headers) $(BUILD)/character/tris.md2
	@mkdir -p $(BUILD)/web $(BUILD)/web-include
	@ln -sfn "$$(echo '#include <stb/stb_image.h>' | $(CC) -M -x c - | grep -o '/[^ ]*/stb/stb_image.h' | sed 's,/[^/]*$$,,')" \
	    $(BUILD)/web-include/stb
	NODE_PATH=/usr/share/nodejs $(EMCC) -isystem $(BUILD)/web-include $(WEBFLAGS) -o $@ $(viewer_parts)

# -- Needs ---------------------------------------------------------------------------------------------

page_needs        = $(compiler_needs) libstb-dev:stb/stb_image.h
examples_needs    = $(page_needs) glad libglfw3-dev:GLFW/glfw3.h:glfw libgl-dev:GL/gl.h:GL
pictures_needs    = $(examples_needs) xvfb=xvfb-run xauth software-gl
test_viewer_needs = $(pictures_needs) python3 libxtst6 imagemagick=convert
film_needs        = $(pictures_needs) python3 webp=img2webp
web_needs         = $(page_needs) python3 emscripten=$(EMCC)
test_web_needs    = $(pictures_needs) $(web_needs) chromium chromium-driver=chromedriver

deps-examples:      ; @$(ask_for) $(examples_needs)
deps-demo:          ; @$(ask_for) $(if $(DISPLAY)$(WAYLAND_DISPLAY),$(examples_needs),$(pictures_needs))
deps-demo-pictures: ; @$(ask_for) $(pictures_needs)
deps-test-examples: ; @$(ask_for) $(test_viewer_needs)
deps-film:          ; @$(ask_for) $(film_needs)
deps-web:           ; @$(ask_for) $(web_needs)
deps-test-web:      ; @$(ask_for) $(test_web_needs)

.PHONY: golden-examples golden-film deps-examples deps-demo deps-demo-pictures deps-test-examples deps-film deps-web deps-test-web
