#!/bin/bash
# planted.sh [WORDS]: each gate that looks for faults proves that it finds one. In copies of what git holds, one
# fault is planted for each gate; then that gate, run as small as it can be, must fail and name it. clang-tidy and
# ThreadSanitizer find one in each run of their own, and cover sees branches that never ran. Ends with a table: the
# gate, the fault, the first line of what the gate said of it. WORDS choose gates by their names.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/planted
only=${1:-}
rm -rf "$out" && mkdir -p "$out/clean" && out=$(realpath "$out") || exit 1
changed=$(git stash create)
git archive "${changed:-HEAD}" | tar -x -C "$out/clean" || exit 1
unset MAKEFLAGS MAKELEVEL MODELS TABLES ENGINES FULL ONLY BUILD # the copies are their own
export CI=1                                             # what is skipped finds nothing
passed=0 failed=0
table=()
. tests/support/only.sh

# -- Planting: these run in a copy ------------------------------------------------------------------------

# into HEADER FUNCTION LINE...: at the beginning of its body. Its declaration ends with a semicolon.
into() {
    local header=$1 name=$2 lines
    shift 2
    lines=$(printf '    %s\n' "$@")
    name=$name lines=$lines awk '
        index($0, " " ENVIRON["name"] "(") || index($0, "*" ENVIRON["name"] "(") { inside = /^[A-Za-z]/ }
        inside && /;/   { inside = 0 }
                        { print }
        inside && /^{$/ { print ENVIRON["lines"]; inside = 0 }' "$header" >planted.h && mv planted.h "$header"
}

# -- Judging ----------------------------------------------------------------------------------------------

# gate NAME FAULT PATTERN COMMAND...: plant_NAME, then the command, which must fail and say what matches.
gate() {
    local name=$1 fault=$2 pattern=$3 copy=$out/$1 log=$out/$1.log said status start=$SECONDS
    shift 3
    wanted "$only" "$name" || return
    rm -rf "$copy" && cp -a "$out/clean" "$copy" && (cd "$copy" && "plant_${name//[-,]/_}") || exit 1
    if diff -qr "$out/clean" "$copy" >/dev/null; then
        status=0
        echo 'nothing was planted: what it goes by is no longer there' >"$log"
    else
        (cd "$copy" && exec timeout 900 "$@") >"$log" 2>&1 </dev/null
        status=$?
    fi
    said=$(grep -m 1 -E -e "$pattern" "$log" | sed "s|$copy/||g; s/^ *//" | cut -c 1-160)
    if [ $status != 0 ] && [ $status != 124 ] && [ -n "$said" ]; then
        passed=$((passed + 1))
        echo "ok    $name finds $fault ($((SECONDS - start)) s)"
        rm -rf "$copy"
    else
        failed=$((failed + 1))
        echo "FAIL  $name does not find $fault (status $status, $((SECONDS - start)) s): $*"
        tail -n 20 "$log" | cut -c 1-200
        said='NOT FOUND'
    fi
    table+=("$name|$fault|$said")
}

# -- The gates --------------------------------------------------------------------------------------------

plant_lint_pasted() { sed -i 's/static bool md5__is_finite/static bool  md5__is_finite/' md5.h; }
gate lint,pasted 'shared code that was edited in md5.h' 'md5.h differs from md2.h' make lint headers=

plant_strict() { into md2.h md2_find_frame 'void *nothing = NULL;' 'char *planted = nothing;' '(void)planted;'; }
gate strict 'a line that C++ refuses' "invalid conversion from .void\*. to .char\*" make strict 'ONLY=program g++ -std=c++98'

plant_strict_symbols() { into md2.h md2_find_frame 'static unsigned planted;' 'if (name) ++planted;'; }
gate strict,symbols 'a global variable' '^ *\.bss .* bytes' make strict headers=md2.h ONLY=symbols

plant_strict_names() { sed -i 's/^static void md2__smooth_copy/void md2__smooth_copy/' tests/recipes/md2_smooth.h; }
gate strict,names 'a private function that is not static' '^ *md2__smooth_copy$' make strict headers=md2.h ONLY=symbols

plant_sanitize_address() { into md2.h md2_find_frame 'if (name && strlen(name) == 5) {' \
    '    volatile char planted = name[6];' '    (void)planted;' '}'; }
gate sanitize,address 'a name of five letters is read one past its end' 'SUMMARY: AddressSanitizer: .*buffer-overflow .* in md2_find_frame' \
    make sanitize TESTS=test_md2 ONLY=find

plant_sanitize_undefined() { into md2.h md2_crossed 'volatile int planted = 2147483647;' 'if (frame > 1) planted += (int)frame;'; }
gate sanitize,undefined 'a sum that overflows' 'md2\.h:[0-9:]+ runtime error: signed integer overflow' \
    make sanitize TESTS=test_md2 ONLY=crossed

plant_fuzz_memory() { into md2.h md2_load_pcx_memory 'volatile int planted[2];' 'planted[0] = 0;' 'if (planted[1] == 7) return NULL;'; }
gate fuzz,memory 'a decision by what was never set' 'in md2_load_pcx_memory .*md2\.h' \
    make fuzz MEMORY=1 ONLY=pcx FUZZ_SECONDS=5

plant_test_gl() { sed -i 's/v_light = md2_scene\[4\];/v_light = vec4(-md2_scene[4].xyz, md2_scene[4].w);/' md2.h shaders/md2.vert; }
gate test-gl 'light from the other side' 'FAILED gl33/md2/light' make test-gl ONLY=light

plant_test_web() { sed -i "/^function onDrag/,/^}/s/event.preventDefault();//" tests/tools/viewer/page/input.js; }
gate test-web 'a page that lets the browser open what is dropped' 'failed: \[drop' make test-web ONLY=drop

plant_engines() { sed -i 's/gl->fn\.UseProgram(has_ended ? 0 : program);/(void)program;/' md2.h; }
gate engines 'a draw that leaves its program in use' 'FAIL: sfml: of ' make engines

# -- The table --------------------------------------------------------------------------------------------

echo
for row in "${table[@]}"; do
    IFS='|' read -r name fault said <<<"$row"
    printf '%-14s %-52s %s\n' "$name" "$fault" "$said"
done
some ${#table[@]} "$only" || failed=1
echo "$passed passed, $failed failed"
[ $failed = 0 ]
