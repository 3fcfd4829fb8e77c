# mdconvert and its tests with programs of others. The targets are those of ../../Makefile.

node         = $(BUILD)/node
node_modules = $(node)/node_modules
sanitized    = $(BUILD)/sanitized

# glTF is read by assimp where it is installed; the choice is made anew when it comes or goes.
convert_assimp = $(shell $(CC) -E -include assimp/cimport.h -x c /dev/null >/dev/null 2>&1 && echo yes)
mdconvert_libraries = $(if $(convert_assimp),-lassimp)
$(BUILD)/obj/convert/read_scene.o: CPPFLAGS += $(if $(convert_assimp),-DMDCONVERT_ASSIMP)
$(BUILD)/obj/convert/read_scene.o: $(BUILD)/convert_assimp
$(BUILD)/convert_assimp: always
	@mkdir -p $(@D) && echo '$(convert_assimp)' | cmp -s - $@ || echo '$(convert_assimp)' >$@

convert_needs      = $(compiler_needs)
test_convert_needs = $(sanitize_needs) nodejs=node npm libassimp-dev \
                     assimp-utils=assimp blender python3-numpy

# Fixed versions, so that what passes today passes tomorrow.
packages = gltf-validator@2.0.0-dev.3.10 three@0.187.0

$(node_modules)/.here: tests/convert/convert.mk
	@mkdir -p $(node)
	npm install --silent --no-fund --no-audit --no-save --prefix $(node) $(packages)
	@touch $@

# Under sanitizers, as most of what it reads there is broken.
$(sanitized)/mdconvert: always
	@$(MAKE) --no-print-directory BUILD=$(sanitized) OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' $@

test_convert_parts = $(sanitized)/mdconvert $(BUILD)/positions $(BUILD)/make_models $(BUILD)/character/tris.md2 $(node_modules)/.here
test_convert       = BUILD=$(BUILD) NODE_MODULES=$(node_modules) bash tests/convert/test_convert.sh $(sanitized)/mdconvert
