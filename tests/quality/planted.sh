#!/bin/bash
# planted.sh [WORDS]: tests the gates, which are the checks that search for faults. For each gate, one fault is planted
# in a copy of the repository; then the smallest run of the gate must fail and name the fault. Not tested here are
# clang-tidy and ThreadSanitizer, which have a planted fault in each run, and cover, which always finds branches that
# never ran. The output ends with a table of gates, faults, and the first lines that name the faults. WORDS choose gates
# by their names.
set -u
cd "$(dirname "$0")/../.." || exit 1
out=${BUILD:-build}/planted
only=${1:-}
rm -rf "$out" && mkdir -p "$out/clean" && out=$(realpath "$out") || exit 1
changed=$(git stash create)
git archive "${changed:-HEAD}" | tar -x -C "$out/clean" || exit 1
unset MAKEFLAGS MAKELEVEL MODELS TABLES ENGINES FULL ONLY BUILD # these must not reach the runs in the copies
export CI=1                                             # a check that is skipped fails, because it finds nothing
passed=0 failed=0
table=()
. tests/support/only.sh

# -- Planting: these functions run in a copy ----------------------------------------------------------------

# insert HEADER FUNCTION LINE...: inserts lines at the beginning of the function's body. A declaration of the function,
# which ends with a semicolon, is skipped.
insert() {
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

# gate NAME FAULT PATTERN COMMAND...: calls plant_NAME in a copy, then runs the command, which must fail with output
# that matches the pattern.
gate() {
    local name=$1 fault=$2 pattern=$3 copy=$out/$1 log=$out/$1.log found status start=$SECONDS
    shift 3
    wanted "$only" "$name" || return
    rm -rf "$copy" && cp -a "$out/clean" "$copy" && (cd "$copy" && "plant_${name//[-,]/_}") || exit 1
    if diff -qr "$out/clean" "$copy" >/dev/null; then
        status=0
        echo "nothing was planted: plant_${name//[-,]/_} no longer finds the code that it changes" >"$log"
    else
        (cd "$copy" && exec timeout 900 "$@") >"$log" 2>&1 </dev/null
        status=$?
    fi
    found=$(grep -m 1 -E -e "$pattern" "$log" | sed "s|$copy/||g; s/^ *//" | cut -c 1-160)
    if [ $status != 0 ] && [ $status != 124 ] && [ -n "$found" ]; then
        passed=$((passed + 1))
        echo "ok    $name finds $fault ($((SECONDS - start)) s)"
        rm -rf "$copy"
    else
        failed=$((failed + 1))
        echo "FAIL  $name does not find $fault (status $status, $((SECONDS - start)) s): $*"
        tail -n 20 "$log" | cut -c 1-200
        found='NOT FOUND'
    fi
    table+=("$name|$fault|$found")
}

# -- The gates --------------------------------------------------------------------------------------------

plant_lint_pasted() { sed -i 's/static bool md5__is_finite/static bool  md5__is_finite/' md5.h; }
gate lint,pasted 'shared code that was edited in md5.h' 'md5.h differs from md2.h' make lint headers=

plant_strict() { insert md2.h md2_find_frame 'void *nothing = NULL;' 'char *planted = nothing;' '(void)planted;'; }
gate strict 'a line that is an error in C++' "invalid conversion from .void\*. to .char\*" make strict 'ONLY=program g++ -std=c++98'

plant_strict_symbols() { insert md2.h md2_find_frame 'static unsigned planted;' 'if (name) ++planted;'; }
gate strict,symbols 'a global variable' '^ *\.bss .* bytes' make strict headers=md2.h ONLY=symbols

plant_strict_names() { sed -i 's/^static void md2__smooth_copy/void md2__smooth_copy/' tests/recipes/md2_smooth.h; }
gate strict,names 'a private function that is not static' '^ *md2__smooth_copy$' make strict headers=md2.h ONLY=symbols

plant_sanitize_address() { insert md2.h md2_find_frame 'if (name && strlen(name) == 5) {' \
    '    volatile char planted = name[6];' '    (void)planted;' '}'; }
gate sanitize,address 'a name of five letters is read one past its end' 'SUMMARY: AddressSanitizer: .*buffer-overflow .* in md2_find_frame' \
    make sanitize TESTS=test_md2 ONLY=find

plant_sanitize_undefined() { insert md2.h md2_crossed 'volatile int planted = 2147483647;' 'if (frame > 1) planted += (int)frame;'; }
gate sanitize,undefined 'a signed overflow' 'md2\.h:[0-9:]+ runtime error: signed integer overflow' \
    make sanitize TESTS=test_md2 ONLY=crossed

plant_fuzz_memory() { insert md2.h md2_load_pcx_memory 'volatile int planted[2];' 'planted[0] = 0;' 'if (planted[1] == 7) return NULL;'; }
gate fuzz,memory 'a decision that reads uninitialized memory' 'in md2_load_pcx_memory .*md2\.h' \
    make fuzz MEMORY=1 ONLY=pcx FUZZ_SECONDS=5

plant_test_gl() { sed -i 's/v_light = md2_scene\[4\];/v_light = vec4(-md2_scene[4].xyz, md2_scene[4].w);/' md2.h shaders/md2.vert; }
gate test-gl 'light from the opposite direction' 'FAILED gl33/md2/light' make test-gl ONLY=light

plant_test_web() { sed -i "/^function onDrag/,/^}/s/event.preventDefault();//" tests/tools/viewer/page/input.js; }
gate test-web 'a page that lets the browser open dropped files' 'failed: \[drop' make test-web ONLY=drop

plant_engines() { sed -i 's/gl->fn\.UseProgram(has_ended ? 0 : program);/(void)program;/' md2.h; }
gate engines 'a draw that leaves its program in use' 'FAIL: sfml: of ' make engines

# -- The table --------------------------------------------------------------------------------------------

echo
for row in "${table[@]}"; do
    IFS='|' read -r name fault found <<<"$row"
    printf '%-14s %-52s %s\n' "$name" "$fault" "$found"
done
some ${#table[@]} "$only" || failed=1
echo "$passed passed, $failed failed"
[ $failed = 0 ]
