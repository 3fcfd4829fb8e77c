# mdconvert, and its tests with third-party programs: the Makefile's targets `convert` and `test-convert`.

node         = $(BUILD)/node
node_modules = $(node)/node_modules
sanitized    = $(BUILD)/sanitize

convert_needs      = $(compiler_needs) libstb-dev
test_convert_needs = $(sanitize_needs) libstb-dev nodejs=node npm blender python3-numpy

# npm installs the versions of package-lock.json, checks their checksums, and runs no script of a package.
packages = tests/tools/convert/package.json tests/tools/convert/package-lock.json

$(node_modules)/.here: $(packages)
	@mkdir -p $(node) && cp $(packages) $(node)
	npm ci --silent --ignore-scripts --no-fund --no-audit --prefix $(node)
	@touch $@

# mdconvert reads large files, so it is optimized even if the tests are not.
$(BUILD)/obj/tools/convert/%.o: folder_flags = $(OPTIMIZE:-Og=-O2)

# The tests use a build with sanitizers, because they read many damaged files.
$(sanitized)/mdconvert: always
	@$(MAKE) --no-print-directory BUILD=$(sanitized) OPTIMIZE=-O1 SANITIZE='$(ADDRESS) $(UNDEFINED)' $@

test_convert_parts = $(sanitized)/mdconvert $(BUILD)/mdconvert $(BUILD)/positions $(BUILD)/test_retarget $(BUILD)/make_models $(BUILD)/character/tris.md2 $(node_modules)/.here
test_convert       = BUILD=$(BUILD) NODE_MODULES=$(node_modules) bash tests/tools/convert/test_convert.sh $(sanitized)/mdconvert
