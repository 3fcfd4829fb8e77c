# mdconvert and its tests with programs of others. The targets are those of ../../../Makefile.

node         = $(BUILD)/node
node_modules = $(node)/node_modules
sanitized    = $(BUILD)/sanitize

convert_needs      = $(compiler_needs) libstb-dev
test_convert_needs = $(sanitize_needs) libstb-dev nodejs=node npm blender python3-numpy

# The versions and checksums of package-lock.json, and no script of a package runs.
packages = tests/tools/convert/package.json tests/tools/convert/package-lock.json

$(node_modules)/.here: $(packages)
	@mkdir -p $(node) && cp $(packages) $(node)
	npm ci --silent --ignore-scripts --no-fund --no-audit --prefix $(node)
	@touch $@

# It reads files of any size: fast enough for them also where the tests need not be.
$(BUILD)/obj/tools/convert/%.o: folder_flags = $(OPTIMIZE:-Og=-O2)

# Under sanitizers, as most of what it reads there is broken.
$(sanitized)/mdconvert: always
	@$(MAKE) --no-print-directory BUILD=$(sanitized) OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' $@

test_convert_parts = $(sanitized)/mdconvert $(BUILD)/mdconvert $(BUILD)/positions $(BUILD)/test_retarget $(BUILD)/make_models $(BUILD)/character/tris.md2 $(node_modules)/.here
test_convert       = BUILD=$(BUILD) NODE_MODULES=$(node_modules) bash tests/tools/convert/test_convert.sh $(sanitized)/mdconvert
