# mdconvert and its tests with programs of others. The targets are those of ../../../Makefile.

node         = $(BUILD)/node
node_modules = $(node)/node_modules
sanitized    = $(BUILD)/sanitize

convert_needs      = $(compiler_needs) libstb-dev
test_convert_needs = $(sanitize_needs) libstb-dev nodejs=node npm blender python3-numpy

# Fixed versions, so that what passes today passes tomorrow.
packages = gltf-validator@2.0.0-dev.3.10 three@0.187.0

$(node_modules)/.here: tests/tools/convert/convert.mk
	@mkdir -p $(node)
	npm install --silent --no-fund --no-audit --no-save --prefix $(node) $(packages)
	@touch $@

# It reads files of any size: fast enough for them also where the tests need not be.
$(BUILD)/obj/tools/convert/%.o: folder_flags = $(OPTIMIZE:-Og=-O2)

# Under sanitizers, as most of what it reads there is broken.
$(sanitized)/mdconvert: always
	@$(MAKE) --no-print-directory BUILD=$(sanitized) OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' $@

test_convert_parts = $(sanitized)/mdconvert $(BUILD)/mdconvert $(BUILD)/positions $(BUILD)/make_models $(BUILD)/character/tris.md2 $(node_modules)/.here
test_convert       = BUILD=$(BUILD) NODE_MODULES=$(node_modules) bash tests/tools/convert/test_convert.sh $(sanitized)/mdconvert
